"""What may be decided now: pages offer only that, and nobody is asked where all is the same."""

from typing import NamedTuple

from companion.dicegame.faces import BULLSEYE1, Face
from companion.dicegame.moves import Action, Move, Shoot, Shot
from companion.dicegame.state import State
from companion.dicegame.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
    places_away,
    uses,
)


class Aim(NamedTuple):
    """A way to use a bull's-eye die: as which face, and the seats it reaches (none: it is lost)."""

    face: Face
    targets: tuple[int, ...]


def aims(state: State) -> dict[int, tuple[Aim, ...]]:
    """Return the ways to use each bull's-eye die; the die as it lies comes first."""
    near, far = in_reach(state)
    return {
        die: tuple(Aim(face, near if face is BULLSEYE1 else far) for face in uses(state, die))
        for die in state.hand.shooting
    }


def doubling_beers(state: State) -> tuple[int, ...]:
    """Return the beer dice of which one may double a shot."""
    able = state.setup.abilities[state.turn].doubles_with_beer
    return state.hand.beers if able else ()


class Question(NamedTuple):
    """A decision that is awaited, with all that may be answered; it holds nothing secret.

    seat: who decides; targets: seats that may be chosen (to heal, to drink, to lose an arrow);
    most: how many arrows or beers it is about at most; aims, beers: for `SHOOT`; away: how many
    places others are away from the player whose turn it is, clockwise and the other way round.
    """

    seat: int
    action: Action
    targets: tuple[int, ...]
    most: int
    aims: dict[int, tuple[Aim, ...]]
    beers: tuple[int, ...]
    away: dict[int, tuple[int, int]]


def question(state: State) -> Question | None:
    """Return what is to be decided now, None once the game is over."""
    if state.awaits is None:
        return None
    seat, action = state.awaits
    targets, most = state.living, 0
    match action:
        case Action.TAKE_ARROWS if state.aside.damage:
            most = max_arrows_for_hits(state, *state.aside.damage, seat)
        case Action.DISCARD_ARROWS if state.aside.damage:
            most = max_discards_when_hurt(state, state.aside.damage.hits, seat)
        case Action.BEER:
            most = beer_dice(state)
        case Action.DISCARD_FROM:
            targets = tuple(seat for seat in state.living if state.arrows[seat])
            most = min(state.hand.gatlings, sum(state.arrows))
    shooting = action is Action.SHOOT
    return Question(
        seat,
        action,
        targets,
        most,
        aims(state) if shooting else {},
        doubling_beers(state) if shooting else (),
        places_away(state) if state.turn in state.living else {},
    )


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
