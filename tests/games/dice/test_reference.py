"""The product's replay against a second implementation of the rules, on random records.

Both must show every viewer the same states and find the same first wrong line.
"""

import io
import json
from collections import Counter
from functools import cache
from random import Random

import pytest
from agreement import Agreement

from companion.games.dice.rules.record import replay, view_line
from companion.games.dice.rules.views import view
from tests.tools.reference import records, rules

pytestmark = pytest.mark.tables

LEGAL, BROKEN = 150, 300


@cache
def numbered(kind: str, number: int) -> bytes:
    """One of the random records, the same on every run."""
    write = {"legal": records.legal, "broken": records.broken}[kind]
    return write(Random(f"{kind} {number}"))


GAME = Agreement(replay, lambda *seen: view_line(view(*seen)), rules.replay)


@pytest.mark.parametrize("tenth", range(10))
def test_legal_games_are_played_alike(tenth: int) -> None:
    for number in range(tenth, LEGAL, 10):
        wrong = GAME.check(f"legal {number}", numbered("legal", number))
        assert wrong is None, f"legal {number}"


@pytest.mark.parametrize("tenth", range(10))
def test_the_first_wrong_line_is_found_alike(tenth: int) -> None:
    wrong = [
        GAME.check(f"broken {number}", numbered("broken", number))
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
        states, _ = GAME.expected(numbered("legal", number), None)
        result = states[-1]["result"]
        seen[f"won by {result['side']}" if result else "unfinished"] += 1
    everything = [*rules.RULESETS, *range(3, 9), *rules.LIFE, *rules.KEYS]
    everything += ["shot with as", "shot with beer", "lost shot", "unfinished"]
    everything += ["version 1", "version 3", "version 4", "day", "time"]
    everything += [f"said: {kind}" for kind in rules.SAID]
    sides = ("law", "outlaws", "renegade", "deputy", "outlaw", "none")
    everything += [f"won by {side}" for side in sides]
    assert [what for what in everything if seen[what] == 0] == []
