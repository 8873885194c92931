"""What phones change about the dice in the tray."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.base.refused import Problem, Refused
from companion.table.changes import Permission, Press, change, person_here
from companion.table.scene import Scene, press_green, press_red, running
from companion.table.surface.dice.state import (
    DICE,
    ByHand,
    CountCorrection,
    Place,
    TrayMark,
    TrayState,
    TrayStatus,
    Unwatched,
    Watched,
)
from companion.table.surface.dice.surface import DiceSurface, camera_of, last_accepted


def dice_of(scene: Scene) -> DiceSurface:
    """Return what is known of the dice. Raises Refused if the game has none."""
    if not isinstance(scene.surface, DiceSurface):
        raise Refused(Problem.ILLEGAL, "no dice are needed now")
    return scene.surface


def is_first(scene: Scene) -> bool:
    """Return whether all dice are thrown next: none were accepted this turn. Raises Refused."""
    return not dice_of(scene).rules.lying(running(scene).state)


def _with(scene: Scene, state: TrayState) -> Scene:
    return scene.with_surface(replace(dice_of(scene), state=state))


# The buttons


@change(Permission.TURN, sees_tray=True)
def accept(scene: Scene, _: int | None) -> Scene:
    """Accept the dice as the phone shows them."""
    dice_of(scene)
    return press_green(scene)


@change(Permission.TURN)
def stop(scene: Scene, _: int | None) -> Scene:
    """Stop rolling."""
    dice_of(scene)
    return press_red(scene)


@change(Permission.TURN, sees_tray=True)
def accept_and_stop(scene: Scene, _: int | None) -> Scene:
    """Accept the dice as the phone shows them and, unless that ends the rolling, stop."""
    turn = running(scene).standing.turn
    dice_of(scene)
    after = press_green(scene)
    goes_on = running(after).standing.turn == turn and not is_first(after)
    return press_red(after) if after.rolling and goes_on else after


# Corrections


@change(Permission.TURN, sees_tray=True)
def mark(scene: Scene, person: int | None, die: int, said: TrayMark) -> Scene:
    """Correct a die: its face, or whether it was thrown."""
    if not scene.rolling or not 0 <= die < len(scene.shown.dice):
        raise Refused(Problem.ILLEGAL, "you can’t correct this die")
    if said.face is not None:
        _check_face(scene, said.face)
    marks = {die: replace(said, by=_seat(scene, person))}
    return _with(scene, _mark(dice_of(scene).state, marks))


@change(Permission.TURN, sees_tray=True)
def keep_beside(scene: Scene, person: int | None, kept: Sequence[int]) -> Scene:
    """Choose the dice that were kept beside the tray."""
    dice_of(scene)
    if tuple(kept) not in scene.shown.choices:
        raise Refused(Problem.ILLEGAL, "these can’t be the dice beside the tray")
    marks = {die: TrayMark(thrown=False, by=_seat(scene, person)) for die in kept}
    return _with(scene, _mark(dice_of(scene).state, marks))


@change(Permission.TURN, sees_tray=True)
def leave_out(scene: Scene, person: int | None, die: int) -> Scene:
    """Mark something that the camera takes for a die as not one."""
    known, shown = dice_of(scene), scene.shown
    dice = shown.counted or shown.dice
    if scene.rolling and 0 <= die < len(dice) and isinstance(known.state, Watched):
        place, face, count = dice[die].place, dice[die].face, known.state.count
        left_out, added = count.left_out, list(count.added)
        if place is not None or face in added:
            if place is not None:
                left_out = (*left_out, place)
            else:
                added.remove(str(face))
            count = CountCorrection(left_out, tuple(added), _seat(scene, person))
            return _with(scene, replace(known.state, count=count, marks={}))
    raise Refused(Problem.ILLEGAL, "you can’t correct this die")


@change(Permission.TURN, sees_tray=True)
def add(scene: Scene, person: int | None, face: str) -> Scene:
    """Add a die that the camera misses."""
    state = dice_of(scene).state
    if not isinstance(state, Watched) or not 0 < len(scene.shown.counted) < DICE:
        raise Refused(Problem.ILLEGAL, "no die is missing")
    _check_face(scene, face)
    count = state.count
    count = replace(count, added=(*count.added, face), by=_seat(scene, person))
    return _with(scene, replace(state, count=count, marks={}))


def _mark(tray: TrayState, marks: Mapping[int, TrayMark]) -> TrayState:
    """Return the tray with corrections of dice, by number."""
    joined = {
        number: tray.marks.get(number, TrayMark()).then(said) for number, said in marks.items()
    }
    joined = {**tray.marks, **joined}
    return (
        Unwatched(tray.accepted, joined)
        if isinstance(tray, Unwatched)
        else replace(tray, marks=joined)
    )


def _seat(scene: Scene, person: int | None) -> int | None:
    """Return the seat of who corrects a die."""
    here = person_here(scene, person)
    return None if here is None else scene.people.index(here)


def _check_face(scene: Scene, face: str) -> None:
    if face not in dice_of(scene).rules.faces():
        raise Refused(Problem.ILLEGAL, "there is no such face")


@change(Permission.TURN)
def enter_by_hand(scene: Scene, _: int | None) -> Scene:
    """Let players enter this roll when the camera can't read it.

    Before the first roll, faces that the camera is sure of count as entered.
    """
    running(scene)
    if not scene.rolling:
        raise Refused(Problem.ILLEGAL, "no dice are needed now")
    state = dice_of(scene).state
    camera = camera_of(state)
    sure = [die.face for die in camera.now.dice if die.sure and die.face] if camera else []
    known = enumerate(sure[:DICE] if is_first(scene) else ())
    marks = {number: TrayMark(face) for number, face in known}
    return _with(scene, ByHand(camera, marks) if camera else Unwatched(last_accepted(state), marks))


# A simulated tray, where the table throws the dice


@change(Permission.TURN)
def pick(scene: Scene, _: int | None, die: int) -> Scene:
    """Pick up a die for the table to throw, or put it back."""
    history = running(scene)
    if not scene.camera.tray or not scene.rolling:
        raise Refused(Problem.ILLEGAL, "this table can’t move the dice for you")
    known = dice_of(scene)
    reason = known.rules.check_throw(history.state, die)
    if reason is not None:
        raise Refused(Problem.ILLEGAL, reason)
    match known.state:
        case Watched(picked=picked):
            return _with(scene, replace(known.state, picked=picked ^ {die}))
        case ByHand(camera):
            camera = replace(camera, picked=camera.picked ^ {die})
            return _with(scene, replace(known.state, watched=camera))
    raise Refused(Problem.FAILED, "no camera is working")


@change(Permission.TURN)
def throw(scene: Scene, _: int | None) -> Scene:
    """Throw the dice that were picked up; the camera then sees where they land."""
    kept_places(scene)
    return scene


def throw_dice(scene: Scene, press: Press) -> None:
    """Throw the dice that were picked up or, before the first roll, all. Raises Refused."""
    throw.check(scene, press)
    kept = kept_places(scene)
    if scene.camera.tray is not None:
        scene.camera.tray.throw(kept)


def kept_places(scene: Scene) -> list[Place]:
    """Return the places of the dice that stay when the table throws. Raises Refused."""
    history = running(scene)
    if not scene.camera.tray or not scene.rolling:
        raise Refused(Problem.ILLEGAL, "there is nothing to throw now")
    if scene.shown.status in (TrayStatus.MOVING, TrayStatus.READY, TrayStatus.UNSURE):
        raise Refused(Problem.ILLEGAL, "the dice were thrown: accept the roll first")
    if is_first(scene):
        return []
    picked = dice_of(scene).picked
    if not picked:
        raise Refused(Problem.ILLEGAL, "choose the dice to throw again")
    return [
        die.place
        for number, die in enumerate(history.lying)
        if number not in picked and die.place is not None
    ]
