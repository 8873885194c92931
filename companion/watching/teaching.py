"""Teaching dice by showing them: a lesson asks for one face after the other and takes pictures."""

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from companion.dicegame.faces import Face
from companion.table.scene import Phase
from companion.table.table import Problem, Refused, Table
from companion.watching.frames import Feed, Look, Window

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Image = npt.NDArray[np.uint8]

EDITIONS = ("base", "walking-dead", "print")
"""Whose symbols dice may bear."""

LEAST, MOST = 3, 6
"""Pictures of a face."""

MAX_NAME = 24
"""Letters in the name of a set of dice."""


class Shown(Protocol):
    """What one picture of a die gave, as `vision.teach.FaceCrop`."""

    @property
    def picture(self) -> "Image | None":
        """The face that was cut out; None if there was none."""

    @property
    def flaw(self) -> str | None:
        """What is wrong with it."""


class Check(Protocol):
    """How well the faces are told apart, as `vision.teach.CrossValidation`."""

    @property
    def accuracy(self) -> float:
        """The share of pictures that are named right by all others."""

    @property
    def confused(self) -> Sequence[tuple[str, str, float]]:
        """Faces too like each other, with the chance of taking the one for the other."""


class School(Protocol):
    """The part that looks at pictures of dice and keeps what was taught."""

    def begin(self) -> None:
        """Prepare for a lesson."""

    def end(self) -> None:
        """Free what a lesson needs."""

    def moving(self, image: "Image", at: float) -> bool | None:
        """Return whether something moves: True, None while unclear, and False once it lies."""

    def show(self, image: "Image") -> Shown:
        """Return the face of the single die in a picture."""

    def check(self, pictures: "Mapping[str, Sequence[Image]]") -> Check:
        """Return how well the faces are told apart."""

    def names(self) -> Sequence[str]:
        """Return which dice were taught before."""

    def others(self) -> Sequence[str]:
        """Return which dice there are beside them."""

    @property
    def used(self) -> str:
        """Which dice are read now."""

    def taken(self, name: str) -> bool:
        """Return whether other dice have this name."""

    def load(self, name: str) -> "tuple[str, Mapping[str, Sequence[Image]]]":
        """Return the edition and the pictures of dice that were taught. Raises Refused."""

    def save(self, name: str, edition: str, pictures: "Mapping[str, Sequence[Image]]") -> None:
        """Keep what was taught, whole or not at all. Raises Refused."""

    def use(self, name: str) -> None:
        """Read these dice from now on. Raises Refused."""

    def jpeg(self, image: "Image") -> bytes:
        """Return a picture for a page."""


class Stage(StrEnum):
    """Where a lesson stands."""

    SHOWING = "showing"
    CHECKED = "checked"


class Watch(StrEnum):
    """What the lesson waits for."""

    MOVE = "move"
    """For the die to be moved: it was taken as it lies, or lies from before."""
    LIE = "lie"
    """For it to lie still."""
    ENOUGH = "enough"


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture of a face that was cut out; warning: what is wrong with it ("" if nothing)."""

    id: int
    image: "Image" = field(compare=False, repr=False)
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A set of dice while it is taught. trouble: why the last picture was not taken."""

    name: str
    edition: str
    face: Face
    pictures: Mapping[Face, tuple[Taken, ...]]
    again: bool = False
    stage: Stage = Stage.SHOWING
    watch: Watch = Watch.MOVE
    trouble: str = ""
    check: Check | None = None

    @property
    def missing(self) -> tuple[Face, ...]:
        """The faces that were not shown often enough."""
        return tuple(face for face in Face if len(self.pictures[face]) < LEAST)

    @property
    def following(self) -> Face | None:
        """The face to be shown next."""
        faces = list(Face)
        here = faces.index(self.face)
        after = faces[here + 1 :] + faces[:here]
        return next((face for face in after if face in self.missing), None)


class Teaching:
    """The lessons of one table, one at a time. Every method may be called from any thread."""

    def __init__(
        self,
        table: Table,
        feed: Feed,
        school: School,
        changed: Callable[[], None],
        lay: Callable[[Face], None] | None = None,
        lays: str = "",
    ) -> None:
        """`changed`: called whenever the page is to show something else.

        lay: lays one die with this face up, where the table can; lays: what it says on the button.
        """
        self._table, self._feed, self._school = table, feed, school
        self._changed, self._lay = changed, lay
        self.lays = lays if lay else ""
        self._window = Window(feed, "teaching", self._watch)
        self._lock = threading.RLock()
        self._lesson: Lesson | None = None
        self._number = 0

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is given now."""
        return self._lesson

    @property
    def names(self) -> Sequence[str]:
        """The dice that were taught before, and can be taught again."""
        return self._school.names()

    @property
    def others(self) -> Sequence[str]:
        """The dice that can be used without having been taught here."""
        return self._school.others()

    @property
    def used(self) -> str:
        """The dice that are read now."""
        return self._school.used

    def pictures(self, fps: float) -> "Pictures":
        """Return what the camera sees, JPEG, until closed. Raises Refused when too many look."""
        return Pictures(self._window.open(fps), self._school)

    def picture(self, number: int) -> bytes | None:
        """Return a picture of this lesson, for the page."""
        lesson = self._lesson
        if lesson is not None:
            for taken in lesson.pictures.values():
                for picture in taken:
                    if picture.id == number:
                        return self._school.jpeg(picture.image)
        return None

    # Presses

    def begin(self, person: int | None, version: int, name: str, edition: str) -> None:
        """Begin to teach dice that are new. Raises Refused."""
        name = " ".join(name.split())
        if not re.fullmatch(rf"\w[\w -]{{0,{MAX_NAME - 1}}}", name):
            raise Refused(
                Problem.ILLEGAL,
                "a name has 1 to %(most)s letters and digits, and begins with one",
                most=MAX_NAME,
            )
        if edition not in EDITIONS:
            raise Refused(
                Problem.ILLEGAL, "whose symbols: %(editions)s", editions=", ".join(EDITIONS)
            )
        with self._lock:
            self._allowed(person, version)
            if self._school.taken(name):
                raise Refused(Problem.ILLEGAL, "other dice have this name: choose another one")
            self._school.begin()
            self._show(Lesson(name, edition, Face.ARROW, dict.fromkeys(Face, ())))

    def begin_again(self, person: int | None, version: int, name: str) -> None:
        """Begin to teach faces of dice again that were taught before. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            if name not in self._school.names():
                raise Refused(Problem.ILLEGAL, "no dice of that name were taught")
            edition, pictures = self._school.load(name)
            self._school.begin()
            known = {
                face: tuple(Taken(self._next(), image) for image in pictures.get(face, ()))
                for face in Face
            }
            self._show(Lesson(name, edition, Face.ARROW, known, again=True))

    def leave(self, person: int | None, version: int) -> None:
        """Give the lesson up; nothing of it is kept. Raises Refused."""
        with self._lock:
            self._table.check_host(person, version)
            self._end()

    def ask_for(self, person: int | None, version: int, face: Face, *, anew: bool) -> None:
        """Ask for a face; `anew`: without the pictures that there are of it. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            lesson = self._given()
            pictures = {**lesson.pictures, face: ()} if anew else lesson.pictures
            self._show(
                _waiting(
                    replace(
                        lesson,
                        face=face,
                        pictures=pictures,
                        stage=Stage.SHOWING,
                        check=None,
                        trouble="",
                    ),
                    Watch.MOVE,
                )
            )

    def take(self, person: int | None, version: int) -> None:
        """Take a picture now. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            self._showing()
            picture = self._feed.picture
            if picture is None:
                raise Refused(Problem.FAILED, "no camera works now")
            self._take(picture)

    def drop(self, person: int | None, version: int, number: int) -> None:
        """Throw a picture away. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            lesson = self._given()
            pictures = {
                face: tuple(picture for picture in taken if picture.id != number)
                for face, taken in lesson.pictures.items()
            }
            changed = replace(
                lesson, pictures=pictures, stage=Stage.SHOWING, check=None, trouble=""
            )
            self._show(_waiting(changed, Watch.MOVE))

    def lay(self, person: int | None, version: int) -> None:
        """Lay a die with the face that is asked for, where the table can. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            face = self._showing().face
        if self._lay is None:
            raise Refused(Problem.ILLEGAL, "the dice are in your hands, not in mine")
        self._lay(face)

    def check(self, person: int | None, version: int) -> None:
        """Check how well the faces are told apart. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            lesson = self._complete()
            check = self._school.check(_images(lesson))
            self._show(replace(lesson, stage=Stage.CHECKED, check=check, trouble=""))

    def use(self, person: int | None, version: int) -> None:
        """Keep what was taught, and read these dice from now on. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            lesson = self._complete()
            if not lesson.again and self._school.taken(lesson.name):
                raise Refused(Problem.ILLEGAL, "other dice have this name by now")
            self._school.save(lesson.name, lesson.edition, _images(lesson))
            self._school.use(lesson.name)
            self._end()

    def choose(self, person: int | None, version: int, name: str) -> None:
        """Read dice that are known already from now on. Raises Refused."""
        with self._lock:
            self._allowed(person, version)
            if name not in (*self._school.names(), *self._school.others()):
                raise Refused(Problem.ILLEGAL, "there are no dice of that name")
            self._school.use(name)
            self._end()

    # What follows from them

    def _watch(self, picture: "Image") -> float:
        """Look at one more picture, while somebody has the page open."""
        lesson = self._lesson
        playing = self._table.view().phase is not Phase.LOBBY
        if lesson is None or lesson.stage is not Stage.SHOWING or playing:
            return PAUSE_S
        moving = self._school.moving(picture, time.monotonic())
        with self._lock:
            lesson = self._lesson
            if lesson is None or lesson.stage is not Stage.SHOWING:
                return PAUSE_S
            if moving and lesson.watch is Watch.MOVE:
                self._show(replace(lesson, watch=Watch.LIE))
            elif moving is False and lesson.watch is Watch.LIE:
                self._take(picture)
        return BETWEEN_S

    def _take(self, picture: "Image") -> None:
        lesson = self._given()
        before = lesson.pictures[lesson.face]
        if len(before) >= MOST:
            raise Refused(Problem.ILLEGAL, "%(most)s pictures of a face are enough", most=MOST)
        shown = self._school.show(picture)
        if shown.picture is None:
            self._show(replace(lesson, watch=Watch.MOVE, trouble=shown.flaw or ""))
            return
        taken = Taken(self._next(), shown.picture, shown.flaw or "")
        pictures = {**lesson.pictures, lesson.face: (*before, taken)}
        self._show(_waiting(replace(lesson, pictures=pictures, trouble=""), Watch.MOVE))

    def _allowed(self, person: int | None, version: int) -> None:
        self._table.check_host(person, version)
        if self._table.view().phase is not Phase.LOBBY:
            raise Refused(Problem.ILLEGAL, "a game is running: dice are taught before it")

    def _given(self) -> Lesson:
        if self._lesson is None:
            raise Refused(Problem.ILLEGAL, "no dice are being taught")
        return self._lesson

    def _showing(self) -> Lesson:
        lesson = self._given()
        if lesson.stage is not Stage.SHOWING:
            raise Refused(Problem.ILLEGAL, "choose the face to be shown again first")
        return lesson

    def _complete(self) -> Lesson:
        lesson = self._given()
        if lesson.missing:
            raise Refused(Problem.ILLEGAL, "each face needs %(least)s pictures", least=LEAST)
        return lesson

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _end(self) -> None:
        self._school.end()
        self._show(None)

    def _show(self, lesson: Lesson | None) -> None:
        self._lesson = lesson
        self._changed()


PAUSE_S, BETWEEN_S = 0.3, 0.05
"""Seconds between looks without and with a lesson."""


class Pictures:
    """What the camera sees. An iterator with `close`."""

    def __init__(self, look: Look, school: School) -> None:
        self._look, self._school = look, school

    def __iter__(self) -> "Pictures":
        return self

    def __next__(self) -> bytes:
        return self._school.jpeg(next(self._look))

    def close(self) -> None:
        """Look no longer."""
        self._look.close()


def _waiting(lesson: Lesson, watch: Watch) -> Lesson:
    """The lesson as it waits now: for nothing where there are pictures enough."""
    enough = len(lesson.pictures[lesson.face]) >= MOST
    return replace(lesson, watch=Watch.ENOUGH if enough else watch)


def _images(lesson: Lesson) -> "dict[str, tuple[Image, ...]]":
    return {
        face.value: tuple(picture.image for picture in taken)
        for face, taken in lesson.pictures.items()
    }
