"""The rules: `start` begins a game, `apply` makes a move and everything that follows from it.

A turn goes through the methods of `_Steps` from top to bottom. It stops at a step that needs a
decision; `awaits` says whose. The next move continues at the same place.

Simulations of thousands of games use `Course` instead of `apply`: the same steps, without a new
state for each move and without checking moves that are known to be legal.
"""

# A state is immutable, but a course, which becomes a state, must be changed.
# mypy: disable-error-code="misc"

from bisect import bisect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from companion.games.common.endings import Result, Side, result_of
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.common.refusals import IllegalMove
from companion.games.dice.rules import targets
from companion.games.dice.rules.check import check
from companion.games.dice.rules.events import (
    ABILITY,
    BEER,
    BULLSEYE,
    DYNAMITE,
    GATLING,
    INDIANS,
    ROLL,
    ArrowsDiscarded,
    ArrowsTaken,
    Cause,
    DynamiteExploded,
    GatlingFired,
    IndiansAttacked,
    LifeGained,
    LifeLost,
    Rolled,
    ShotsFired,
)
from companion.games.dice.rules.faces import ALL_DICE
from companion.games.dice.rules.hand import HANDS, NO_DICE
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.roles import PREY
from companion.games.dice.rules.state import ARROWS, NOTHING, Aside, Awaits, Damage, Setup, State

_HEAL, _ROLL, _SHOOT, _TAKE_ARROWS, _DISCARD_ARROWS, _BEER, _DISCARD_FROM = (
    tuple(Awaits(seat, action) for seat in range(8))
    for action in Action
    if action is not Action.STOP
)

_new = object.__new__
_S = TypeVar("_S", bound="_Steps")
_GATLING_DISCARD_LAST = HouseRule.GATLING_DISCARD_LAST
_KIT_DISCARDS_LAST = HouseRule.KIT_DISCARDS_LAST


def start(setup: Setup) -> State:
    """Return the state before the first turn's first decision."""
    seats, first = tuple(range(len(setup.players))), setup.first
    return State(
        setup=setup, turn=first, rolls=0, hand=NO_DICE, life=setup.max_life,
        arrows=(0,) * len(seats), living=seats, aside=NOTHING,
        awaits=_first_decision(setup, first), result=None, log=((TurnBegan, first),),
    )  # fmt: skip


def _first_decision(setup: Setup, seat: int) -> Awaits:
    return (_HEAL if setup.abilities[seat].heals_at_start else _ROLL)[seat]


def apply(state: State, move: Move) -> State:
    """Return the state after `move` and everything that follows from it. Raises IllegalMove."""
    refusal = check(state, move)
    if refusal:
        raise IllegalMove(refusal)
    course = _copy(state, _Steps)
    _STEPS[type(move)](course, move)
    return _freeze(course)


def _copy(state: State, kind: type[_S]) -> _S:
    course = _new(kind)
    course.setup = state.setup
    course.turn = state.turn
    course.rolls = state.rolls
    course.hand = state.hand
    course.life = [*state.life]
    course.arrows = [*state.arrows]
    course.living = state.living
    course.aside = state.aside
    course.awaits = None
    course.result = state.result
    course.log = []
    return course


def _freeze(course: "_Steps") -> State:
    """Turn a course into an ordinary state. Copying it would cost a third of a move's time."""
    course.life = tuple(course.life)  # type: ignore[assignment]
    course.arrows = tuple(course.arrows)  # type: ignore[assignment]
    course.log = tuple(course.log)  # type: ignore[assignment]
    course.__class__ = State  # type: ignore[assignment]
    return course


class _Steps(State):
    """A state while moves change it.

    Each method continues the game until it needs a decision or is over. After a call that may end
    the game, the caller checks `result` before it continues.
    """

    __slots__ = ()
    # Python sets attributes 1.4 times as fast where neither of the two is overridden.
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__

    # Tuples again once the state is frozen.
    life: list[int]  # type: ignore[assignment]
    arrows: list[int]  # type: ignore[assignment]
    log: list[tuple[Any, ...]]

    # Start of a turn

    def heal(self, move: Heal) -> None:
        self.gain(move.target, 1, ABILITY)
        self.awaits = _ROLL[self.turn]

    # Rolling

    def roll(self, move: Roll) -> None:
        turn, dice, thrown, _ = move
        self.rolls += 1
        self.hand = now = HANDS[dice]
        arrows = len(now.arrows)
        if thrown is None:
            thrown = ALL_DICE
        elif arrows:
            arrows = len([die for die in now.arrows if die in thrown])
        self.log.append((Rolled, turn, dice, thrown))
        if arrows:
            self.draw_arrows(arrows, ROLL)
            if self.result or not self.life[turn]:
                self.end_turn()
                return
        if now.explodes or self.rolls == self.setup.abilities[turn].max_rolls:
            self.resolve_dice()
        else:
            self.awaits = _ROLL[turn]

    def stop(self, move: Stop) -> None:
        self.resolve_dice()

    # Resolving the dice, in the order in which they count

    def resolve_dice(self) -> None:
        if self.hand.explodes:
            self.log.append((DynamiteExploded, self.turn))
            self.hit(DYNAMITE, (self.turn,))
        else:
            self.ask_for_shots()

    def ask_for_shots(self) -> None:
        if self.hand.shooting:
            self.awaits = _SHOOT[self.turn]
        else:
            self.ask_for_beers()

    def shoot(self, move: Shoot) -> None:
        self.log.append((ShotsFired, self.turn, move.shots))
        hits = []
        for _, target, _, beer in move.shots:
            if target is not None:
                hits.append(target)
                if beer is not None:
                    hits.append(target)
                    self.aside = self.aside._replace(beer_spent=True)
        self.hit(BULLSEYE, tuple(hits))

    def ask_for_beers(self) -> None:
        if self.hand.beers and targets.beer_dice(self):
            self.awaits = _BEER[self.turn]
        else:
            self.resolve_gatling()

    def beer(self, move: Beer) -> None:
        turn = self.turn
        thirsty_at = self.setup.abilities[turn].thirsty_at
        thirsty = self.life[turn] <= thirsty_at
        for seat in move.targets:
            self.gain(seat, 2 if thirsty and seat == turn else 1, BEER)
            if thirsty and HouseRule.THIRST_AT_EACH_BEER in self.setup.house_rules:
                thirsty = self.life[turn] <= thirsty_at
        self.resolve_gatling()

    def resolve_gatling(self) -> None:
        setup, gatlings = self.setup, self.hand.gatlings
        ability = setup.abilities[self.turn]
        if gatlings >= ability.gatlings_needed:
            self.log.append((GatlingFired, self.turn))
            if _GATLING_DISCARD_LAST not in setup.house_rules:
                self.discard(self.turn, self.arrows[self.turn], GATLING)
        elif not (gatlings and ability.discards_by_gatling):
            self.end_turn()
            return
        if self.may_discard_from() and _KIT_DISCARDS_LAST not in setup.house_rules:
            self.awaits = _DISCARD_FROM[self.turn]
        else:
            self.fire_gatling()

    def gatling_fires(self) -> bool:
        return self.hand.gatlings >= self.setup.abilities[self.turn].gatlings_needed

    def may_discard_from(self) -> bool:
        return self.setup.abilities[self.turn].discards_by_gatling and any(self.arrows)

    def fire_gatling(self) -> None:
        if not self.gatling_fires():
            self.after_gatling()
            return
        turn, abilities = self.turn, self.setup.abilities
        hit = [
            seat for seat in self.living if seat != turn and not abilities[seat].immune_to_gatling
        ]
        self.hit(GATLING, tuple(hit))

    def after_gatling(self) -> None:
        house_rules = self.setup.house_rules
        if _GATLING_DISCARD_LAST in house_rules and self.gatling_fires():
            self.discard(self.turn, self.arrows[self.turn], GATLING)
        if _KIT_DISCARDS_LAST in house_rules and self.may_discard_from():
            self.awaits = _DISCARD_FROM[self.turn]
        else:
            self.end_turn()

    def discard_from(self, move: DiscardFrom) -> None:
        for seat in move.targets:
            self.discard(seat, 1, ABILITY)
        if _KIT_DISCARDS_LAST in self.setup.house_rules:
            self.end_turn()
        else:
            self.fire_gatling()

    # End of a turn

    def end_turn(self) -> None:
        if self.result:
            return
        turn = self.turn
        gain = self.setup.abilities[turn].gain_without_bullseye
        if gain and self.life[turn] and not self.hand.shooting:
            self.gain(turn, gain, ABILITY)
        living = self.living
        seat = living[bisect(living, turn) % len(living)]
        self.turn, self.rolls, self.hand, self.aside = seat, 0, NO_DICE, NOTHING
        self.log.append((TurnBegan, seat))
        self.awaits = _first_decision(self.setup, seat)

    # Damage: players may decide something before they lose life points, and after

    def hit(self, cause: Cause, hits: tuple[int, ...]) -> None:
        for seat in self.setup.arrow_takers:
            if seat in hits and targets.max_arrows_for_hits(self, cause, hits, seat):
                self.set_aside(Damage(cause, hits))
                self.awaits = _TAKE_ARROWS[seat]
                return
        self.lose_hits(cause, hits)

    def take_arrows(self, move: TakeArrows) -> None:
        cause, hits = self.answered()
        seat, left = move.seat, list(hits)
        if move.arrows:
            self.arrows[seat] += move.arrows
            self.log.append((ArrowsTaken, seat, move.arrows, ABILITY))
        for _ in range(move.arrows):
            left.remove(seat)
        self.lose_hits(cause, tuple(left))

    def answered(self) -> Damage:
        damage = self.aside.damage
        assert damage is not None
        self.set_aside(None)
        return damage

    def set_aside(self, damage: Damage | None) -> None:
        # `_replace` takes more than twice as long.
        self.aside = Aside(*self.aside[:3], damage)

    def lose_hits(self, cause: Cause, hits: tuple[int, ...]) -> None:
        self.lose({seat: hits.count(seat) for seat in hits}, cause)
        if self.result:
            return
        for seat in self.setup.arrow_discarders:
            if seat in hits and targets.max_discards_when_hurt(self, hits, seat):
                self.set_aside(Damage(cause, hits))
                self.awaits = _DISCARD_ARROWS[seat]
                return
        self.after_damage(cause, hits)

    def discard_arrows(self, move: DiscardArrows) -> None:
        cause, hits = self.answered()
        self.discard(move.seat, move.arrows, ABILITY)
        self.after_damage(cause, hits)

    def after_damage(self, cause: Cause, hits: tuple[int, ...]) -> None:
        for seat in self.setup.avengers:
            if seat in hits and cause is not DYNAMITE:
                self.avenge()
        if self.result or not self.life[self.turn]:
            self.end_turn()
        else:
            _NEXT_STEP[cause](self)

    def avenge(self) -> None:
        aside = self.aside
        if not (aside.avenged and HouseRule.ONE_ARROW_A_TURN in self.setup.house_rules):
            self.aside = aside._replace(avenged=True)
            self.draw_arrows(1, ABILITY)

    # Arrows and life points

    def draw_arrows(self, count: int, cause: Cause) -> None:
        """Give arrows to the player whose turn it is; the last one starts the attack at once."""
        turn = self.turn
        while True:
            pile = ARROWS - sum(self.arrows)
            taken = count if count < pile else pile
            self.arrows[turn] += taken
            self.log.append((ArrowsTaken, turn, taken, cause))
            if taken < pile:
                return
            self.indians_attack()
            count -= taken
            if not count or self.result or not self.life[turn]:
                return

    def indians_attack(self) -> None:
        self.log.append((IndiansAttacked,))
        losses = {}
        for seat, arrows in enumerate(self.arrows):
            if arrows:
                most = self.setup.abilities[seat].max_indian_loss
                losses[seat] = arrows if most is None else min(arrows, most)
        self.arrows = [0] * len(self.arrows)
        self.lose(losses, INDIANS)

    def discard(self, seat: int, count: int, cause: Cause) -> None:
        if count:
            self.arrows[seat] -= count
            self.log.append((ArrowsDiscarded, seat, count, cause))

    def gain(self, seat: int, count: int, cause: Cause) -> None:
        life = self.life[seat]
        room = self.setup.max_life[seat] - life
        gained = count if count < room else room
        if gained:
            self.life[seat] = life + gained
        self.log.append((LifeGained, seat, gained, cause))

    def lose(self, losses: Mapping[int, int], cause: Cause) -> None:
        """Take life points from all seats at once; eliminate players and end the game if due.

        losses: the hits by seat; those beyond the last life point do nothing.
        """
        life, fallen = self.life, []
        for seat, count in losses.items():
            left = life[seat] - count
            if left > 0:
                life[seat] = left
            else:
                count, life[seat] = life[seat], 0
                fallen.append(seat)
            self.log.append((LifeLost, seat, count, cause))
        if fallen:
            self.eliminate(fallen, cause)

    def eliminate(self, fallen: list[int], cause: Cause) -> None:
        setup = self.setup
        if HouseRule.VULTURE_OUTLIVES in setup.house_rules and len(fallen) > 1:
            fallen = [seat for seat in fallen if not setup.abilities[seat].gain_per_elimination]
        self.living = tuple([seat for seat in self.living if seat not in fallen])

        aside = self.aside
        self.aside = Aside(aside.fallen + tuple(fallen), *aside[1:])
        for seat in fallen:
            self.log.append((Eliminated, seat, setup.roles[seat]))
            self.arrows[seat] = 0
        for seat in self.living:
            gain = setup.abilities[seat].gain_per_elimination
            if gain:
                self.gain(seat, gain * len(fallen), ABILITY)
        self.result = self.outcome(fallen, cause)
        if self.result:
            self.log.append((GameEnded, self.result))

    # End of the game

    def outcome(self, fallen: list[int], cause: Cause) -> Result | None:
        if self.setup.roles_open:
            return self.outcome_with_open_roles(fallen, cause)
        return result_of(self.setup.roles, self.living)

    def outcome_with_open_roles(self, fallen: list[int], cause: Cause) -> Result | None:
        roles, winners = self.setup.roles, self.living
        if cause in (BULLSEYE, GATLING) and any(
            roles[seat] is PREY[roles[self.turn]] for seat in fallen
        ):
            winners = (self.turn,)
        if len(winners) > 1:
            return None
        side = Side(roles[winners[0]]) if winners else Side.NONE
        return Result(side, winners)


_STEPS: Mapping[type[Move], Callable[[_Steps, Any], None]] = {
    Heal: _Steps.heal,
    Roll: _Steps.roll,
    Stop: _Steps.stop,
    Shoot: _Steps.shoot,
    TakeArrows: _Steps.take_arrows,
    DiscardArrows: _Steps.discard_arrows,
    Beer: _Steps.beer,
    DiscardFrom: _Steps.discard_from,
}

_NEXT_STEP: Mapping[Cause, Callable[[_Steps], None]] = {
    DYNAMITE: _Steps.ask_for_shots,
    BULLSEYE: _Steps.ask_for_beers,
    GATLING: _Steps.after_gatling,
}


class Course(_Steps):
    """A game that moves change in place, for simulating many games quickly.

    It can be read like any state, but not kept: the next move changes it.
    """

    __slots__ = ()

    @staticmethod
    def of(state: State) -> "Course":
        """Return a course that goes on from `state`, which stays as it is."""
        course = _copy(state, Course)
        course.awaits = state.awaits
        return course

    def make(self, move: Move) -> None:
        """Make a legal move. Nothing checks it: an illegal one makes a game that can't be."""
        self.log.clear()
        self.awaits = None
        _STEPS[type(move)](self, move)

    def ended(self) -> State:
        """Return the course as a state that never changes; it can't make moves any more."""
        return _freeze(self)
