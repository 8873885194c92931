"""Who may be chosen: reach of bull's eyes, arrows that may be taken or put back."""

from functools import lru_cache
from typing import Protocol

from companion.dicegame.events import Cause
from companion.dicegame.faces import ALL_DICE, BULLSEYE1, BULLSEYE2, Face
from companion.dicegame.hand import Hand
from companion.dicegame.state import ARROWS, Setup, State

CLOSE_RANGE = 3
"""With so few players alive a `bullseye2` is a `bullseye1`."""


class Position(Protocol):
    """A state, or one that is just becoming another (`rules`)."""

    @property
    def setup(self) -> Setup: ...  # noqa: D102
    @property
    def hand(self) -> Hand: ...  # noqa: D102
    @property
    def life(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def arrows(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def beer_spent(self) -> bool: ...  # noqa: D102


def in_reach(state: State, face: Face) -> tuple[int, ...]:
    """Return the living seats that the player whose turn it is may shoot with `face`, ascending.

    Places are counted both ways round the table and the smaller count decides.
    """
    setup, turn, living = state.setup, state.turn, state.living
    close = face is BULLSEYE1 or len(living) <= CLOSE_RANGE
    ability = setup.abilities[turn]
    reach = ability.reach1 if close else ability.reach2
    fallen = state.fallen
    if fallen and not setup.fallen_keep_places:
        fallen = ()
    return _in_reach(reach, turn, living, fallen, setup.either_way)


# There are only so many tables: a game asks for the same few again and again.
@lru_cache(maxsize=1 << 14)
def _in_reach(
    reach: tuple[int, ...],
    turn: int,
    living: tuple[int, ...],
    fallen: tuple[int, ...],
    either_way: bool,
) -> tuple[int, ...]:
    places = sorted(living + fallen)
    count, own = len(places), places.index(turn)
    found = []
    for place, seat in enumerate(places):
        ways = ((place - own) % count, (own - place) % count)
        distances = ways if either_way else (min(ways),)
        if seat != turn and seat in living and any(distance in reach for distance in distances):
            found.append(seat)
    return tuple(found)


def throwable(state: State) -> tuple[int, ...]:
    """Return the dice that may be thrown now."""
    hand = state.hand
    return ALL_DICE if state.ability.rerolls_dynamite or not hand.dice else hand.free


def uses(state: State, die: int) -> tuple[Face, ...]:
    """Return the faces as which the bull's-eye `die` may be used, its own first."""
    face = state.hand.dice[die]
    if not state.ability.swaps_bullseyes:
        return (face,)
    return (face, BULLSEYE1 if face is BULLSEYE2 else BULLSEYE2)


def max_arrows_for_hits(state: Position, cause: Cause, hits: tuple[int, ...], seat: int) -> int:
    """Return how many arrows `seat` may take in place of its `hits`: 0 for most."""
    if cause is Cause.DYNAMITE or not state.setup.abilities[seat].takes_arrows_for_hits:
        return 0
    return min(hits.count(seat), ARROWS - sum(state.arrows) - 1)


def max_discards_when_hurt(state: Position, hits: tuple[int, ...], seat: int) -> int:
    """Return how many arrows `seat` may put back after its `hits`."""
    if not state.setup.abilities[seat].discards_when_hurt or not state.life[seat]:
        return 0
    return min(hits.count(seat), state.arrows[seat])


def beer_dice(state: Position) -> int:
    """Return how many beer dice are left to drink."""
    return len(state.hand.beers) - state.beer_spent
