"""What may be decided now: pages offer only that, and nobody is asked where all is the same."""

from typing import NamedTuple

from companion.dicegame.faces import BULLSEYES, Face
from companion.dicegame.moves import Action, Move, Shoot, Shot
from companion.dicegame.state import State
from companion.dicegame.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
    uses,
)


class Aim(NamedTuple):
    """A way to use a bull's-eye die: as which face, and the seats it reaches (none: it is lost)."""

    face: Face
    targets: tuple[int, ...]


def aims(state: State) -> dict[int, tuple[Aim, ...]]:
    """Return the ways to use each bull's-eye die; the die as it lies comes first."""
    return {
        die: tuple(Aim(face, in_reach(state, face)) for face in uses(state, die))
        for die, face in enumerate(state.dice or ())
        if face in BULLSEYES
    }


def doubling_beers(state: State) -> tuple[int, ...]:
    """Return the beer dice of which one may double a shot."""
    if not state.player(state.turn).character.ability.doubles_with_beer:
        return ()
    return tuple(die for die, face in enumerate(state.dice or ()) if face is Face.BEER)


def throwable(state: State) -> tuple[int, ...]:
    """Return the dice that may be thrown now."""
    if state.dice is None:
        return (0, 1, 2, 3, 4)
    free = state.player(state.turn).character.ability.rerolls_dynamite
    return tuple(die for die, face in enumerate(state.dice) if free or face is not Face.DYNAMITE)


def most(state: State) -> int:
    """Return how many arrows or beers the awaited decision is about at most (0: about none)."""
    if state.awaits is None:
        return 0
    match state.awaits.action:
        case Action.TAKE_ARROWS if state.damage:
            return max_arrows_for_hits(state, state.damage, state.awaits.seat)
        case Action.DISCARD_ARROWS if state.damage:
            return max_discards_when_hurt(state, state.damage, state.awaits.seat)
        case Action.BEER:
            return beer_dice(state)
        case Action.DISCARD_FROM if state.dice:
            return min(state.dice.count(Face.GATLING), sum(state.arrows))
        case _:
            return 0


def only_move(state: State) -> Move | None:
    """Return the move if all that is legal comes to the same, so that nobody need be asked.

    That happens to bull's eyes alone: every other decision has at least two outcomes, or, like
    the dice, comes from outside.
    """
    if state.awaits is None or state.awaits.action is not Action.SHOOT:
        return None
    shots = []
    for die, ways in aims(state).items():
        targets = {target for way in ways for target in way.targets or (None,)}
        if len(targets) > 1:
            return None
        shots.append(Shot(die, targets.pop()))
    if doubling_beers(state) and any(shot.target is not None for shot in shots):
        return None
    return Shoot(state.awaits.seat, tuple(shots))
