"""Decide whether a move is legal now and, if not, say why."""

from collections.abc import Callable, Mapping
from itertools import combinations
from operator import itemgetter
from typing import Any

from companion.games.dice.rules.faces import ALL_DICE, BULLSEYE1, DICE, DYNAMITE, Dice, Face
from companion.games.dice.rules.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.reasons import Reason, Refusal, refuse
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
    uses,
)

_ROLL, _STOP = Action.ROLL, Action.STOP


def check(state: State, move: Move) -> Refusal[Reason] | None:
    """Return why `move` is illegal in `state`; None if it is legal."""
    awaits = state.awaits
    if awaits is None:
        return refuse(Reason.OVER)
    action = move.action
    if action is not awaits.action and not (
        action is _STOP and awaits.action is _ROLL and state.rolls
    ):
        awaited = " or ".join(state.actions)
        return refuse(Reason.NOT_AWAITED, awaited=awaited, other=action, **awaits._asdict())
    if move.seat != awaits.seat:
        return refuse(Reason.NOT_YOURS, other=move.seat, **awaits._asdict())
    return _CHECKS[action](state, move)


def _unless_living(state: State, seat: int) -> Refusal[Reason] | None:
    if seat in state.living:
        return None
    known = 0 <= seat < len(state.life)
    return refuse(Reason.ELIMINATED if known else Reason.NO_SEAT, seat=seat)


def _check_heal(state: State, move: Heal) -> Refusal[Reason] | None:
    return _unless_living(state, move.target)


_KEPT: Mapping[tuple[int, ...], Callable[[Dice], object]] = {
    thrown: itemgetter(*(die for die in range(DICE) if die not in thrown))
    for count in range(1, DICE)
    for thrown in combinations(range(DICE), count)
} | {ALL_DICE: len}
"""By the dice thrown again, a getter for the faces that must stay the same."""


def _check_roll(state: State, move: Roll) -> Refusal[Reason] | None:
    dice, thrown, before = move.dice, move.rerolled, state.hand.dice
    if len(dice) != DICE:
        return refuse(Reason.NOT_FIVE_DICE, needed=DICE, count=len(dice))
    if not before:
        return None if thrown is None else refuse(Reason.FIRST_ROLL)
    if not thrown:
        return refuse(Reason.NO_DICE_NAMED)
    kept = _KEPT.get(thrown)
    if kept is None:
        known = min(thrown) >= 0 and max(thrown) < DICE
        return refuse(Reason.NOT_ASCENDING if known else Reason.NO_SUCH_DIE, last=DICE - 1)
    if kept(dice) != kept(before):
        die = next(die for die in ALL_DICE if die not in thrown and dice[die] is not before[die])
        return refuse(Reason.KEPT, die=die, before=before[die], after=dice[die])
    if before.count(DYNAMITE) and not state.ability.rerolls_dynamite:
        for die in thrown:
            if before[die] is DYNAMITE:
                return refuse(Reason.DYNAMITE_STAYS, die=die)
    return None


def _check_stop(state: State, move: Stop) -> Refusal[Reason] | None:
    return None


def _check_shoot(state: State, move: Shoot) -> Refusal[Reason] | None:
    hand, shots = state.hand, move.shots
    if len(shots) != len(hand.shooting):
        return refuse(Reason.OTHER_BULLSEYES, dice=list(hand.shooting))
    near, far = in_reach(state)
    beers = 0
    for shooting, shot in zip(hand.shooting, shots, strict=True):
        die, target, used_as, beer = shot
        if die != shooting:
            return refuse(Reason.OTHER_BULLSEYES, dice=list(hand.shooting))
        if used_as is not None and (refusal := _check_use(state, die, used_as)):
            return refusal
        targets = near if (used_as or hand.dice[die]) is BULLSEYE1 else far
        if target not in targets and (targets or target is not None):
            return _refuse_target(state, shot, targets)
        if beer is not None:
            beers += 1
            if refusal := _check_doubling(state, shot, beer):
                return refusal
    return refuse(Reason.DOUBLED_TWICE) if beers > 1 else None


def _check_use(state: State, die: int, used_as: Face) -> Refusal[Reason] | None:
    if not state.ability.swaps_bullseyes:
        return refuse(Reason.COUNTS_AS_IT_LIES, die=die)
    if used_as not in uses(state, die):
        return refuse(Reason.NOT_USED_AS, die=die, face=used_as)
    return None


def _refuse_target(state: State, shot: Shot, targets: tuple[int, ...]) -> Refusal[Reason]:
    if shot.target is None:
        return refuse(Reason.MUST_HIT, die=shot.die, seats=list(targets))
    if gone := _unless_living(state, shot.target):
        return gone
    if not targets:
        return refuse(Reason.REACHES_NOBODY, die=shot.die, seat=shot.target)
    return refuse(Reason.OUT_OF_REACH, die=shot.die, seat=shot.target, seats=list(targets))


def _check_doubling(state: State, shot: Shot, beer: int) -> Refusal[Reason] | None:
    if not state.ability.doubles_with_beer:
        return refuse(Reason.NO_DOUBLING, die=shot.die)
    if beer not in state.hand.beers:
        return refuse(Reason.NO_BEER, die=beer)
    return refuse(Reason.LOST, die=shot.die) if shot.target is None else None


def _check_count(count: int, most: int) -> Refusal[Reason] | None:
    return None if 0 <= count <= most else refuse(Reason.TOO_MANY_ARROWS, most=most, count=count)


def _check_take_arrows(state: State, move: TakeArrows) -> Refusal[Reason] | None:
    assert state.aside.damage is not None
    return _check_count(move.arrows, max_arrows_for_hits(state, *state.aside.damage, move.seat))


def _check_discard_arrows(state: State, move: DiscardArrows) -> Refusal[Reason] | None:
    assert state.aside.damage is not None
    return _check_count(
        move.arrows, max_discards_when_hurt(state, state.aside.damage.hits, move.seat)
    )


def _check_beer(state: State, move: Beer) -> Refusal[Reason] | None:
    beers = beer_dice(state)
    if len(move.targets) != beers:
        return refuse(Reason.BEERS_LEFT, beers=beers, count=len(move.targets))
    for seat in move.targets:
        if seat not in state.living:
            return _unless_living(state, seat)
    return None


def _check_discard_from(state: State, move: DiscardFrom) -> Refusal[Reason] | None:
    most = state.hand.gatlings
    if len(move.targets) > most:
        return refuse(Reason.GATLING_DICE, most=most)
    for seat in move.targets:
        if seat not in state.living:
            return _unless_living(state, seat)
        if move.targets.count(seat) > state.arrows[seat]:
            return refuse(Reason.HOLDS_FEWER, seat=seat, arrows=state.arrows[seat])
    return None


_CHECKS: Mapping[Action, Callable[[State, Any], Refusal[Reason] | None]] = {
    Action.HEAL: _check_heal,
    Action.ROLL: _check_roll,
    Action.STOP: _check_stop,
    Action.SHOOT: _check_shoot,
    Action.TAKE_ARROWS: _check_take_arrows,
    Action.DISCARD_ARROWS: _check_discard_arrows,
    Action.BEER: _check_beer,
    Action.DISCARD_FROM: _check_discard_from,
}
