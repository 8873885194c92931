"""The best decision of each kind, by what life points are worth to the seat that decides."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from companion.games.dice.minds.choice import Choice, Throw
from companion.games.dice.minds.rerolls import COUNTS, PILES, Prospect, Values, prospect, to_throw
from companion.games.dice.minds.worth import Worth
from companion.games.dice.rules.choices import doubling_beers
from companion.games.dice.rules.faces import (
    ALL_DICE,
    BEER,
    BULLSEYE1,
    BULLSEYE2,
    DICE,
    DYNAMITE,
    GATLING,
    Face,
)
from companion.games.dice.rules.hand import DYNAMITES
from companion.games.dice.rules.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.state import ARROWS, State
from companion.games.dice.rules.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
)

_COLUMN = {face: number for number, face in enumerate(Face)}
_NUMBERS = range(DICE + 1)


def decide(state: State, worth: Worth) -> Choice:
    """Return the best decision of the seat that the game waits for."""
    assert state.awaits is not None
    action = state.awaits.action
    if action is Action.ROLL:
        return _throw_or_stop(state, worth)
    return _DECISIONS[action](state, worth)


# Rolling


def _throw_or_stop(state: State, worth: Worth) -> Choice:
    if not state.rolls:
        return Throw(worth.seat, ALL_DICE)
    kept = weigh(state, worth).best
    return Stop(worth.seat) if kept is None else Throw(worth.seat, to_throw(state.dice, kept))


def weigh(state: State, worth: Worth) -> Prospect:
    """Return what stopping and each choice of dice to throw again is worth."""
    left = state.ability.max_rolls - state.rolls
    return prospect(
        state.dice,
        left,
        state.pile,
        final_values(state, worth),
        arrow_costs(state, worth),
        state.ability.rerolls_dynamite,
    )


def final_values(state: State, worth: Worth) -> Values:
    """Return what each hand is worth when rolling is over, by hand and arrows in the pile."""
    seat, ability, life = worth.seat, state.ability, state.setup.max_life
    near, far, beers, gatlings = (
        COUNTS[:, _COLUMN[face]] for face in (BULLSEYE1, BULLSEYE2, BEER, GATLING)
    )
    drink = np.array([_drink(state, worth, count)[0] for count in _NUMBERS])
    shots = np.zeros((DICE + 1, DICE + 1))
    doubled = np.zeros((DICE + 1, DICE + 1))
    for ones in _NUMBERS:
        for twos in range(DICE + 1 - ones):
            best = _aim(state, worth, ones, twos)
            shots[ones, twos] = best.value
            doubled[ones, twos] = _doubling(worth, best)[0]
    values = shots[near, far] + drink[beers]
    if ability.doubles_with_beer:
        fewer = drink[np.maximum(beers - 1, 0)]
        other = shots[near, far] + doubled[near, far] + fewer
        values = np.where((beers > 0) & (near + far > 0), np.maximum(values, other), values)
    fires = gatlings >= ability.gatlings_needed
    values = values + fires * _volley(state, worth)
    values = values + (COUNTS[:, _COLUMN[DYNAMITE]] >= DYNAMITES) * worth.loss(seat, 1)
    if ability.gain_without_bullseye:
        gain = worth.gain(seat, ability.gain_without_bullseye, life[seat])
        values = values + (near + far == 0) * gain
    held = np.array([_arrows_held(state, seat, pile) for pile in range(1, PILES + 1)])
    freed = fires[:, None] * held[None, :]
    if ability.discards_by_gatling:
        freed = np.maximum(freed, np.minimum(gatlings[:, None], held[None, :]))
    result: Values = values[:, None] + freed * worth.arrow
    return result


def arrow_costs(state: State, worth: Worth) -> Values:
    """Return what taking arrows costs, by the pile before (1 to 9) and how many (0 to 5)."""
    seat = worth.seat
    most = state.ability.max_indian_loss
    others = [other for other in state.living if other != seat and state.arrows[other]]
    attack = sum(
        worth.loss(other, _indian_loss(state, other, state.arrows[other])) for other in others
    )
    costs = np.zeros((PILES, DICE + 1))
    for pile in range(1, PILES + 1):
        held = _arrows_held(state, seat, pile)
        for taken in range(1, DICE + 1):
            if taken < pile:
                costs[pile - 1, taken] = taken * worth.arrow
                continue
            lost = held + pile if most is None else min(held + pile, most)
            value = worth.loss(seat, lost) + held * worth.arrow
            value += attack if pile <= state.pile else 0.0
            costs[pile - 1, taken] = (taken - pile) * worth.arrow - value
    return costs


def _arrows_held(state: State, seat: int, pile: int) -> int:
    """Return how many arrows `seat` holds on its turn once the pile has `pile`."""
    if pile > state.pile:
        return ARROWS - pile
    return state.arrows[seat] + state.pile - pile


def _indian_loss(state: State, seat: int, arrows: int) -> int:
    most = state.setup.abilities[seat].max_indian_loss
    return arrows if most is None else min(arrows, most)


def _volley(state: State, worth: Worth) -> float:
    """Return what the Gatling's hits are worth."""
    abilities = state.setup.abilities
    return sum(
        worth.loss(seat, 1)
        for seat in state.living
        if seat != worth.seat and not abilities[seat].immune_to_gatling
    )


# Shooting


class _Aimed(NamedTuple):
    """Targets for bull's eyes."""

    value: float
    """What the hits are worth."""
    near: tuple[int, ...]
    """The targets of the dice used as `bullseye1`, or of all of them if each may be either."""
    far: tuple[int, ...]
    """The targets of the dice used as `bullseye2`."""


def _aim(state: State, worth: Worth, ones: int, twos: int) -> _Aimed:
    """Return the best targets for some bull's eyes."""
    near, far = in_reach(state)
    if state.ability.swaps_bullseyes:
        near, ones, twos = tuple(sorted({*near, *far})), ones + twos, 0
    return max(
        (
            _Aimed(_hits(state, worth, first + second), first, second)
            for first in _spread(near, ones)
            for second in _spread(far, twos)
        ),
        key=lambda aimed: aimed.value,
    )


def _spread(targets: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if not targets:
        return iter([()])
    return combinations_with_replacement(targets, count)


def _hits(state: State, worth: Worth, targets: tuple[int, ...]) -> float:
    value = 0.0
    for seat in dict.fromkeys(targets):
        value += worth.loss(seat, targets.count(seat))
        if seat in state.setup.avengers:
            value -= worth.arrow
    return value


def _doubling(worth: Worth, aimed: _Aimed) -> tuple[float, int | None]:
    """Return what one more hit on a target is worth at best, and on whom."""
    targets = aimed.near + aimed.far
    found: tuple[float, int | None] = (0.0, None)
    for seat in dict.fromkeys(targets):
        count = targets.count(seat)
        more = worth.loss(seat, count + 1) - worth.loss(seat, count)
        if found[1] is None or more > found[0]:
            found = more, seat
    return found


def _shoot(state: State, worth: Worth) -> Move:
    hand = state.hand
    ones = sum(hand.dice[die] is BULLSEYE1 for die in hand.shooting)
    aimed = _aim(state, worth, ones, len(hand.shooting) - ones)
    either = state.ability.swaps_bullseyes
    near_targets, far_targets = in_reach(state)
    near, far = list(aimed.near), list(aimed.far)
    more, doubled = _doubling(worth, aimed)
    beers = len(hand.beers)
    spare: int | None = None
    if doubling_beers(state) and doubled is not None:
        cost = _drink(state, worth, beers)[0] - _drink(state, worth, beers - 1)[0]
        spare = hand.beers[0] if more > cost else None
    shots = []
    for die in hand.shooting:
        face = hand.dice[die]
        left = near if either or face is BULLSEYE1 else far
        target = left.pop(0) if left else None
        used_as = None
        if either and target is not None:
            reached = near_targets if face is BULLSEYE1 else far_targets
            if target not in reached:
                used_as = BULLSEYE2 if face is BULLSEYE1 else BULLSEYE1
        beer = None
        if spare is not None and target is not None and target == doubled:
            beer, spare = spare, None
        shots.append(Shot(die, target, used_as, beer))
    return Shoot(worth.seat, tuple(shots))


# Life points and arrows


def _drink(state: State, worth: Worth, beers: int) -> tuple[float, tuple[int, ...]]:
    """Return what beers are worth at best, and who drinks them."""
    most, thirsty_at = state.setup.max_life, state.ability.thirsty_at
    each = dict.fromkeys(state.living, 1)
    if state.life[worth.seat] <= thirsty_at:
        each[worth.seat] = 2
    drunk = dict.fromkeys(state.living, 0)
    value, targets = 0.0, []
    for _ in range(beers):
        gains = {
            seat: worth.gain(seat, (count + 1) * each[seat], most[seat])
            - worth.gain(seat, count * each[seat], most[seat])
            for seat, count in drunk.items()
        }
        best = max(gains, key=gains.__getitem__)
        if gains[best] < 0 or state.life[best] >= most[best]:
            # Nobody should drink: somebody does who has all their life points, if there is one.
            best = next((seat for seat in state.living if state.life[seat] >= most[seat]), best)
        value += gains[best]
        drunk[best] += 1
        targets.append(best)
    return value, tuple(targets)


def _beer(state: State, worth: Worth) -> Move:
    return Beer(worth.seat, _drink(state, worth, beer_dice(state))[1])


def _heal(state: State, worth: Worth) -> Move:
    most = state.setup.max_life
    return Heal(
        worth.seat, max(state.living, key=lambda seat: (worth.gain(seat, 1, most[seat]), -seat))
    )


def _take_arrows(state: State, worth: Worth) -> Move:
    damage = state.aside.damage
    assert damage is not None
    seat, hits = worth.seat, damage.hits.count(worth.seat)
    most = max_arrows_for_hits(state, *damage, seat)
    return TakeArrows(
        seat,
        max(
            range(most + 1),
            key=lambda count: worth.loss(seat, hits - count) - count * worth.arrow,
        ),
    )


def _discard_arrows(state: State, worth: Worth) -> Move:
    damage = state.aside.damage
    assert damage is not None
    return DiscardArrows(worth.seat, max_discards_when_hurt(state, damage.hits, worth.seat))


def _discard_from(state: State, worth: Worth) -> Move:
    """Take one's own arrows first, then those of friends."""
    friends = [seat for seat in state.living if seat != worth.seat and worth.point[seat] < -0.02]
    friends.sort(key=lambda seat: worth.point[seat])
    held = [seat for seat in (worth.seat, *friends) for _ in range(state.arrows[seat])]
    return DiscardFrom(worth.seat, tuple(held[: state.hand.gatlings]))


_DECISIONS: Mapping[Action, Callable[[State, Worth], Move]] = {
    Action.SHOOT: _shoot,
    Action.BEER: _beer,
    Action.HEAL: _heal,
    Action.TAKE_ARROWS: _take_arrows,
    Action.DISCARD_ARROWS: _discard_arrows,
    Action.DISCARD_FROM: _discard_from,
}
