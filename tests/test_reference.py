"""The product's replay against a second implementation of the rules, on random records.

Both must show every viewer the same states and find the same first wrong line.
"""

import io
import json
from collections import Counter
from functools import cache
from itertools import zip_longest
from random import Random

import pytest
from reference import records, rules

from companion.common.lines import RecordError
from companion.dicegame.record import replay, view_line
from companion.dicegame.state import State
from companion.dicegame.views import Audience, Viewer, view

LEGAL, BROKEN = 150, 300


@cache
def numbered(kind: str, number: int) -> bytes:
    """One of the random records, the same on every run."""
    write = {"legal": records.legal, "broken": records.broken}[kind]
    return write(Random(f"{kind} {number}"))


def played(data: bytes) -> tuple[list[State], int | None]:
    """The product's states, and the first wrong line if any."""
    states = []
    try:
        for state in replay(io.BytesIO(data)):
            states.append(state)
    except RecordError as error:
        return states, error.line
    return states, None


@cache
def expected(data: bytes, viewer: int | str | None) -> tuple[list[rules.Json], int | None]:
    """The reference's states as this viewer sees them, and the first wrong line if any."""
    states = []
    try:
        for state in rules.replay(io.BytesIO(data), viewer):
            states.append(state)
    except rules.Wrong as error:
        return states, error.line
    return states, None


def assert_agreement(name: str, data: bytes) -> int | None:
    """Compare what is seen by who sees all, and by one other viewer.

    Returns the first wrong line if any.
    """
    states, wrong = played(data)
    seats = range(len(states[0].life)) if states else ()
    others: list[tuple[int | str, Viewer]] = [
        ("table", Audience.TABLE),
        *((seat, seat) for seat in seats),
    ]
    for viewer, audience in ((None, Audience.RECORD), Random(name).choice(others)):
        shown = [json.loads(view_line(view(state, audience))) for state in states]
        reference, line = expected(data, viewer)
        for number, (one, other) in enumerate(zip_longest(shown, reference), 1):
            assert one == other, f"{name}, line {number}, as {viewer}"
        assert wrong == line, f"{name}, as {viewer}"
    return wrong


@pytest.mark.parametrize("tenth", range(10))
def test_legal_games_are_played_alike(tenth: int) -> None:
    for number in range(tenth, LEGAL, 10):
        wrong = assert_agreement(f"legal {number}", numbered("legal", number))
        assert wrong is None, f"legal {number}"


@pytest.mark.parametrize("tenth", range(10))
def test_the_first_wrong_line_is_found_alike(tenth: int) -> None:
    wrong = [
        assert_agreement(f"broken {number}", numbered("broken", number))
        for number in range(tenth, BROKEN, 10)
    ]
    assert len(wrong) - wrong.count(None) > len(wrong) / 2


def test_the_legal_games_hold_everything_that_can_happen() -> None:
    seen: Counter[str | int] = Counter()
    for number in range(LEGAL):
        lines = [json.loads(line) for line in io.BytesIO(numbered("legal", number))]
        header, actions = lines[0], lines[1:]
        seen.update([header["ruleset"], len(header["players"]), f"version {header['version']}"])
        seen["day"] += len(header.get("date", "")) == len("2026-11-22")
        seen["time"] += header.get("date", "").endswith("Z")
        seen.update(player["character"] for player in header["players"])
        seen.update({action["action"] for action in actions})
        said = [each for action in actions for each in action.get("corrected", ())]
        seen.update(f"said: {each['kind']}" for each in said)
        shots = [shot for action in actions for shot in action.get("shots", ())]
        seen.update(f"shot with {key}" for shot in shots for key in shot)
        seen["lost shot"] += any(shot["target"] is None for shot in shots)
        states, _ = expected(numbered("legal", number), None)
        result = states[-1]["result"]
        seen[f"won by {result['side']}" if result else "unfinished"] += 1
    everything = [*rules.RULESETS, *range(3, 9), *rules.LIFE, *rules.KEYS]
    everything += ["shot with as", "shot with beer", "lost shot", "unfinished"]
    everything += ["version 1", "version 3", "version 4", "day", "time"]
    everything += [f"said: {kind}" for kind in rules.SAID]
    sides = ("law", "outlaws", "renegade", "deputy", "outlaw", "none")
    everything += [f"won by {side}" for side in sides]
    assert [what for what in everything if seen[what] == 0] == []
