"""A lesson: a set of dice or a deck of cards while it is taught, face by face or title by title.

Plain data; `teaching` gives it. What is asked for is a *face* in both: the side that is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vision.imaging.geometry import Image

EDITIONS = ("base", "walking-dead", "print")
"""Editions of the game whose symbols dice may bear."""

LEAST, MOST = 3, 6
"""Pictures that a face of a die needs, and may have."""


class LessonPlan(NamedTuple):
    """What a lesson asks for."""

    faces: tuple[str, ...]
    """All faces of the dice, or titles of the cards, in order."""
    least: int = LEAST
    """Pictures that each needs."""
    most: int = MOST
    """Pictures that each may have."""
    copies: Mapping[str, str] = {}
    """For each title, the sign of the copy to be shown; empty for dice."""

    @property
    def goes_on(self) -> bool:
        """Whether the next face is asked for as soon as one has enough pictures."""
        return bool(self.copies)


def chosen_copies(signs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return a sign for each title, so that each rank and each suit is shown soon.

    signs: those of each title's copies, such as `10H`.
    """
    ranks: list[str] = []
    suits: list[str] = []
    chosen = {}
    # A title with few copies leaves no choice, so it comes first.
    for title in sorted(signs, key=lambda each: len(set(signs[each]))):
        sign = min(signs[title], key=lambda s: (ranks.count(s[:-1]), suits.count(s[-1])))
        ranks.append(sign[:-1])
        suits.append(sign[-1])
        chosen[title] = sign
    return {title: chosen[title] for title in signs}


class LessonStage(StrEnum):
    """Where a lesson stands."""

    SHOWING = "showing"
    """The host shows a face."""
    CHECKED = "checked"
    """It was checked how well the faces are told apart."""


class LessonWait(StrEnum):
    """What a lesson waits for."""

    MOVE = "move"
    """For something to be moved: all lies as it was captured, or lay there before."""
    LIE = "lie"
    """For the die or card to lie still."""
    ENOUGH = "enough"
    """For nothing: the face has all the pictures that it may have."""


@dataclass(frozen=True, slots=True)
class CapturedFace:
    """A picture of a face or of a card, as a profile or a deck keeps it."""

    id: int
    """Its number in all lessons since the start."""
    image: "Image" = field(compare=False, repr=False)
    """The face, cut out and rectified."""
    warning: str = ""
    """What is wrong with it (a `vision.dice.teach.DieFlaw` or a `CardFlaw`); "": nothing."""
    looks_like: str = ""
    """The other face that it seems to show; "": none."""
    spot: tuple[float, float, float] | None = None
    """Where it lay in its frame, as `vision.imaging.crop.Crop` says; None where not known."""
    sign: str = ""
    """The sign of a card, such as `10H`; "" for a die, and where it isn't known."""


class LessonCheck(NamedTuple):
    """How well what a lesson taught is told apart."""

    confused: tuple[tuple[str, str, float], ...]
    """Faces or titles taken for others, the worst first: one, the other, and the probability."""
    accuracy: float = 1.0
    """Share of the pictures that all others name right, in [0, 1]."""
    misread: tuple[tuple[str, str, str], ...] = ()
    """Title and sign of cards whose sign looks like another one, and that."""
    odd: tuple[str, ...] = ()
    """Titles of cards that look unlike the rest of their deck."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A set of dice or a deck while it is taught."""

    name: str
    """What it is called."""
    edition: str
    """Of dice, one of EDITIONS; "" for cards."""
    face: str
    """The face to be shown now."""
    pictures: Mapping[str, tuple[CapturedFace, ...]]
    """What was captured of each face; the keys are all faces, in order."""
    plan: LessonPlan
    """What it asks for."""
    sign: str = ""
    """The sign of the card to be shown now; "" for a die."""
    again: bool = False
    """Whether one of this name was taught before."""
    stage: LessonStage = LessonStage.SHOWING
    """How far the lesson is."""
    wait: LessonWait = LessonWait.MOVE
    """What the lesson waits for."""
    trouble: str = ""
    """Why the last picture was not captured (a `DieFlaw` or a `CardFlaw`); "": it was."""
    same_as: int | None = None
    """The `id` of the picture that the last one only repeated, so that it was not kept."""
    check: LessonCheck | None = None
    """How well the faces are told apart, once that was checked."""

    @property
    def faces(self) -> tuple[str, ...]:
        """All faces, in order."""
        return tuple(self.pictures)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that have too few pictures."""
        return tuple(face for face in self.faces if len(self.pictures[face]) < self.plan.least)

    @property
    def following(self) -> str | None:
        """The face to be shown next: the next one with too few pictures."""
        here = self.faces.index(self.face)
        after = self.faces[here + 1 :] + self.faces[:here]
        return next((face for face in after if face in self.missing), None)

    @property
    def last(self) -> CapturedFace | None:
        """The picture that was captured last."""
        every = [picture for captured in self.pictures.values() for picture in captured]
        return max(every, key=lambda picture: picture.id, default=None)

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
        sign = self.plan.copies.get(face, "")
        return self._show_again(replace(self, face=face, sign=sign, pictures=pictures))

    def showing_sign(self, sign: str) -> "Lesson":
        """Return the lesson with another sign on the card to be shown."""
        return replace(self, sign=sign)

    def without(self, number: int) -> "Lesson":
        """Return the lesson without the picture with this `id`.

        If the next face was asked for by itself, the one that loses the picture is asked for again.
        """
        face = self.face_of(number)
        pictures = {
            face: tuple(picture for picture in captured if picture.id != number)
            for face, captured in self.pictures.items()
        }
        left = replace(self, pictures=pictures)
        if face is not None and self.plan.goes_on:
            return left.asking_for(face, anew=False)
        return self._show_again(left)

    def with_picture(self, picture: CapturedFace) -> "Lesson":
        """Return the lesson with one more picture of the face to be shown.

        If the plan says so, and the picture leaves no doubt, the next face is asked for.
        """
        captured = (*self.pictures[self.face], picture)
        pictures = {**self.pictures, self.face: captured}
        taken = replace(self, pictures=pictures, trouble="", same_as=None)
        certain = not picture.warning and not picture.looks_like
        if self.plan.goes_on and certain and self.face not in taken.missing and taken.following:
            return taken.asking_for(taken.following, anew=False)
        return taken._waiting()

    def not_captured(self, trouble: str) -> "Lesson":
        """Return the lesson after a picture that was no use, and why; "": it shows nothing new."""
        return replace(self, wait=LessonWait.MOVE, trouble=trouble, same_as=None)

    def mark_repeated(self, number: int) -> "Lesson":
        """Return the lesson after a picture that is the same as the one with this `id`."""
        return replace(self, wait=LessonWait.MOVE, trouble="", same_as=number)

    def with_check(self, check: LessonCheck) -> "Lesson":
        """Return the lesson with the result of its check."""
        return replace(self, stage=LessonStage.CHECKED, check=check, trouble="", same_as=None)

    def mark_moved(self) -> "Lesson":
        """Return the lesson after the die or card was moved."""
        return replace(self, wait=LessonWait.LIE)

    @staticmethod
    def _show_again(lesson: "Lesson") -> "Lesson":
        shown = replace(lesson, stage=LessonStage.SHOWING, check=None, trouble="", same_as=None)
        return shown._waiting()

    def _waiting(self) -> "Lesson":
        """The lesson as it waits now."""
        enough = len(self.pictures[self.face]) >= self.plan.most
        return replace(self, wait=LessonWait.ENOUGH if enough else LessonWait.MOVE)


def begin_lesson(
    name: str,
    edition: str,
    plan: LessonPlan,
    pictures: Mapping[str, Sequence[CapturedFace]] | None = None,
    *,
    again: bool = False,
) -> Lesson:
    """Return a new lesson, which asks for the first face.

    pictures: those that there are already; again: whether one of this name was taught before.
    """
    known = {face: tuple((pictures or {}).get(face, ())) for face in plan.faces}
    begin = Lesson(name, edition, plan.faces[0], known, plan, again=again)
    return begin.asking_for(plan.faces[0], anew=False)
