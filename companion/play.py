"""Games without people: a player who decides at random, among all that the rules allow."""

import random
from collections.abc import Sequence
from dataclasses import replace

from companion.dicegame.choices import Aim, Question, question, throwable
from companion.dicegame.faces import Face
from companion.dicegame.moves import (
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
from companion.dicegame.state import State

_STOPS = 0.4
"""How often the player is content with the dice: some turns use every roll, some one."""


def random_move(state: State, chance: random.Random, faces: Sequence[Face] = tuple(Face)) -> Move:
    """Return a legal move; every legal move may come, and the same `chance` gives the same one.

    faces: what a thrown die may show; one that stands there twice comes up twice as often.
    Raises ValueError if the game is over.
    """
    asked = question(state)
    if asked is None:
        raise ValueError("the game is over")
    seat = asked.seat
    match asked.action:
        case Action.ROLL | Action.STOP:
            return _throw_or_stop(state, seat, chance, faces)
        case Action.HEAL:
            return Heal(seat, chance.choice(asked.targets))
        case Action.SHOOT:
            return _shoot(asked, chance)
        case Action.TAKE_ARROWS:
            return TakeArrows(seat, chance.randint(0, asked.most))
        case Action.DISCARD_ARROWS:
            return DiscardArrows(seat, chance.randint(0, asked.most))
        case Action.BEER:
            return Beer(seat, tuple(chance.choices(asked.targets, k=asked.most)))
        case Action.DISCARD_FROM:
            held = [seat for seat in asked.targets for _ in range(state.arrows[seat])]
            return DiscardFrom(seat, tuple(chance.sample(held, chance.randint(0, asked.most))))


def _throw_or_stop(
    state: State, seat: int, chance: random.Random, faces: Sequence[Face]
) -> Roll | Stop:
    free = throwable(state)
    if state.dice is None:
        return Roll(seat, tuple(chance.choices(faces, k=len(free))))
    if not free or chance.random() < _STOPS:
        return Stop(seat)
    thrown = tuple(sorted(chance.sample(free, chance.randint(1, len(free)))))
    dice = list(state.dice)
    for die in thrown:
        dice[die] = chance.choice(faces)
    return Roll(seat, tuple(dice), thrown)


def _shoot(asked: Question, chance: random.Random) -> Shoot:
    shots = [_shot(die, ways, chance) for die, ways in asked.aims.items()]
    aimed = [index for index, shot in enumerate(shots) if shot.target is not None]
    if asked.beers and aimed and chance.random() < 0.5:
        doubled = chance.choice(aimed)
        shots[doubled] = replace(shots[doubled], beer=chance.choice(asked.beers))
    return Shoot(asked.seat, tuple(shots))


def _shot(die: int, ways: Sequence[Aim], chance: random.Random) -> Shot:
    way = chance.choice(ways)
    target = chance.choice(way.targets) if way.targets else None
    # Who may use a die in two ways may also name the face that it shows anyway.
    named = len(ways) > 1 and (way is not ways[0] or chance.random() < 0.5)
    return Shot(die, target, used_as=way.face if named else None)
