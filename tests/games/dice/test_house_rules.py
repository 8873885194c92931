"""House rules: each switch turns its ruling round, and nothing else."""

from dataclasses import replace

import pytest
from dice_scenes import DICE_WORDS, game
from scenes import Ruling, each_scene

from companion.games.common.players import SetupError
from companion.games.dice.rules.house import CONTRADICTORY

OTHER_RULESETS = ("base-fr", "walking-dead")


def test_contradictory_switches_are_refused() -> None:
    setup = game("S O R O").setup
    with pytest.raises(SetupError, match="contradict each other"):
        replace(setup, house_rules=CONTRADICTORY)
    for rule in CONTRADICTORY:
        replace(setup, house_rules=frozenset({rule}))


@each_scene(__file__, "house_rules.txt")
def test_a_scene_goes_as_its_switch_says(ruling: Ruling) -> None:
    ruling.check(DICE_WORDS)
