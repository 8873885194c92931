"""Records of the card game: what is written can be read, and nothing else."""

import json
from pathlib import Path

import pytest
from cases import cases
from pile_scenes import told
from scenes import each_scene
from wrong_lines import check, lines

from companion.games.cards.rules.public import board_entry, event_entry
from companion.games.cards.rules.record import move_line, parse_move, replay
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience

ENTRIES = json.loads(Path(__file__).with_name("entries.json").read_text("utf-8"))


@pytest.mark.parametrize(("line", "move"), cases("games/cards/moves.txt", "Moves"))
def test_every_action_is_read_and_written(line, move):
    read = parse_move(line.encode())
    assert (told(read), move_line(read)) == (move, line)


@each_scene(__file__, "wrong_lines.txt")
def test_a_wrong_line_is_an_error_where_it_stands(ruling):
    check(replay, ENTRIES, ruling)


def test_cards_signs_and_actions_are_published_by_their_names_in_records():
    shot, saved = list(replay(lines(*map(ENTRIES.get, ("header", "bang", "flip")))))[1:]
    board = json.loads(json.dumps(board_entry(view(shot, Audience.TABLE))))
    assert (board["top"], board["actions"]) == ("bang", ["flip", "play", "pass"])
    board = json.loads(json.dumps(board_entry(view(saved, Audience.TABLE))))
    assert (board["top"], board["open"]["needed"]) == ("4H", 1)
    told = {"seat": 1, "signs": ["4H"], "card": "barrel", "success": True}
    assert [event_entry(event) for event in saved.events] == [{"kind": "card_flipped", **told}]
