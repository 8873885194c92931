"""Distances between players, and whom they reach."""

from functools import cache

from companion.games.cards.rules.deck import BARE_REACH, WEAPONS
from companion.games.cards.rules.state import CardState
from companion.games.cards.rules.titles import Title

_MUSTANG, _SCOPE = Title.MUSTANG, Title.SCOPE


def distance(state: CardState, seat: int, target: int) -> int:
    """Return the distance at which `seat` sees `target`, both living and not the same."""
    places = dict(_places(state.living, seat))[target]
    return max(1, places + _farther(state, target) - _nearer(state, seat))


def weapon_reach(state: CardState, seat: int) -> int:
    """Return how far the weapon of `seat` shoots."""
    for title in state.in_play[seat]:
        if title in WEAPONS:
            return WEAPONS[title]
    return BARE_REACH


def seats_within(state: CardState, seat: int, reach: int) -> tuple[int, ...]:
    """Return the other living seats that `seat` sees at most at this distance, ascending."""
    # No distance is below 1, and no reach either.
    most = reach + _nearer(state, seat)
    return tuple(
        [
            target
            for target, places in _places(state.living, seat)
            if places + _farther(state, target) <= most
        ]
    )


def _farther(state: CardState, seat: int) -> int:
    return state.setup.abilities[seat].farther + (_MUSTANG in state.in_play[seat])


def _nearer(state: CardState, seat: int) -> int:
    return state.setup.abilities[seat].nearer + (_SCOPE in state.in_play[seat])


# A game asks for the same few arguments again and again; there are fewer than 500.
@cache
def _places(living: tuple[int, ...], seat: int) -> tuple[tuple[int, int], ...]:
    """Return each other living seat, ascending, with the places between it and `seat`."""
    count, own = len(living), living.index(seat)
    return tuple(
        [
            (target, min((place - own) % count, (own - place) % count))
            for place, target in enumerate(living)
            if target != seat
        ]
    )
