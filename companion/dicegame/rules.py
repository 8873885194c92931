"""The rules: `start` deals, `apply` makes a move and everything that follows from it by itself.

A turn goes through the steps of `_Course` from top to bottom. A step that needs a decision stops
there (`ask`); the next move takes it up again at the same place.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from companion.dicegame.characters import Ability
from companion.dicegame.check import check
from companion.dicegame.events import (
    ArrowsDiscarded,
    ArrowsTaken,
    Cause,
    DynamiteExploded,
    Eliminated,
    Event,
    GameEnded,
    GatlingFired,
    IndiansAttacked,
    LifeGained,
    LifeLost,
    Result,
    Rolled,
    ShotsFired,
    Side,
    TurnBegan,
)
from companion.dicegame.faces import BULLSEYES, DICE, Dice, Face
from companion.dicegame.moves import (
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
from companion.dicegame.roles import PREY, Role
from companion.dicegame.state import ARROWS, Awaits, Damage, Setup, State
from companion.dicegame.targets import beer_dice, max_arrows_for_hits, max_discards_when_hurt

DYNAMITES = 3
"""Dice that end the rolling and cost a life point."""


class IllegalMove(ValueError):  # noqa: N818 (a move is illegal; the program has no error)
    """A move that the rules forbid now; its text says why. The state stays as it was."""


class Step(NamedTuple):
    """What a move leads to: the state after it, and what happened on the way."""

    state: State
    events: tuple[Event, ...]


def start(setup: Setup) -> Step:
    """Return the state before the first turn's first decision."""
    nobody = (0,) * len(setup.players)
    blank = State(
        setup=setup, turn=setup.first, rolls=0, dice=None, life=setup.max_life, arrows=nobody,
        fallen=(), beer_spent=False, damage=None, awaits=None, result=None,
    )  # fmt: skip
    course = _Course(blank)
    course.begin_turn(setup.first)
    return course.step()


def apply(state: State, move: Move) -> Step:
    """Make `move` and return what follows. Raises IllegalMove with the reason."""
    reason = check(state, move)
    if reason is not None:
        raise IllegalMove(reason)
    course = _Course(state)
    _COURSES[type(move)](course, move)
    return course.step()


class _Course:
    """One move on its way: the state's fields while they change, and the events so far.

    Every method takes the game on until a decision is needed or the game is over, which `settled`
    tells: whoever calls a method that may end the turn looks there before he goes on.
    """

    def __init__(self, state: State) -> None:
        self.setup = state.setup
        self.turn = state.turn
        self.rolls = state.rolls
        self.dice: Dice = state.dice or ()
        self.life = list(state.life)
        self.arrows = list(state.arrows)
        self.fallen = list(state.fallen)
        self.beer_spent = state.beer_spent
        self.damage = state.damage
        self.awaits: Awaits | None = None
        self.result: Result | None = None
        self.events: list[Event] = []

    def state(self) -> State:
        return State(
            self.setup, self.turn, self.rolls, self.dice or None, tuple(self.life),
            tuple(self.arrows), tuple(self.fallen), self.beer_spent, self.damage, self.awaits,
            self.result,
        )  # fmt: skip

    def step(self) -> Step:
        return Step(self.state(), tuple(self.events))

    def ability(self, seat: int) -> Ability:
        return self.setup.players[seat].character.ability

    def living(self) -> list[int]:
        return [seat for seat, life in enumerate(self.life) if life]

    def ask(self, seat: int, action: Action) -> None:
        self.awaits = Awaits(seat, action)

    # Start of a turn

    def begin_turn(self, seat: int) -> None:
        self.turn, self.rolls, self.dice, self.fallen, self.beer_spent = seat, 0, (), [], False
        self.events.append(TurnBegan(seat))
        heals = self.ability(seat).heals_at_start
        self.ask(seat, Action.HEAL if heals else Action.ROLL)

    def heal(self, move: Heal) -> None:
        self.gain(move.target, 1, Cause.ABILITY)
        self.ask(self.turn, Action.ROLL)

    # Rolling

    def roll(self, move: Roll) -> None:
        self.rolls += 1
        self.dice = move.dice
        thrown = range(DICE) if move.rerolled is None else move.rerolled
        self.events.append(Rolled(self.turn, move.dice, tuple(thrown)))
        for die in thrown:
            if move.dice[die] is Face.ARROW:
                self.take_arrow(Cause.ROLL)
                if self.result or not self.life[self.turn]:
                    self.end_turn()
                    return
        if (
            self.dice.count(Face.DYNAMITE) >= DYNAMITES
            or self.rolls == self.ability(self.turn).max_rolls
        ):
            self.resolve_dice()
        else:
            self.ask(self.turn, Action.ROLL)

    def stop(self, move: Stop) -> None:
        self.resolve_dice()

    # The dice, in the order in which they count

    def resolve_dice(self) -> None:
        if self.dice.count(Face.DYNAMITE) >= DYNAMITES:
            self.events.append(DynamiteExploded(self.turn))
            self.hit(Cause.DYNAMITE, [self.turn])
        else:
            self.ask_for_shots()

    def ask_for_shots(self) -> None:
        if any(face in BULLSEYES for face in self.dice):
            self.ask(self.turn, Action.SHOOT)
        else:
            self.ask_for_beers()

    def shoot(self, move: Shoot) -> None:
        self.events.append(ShotsFired(self.turn, move.shots))
        self.beer_spent = any(shot.beer is not None for shot in move.shots)
        aimed = [shot for shot in move.shots if shot.target is not None]
        doubled = [shot for shot in aimed if shot.beer is not None]
        targets = [shot.target for shot in aimed + doubled if shot.target is not None]
        if targets:
            self.hit(Cause.BULLSEYE, targets)
        else:
            self.ask_for_beers()

    def ask_for_beers(self) -> None:
        if beer_dice(self.state()):
            self.ask(self.turn, Action.BEER)
        else:
            self.resolve_gatling()

    def beer(self, move: Beer) -> None:
        thirsty = self.life[self.turn] <= self.ability(self.turn).thirsty_at
        for seat in move.targets:
            self.gain(seat, 2 if thirsty and seat == self.turn else 1, Cause.BEER)
        self.resolve_gatling()

    def gatling_fires(self) -> bool:
        return self.dice.count(Face.GATLING) >= self.ability(self.turn).gatlings_needed

    def resolve_gatling(self) -> None:
        if self.gatling_fires():
            self.events.append(GatlingFired(self.turn))
            self.discard(self.turn, self.arrows[self.turn], Cause.GATLING)
        if (
            self.ability(self.turn).discards_by_gatling
            and Face.GATLING in self.dice
            and any(self.arrows)
        ):
            self.ask(self.turn, Action.DISCARD_FROM)
        else:
            self.fire_gatling()

    def discard_from(self, move: DiscardFrom) -> None:
        for seat in move.targets:
            self.discard(seat, 1, Cause.ABILITY)
        self.fire_gatling()

    def fire_gatling(self) -> None:
        hit = [
            seat
            for seat in self.living()
            if seat != self.turn and not self.ability(seat).immune_to_gatling
        ]
        if self.gatling_fires() and hit:
            self.hit(Cause.GATLING, hit)
        else:
            self.end_turn()

    # End of a turn

    def end_turn(self) -> None:
        if self.result:
            return
        gain = self.ability(self.turn).gain_without_bullseye
        if self.life[self.turn] and gain and not any(face in BULLSEYES for face in self.dice):
            self.gain(self.turn, gain, Cause.ABILITY)
        seats = len(self.life)
        left = ((self.turn + places) % seats for places in range(1, seats))
        self.begin_turn(next(seat for seat in left if self.life[seat]))

    # A damage event: somebody may answer before the loss, and somebody after it

    def hit(self, cause: Cause, targets: Sequence[int]) -> None:
        hits = tuple(targets.count(seat) for seat in range(len(self.life)))
        damage = Damage(cause, hits)
        for seat in set(targets):
            if max_arrows_for_hits(self.state(), damage, seat):
                self.damage = damage
                self.ask(seat, Action.TAKE_ARROWS)
                return
        self.lose_hits(damage)

    def take_arrows(self, move: TakeArrows) -> None:
        assert self.damage is not None
        if move.count:
            self.arrows[move.seat] += move.count
            self.events.append(ArrowsTaken(move.seat, move.count, Cause.ABILITY))
        hits = list(self.damage.hits)
        hits[move.seat] -= move.count
        self.lose_hits(Damage(self.damage.cause, tuple(hits)))

    def lose_hits(self, damage: Damage) -> None:
        self.damage = None
        self.lose(damage.hits, damage.cause)
        if self.result:
            return
        for seat, hits in enumerate(damage.hits):
            if hits and max_discards_when_hurt(self.state(), damage, seat):
                self.damage = damage
                self.ask(seat, Action.DISCARD_ARROWS)
                return
        self.after_damage(damage)

    def discard_arrows(self, move: DiscardArrows) -> None:
        assert self.damage is not None
        damage, self.damage = self.damage, None
        self.discard(move.seat, move.count, Cause.ABILITY)
        self.after_damage(damage)

    def after_damage(self, damage: Damage) -> None:
        if damage.cause is not Cause.DYNAMITE and any(
            hits and self.ability(seat).arrow_for_attacker for seat, hits in enumerate(damage.hits)
        ):
            self.take_arrow(Cause.ABILITY)
        if self.result or not self.life[self.turn]:
            self.end_turn()
        else:
            _NEXT_STEP[damage.cause](self)

    # Arrows and life points

    def take_arrow(self, cause: Cause) -> None:
        """Give the player whose turn it is one arrow; the last one sets off the attack."""
        self.arrows[self.turn] += 1
        self.events.append(ArrowsTaken(self.turn, 1, cause))
        if sum(self.arrows) == ARROWS:
            self.indians_attack()

    def indians_attack(self) -> None:
        self.events.append(IndiansAttacked())
        losses = []
        for seat, arrows in enumerate(self.arrows):
            most = self.ability(seat).max_indian_loss
            losses.append(arrows if most is None else min(arrows, most))
        self.arrows = [0] * len(self.arrows)
        self.lose(losses, Cause.INDIANS)

    def discard(self, seat: int, count: int, cause: Cause) -> None:
        if count:
            self.arrows[seat] -= count
            self.events.append(ArrowsDiscarded(seat, count, cause))

    def gain(self, seat: int, count: int, cause: Cause) -> None:
        gained = min(count, self.setup.max_life[seat] - self.life[seat])
        self.life[seat] += gained
        self.events.append(LifeGained(seat, gained, cause))

    def lose(self, losses: Iterable[int], cause: Cause) -> None:
        """All lose together; whoever has nothing left is eliminated; see whether the game ends."""
        fallen = []
        for seat, loss in enumerate(losses):
            lost = min(loss, self.life[seat])
            if lost:
                self.life[seat] -= lost
                self.events.append(LifeLost(seat, lost, cause))
                if not self.life[seat]:
                    fallen.append(seat)
        if not fallen:
            return
        for seat in fallen:
            self.events.append(Eliminated(seat, self.setup.players[seat].role))
            self.arrows[seat] = 0
        self.fallen += fallen
        for seat in self.living():
            gain = self.ability(seat).gain_per_elimination
            if gain:
                self.gain(seat, gain * len(fallen), Cause.ABILITY)
        self.result = self.outcome(fallen, cause)
        if self.result:
            self.events.append(GameEnded(self.result))

    # End of the game

    def outcome(self, fallen: list[int], cause: Cause) -> Result | None:
        if self.setup.roles_open:
            return self.outcome_with_open_roles(fallen, cause)
        roles = [player.role for player in self.setup.players]
        living = [roles[seat] for seat in self.living()]
        if Role.SHERIFF not in living:
            if living == [Role.RENEGADE]:
                return Result(Side.RENEGADE, tuple(self.living()))
            return Result(Side.OUTLAWS, self.seats_of(Role.OUTLAW))
        if Role.OUTLAW in living or Role.RENEGADE in living:
            return None
        return Result(Side.LAW, self.seats_of(Role.SHERIFF, Role.DEPUTY))

    def outcome_with_open_roles(self, fallen: list[int], cause: Cause) -> Result | None:
        roles = [player.role for player in self.setup.players]
        winners = self.living()
        if cause in (Cause.BULLSEYE, Cause.GATLING) and any(
            roles[seat] is PREY[roles[self.turn]] for seat in fallen
        ):
            winners = [self.turn]
        if len(winners) > 1:
            return None
        side = Side(roles[winners[0]]) if winners else Side.NONE
        return Result(side, tuple(winners))

    def seats_of(self, *roles: Role) -> tuple[int, ...]:
        return tuple(seat for seat, player in enumerate(self.setup.players) if player.role in roles)


_COURSES: dict[type[Move], Callable[[_Course, Any], None]] = {
    Heal: _Course.heal,
    Roll: _Course.roll,
    Stop: _Course.stop,
    Shoot: _Course.shoot,
    TakeArrows: _Course.take_arrows,
    DiscardArrows: _Course.discard_arrows,
    Beer: _Course.beer,
    DiscardFrom: _Course.discard_from,
}

_NEXT_STEP: dict[Cause, Callable[[_Course], None]] = {
    Cause.DYNAMITE: _Course.ask_for_shots,
    Cause.BULLSEYE: _Course.ask_for_beers,
    Cause.GATLING: _Course.end_turn,
}
