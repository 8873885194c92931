"""Teaches dice or a deck: asks the host for one face after the other, and captures pictures."""

import re
import threading
import time
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.camera.frames import JpegStream, LiveView, SharedCamera
from companion.camera.pictures import small_jpeg
from companion.camera.workers import FrameWorkers, trim_memory
from companion.setup.lesson import (
    CapturedFace,
    Lesson,
    LessonCheck,
    LessonStage,
    LessonWait,
    begin_lesson,
)
from companion.setup.taught_folder import TaughtFolder
from companion.setup.unfinished import UnfinishedLesson
from companion.table.changes import Press
from companion.table.scene import Phase, Trouble
from companion.table.table import Table
from vision.dice.teach import ProfileTrainer, build_profile, is_same_picture
from vision.imaging.crop import Crop
from vision.imaging.geometry import Image
from vision.motion import Motion, MotionDetector

MAX_NAME = 24
"""Letters in the name of a set of dice or of a deck."""

REST_S = 0.7
"""Seconds for which all must lie still: hands are slower than rolling dice."""

PAUSE_S, BETWEEN_S = 0.3, 0.05
"""Seconds between two frames that are processed, without and with a lesson."""


class FaceLayer(Protocol):
    """Lays a die or a card into the tray by itself, for a camera that is simulated or played."""

    @property
    def label(self) -> str:
        """What the button says that asks for it."""

    def lay(self, face: str, sign: str) -> None:
        """Lay a single die with this face on top, or a card with this title and sign."""

    def end(self) -> None:
        """Put back what the table reads: the lesson is over, or a game begins."""


class LessonCapture(ABC):
    """Captures faces or cards from frames during a lesson. Any thread may call."""

    def __init__(self, workers: FrameWorkers) -> None:
        """workers: do what takes long."""
        self._workers = workers

    @abstractmethod
    def begin(self) -> None:
        """Load what a lesson needs."""

    def end(self) -> None:
        """Free what `begin` loaded."""
        trim_memory()

    @abstractmethod
    def moving(self, frame: Image, at: float) -> bool | None:
        """Return whether anything moves: True, False, or None while that is unclear."""

    @abstractmethod
    def capture(self, frame: Image, known: Mapping[str, Sequence[CapturedFace]]) -> Crop | None:
        """Return what a frame shows; None if nothing was put there since something else."""

    def same_as(self, crop: Crop, known: Sequence[CapturedFace]) -> int | None:
        """Return the `id` of the picture that a new one only repeats; None if it is new."""

        def look() -> int | None:
            crops = ((each.id, Crop(each.image, None, each.spot)) for each in known)
            return next((number for number, there in crops if self._is_same(crop, there)), None)

        return self._workers.analyse(look)

    @staticmethod
    @abstractmethod
    def _is_same(one: Crop, other: Crop) -> bool:
        """Return whether one crop only repeats the other."""

    @abstractmethod
    def looks_like(
        self, picture: Image, face: str, known: Mapping[str, Sequence[Image]]
    ) -> str | None:
        """Return the other face that a picture resembles more than its own; None if no other."""

    @abstractmethod
    def check(self, lesson: Lesson) -> LessonCheck:
        """Return how well the faces of a lesson are told apart."""

    def jpeg(self, image: Image) -> bytes:
        """Return a picture for a page."""
        return self._workers.encode(lambda: small_jpeg(image))


class FaceCapture(LessonCapture):
    """Captures faces of dice from frames during a lesson."""

    _is_same = staticmethod(is_same_picture)
    _trainer: ProfileTrainer | None = None

    def begin(self) -> None:
        """Load the trainer, which finds faces and compares them."""
        self._trainer, self._settler = ProfileTrainer(), MotionDetector(rest=REST_S)

    def end(self) -> None:
        """Free the trainer."""
        self._trainer = None
        super().end()

    @property
    def _teacher(self) -> ProfileTrainer:
        assert self._trainer is not None, "no lesson is given"
        return self._trainer

    def moving(self, frame: Image, at: float) -> bool | None:
        """Return whether dice or hands move in a frame; None while that is unclear."""
        motion = self._workers.analyse(lambda: self._settler.update(frame, at))
        return {Motion.MOVING: True, Motion.PAUSED: None}.get(motion, False)

    def capture(self, frame: Image, known: Mapping[str, Sequence[CapturedFace]]) -> Crop:
        """Return the face of the single die in a frame."""
        return self._workers.analyse(lambda: self._teacher.crop(frame))

    def looks_like(
        self, picture: Image, face: str, known: Mapping[str, Sequence[Image]]
    ) -> str | None:
        """Return the face for which a picture would be taken instead of its own; None if none."""
        return self._workers.analyse(lambda: self._teacher.looks_like(picture, face, known))

    def check(self, lesson: Lesson) -> LessonCheck:
        """Return how well the reader tells the faces of a lesson apart."""
        profile = build_profile("", lesson.images, "base")
        found = self._workers.analyse(lambda: self._teacher.check(profile))
        return LessonCheck(found.confused, found.accuracy)


class Teaching:
    """The lessons of one table, one at a time. Any thread may call."""

    def __init__(
        self,
        table: Table,
        shared: SharedCamera,
        sets: TaughtFolder[Any],
        capture: LessonCapture,
        unfinished: UnfinishedLesson,
        layer: FaceLayer | None = None,
    ) -> None:
        """Begin without a lesson; `layer`: lays dice or cards where no hand can."""
        self._table, self._shared = table, shared
        self.sets = sets
        """What was taught before, and what is asked of a lesson."""
        self._capture, self._layer = capture, layer
        self.unfinished = unfinished
        """The lesson that can go on."""
        self._live_view = LiveView(
            shared, "teaching", self.look,
            tell=partial(table.report, Trouble.LIVE_VIEW, part="teaching"),
        )  # fmt: skip
        self.listeners = Listeners()
        """Told whenever the page is to show something else."""
        self._lock = threading.RLock()
        self._lesson: Lesson | None = None
        self._number = 0
        if layer is not None:
            table.follow(lambda *_: self._table_changed())

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is being given."""
        return self._lesson

    @property
    def lays(self) -> str:
        """What the button says that lays a die or card; "" where only hands can."""
        return self._layer.label if self._layer is not None else ""

    def live(self, fps: float) -> JpegStream:
        """Return the live view, until closed. Raises Refused when too many viewers look."""
        return self._live_view.open(fps, self._capture.jpeg)

    def picture(self, number: int) -> bytes | None:
        """Return a picture of this lesson as JPEG; None if there is none with this number."""
        picture = self._lesson.picture(number) if self._lesson is not None else None
        return None if picture is None else self._capture.jpeg(picture.image)

    # The host's presses

    def begin(self, press: Press, name: str, edition: str = "") -> None:
        """Begin to teach new dice or a new deck. Raises Refused."""
        name = " ".join(unicodedata.normalize("NFC", name).split())
        if not re.fullmatch(rf"\w[\w '’&+-]{{0,{MAX_NAME - 1}}}", name):
            raise Refused(
                Problem.ILLEGAL,
                "a name starts with a letter or a digit and has up to %(most)s letters, digits, "
                "spaces and ’ & + -",
                most=MAX_NAME,
            )
        editions = self.sets.editions
        if edition not in (editions or ("",)):
            raise Refused(
                Problem.ILLEGAL,
                "choose whose symbols the dice have: %(editions)s",
                editions=", ".join(editions),
            )
        with self._allowed(press):
            if self.sets.is_taken(name):
                raise Refused(Problem.ILLEGAL, self.sets.words.taken)
            self._capture.begin()
            self._show(begin_lesson(name, edition, self.sets.plan))

    def begin_again(self, press: Press, name: str) -> None:
        """Begin to teach dice or a deck again that was taught before. Raises Refused."""
        with self._allowed(press):
            if name not in self.sets.names():
                raise Refused(Problem.ILLEGAL, self.sets.words.untaught)
            edition, pictures = self.sets.known(name)
            self._capture.begin()
            known = {
                face: [CapturedFace(self._next(), each.image, sign=each.sign) for each in taught]
                for face, taught in pictures.items()
            }
            self._show(begin_lesson(name, edition, self.sets.plan, known, again=True))

    def resume(self, press: Press) -> None:
        """Go on with the unfinished lesson. Raises Refused."""
        with self._allowed(press):
            lesson = self.unfinished.lesson(self.sets.plan, self._next)
            if lesson is None:
                raise Refused(Problem.ILLEGAL, self.sets.words.none)
            self._capture.begin()
            self._show(lesson)

    def forget(self, press: Press) -> None:
        """Delete the unfinished lesson. Raises Refused."""
        with self._allowed(press):
            if self._lesson is not None:
                raise Refused(Problem.ILLEGAL, "first finish or stop teaching")
            self.unfinished.forget()
            self._show(None)

    def leave(self, press: Press) -> None:
        """Stop the lesson, which can go on later. Raises Refused."""
        with self._lock:
            self._table.check_host(press)
            self._end()

    def ask_for(self, press: Press, face: str, *, anew: bool) -> None:
        """Ask for a face; `anew`: its pictures are dropped. Raises Refused."""
        with self._allowed(press):
            self._show(self._running_lesson().asking_for(face, anew=anew))

    def show_sign(self, press: Press, sign: str) -> None:
        """Say that the card to be shown has another sign. Raises Refused."""
        with self._allowed(press):
            self._show(self._showing().showing_sign(sign))

    def take(self, press: Press) -> None:
        """Capture the die or card as it lies. Raises Refused."""
        with self._allowed(press):
            self._showing()
            frame = self._shared.frame
            if frame is None:
                raise Refused(Problem.FAILED, "no camera is working")
            if not self._take(frame):
                raise Refused(Problem.ILLEGAL, "nothing new lies in the tray")

    def drop(self, press: Press, number: int) -> None:
        """Drop a picture. Raises Refused."""
        with self._allowed(press):
            self._show(self._running_lesson().without(number))

    def lay(self, press: Press) -> None:
        """Lay a die or card as it is asked for, where no hand can. Raises Refused."""
        with self._allowed(press):
            lesson = self._showing()
        if self._layer is None:
            raise Refused(Problem.ILLEGAL, "this table can’t move the dice for you")
        self._layer.lay(lesson.face, lesson.sign)

    def check(self, press: Press) -> None:
        """Check how well the faces are told apart. Raises Refused."""
        with self._allowed(press):
            lesson = self._complete()
            self._show(lesson.with_check(self._capture.check(lesson)))

    def use(self, press: Press) -> None:
        """Keep what was taught, and make the table read it from now on. Raises Refused."""
        with self._allowed(press):
            lesson = self._complete()
            if lesson.stage is not LessonStage.CHECKED:
                raise Refused(Problem.ILLEGAL, "check the pictures first")
            if not lesson.again and self.sets.is_taken(lesson.name):
                raise Refused(Problem.ILLEGAL, self.sets.words.taken)
            self.sets.keep(lesson)
            self.sets.use(lesson.name)
            self.unfinished.forget()
            self._end()

    def choose(self, press: Press, name: str) -> None:
        """Make the table read other dice that are known, or another deck. Raises Refused."""
        with self._allowed(press, self.sets.chosen_in_game):
            known = (*self.sets.names(), *self.sets.others(), self.sets.named)
            if name not in known or (not name and self.sets.spare):
                raise Refused(Problem.ILLEGAL, self.sets.words.unknown)
            self.sets.use(name)
            self._end()

    def delete(self, press: Press, name: str) -> None:
        """Delete dice or a deck that was taught here. Raises Refused."""
        with self._allowed(press):
            if self._lesson is not None:
                raise Refused(Problem.ILLEGAL, "first finish or stop teaching")
            if name not in self.sets.names():
                raise Refused(Problem.ILLEGAL, self.sets.words.untaught)
            self.sets.delete(name)
            self._show(None)

    @contextmanager
    def _allowed(self, press: Press, in_game: bool = False) -> Iterator[None]:
        """Hold the lock while the host changes something. Raises Refused.

        in_game: whether it may be changed while a game runs.
        """
        with self._lock:
            self._table.check_host(press)
            if self._playing and not in_game:
                raise Refused(Problem.ILLEGAL, self.sets.words.playing)
            yield

    @property
    def _playing(self) -> bool:
        return self._table.view().phase is not Phase.LOBBY

    def _running_lesson(self) -> Lesson:
        if self._lesson is None:
            raise Refused(Problem.ILLEGAL, self.sets.words.none)
        return self._lesson

    def _showing(self) -> Lesson:
        lesson = self._running_lesson()
        if lesson.stage is not LessonStage.SHOWING:
            raise Refused(Problem.ILLEGAL, "first choose a face to show again")
        return lesson

    def _complete(self) -> Lesson:
        lesson = self._running_lesson()
        if lesson.missing:
            raise Refused(Problem.ILLEGAL, self.sets.words.few)
        return lesson

    # Frames

    def look(self, frame: Image) -> float:
        """Process one frame while somebody has the live view open.

        Once something has been moved and lies still, it is captured. Return the seconds to wait
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
                self._show(lesson.mark_moved())
            elif moving is False and lesson.wait is LessonWait.LIE:
                self._take(frame)
        return BETWEEN_S

    def _take(self, frame: Image) -> bool:
        """Capture what a frame shows; return False if it shows nothing new."""
        lesson = self._running_lesson()
        if len(lesson.pictures[lesson.face]) >= lesson.plan.most:
            raise Refused(Problem.ILLEGAL, self.sets.words.many)
        shown = self._capture.capture(frame, lesson.pictures)
        if shown is None:
            self._show(lesson.not_captured(""))
            return False
        warning = shown.flaw or ""
        if shown.picture is None:
            self._show(lesson.not_captured(warning))
            return True
        every = [picture for captured in lesson.pictures.values() for picture in captured]
        same = self._capture.same_as(shown, every)
        if same is not None:
            self._show(lesson.mark_repeated(same))
            return True
        # What looked like another face may well show that one.
        certain = {
            face: [picture.image for picture in captured if not picture.looks_like]
            for face, captured in lesson.pictures.items()
        }
        other = self._capture.looks_like(shown.picture, lesson.face, certain)
        self._show(
            lesson.with_picture(
                CapturedFace(
                    self._next(), shown.picture, warning, other or "", shown.spot, lesson.sign
                )
            )
        )
        return True

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
        """Put back what the table reads when a game begins in the middle of a lesson."""
        if self._layer is not None and self._lesson is not None and self._playing:
            self._layer.end()

    def _show(self, lesson: Lesson | None) -> None:
        before, self._lesson = self._lesson, lesson
        if lesson is not None and before is not None and lesson.pictures != before.pictures:
            self.unfinished.keep(lesson)
        self.listeners.tell()
