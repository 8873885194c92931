"""Teaches a set of dice: asks the host for one face after the other, and captures pictures."""

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from companion.table.changes import Press
from companion.table.refused import Problem, Refused
from companion.table.scene import Phase
from companion.table.table import Table
from companion.watching.dice_sets import DiceSets
from companion.watching.frames import JpegStream, LiveView, SharedCamera
from companion.watching.lesson import (
    EDITIONS,
    LEAST,
    MOST,
    CapturedFace,
    Lesson,
    LessonStage,
    LessonWait,
    begun,
)
from companion.watching.pictures import small_jpeg
from companion.watching.workers import FrameWorkers, trim_memory
from vision.motion import Motion, MotionDetector
from vision.teach import CrossValidation, FaceCrop, ProfileTrainer, build_profile, is_same_picture

Image = npt.NDArray[np.uint8]

MAX_NAME = 24
"""Letters in the name of a set of dice."""

REST_S = 0.7
"""Seconds for which a die must lie still: hands are slower than rolling dice."""

PAUSE_S, BETWEEN_S = 0.3, 0.05
"""Seconds between two frames that are processed, without and with a lesson."""


class DieLayer(Protocol):
    """Lays a die into the tray by itself, for a camera that is simulated or played."""

    @property
    def label(self) -> str:
        """What the button says that asks for it."""

    def lay(self, face: str) -> None:
        """Lay a single die with this face on top."""

    def end(self) -> None:
        """Put the table's own dice back: the lesson is over, or a game begins."""


class FaceCapture:
    """Captures faces from frames during a lesson. Any thread may call."""

    def __init__(self, workers: FrameWorkers) -> None:
        self._workers = workers
        self._teacher: ProfileTrainer | None = None
        self._settler = MotionDetector(rest=REST_S)

    def begin(self) -> None:
        """Load what a lesson needs."""
        self._teacher, self._settler = ProfileTrainer(), MotionDetector(rest=REST_S)

    def end(self) -> None:
        """Free it."""
        self._teacher = None
        trim_memory()

    def moving(self, frame: Image, at: float) -> bool | None:
        """Return whether anything moves: True, False, or None while that is unclear."""
        motion = self._workers.analyse(lambda: self._settler.update(frame, at))
        return {Motion.MOVING: True, Motion.PAUSED: None}.get(motion, False)

    def capture(self, frame: Image) -> FaceCrop:
        """Return the face of the single die in a frame."""
        teacher = self._teacher
        assert teacher is not None
        return self._workers.analyse(lambda: teacher.crop(frame))

    def same_as(self, crop: FaceCrop, known: Sequence[CapturedFace]) -> int | None:
        """Return the `id` of the picture that a new one only repeats; None if it is new."""

        def look() -> int | None:
            crops = ((each.id, FaceCrop(each.image, None, each.spot)) for each in known)
            return next((number for number, there in crops if is_same_picture(crop, there)), None)

        return self._workers.analyse(look)

    def looks_like(
        self, picture: Image, face: str, known: Mapping[str, Sequence[Image]]
    ) -> str | None:
        """Return the other face that a picture resembles more than its own; None if no other."""
        teacher = self._teacher
        assert teacher is not None
        return self._workers.analyse(lambda: teacher.looks_like(picture, face, known))

    def check(self, pictures: Mapping[str, Sequence[Image]]) -> CrossValidation:
        """Return how well the faces are told apart."""
        teacher = self._teacher
        assert teacher is not None
        return self._workers.analyse(lambda: teacher.check(build_profile("", pictures, "base")))

    def jpeg(self, image: Image) -> bytes:
        """Return a picture for a page."""
        return self._workers.encode(lambda: small_jpeg(image))


class Teaching:
    """The lessons of one table, one at a time. Any thread may call."""

    def __init__(
        self,
        table: Table,
        shared: SharedCamera,
        sets: DiceSets,
        capture: FaceCapture,
        layer: DieLayer | None = None,
    ) -> None:
        """Begin without a lesson; `layer`: lays dice where no hand can."""
        self._table, self._shared, self._sets = table, shared, sets
        self._capture, self._layer = capture, layer
        self._live_view = LiveView(shared, "teaching", self.look)
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.RLock()
        self._lesson: Lesson | None = None
        self._number = 0
        if layer is not None:
            table.listen(self._table_changed)

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever the page is to show something else."""
        self._listeners.append(listener)

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is being given."""
        return self._lesson

    @property
    def names(self) -> Sequence[str]:
        """The sets of dice that were taught here, and can be taught again."""
        return self._sets.names()

    @property
    def others(self) -> Sequence[str]:
        """The sets of dice that come with the product."""
        return self._sets.others()

    @property
    def named(self) -> str:
        """The set of dice that the settings name; "": none."""
        return self._sets.named

    @property
    def used(self) -> str:
        """The set of dice that the table reads."""
        return self._sets.used

    @property
    def lays(self) -> str:
        """What the button says that lays a die; "" where only hands can."""
        return self._layer.label if self._layer is not None else ""

    def live(self, fps: float) -> JpegStream:
        """Return the live view, until closed. Raises Refused when too many viewers look."""
        return JpegStream(self._live_view.open(fps), self._capture.jpeg)

    def picture(self, number: int) -> bytes | None:
        """Return a picture of this lesson as JPEG; None if there is none with this number."""
        picture = self._lesson.picture(number) if self._lesson is not None else None
        return None if picture is None else self._capture.jpeg(picture.image)

    # The host's presses

    def begin(self, person: int | None, version: int, name: str, edition: str) -> None:
        """Begin to teach a new set of dice. Raises Refused."""
        name = " ".join(name.split())
        if not re.fullmatch(rf"\w[\w -]{{0,{MAX_NAME - 1}}}", name):
            raise Refused(
                Problem.ILLEGAL,
                "a name has 1 to %(most)s characters and starts with a letter or a digit",
                most=MAX_NAME,
            )
        if edition not in EDITIONS:
            raise Refused(
                Problem.ILLEGAL,
                "choose whose symbols the dice have: %(editions)s",
                editions=", ".join(EDITIONS),
            )
        with self._lock:
            self._check_allowed(person, version)
            if self._sets.taken(name):
                raise Refused(
                    Problem.ILLEGAL, "another set of dice has this name: choose a different one"
                )
            self._capture.begin()
            self._show(begun(name, edition, dict.fromkeys(self._sets.faces, ())))

    def begin_again(self, person: int | None, version: int, name: str) -> None:
        """Begin to teach a set of dice again that was taught before. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            if name not in self._sets.names():
                raise Refused(Problem.ILLEGAL, "no set of dice with this name was taught here")
            edition, pictures = self._sets.load(name)
            self._capture.begin()
            known = {
                face: [CapturedFace(self._next(), image) for image in pictures.get(face, ())]
                for face in self._sets.faces
            }
            self._show(begun(name, edition, known, again=True))

    def leave(self, person: int | None, version: int) -> None:
        """Give the lesson up; nothing of it is kept. Raises Refused."""
        with self._lock:
            self._table.check_host(Press(person, version))
            self._end()

    def ask_for(self, person: int | None, version: int, face: str, *, anew: bool) -> None:
        """Ask for a face; `anew`: its pictures are dropped. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            self._show(self._given().asking_for(face, anew=anew))

    def take(self, person: int | None, version: int) -> None:
        """Capture the die as it lies. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            self._showing()
            frame = self._shared.frame
            if frame is None:
                raise Refused(Problem.FAILED, "no camera is working")
            self._take(frame)

    def drop(self, person: int | None, version: int, number: int) -> None:
        """Drop a picture. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            self._show(self._given().without(number))

    def lay(self, person: int | None, version: int) -> None:
        """Lay a die with the face that is asked for, where no hand can. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            face = self._showing().face
        if self._layer is None:
            raise Refused(Problem.ILLEGAL, "this table can’t move the dice for you")
        self._layer.lay(face)

    def check(self, person: int | None, version: int) -> None:
        """Check how well the faces are told apart. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            lesson = self._complete()
            self._show(lesson.checked(self._capture.check(lesson.images)))

    def use(self, person: int | None, version: int) -> None:
        """Keep the set of dice, and make the table read it from now on. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            lesson = self._complete()
            if lesson.stage is not LessonStage.CHECKED:
                raise Refused(Problem.ILLEGAL, "check the pictures first")
            if not lesson.again and self._sets.taken(lesson.name):
                raise Refused(Problem.ILLEGAL, "another set of dice has taken this name")
            self._sets.save(lesson.name, lesson.edition, lesson.images)
            self._sets.use(lesson.name)
            self._end()

    def choose(self, person: int | None, version: int, name: str) -> None:
        """Make the table read another known set of dice. Raises Refused."""
        with self._lock:
            self._check_allowed(person, version)
            known = (*self._sets.names(), *self._sets.others(), self._sets.named)
            if not name or name not in known:
                raise Refused(Problem.ILLEGAL, "there is no set of dice with this name")
            self._sets.use(name)
            self._end()

    def delete(self, person: int | None, version: int, name: str) -> None:
        """Delete a set of dice that was taught here. Raises Refused.

        If the table reads it, it reads dice with pips from now on.
        """
        with self._lock:
            self._check_allowed(person, version)
            if self._lesson is not None:
                raise Refused(Problem.ILLEGAL, "first finish or stop teaching")
            if name not in self._sets.names():
                raise Refused(Problem.ILLEGAL, "no set of dice with this name was taught here")
            self._sets.delete(name)
            self._show(None)

    def _check_allowed(self, person: int | None, version: int) -> None:
        self._table.check_host(Press(person, version))
        if self._playing:
            raise Refused(Problem.ILLEGAL, "you can’t teach dice during a game")

    @property
    def _playing(self) -> bool:
        return self._table.view().phase is not Phase.LOBBY

    def _given(self) -> Lesson:
        if self._lesson is None:
            raise Refused(Problem.ILLEGAL, "no dice are being taught")
        return self._lesson

    def _showing(self) -> Lesson:
        lesson = self._given()
        if lesson.stage is not LessonStage.SHOWING:
            raise Refused(Problem.ILLEGAL, "first choose a face to show again")
        return lesson

    def _complete(self) -> Lesson:
        lesson = self._given()
        if lesson.missing:
            raise Refused(
                Problem.ILLEGAL, "each face needs at least %(least)s pictures", least=LEAST
            )
        return lesson

    # Frames

    def look(self, frame: Image) -> float:
        """Process one frame while somebody has the live view open.

        Once the die has been moved and lies still, it is captured. Return the seconds to wait
        before the next frame.
        """
        lesson = self._lesson
        if lesson is None or lesson.stage is not LessonStage.SHOWING or self._playing:
            return PAUSE_S
        moving = self._capture.moving(frame, time.monotonic())
        with self._lock:
            lesson = self._lesson
            if lesson is None or lesson.stage is not LessonStage.SHOWING:
                return PAUSE_S
            if moving and lesson.wait is LessonWait.MOVE:
                self._show(lesson.moved())
            elif moving is False and lesson.wait is LessonWait.LIE:
                self._take(frame)
        return BETWEEN_S

    def _take(self, frame: Image) -> None:
        lesson = self._given()
        if len(lesson.pictures[lesson.face]) >= MOST:
            raise Refused(Problem.ILLEGAL, "%(most)s pictures of a face are enough", most=MOST)
        shown = self._capture.capture(frame)
        warning = shown.flaw or ""
        if shown.picture is None:
            self._show(lesson.not_captured(warning))
            return
        every = [picture for captured in lesson.pictures.values() for picture in captured]
        same = self._capture.same_as(shown, every)
        if same is not None:
            self._show(lesson.repeated(same))
            return
        # What looked like another face may well show that one.
        certain = {
            face: [picture.image for picture in captured if not picture.looks_like]
            for face, captured in lesson.pictures.items()
        }
        other = self._capture.looks_like(shown.picture, lesson.face, certain)
        picture = CapturedFace(self._next(), shown.picture, warning, other or "", shown.spot)
        self._show(lesson.with_picture(picture))

    def _next(self) -> int:
        self._number += 1
        return self._number

    # Changing

    def _end(self) -> None:
        self._capture.end()
        if self._layer is not None:
            self._layer.end()
        self._show(None)

    def _table_changed(self) -> None:
        """Put the table's own dice back when a game begins in the middle of a lesson."""
        if self._layer is not None and self._lesson is not None and self._playing:
            self._layer.end()

    def _show(self, lesson: Lesson | None) -> None:
        self._lesson = lesson
        for listener in self._listeners:
            listener()
