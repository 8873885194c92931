"""Who may be chosen: reach of bull's eyes, arrows that may be taken or put back."""

from companion.dicegame.events import Cause
from companion.dicegame.faces import Face
from companion.dicegame.state import Damage, State

CLOSE_RANGE = 3
"""With so few players alive a `bullseye2` is a `bullseye1`."""


def in_reach(state: State, face: Face) -> tuple[int, ...]:
    """Return the living seats that the player whose turn it is may shoot with `face`, ascending.

    Places are counted both ways round the table and the smaller count decides.
    """
    living = state.living
    if face is Face.BULLSEYE2 and len(living) <= CLOSE_RANGE:
        face = Face.BULLSEYE1
    places = living
    if state.setup.ruleset.fallen_keep_places and state.fallen:
        places = tuple(sorted(living + state.fallen))
    reach = state.player(state.turn).character.ability.reach[face]
    count, own = len(places), places.index(state.turn)
    return tuple(
        seat
        for place, seat in enumerate(places)
        if min((place - own) % count, (own - place) % count) in reach and state.life[seat]
    )


def uses(state: State, die: int) -> tuple[Face, ...]:
    """Return the faces as which the bull's-eye `die` may be used, its own first."""
    assert state.dice is not None
    face = state.dice[die]
    if not state.player(state.turn).character.ability.swaps_bullseyes:
        return (face,)
    return (face, Face.BULLSEYE1 if face is Face.BULLSEYE2 else Face.BULLSEYE2)


def max_arrows_for_hits(state: State, damage: Damage, seat: int) -> int:
    """Return how many arrows `seat` may take in place of the hits of `damage`: 0 for most."""
    if damage.cause not in (Cause.BULLSEYE, Cause.GATLING):
        return 0
    if not state.player(seat).character.ability.takes_arrows_for_hits:
        return 0
    return max(0, min(damage.hits[seat], state.pile - 1))


def max_discards_when_hurt(state: State, damage: Damage, seat: int) -> int:
    """Return how many arrows `seat` may put back after the losses of `damage`."""
    if not state.life[seat] or not state.player(seat).character.ability.discards_when_hurt:
        return 0
    return min(damage.hits[seat], state.arrows[seat])


def beer_dice(state: State) -> int:
    """Return how many beer dice are left to drink."""
    assert state.dice is not None
    return state.dice.count(Face.BEER) - state.beer_spent
