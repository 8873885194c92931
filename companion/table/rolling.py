"""Changes to the dice: by buttons, by phones and by the camera."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from companion.table.changes import Permission, change, person_here, running
from companion.table.moves import played
from companion.table.pile.updates import camera_fails as pile_camera_fails
from companion.table.refused import Message, Problem, Refused
from companion.table.scene import CameraStatus, Scene
from companion.table.tray import corrections, updates
from companion.table.tray.observation import NO_CAMERA, Observation, Place
from companion.table.tray.state import Mark, watched
from companion.table.tray.status import Status
from vision.dice.reading import DICE

_NOT_READY = {
    Status.EMPTY: Message("throw the dice first"),
    Status.MOVING: Message("the dice are still rolling"),
    Status.LYING: Message("no dice were thrown"),
    Status.PICKED_UP: Message("some dice are picked up: throw them or put them back"),
    Status.BESIDE: Message("tap the dice that were kept beside the tray"),
    Status.UNSURE: Message("a die is uncertain: tap it to choose its face"),
    Status.INCOMPLETE: Message("enter all five dice"),
    Status.COUNT: Message("five dice are needed"),
    Status.TOO_NEAR: Message("the camera is too near: raise it"),
    Status.COCKED: Message("a die is leaning: lay it flat or throw it again"),
    Status.BLOCKED: Message("something covers the dice: clear the tray"),
}

_THROWN = Message("the dice were thrown: accept the roll first")
_NO_STOP = {
    Status.READY: _THROWN,
    Status.UNSURE: _THROWN,
    Status.BESIDE: _THROWN,
    Status.MOVING: Message("the dice are still rolling: wait until they lie still"),
    Status.COUNT: Message("five dice are needed before you can stop rolling"),
    Status.TOO_NEAR: Message("the camera is too near: raise it"),
    Status.COCKED: Message(
        "a die is leaning: lay it flat and accept the roll before you stop rolling"
    ),
    Status.BLOCKED: Message("something covers the dice: clear the tray before you stop rolling"),
}
"""Why rolling can't be stopped: these dice may have been thrown, and a throw counts."""


# The camera


def seen(scene: Scene, observation: Observation) -> Scene:
    """Return the scene after an observation by the camera."""
    now = watched(scene.tray_state)
    if now is not None and now.now == observation:
        return scene
    state = updates.observe(scene.tray_state, observation, scene.awaited_roll)
    return scene.with_tray(state)


def camera_changed(scene: Scene, camera: CameraStatus) -> Scene:
    """Return the scene after a change of what reads the dice, if anything."""
    if camera == scene.camera:
        # A failed retry of the camera must not discard what players entered.
        return scene
    if camera.works:
        return replace(scene, camera=camera, tray_state=updates.camera_works(scene.tray_state))
    return replace(
        scene,
        camera=camera,
        tray_state=updates.camera_fails(scene.tray_state),
        pile_state=pile_camera_fails(scene.pile_state),
    )


# The buttons


@change(Permission.TURN, sees_tray=True)
def accept(scene: Scene, _: int | None) -> Scene:
    """Accept the dice as the phone shows them."""
    return accepted(scene)


@change(Permission.TURN)
def stop(scene: Scene, _: int | None) -> Scene:
    """Stop rolling."""
    return stopped(scene)


@change(Permission.TURN, sees_tray=True)
def accept_and_stop(scene: Scene, _: int | None) -> Scene:
    """Accept the dice as the phone shows them and, unless that ends the rolling, stop."""
    turn = running(scene).standing.turn
    after = accepted(scene)
    history = running(after)
    goes_on = history.standing.turn == turn and bool(history.game.dice.lying(history.state))
    return stopped(after) if after.rolling and goes_on else after


def goes_on(scene: Scene) -> bool:
    """Return whether dice may be thrown again once those that lie there are accepted."""
    history, dice = scene.history, scene.tray
    if history is None or not scene.rolling or dice.status is not Status.READY:
        return False
    faces = tuple(die.face for die in dice.dice if die.face is not None)
    return history.game.dice.goes_on(history.state, faces)


def accepted(scene: Scene) -> Scene:
    """Return the scene after the dice are accepted, as by the green button. Raises Refused."""
    history, dice = running(scene), scene.tray
    if not scene.rolling:
        raise Refused(Problem.ILLEGAL, "no dice are needed now")
    if dice.status is not Status.READY:
        raise Refused(Problem.ILLEGAL, _NOT_READY[dice.status])
    faces = tuple(die.face for die in dice.dice if die.face is not None)
    thrown = tuple(number for number, die in enumerate(dice.dice) if die.thrown)
    lying = tuple(replace(die, thrown=False, sure=True) for die in dice.dice)
    rules, seat = history.game.dice, history.standing.turn
    is_first = not rules.lying(history.state)
    move = rules.roll(seat, faces, None if is_first else thrown)
    camera = watched(scene.tray_state)
    seen = camera.at_rest if camera else NO_CAMERA
    return played(scene, move, lying, accepted=seen, corrected=scene.corrections)


def stopped(scene: Scene) -> Scene:
    """Return the scene after rolling is stopped, as by the red button. Raises Refused."""
    history = running(scene)
    if scene.rolling and scene.tray.status in _NO_STOP:
        raise Refused(Problem.ILLEGAL, _NO_STOP[scene.tray.status])
    return played(scene, history.game.dice.stop(history.standing.turn), history.lying)


# Corrections


@change(Permission.TURN, sees_tray=True)
def mark(scene: Scene, person: int | None, die: int, said: Mark) -> Scene:
    """Correct a die: its face, or whether it was thrown."""
    if not scene.rolling or not 0 <= die < len(scene.tray.dice):
        raise Refused(Problem.ILLEGAL, "you can’t correct this die")
    if said.face is not None:
        _check_face(scene, said.face)
    marks = {die: replace(said, by=_seat(scene, person))}
    return scene.with_tray(corrections.mark(scene.tray_state, marks))


@change(Permission.TURN, sees_tray=True)
def keep_beside(scene: Scene, person: int | None, kept: Sequence[int]) -> Scene:
    """Choose the dice that were kept beside the tray."""
    if tuple(kept) not in scene.tray.choices:
        raise Refused(Problem.ILLEGAL, "these can’t be the dice beside the tray")
    marks = {die: Mark(thrown=False, by=_seat(scene, person)) for die in kept}
    return scene.with_tray(corrections.mark(scene.tray_state, marks))


@change(Permission.TURN, sees_tray=True)
def leave_out(scene: Scene, person: int | None, die: int) -> Scene:
    """Mark something that the camera takes for a die as not one."""
    dice = scene.tray.counted or scene.tray.dice
    if not scene.rolling or not 0 <= die < len(dice):
        raise Refused(Problem.ILLEGAL, "you can’t correct this die")
    state = corrections.leave_out(scene.tray_state, dice[die], _seat(scene, person))
    return scene.with_tray(state)


@change(Permission.TURN, sees_tray=True)
def add(scene: Scene, person: int | None, face: str) -> Scene:
    """Add a die that the camera misses."""
    if not 0 < len(scene.tray.counted) < DICE:
        raise Refused(Problem.ILLEGAL, "no die is missing")
    _check_face(scene, face)
    state = corrections.add(scene.tray_state, face, _seat(scene, person))
    return scene.with_tray(state)


def _seat(scene: Scene, person: int | None) -> int | None:
    """Return the seat of who corrects a die."""
    here = person_here(scene, person)
    return None if here is None else scene.people.index(here)


def _check_face(scene: Scene, face: str) -> None:
    if face not in running(scene).game.dice.faces():
        raise Refused(Problem.ILLEGAL, "there is no such face")


@change(Permission.TURN)
def enter_by_hand(scene: Scene, _: int | None) -> Scene:
    """Let players enter this roll when the camera can't read it.

    Before the first roll, faces that the camera is sure of count as entered.
    """
    history = running(scene)
    if not scene.rolling:
        raise Refused(Problem.ILLEGAL, "no dice are needed now")
    camera = watched(scene.tray_state)
    sure = [die.face for die in camera.now.dice if die.sure and die.face] if camera else []
    is_first = not history.game.dice.lying(history.state)
    state = corrections.by_hand(scene.tray_state, sure if is_first else ())
    return scene.with_tray(state)


# A simulated tray, where the table throws the dice


@change(Permission.TURN)
def pick(scene: Scene, _: int | None, die: int) -> Scene:
    """Pick up a die for the table to throw, or put it back."""
    history = running(scene)
    if not scene.camera.throws or not scene.rolling:
        raise Refused(Problem.ILLEGAL, "this table can’t move the dice for you")
    reason = history.game.dice.check_throw(history.state, die)
    if reason is not None:
        raise Refused(Problem.ILLEGAL, reason)
    return scene.with_tray(corrections.pick(scene.tray_state, die))


@change(Permission.TURN)
def throw(scene: Scene, _: int | None) -> Scene:
    """Throw the dice that were picked up; the camera then sees where they land."""
    kept_places(scene)
    return scene


def kept_places(scene: Scene) -> list[Place]:
    """Return the places of the dice that stay when the table throws. Raises Refused."""
    history = running(scene)
    if not scene.camera.throws or not scene.rolling:
        raise Refused(Problem.ILLEGAL, "there is nothing to throw now")
    if scene.tray.status in (Status.MOVING, Status.READY, Status.UNSURE):
        raise Refused(Problem.ILLEGAL, "the dice were thrown: accept the roll first")
    if not history.game.dice.lying(history.state):
        return []
    picked = picked_dice(scene)
    if not picked:
        raise Refused(Problem.ILLEGAL, "choose the dice to throw again")
    return [
        die.place
        for number, die in enumerate(history.lying)
        if number not in picked and die.place is not None
    ]


def picked_dice(scene: Scene) -> frozenset[int]:
    """Return the dice to throw next, if the table throws them."""
    camera = watched(scene.tray_state)
    return camera.picked if camera else frozenset()


# What the reader can learn from players


class NamedDie(NamedTuple):
    """A die whose face a player named; places are pixels of the picture that was read."""

    face: str
    """The face that the player named."""
    x: float
    """Centre, from the left."""
    y: float
    """Centre, from the top."""
    size: float
    """Edge of the top face."""


def named_dice(scene: Scene) -> tuple[NamedDie, ...]:
    """Return the dice that a player corrected, or named when the reader was unsure."""
    camera = watched(scene.tray_state)
    if camera is None:
        return ()
    doubted = {die.place for die in camera.now.dice if not die.sure}
    named = {number for number, said in scene.tray_state.marks.items() if said.face is not None}
    return tuple(
        NamedDie(die.face, die.place.x, die.place.y, die.place.size)
        for number, die in enumerate(scene.tray.dice)
        if number in named
        and die.face is not None
        and die.place is not None
        and (die.face != die.read or die.place in doubted)
    )
