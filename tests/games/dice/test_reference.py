"""The product's replay against a second implementation of the rules, on random records.

Both must show every viewer the same states and find the same first wrong line.
"""

import io
import json
from collections import Counter

import pytest
from agreement import Agreement, RandomRecords

from companion.games.dice.rules.record import replay, view_line
from companion.games.dice.rules.views import view
from tests.tools.reference import records, rules

pytestmark = pytest.mark.tables

LEGAL = 150

GAME = Agreement(replay, lambda *seen: view_line(view(*seen)), rules.replay)


class TestDiceRecords(RandomRecords):
    game, records, legal = GAME, records, LEGAL


@pytest.mark.slow
def test_the_legal_games_hold_everything_that_can_happen() -> None:
    seen: Counter[str | int] = Counter()
    for number in range(LEGAL):
        lines = [json.loads(line) for line in io.BytesIO(TestDiceRecords.numbered("legal", number))]
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
        states, _ = GAME.expected(TestDiceRecords.numbered("legal", number), None)
        result = states[-1]["result"]
        seen[f"won by {result['side']}" if result else "unfinished"] += 1
    everything = [*rules.RULESETS, *range(3, 9), *rules.LIFE, *rules.KEYS]
    everything += ["shot with as", "shot with beer", "lost shot", "unfinished"]
    everything += ["version 1", "version 3", "version 4", "day", "time"]
    everything += [f"said: {kind}" for kind in rules.SAID]
    sides = ("law", "outlaws", "renegade", "deputy", "outlaw", "none")
    everything += [f"won by {side}" for side in sides]
    assert [what for what in everything if seen[what] == 0] == []
