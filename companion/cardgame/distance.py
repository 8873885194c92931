"""Distances between players, and whom they reach."""

from companion.cardgame.deck import BARE_REACH, WEAPONS
from companion.cardgame.state import CardState
from companion.cardgame.titles import Title


def distance(state: CardState, seat: int, target: int) -> int:
    """Return the distance at which `seat` sees `target`, both living and not the same."""
    living, abilities, in_play = state.living, state.setup.abilities, state.in_play
    places = abs(living.index(seat) - living.index(target))
    farther = abilities[target].farther + (Title.MUSTANG in in_play[target])
    nearer = abilities[seat].nearer + (Title.SCOPE in in_play[seat])
    return max(1, min(places, len(living) - places) + farther - nearer)


def weapon_reach(state: CardState, seat: int) -> int:
    """Return how far the weapon of `seat` shoots."""
    return next((WEAPONS[title] for title in state.in_play[seat] if title in WEAPONS), BARE_REACH)


def seats_within(state: CardState, seat: int, reach: int) -> tuple[int, ...]:
    """Return the other living seats that `seat` sees at most at this distance, ascending."""
    return tuple(
        [
            target
            for target in state.living
            if target != seat and distance(state, seat, target) <= reach
        ]
    )
