"""The table is killed in the middle of a Duel, a Gatling, or a dying player's last Beer."""

import json
import os
import random
import subprocess
import sys
import time
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path

import pytest
from card_evening import CardEvening
from endless_cards import SITUATIONS, played, saved
from places import ROOT, TESTS

from companion.games.cards.players import random_move
from companion.games.cards.rules.record import replay
from companion.table.scene import Phase
from companion.table.surface.cards.state import PileVerdict

pytestmark = pytest.mark.processes

SERVICE = TESTS / "support/endless_cards.py"
KILLS = 3
LATEST_S = 0.3
"""Within which time after its first moves the table is killed."""


def killed(folder: Path, situation: str, chance: random.Random) -> dict[str, object]:
    """Let a table play until it is killed; return what it told last."""
    process = subprocess.Popen(
        [sys.executable, SERVICE, folder, situation],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(SERVICE.parent)])},
    )
    assert process.stdout is not None
    first = [process.stdout.readline() for _ in range(chance.randint(1, 7))]
    assert all(first), "the table did not start"
    time.sleep(chance.uniform(0, LATEST_S))
    process.kill()
    rest, _ = process.communicate()
    # The last line may be cut off by the kill.
    lines = ("".join(first) + rest).split("\n")[:-1]
    told: dict[str, object] = json.loads(lines[-1])
    return told


@pytest.mark.slow
@pytest.mark.parametrize("situation", SITUATIONS)
def test_killed_at_any_moment_the_table_stands_where_it_stood(tmp_path, situation):
    with closing(CardEvening(tmp_path / "calm")) as calm:
        steps = len(SITUATIONS[situation][1](calm)) + 1
        # A correct table goes through these, over and over.
        expected = list(islice(played(calm, situation), 2 * steps))
    assert expected[:steps] == expected[steps:]
    chance = random.Random(situation)
    for kill in range(KILLS):
        folder = tmp_path / str(kill)
        told = killed(folder, situation, chance)
        assert told in expected
        with closing(CardEvening.again(folder)) as evening:
            found = saved(evening)
            # One step more may be saved that was not told any more.
            assert found == told or (told, found) in pairwise(expected)
            assert evening.table.scene.troubles == {}
            finish(evening, chance)


def finish(evening: CardEvening, chance: random.Random) -> None:
    """Play the game to its end, and see that a card which waits is played only once."""
    evening.see(PileVerdict.NONE)
    waiting = len(evening.table.scene.surface.state.laid)
    while evening.pile.status in ("choose", "unsure", "illegal"):
        before = len(evening.lines)
        evening.ignore()
        waiting -= 1
        assert len(evening.lines) == before
    assert waiting <= 0
    while evening.view.phase is Phase.PLAYING:
        evening.tap(random_move(evening.state, chance))
    assert list(replay(line.encode() for line in evening.lines))[-1] == evening.state
