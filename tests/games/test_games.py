"""Whole games, replayed line by line against the states written beside them."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from places import RECORDED

from companion.games.cards.rules import record as card_record
from companion.games.cards.rules.moves import CardAction
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import view as card_view
from companion.games.dice.rules import record as dice_record
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.views import Audience, view

GAMES = RECORDED
RECORDS = sorted(path for path in GAMES.glob("*.jsonl") if ".states" not in path.name)
CARDS = sorted(path for path in GAMES.glob("cards/*.jsonl") if ".states" not in path.name)


@pytest.mark.parametrize("record", [*RECORDS, *CARDS], ids=lambda path: path.stem)
def test_a_game_goes_through_the_states_beside_it(record):
    expected = record.with_suffix(".states.jsonl").read_text("utf-8").splitlines()
    rules, look = (card_record, card_view) if record in CARDS else (dice_record, view)
    with record.open("rb") as lines:
        states = [rules.view_line(look(state, Audience.RECORD)) for state in rules.replay(lines)]
    assert len(states) == len(expected)
    for number, (state, wanted) in enumerate(zip(states, expected, strict=True), start=1):
        assert json.loads(state) == json.loads(wanted), f"{record.name}:{number}"
        assert state == wanted


def test_the_games_are_of_all_kinds():
    lines = [json.loads(line) for path in RECORDS for line in path.read_text("utf-8").splitlines()]
    headers = [line for line in lines if "record" in line]
    assert {header["ruleset"] for header in headers} == set(RULESETS)
    assert {header["version"] for header in headers} == {1, 3}
    assert {"date" in header for header in headers if header["version"] == 3} == {True, False}
    assert {len(header["players"]) for header in headers} == set(range(3, 9))
    assert {line["action"] for line in lines if "action" in line} == set(Action)
    shots = [shot for line in lines for shot in line.get("shots", ())]
    assert any(shot["target"] is None for shot in shots)
    assert any("as" in shot for shot in shots)
    assert any("beer" in shot for shot in shots)
    assert {"law", "outlaws", "renegade", "none", "unfinished"} <= ends(RECORDS)


def ends(records: Sequence[Path]) -> set[str]:
    """How these games end: the sides that win, or `unfinished`."""
    last = [path.with_suffix(".states.jsonl").read_text("utf-8").splitlines() for path in records]
    results = [json.loads(states[-1])["result"] for states in last]
    return {result["side"] if result else "unfinished" for result in results}


def test_the_games_of_cards_are_of_all_kinds():
    lines = [json.loads(line) for path in CARDS for line in path.read_text("utf-8").splitlines()]
    headers = [line for line in lines if "record" in line]
    assert {len(header["players"]) for header in headers} == {4, 5, 6, 7}
    # Hands are counted anew only where one doesn't match: see cards/moves.txt.
    played = set(CardAction) - {CardAction.COUNT}
    assert {line["action"] for line in lines if "action" in line} == played
    assert {line["card"] for line in lines if "card" in line} == set(Title)
    assert ends(CARDS) == {"law", "outlaws", "renegade", "unfinished"}
