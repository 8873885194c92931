"""What can be chosen: targets in reach, dice to throw, arrows to take or put back."""

from functools import lru_cache

from companion.games.dice.rules.events import Cause
from companion.games.dice.rules.faces import ALL_DICE, BULLSEYE1, BULLSEYE2, DICE, Face
from companion.games.dice.rules.state import ARROWS, State

CLOSE_RANGE = 3
"""With this many players alive or fewer, a `bullseye2` counts as a `bullseye1`."""


def in_reach(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the seats that a `bullseye1` can hit now, and those that a `bullseye2` can hit.

    They are living seats, ascending. Distances are counted both ways round the table, and the
    shorter one applies unless a house rule allows either.
    """
    setup, turn, fallen = state.setup, state.turn, state.aside.fallen
    if fallen:
        fallen = _fallen(state)
    return _in_reach(setup.abilities[turn].reach, turn, state.living, fallen, setup.either_way)


def places_away(state: State) -> dict[int, tuple[int, int]]:
    """Return the distances of each other living seat from the player whose turn it is.

    They are counted in places, clockwise and counterclockwise.
    """
    away = _places_away(state.turn, state.living, _fallen(state))
    return {seat: ways for seat, ways in away.items() if seat in state.living and any(ways)}


def _fallen(state: State) -> tuple[int, ...]:
    """Return the seats that were eliminated on this turn and still count as places."""
    fallen = state.aside.fallen
    return fallen if fallen and state.setup.fallen_keep_places else ()


# A game asks for the same few arguments again and again.
@lru_cache(maxsize=1 << 14)
def _in_reach(
    reach: tuple[tuple[int, ...], tuple[int, ...]],
    turn: int,
    living: tuple[int, ...],
    fallen: tuple[int, ...],
    either_way: bool,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    distances = {
        seat: ways if either_way else (min(ways),)
        for seat, ways in _places_away(turn, living, fallen).items()
    }
    near, far = (
        tuple(
            seat
            for seat in living
            if seat != turn and any(distance in hit for distance in distances[seat])
        )
        for hit in reach
    )
    return near, near if len(living) <= CLOSE_RANGE else far


def _places_away(
    turn: int, living: tuple[int, ...], fallen: tuple[int, ...]
) -> dict[int, tuple[int, int]]:
    places = sorted(living + fallen)
    count, own = len(places), places.index(turn)
    return {
        seat: ((place - own) % count, (own - place) % count) for place, seat in enumerate(places)
    }


def throwable(state: State) -> tuple[int, ...]:
    """Return the dice that may be thrown again now."""
    free = state.hand.free
    if len(free) < DICE and state.setup.abilities[state.turn].rerolls_dynamite:
        return ALL_DICE
    return free


def uses(state: State, die: int) -> tuple[Face, ...]:
    """Return the faces that the bull's-eye `die` may count as, its own first."""
    face = state.hand.dice[die]
    if not state.ability.swaps_bullseyes:
        return (face,)
    return (face, BULLSEYE1 if face is BULLSEYE2 else BULLSEYE2)


def max_arrows_for_hits(state: State, cause: Cause, hits: tuple[int, ...], seat: int) -> int:
    """Return how many arrows `seat`, an arrow taker, may take instead of losing life points."""
    if cause is Cause.DYNAMITE:
        return 0
    return min(hits.count(seat), ARROWS - sum(state.arrows) - 1)


def max_discards_when_hurt(state: State, hits: tuple[int, ...], seat: int) -> int:
    """Return how many arrows `seat`, an arrow discarder, may put back after its `hits`.

    A player whom they eliminated has no arrows left.
    """
    return min(hits.count(seat), state.arrows[seat])


def beer_dice(state: State) -> int:
    """Return how many beer dice are left to drink."""
    return len(state.hand.beers) - state.aside.beer_spent
