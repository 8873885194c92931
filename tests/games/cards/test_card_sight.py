"""Distances on pages, worked out from what everybody sees, are those of the rules."""

import random

import pytest
from card_strategies import deal, play_on

from companion.games.cards.rules.distance import distance, weapon_reach
from companion.games.cards.rules.rules import start
from companion.games.cards.rules.sight import distances_from, reach_of
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience


@pytest.mark.parametrize("seed", range(12))
def test_everybody_sees_the_distances_of_the_rules(seed: int) -> None:
    chance = random.Random(seed)
    seen = set()
    for state in play_on(start(deal(4 + seed % 4, chance)), chance).states:
        shown = view(state, Audience.TABLE)
        for seat, player in enumerate(shown.players):
            ruled = {
                other: distance(state, seat, other)
                for other in state.living
                if seat in state.living and other != seat
            }
            assert distances_from(shown, seat) == ruled
            assert reach_of(player) == weapon_reach(state, seat)
            seen |= set(ruled.values())
    assert seen >= {1, 2}
