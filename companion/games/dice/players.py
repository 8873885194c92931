"""Random players: they choose among all legal moves."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from math import floor
from operator import itemgetter
from random import Random
from typing import TypeVar

from companion.games.common.played import Played
from companion.games.dice.rules.faces import BULLSEYE1, DICE, Dice, Face
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
from companion.games.dice.rules.rules import Course, start
from companion.games.dice.rules.state import Setup, State
from companion.games.dice.rules.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
    throwable,
    uses,
)

_T = TypeVar("_T")

FAIR: Sequence[Dice] = tuple(product(Face, repeat=DICE))
"""Every throw of five fair dice."""

_STOPS = 0.4
"""The probability to stop after a roll, so that some turns use one roll and some use all."""

_CHOICES: Mapping[tuple[int, ...], Sequence[tuple[tuple[int, ...], Callable[[Dice], Dice]]]] = {
    free: [
        (thrown, itemgetter(*(die + DICE * (die in thrown) for die in range(DICE))))
        for count in range(1, len(free) + 1)
        for thrown in combinations(free, count)
    ]
    for size in range(DICE + 1)
    for free in combinations(range(DICE), size)
}
"""By the dice that may be thrown: each choice of one or more of them, with a function that picks
the resulting five faces from the ten faces before and after a throw."""

_ROLL, _SHOOT, _BEER = Action.ROLL, Action.SHOOT, Action.BEER

_new = tuple.__new__
"""Creates the most common moves in half the time of `Roll(...)`."""

_STOP = tuple(Stop(seat) for seat in range(8))
_SHOTS: Sequence[Mapping[int | None, Shot]] = tuple(
    {target: Shot(die, target) for target in (*range(8), None)} for die in range(DICE)
)
"""By die and target, the shots that use a die as it lies."""
_ONE_SHOT = tuple(
    tuple({target: Shoot(seat, (shot,)) for target, shot in shots.items()} for shots in _SHOTS)
    for seat in range(8)
)
"""By seat, die and target, the moves of players with one bull's eye to use as it lies."""
_ONE_BEER = tuple(tuple(Beer(seat, (target,)) for target in range(8)) for seat in range(8))
"""By seat and target, the moves of players with one beer."""


def play_game(setup: Setup, chance: Random) -> Played[State, Move]:
    """Play a dice game with random players; the same `chance` gives the same game."""
    game, moves, turns = Course.of(start(setup)), [], 1
    while game.result is None:
        before = game.turn
        move = random_move(game, chance, FAIR)
        game.make(move)
        moves.append(move)
        if game.turn != before:
            turns += 1
    return Played(game.ended(), moves, turns)


def random_move(state: State, chance: Random, throws: Sequence[Dice] = FAIR) -> Move:
    """Return a random legal move; the same `chance` gives the same move.

    throws: the possible faces of five thrown dice, all equally likely.
    Raises ValueError if the game is over.
    """
    awaits = state.awaits
    if awaits is None:
        raise ValueError("the game is over")
    seat, action = awaits
    if action is not _ROLL:
        return _DECISIONS[action](state, seat, chance)
    random, before = chance.random, state.hand.dice
    if not before:
        return _new(Roll, (seat, throws[floor(random() * len(throws))], None, _ROLL))
    if random() < _STOPS or not (choices := _CHOICES[throwable(state)]):
        return _STOP[seat]
    thrown, lie = choices[floor(random() * len(choices))]
    dice = lie(before + throws[floor(random() * len(throws))])
    return _new(Roll, (seat, dice, thrown, _ROLL))


def _one_of(options: Sequence[_T], chance: Random) -> _T:
    # A third of the time that `chance.choice` takes. `int` would take four times that of `floor`.
    return options[floor(chance.random() * len(options))]


def _heal(state: State, seat: int, chance: Random) -> Heal:
    return Heal(seat, _one_of(state.living, chance))


def _shoot(state: State, seat: int, chance: Random) -> Shoot:
    random, hand, ability = chance.random, state.hand, state.setup.abilities[seat]
    near, far = in_reach(state)
    dice, shooting, swaps = hand.dice, hand.shooting, ability.swaps_bullseyes
    # Most shoot once, with the die as it lies.
    if len(shooting) == 1 and not swaps and not ability.doubles_with_beer:
        (die,) = shooting
        targets = near if dice[die] is BULLSEYE1 else far
        target = targets[floor(random() * len(targets))] if targets else None
        return _ONE_SHOT[seat][die][target]
    shots = []
    for die in shooting:
        face, used_as = dice[die], None
        # A player who may use a die as either face may also name the one that it shows.
        if swaps and random() < 0.6:
            face = used_as = _one_of(uses(state, die), chance)
        targets = near if face is BULLSEYE1 else far
        target = targets[floor(random() * len(targets))] if targets else None
        shots.append(_SHOTS[die][target] if used_as is None else Shot(die, target, used_as))
    if ability.doubles_with_beer and (beers := hand.beers) and random() < 0.5:
        doubled = floor(random() * len(shots))
        if shots[doubled].target is not None:
            shots[doubled] = shots[doubled]._replace(beer=_one_of(beers, chance))
    return _new(Shoot, (seat, tuple(shots), _SHOOT))


def _take_arrows(state: State, seat: int, chance: Random) -> TakeArrows:
    assert state.aside.damage is not None
    return TakeArrows(
        seat, chance.randint(0, max_arrows_for_hits(state, *state.aside.damage, seat))
    )


def _discard_arrows(state: State, seat: int, chance: Random) -> DiscardArrows:
    assert state.aside.damage is not None
    most = max_discards_when_hurt(state, state.aside.damage.hits, seat)
    return DiscardArrows(seat, chance.randint(0, most))


def _beer(state: State, seat: int, chance: Random) -> Beer:
    random, living, beers = chance.random, state.living, beer_dice(state)
    count = len(living)
    if beers == 1:
        return _ONE_BEER[seat][living[floor(random() * count)]]
    targets = [living[floor(random() * count)] for _ in range(beers)]
    return _new(Beer, (seat, tuple(targets), _BEER))


def _discard_from(state: State, seat: int, chance: Random) -> DiscardFrom:
    held = [seat for seat in state.living for _ in range(state.arrows[seat])]
    most = min(state.hand.gatlings, len(held))
    return DiscardFrom(seat, tuple(chance.sample(held, chance.randint(0, most))))


_DECISIONS: Mapping[Action, Callable[[State, int, Random], Move]] = {
    Action.HEAL: _heal,
    Action.SHOOT: _shoot,
    Action.TAKE_ARROWS: _take_arrows,
    Action.DISCARD_ARROWS: _discard_arrows,
    Action.BEER: _beer,
    Action.DISCARD_FROM: _discard_from,
}
