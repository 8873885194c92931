"""Decisions in a game: moves, undo, and the guesses of eliminated players."""

from dataclasses import replace
from typing import Any

from companion.base.refused import Problem, Refused
from companion.games.game import AnyMove
from companion.table import history as histories
from companion.table.changes import change, decides, may_undo, person_here, seat_of
from companion.table.history import History
from companion.table.scene import (
    Phase,
    Scene,
    follow_up,
    play,
    renew,
    running,
    with_history,
)
from companion.table.surface.interface import EarlySurface

MOST_LINES = 5000
"""The number of lines of a game, undone moves included, after which undo is refused.

Games have a few hundred. Without a limit, one phone could make each start ever longer."""


@change()
def move(scene: Scene, person: int | None, made: AnyMove) -> Scene:
    """Make a decision from a phone. Only `rolling.accept` accepts dice."""
    history = running(scene)
    if history.game.rolled(made) is not None:
        raise Refused(Problem.ILLEGAL, "throw the dice into the tray")
    if made.seat not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "this decision is made on another phone")
    return play(scene, scene.surface.play(made, history, scene.shown))


@change()
def answer_early(scene: Scene, person: int | None, made: AnyMove) -> Scene:
    """Keep the answer of a seat that will be asked later by the card being settled.

    Nothing that others see changes, so their presses aren't refused because of it.
    """
    history = running(scene)
    known = _answers_of(scene, person, made.seat)
    return follow_up(scene.with_surface(known.give_early(made, history)))


@change()
def take_early_back(scene: Scene, person: int | None, seat: int) -> Scene:
    """Forget the early answer of a seat."""
    running(scene)
    return replace(scene, surface=_answers_of(scene, person, seat).forget(seat, dropped=False))


def _answers_of(scene: Scene, person: int | None, seat: int) -> EarlySurface[Any]:
    if seat not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "this decision is made on another phone")
    if not isinstance(scene.surface, EarlySurface):
        raise Refused(Problem.ILLEGAL, "this player isn’t asked now")
    return scene.surface


@change()
def undo(scene: Scene, person: int | None) -> Scene:
    """Take back the last decision and what followed automatically."""
    history = running(scene)
    if not history.undoable:
        raise Refused(Problem.ILLEGAL, "there is nothing to undo")
    seat = check_undo(scene, person)
    return _undo_to(scene, histories.undo(history, seat))


@change()
def go_back(scene: Scene, person: int | None, moves: int) -> Scene:
    """Take back everything after this many moves of the game."""
    history = running(scene)
    seat = check_undo(scene, person)
    if moves not in history.landings:
        raise Refused(Problem.ILLEGAL, "you can’t go back to this moment")
    return _undo_to(scene, histories.go_back(history, seat, moves))


def check_undo(scene: Scene, person: int | None) -> int:
    """Return the seat of a person who may undo now. Raises Refused."""
    if len(running(scene).lines) > MOST_LINES:
        raise Refused(Problem.ILLEGAL, "too much was undone in this game")
    here = person_here(scene, person)
    if here is None or not may_undo(scene, here):
        raise Refused(Problem.FORBIDDEN, "only the host and the player whose turn it is can undo")
    return scene.people.index(here)


def _undo_to(scene: Scene, left: History) -> Scene:
    surface = scene.surface.undo(left, running(scene), scene.shown)
    return renew(with_history(scene, left, surface))


@change(versioned=False)
def guess(scene: Scene, person: int | None, side: str) -> Scene:
    """Note an eliminated player's guess about which side will win.

    It changes nothing for the others, so their presses aren't refused because of it.
    """
    history, seat = running(scene), seat_of(scene, person_here(scene, person))
    if side not in history.game.sides(len(scene.people)):
        raise Refused(Problem.ILLEGAL, "there is no such side")
    if seat is None or scene.phase is Phase.OVER or history.standing.alive[seat]:
        raise Refused(Problem.FORBIDDEN, "only players who are out of the game can guess")
    if history.guesses.get(seat) == side:
        return scene
    return replace(scene, history=histories.guess(history, seat, side))
