"""A lesson: a set of dice while it is taught, face by face. Plain data; `teaching` gives it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from vision.teach import CrossValidation as CrossValidation

    Image = npt.NDArray[np.uint8]

EDITIONS = ("base", "walking-dead", "print")
"""Editions of the game whose symbols dice may bear."""

LEAST, MOST = 3, 6
"""Pictures that a face needs, and may have."""


class LessonStage(StrEnum):
    """Where a lesson stands."""

    SHOWING = "showing"
    """The host shows a face."""
    CHECKED = "checked"
    """It was checked how well the faces are told apart."""


class LessonWait(StrEnum):
    """What a lesson waits for."""

    MOVE = "move"
    """For the die to be moved: it lies as it was captured, or lay there before."""
    LIE = "lie"
    """For the die to lie still."""
    ENOUGH = "enough"
    """For nothing: the face has all the pictures that it may have."""


@dataclass(frozen=True, slots=True)
class CapturedFace:
    """A picture of a face, as a profile keeps it."""

    id: int
    """Its number in all lessons since the start."""
    image: "Image" = field(compare=False, repr=False)
    """The face, cut out and rectified."""
    warning: str = ""
    """What is wrong with it (a `vision.teach.Flaw`); "": nothing."""
    looks_like: str = ""
    """The other face that it seems to show; "": none."""
    spot: tuple[float, float, float] | None = None
    """Where it lay in its frame, as `vision.teach.FaceCrop` says; None where not known."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A set of dice while it is taught."""

    name: str
    """What the dice are called."""
    edition: str
    """One of EDITIONS."""
    face: str
    """The face to be shown now."""
    pictures: Mapping[str, tuple[CapturedFace, ...]]
    """What was captured of each face; the keys are all faces, in order."""
    again: bool = False
    """Whether dice of this name were taught before."""
    stage: LessonStage = LessonStage.SHOWING
    """How far the lesson is."""
    wait: LessonWait = LessonWait.MOVE
    """What the lesson waits for."""
    trouble: str = ""
    """Why the last picture was not captured (a `vision.teach.Flaw`); "": it was."""
    same_as: int | None = None
    """The `id` of the picture that the last one only repeated, so that it was not kept."""
    check: "CrossValidation | None" = None
    """How well the faces are told apart, once that was checked."""

    @property
    def faces(self) -> tuple[str, ...]:
        """All faces, in order."""
        return tuple(self.pictures)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that have too few pictures."""
        return tuple(face for face in self.faces if len(self.pictures[face]) < LEAST)

    @property
    def following(self) -> str | None:
        """The face to be shown next: the next one with too few pictures."""
        here = self.faces.index(self.face)
        after = self.faces[here + 1 :] + self.faces[:here]
        return next((face for face in after if face in self.missing), None)

    @property
    def images(self) -> "dict[str, tuple[Image, ...]]":
        """The pictures of each face, as a profile takes them."""
        return {
            face: tuple(picture.image for picture in captured)
            for face, captured in self.pictures.items()
        }

    def face_of(self, number: int) -> str | None:
        """Return the face of the picture with this `id`."""
        return next(
            (face for face, each in self.pictures.items() if number in {one.id for one in each}),
            None,
        )

    def picture(self, number: int) -> CapturedFace | None:
        """Return the picture with this `id`."""
        every = (picture for captured in self.pictures.values() for picture in captured)
        return next((picture for picture in every if picture.id == number), None)

    def asking_for(self, face: str, *, anew: bool) -> "Lesson":
        """Return the lesson with another face to be shown; `anew`: its pictures are dropped."""
        pictures = {**self.pictures, face: ()} if anew else self.pictures
        return self._shown_again(replace(self, face=face, pictures=pictures))

    def without(self, number: int) -> "Lesson":
        """Return the lesson without the picture with this `id`."""
        pictures = {
            face: tuple(picture for picture in captured if picture.id != number)
            for face, captured in self.pictures.items()
        }
        return self._shown_again(replace(self, pictures=pictures))

    def with_picture(self, picture: CapturedFace) -> "Lesson":
        """Return the lesson with one more picture of the face to be shown."""
        captured = (*self.pictures[self.face], picture)
        pictures = {**self.pictures, self.face: captured}
        return replace(self, pictures=pictures, trouble="", same_as=None)._waiting()

    def not_captured(self, trouble: str) -> "Lesson":
        """Return the lesson after a picture that was no use, and why."""
        return replace(self, wait=LessonWait.MOVE, trouble=trouble, same_as=None)

    def repeated(self, number: int) -> "Lesson":
        """Return the lesson after a picture that is the same as the one with this `id`."""
        return replace(self, wait=LessonWait.MOVE, trouble="", same_as=number)

    def checked(self, check: "CrossValidation") -> "Lesson":
        """Return the lesson with the result of its check."""
        return replace(self, stage=LessonStage.CHECKED, check=check, trouble="", same_as=None)

    def moved(self) -> "Lesson":
        """Return the lesson after the die was moved."""
        return replace(self, wait=LessonWait.LIE)

    @staticmethod
    def _shown_again(lesson: "Lesson") -> "Lesson":
        shown = replace(lesson, stage=LessonStage.SHOWING, check=None, trouble="", same_as=None)
        return shown._waiting()

    def _waiting(self) -> "Lesson":
        """The lesson as it waits now."""
        enough = len(self.pictures[self.face]) >= MOST
        return replace(self, wait=LessonWait.ENOUGH if enough else LessonWait.MOVE)


def begun(
    name: str,
    edition: str,
    pictures: Mapping[str, Sequence[CapturedFace]],
    *,
    again: bool = False,
) -> Lesson:
    """Return a new lesson that asks for the first face.

    pictures: those that there are already; the keys are all faces, in order.
    """
    known = {face: tuple(captured) for face, captured in pictures.items()}
    return Lesson(name, edition, next(iter(known)), known, again=again)
