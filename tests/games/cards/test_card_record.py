"""Records of the card game: what is written can be read, and nothing else."""

import json
from typing import Any

import pytest

from companion.games.cards.rules.moves import HAND, Draw, DrawSource, End, Flip, Pass, Play, Regain
from companion.games.cards.rules.public import board_entry, event_entry
from companion.games.cards.rules.record import move_line, parse_header, parse_move, replay
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.games.common.lines import FormatError, RecordError

PLAYERS = [
    {"name": "Ann", "role": "sheriff", "character": "slab_the_killer"},
    {"name": "Ben", "role": "outlaw", "character": "jourdonnais"},
    {"name": "Cat", "role": "renegade", "character": "bart_cassidy"},
    {"name": "Dan", "role": "outlaw", "character": "el_gringo"},
]
HEADER = {"record": "bang-card", "version": 1, "ruleset": "base", "players": PLAYERS}

ACTIONS = [
    {"action": "play", "seat": 0, "card": "bang", "target": 1},
    {"action": "flip", "seat": 1, "signs": ["4H"]},
    {"action": "play", "seat": 1, "card": "missed"},
    {"action": "play", "seat": 0, "card": "indians"},
    {"action": "pass", "seat": 1},
    {"action": "play", "seat": 2, "card": "bang"},
    {"action": "pass", "seat": 3},
    {"action": "end", "seat": 0},
]


def line(entry: Any) -> bytes:
    return json.dumps(entry).encode()


MOVES = [
    ('"flip", "seat": 1, "signs": ["4H"]', Flip(1, (SIGNS["4H"],))),
    ('"flip", "seat": 1, "signs": ["10S", "AH"]', Flip(1, (SIGNS["10S"], SIGNS["AH"]))),
    ('"draw", "seat": 2, "from": "deck"', Draw(2, DrawSource.DECK)),
    ('"draw", "seat": 2, "from": "discard"', Draw(2, DrawSource.DISCARD)),
    ('"draw", "seat": 2, "from": 0', Draw(2, 0)),
    ('"draw", "seat": 2, "shown": "QD"', Draw(2, shown=SIGNS["QD"])),
    ('"play", "seat": 0, "card": "gatling"', Play(0, Title.GATLING)),
    ('"play", "seat": 0, "card": "panic", "target": 1, "take": "hand"',
     Play(0, Title.PANIC, 1, HAND)),
    ('"play", "seat": 0, "card": "cat_balou", "target": 0, "take": "dynamite"',
     Play(0, Title.CAT_BALOU, 0, Title.DYNAMITE)),
    ('"pass", "seat": 3', Pass(3)),
    ('"regain", "seat": 3', Regain(3)),
    ('"end", "seat": 3', End(3)),
]  # fmt: skip


def test_every_action_is_read_and_written() -> None:
    for text, move in MOVES:
        text = f'{{"action": {text}}}'
        assert (parse_move(text.encode()), move_line(move)) == (move, text)


def changed(entry: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**entry, **changes}.items() if value is not ...}


def with_player(**changes: Any) -> dict[str, Any]:
    return changed(HEADER, players=[changed(PLAYERS[0], **changes), *PLAYERS[1:]])


HEADERS = [
    (changed(HEADER, ruleset=...), 'the key "ruleset" is missing'),
    (changed(HEADER, date="2026-11-22"), 'the key "date" is unknown'),
    (changed(HEADER, record="bang-dice"), '"record" is not "bang-card"'),
    (changed(HEADER, version=2), "unknown version 2: only 1 is known"),
    (changed(HEADER, ruleset="quick"), 'is "quick", not one of base'),
    (changed(HEADER, players=PLAYERS[:3]), "4 to 7 players, not 3"),
    (with_player(name=""), "a player has no name"),
    (with_player(name="Ben"), "two players have the same name"),
    (with_player(character="el_gringo"), "have the same character"),
    (with_player(character="calm"), 'player 0: "character" is "calm"'),
    (with_player(role="vice"), 'player 0: "role" is "vice"'),
    (with_player(role="outlaw"), "4 players have the roles"),
]


@pytest.mark.parametrize(("entry", "reason"), HEADERS)
def test_a_wrong_header_is_refused(entry: Any, reason: str) -> None:
    with pytest.raises(FormatError) as wrong:
        parse_header(line(entry))
    assert reason in str(wrong.value)
    with pytest.raises(RecordError) as at:
        list(replay([line(entry)]))
    assert at.value.line == 1


BROKEN = [
    ('{"action": "roll", "seat": 0}', '"action" is "roll", not one of'),
    ('{"action": "end"}', 'the key "seat" is missing'),
    ('{"action": "end", "seat": true}', '"seat" is not an integer'),
    ('{"action": "end", "seat": 0, "card": "bang"}', 'the key "card" is unknown'),
    *[
        (f'{{"action": {text}}}', reason)
        for text, reason in (
            ('"play", "seat": 0', 'the key "card" is missing'),
            ('"play", "seat": 0, "card": "bang", "target": null', '"target" is not an integer'),
            ('"play", "seat": 0, "card": "appaloosa"', '"card" is "appaloosa"'),
            ('"play", "seat": 0, "card": "panic", "target": 1, "take": "purse"',
             '"take" is "purse", not one of hand'),
            ('"play", "seat": 0, "card": "panic", "target": 1, "take": null',
             '"take" is not a string'),
            ('"flip", "seat": 0', 'the key "signs" is missing'),
            ('"flip", "seat": 0, "signs": "4H"', '"signs" is not a list'),
            ('"flip", "seat": 0, "signs": ["1H"]', '"signs" is "1H"'),
            ('"flip", "seat": 0, "signs": [4]', '"signs" is not a string'),
            ('"draw", "seat": 0', 'a draw has either "from" or "shown"'),
            ('"draw", "seat": 0, "from": "deck", "shown": "4H"',
             'a draw has either "from" or "shown"'),
            ('"draw", "seat": 0, "from": "hand"', '"from" is "hand", not one of deck, discard'),
            ('"draw", "seat": 0, "from": 1.0', '"from" is neither a seat nor a string'),
            ('"draw", "seat": 0, "from": true', '"from" is neither a seat nor a string'),
            ('"draw", "seat": 0, "shown": "11H"', '"shown" is "11H"'),
        )
    ],
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), BROKEN)
def test_a_broken_action_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(FormatError) as wrong:
        parse_move(text.encode())
    assert str(wrong.value).startswith(reason)
    with pytest.raises(RecordError) as at:
        list(replay([line(HEADER), line(ACTIONS[0]), text.encode()]))
    assert at.value.line == 3


def test_an_illegal_action_is_refused_with_its_line() -> None:
    with pytest.raises(RecordError, match="bang doesn't reach seat 2") as wrong:
        list(replay(map(line, [HEADER, changed(ACTIONS[0], target=2)])))
    assert wrong.value.line == 2


def test_cards_signs_and_actions_are_published_by_their_names_in_records() -> None:
    shot, saved = list(replay(map(line, [HEADER, *ACTIONS[:2]])))[1:]
    board = json.loads(json.dumps(board_entry(view(shot, Audience.TABLE))))
    assert (board["top"], board["actions"]) == ("bang", ["flip", "play", "pass"])
    board = json.loads(json.dumps(board_entry(view(saved, Audience.TABLE))))
    assert (board["top"], board["open"]["needed"]) == ("4H", 1)
    told = {"seat": 1, "signs": ["4H"], "card": "barrel", "success": True}
    assert [event_entry(event) for event in saved.events] == [{"kind": "card_flipped", **told}]
