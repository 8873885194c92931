"""What the lesson page shows of dice and of cards alike."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.setup.lesson import Lesson
from web.i18n import gettext, lazy_gettext

FLAWS: Mapping[str, lazy_gettext | str] = {
    "": "",
    **{
        flaw.text.replace("’", "'"): flaw
        for flaw in (
            lazy_gettext("no die found"),
            lazy_gettext("more than one die"),
            lazy_gettext("too small: move the camera closer"),
            lazy_gettext("overexposed: turn the lamp or the die"),
            lazy_gettext("too dark"),
            lazy_gettext("too faint"),
            lazy_gettext("blurred"),
            lazy_gettext("cut off above: show the whole die"),
            lazy_gettext("cut off below: show the whole die"),
            lazy_gettext("cut off on the left: show the whole die"),
            lazy_gettext("cut off on the right: show the whole die"),
            lazy_gettext(
                "maybe only a part of the face: show the whole die, with some of the tray around it"
            ),
            lazy_gettext("no card found"),
            lazy_gettext("not one single card"),
            lazy_gettext("turned: its top must be at the top of the picture"),
            lazy_gettext("overexposed: turn the lamp or the card"),
            lazy_gettext("no rank and suit found at the bottom left"),
            lazy_gettext(
                "its rank and suit aren’t where other cards have them: it may be upside down"
            ),
        )
    },
}
"""What is wrong with a picture of a die or of a card, by the reader's name for the fault."""


class ShownPicture(NamedTuple):
    """A picture on the lesson page."""

    id: int
    """Its number in all lessons since the start."""
    warning: str
    """What is wrong with it; empty if nothing is."""


class ShownFace(NamedTuple):
    """A face or a title in the list of all."""

    face: str
    """Its name in records."""
    name: str
    """What players call it."""
    taken: int
    """How many pictures there are of it."""
    done: bool
    """Whether there are enough of them."""
    asked: bool
    """Whether it is shown now."""
    pictures: tuple[ShownPicture, ...]
    """Its pictures."""


class LessonPage(NamedTuple):
    """What the lesson page shows besides the table."""

    lesson: Lesson
    """The lesson itself."""
    number: int
    """The position of the current face or title among all, from 1."""
    name: str
    """What players call it."""
    trouble: str
    """Why the last picture was rejected, or may show another face; empty if all is well."""
    pictures: tuple[ShownPicture, ...]
    """Its pictures."""
    faces: tuple[ShownFace, ...]
    """All faces or titles."""
    say: str
    """What to do now."""
    following: str
    """What players call the next one; empty after the last one."""
    alike: tuple[str, ...]
    """What is mistaken for something else, a sentence each."""
    own: object
    """What it shows only of dice, or only of cards."""


class Complaints(NamedTuple):
    """What is said of a picture that is no use, or in doubt; `%(face)s` is what was asked for."""

    repeated: lazy_gettext
    """It shows the same as the one before."""
    another: lazy_gettext
    """It shows the same as one of another face, `%(other)s`."""
    looks_like: lazy_gettext
    """It looks like another face, `%(other)s`."""
    flawed: lazy_gettext | None = None
    """It was saved, but something is wrong with it: `%(warning)s`; None if that is shown below."""


def lesson_page(
    lesson: Lesson,
    names: Mapping[str, str],
    complaints: Complaints,
    *,
    say: str,
    alike: Iterable[str],
    own: object,
) -> LessonPage:
    """Return what the lesson page shows. names: what players call the faces or titles."""
    every = {face: shown_pictures(lesson, face, names) for face in lesson.faces}
    return LessonPage(
        lesson=lesson,
        number=lesson.faces.index(lesson.face) + 1,
        name=names[lesson.face],
        trouble=_trouble(lesson, names, complaints),
        pictures=every[lesson.face],
        faces=tuple(
            ShownFace(
                face=face,
                name=names[face],
                taken=len(pictures),
                done=face not in lesson.missing,
                asked=face == lesson.face,
                pictures=pictures,
            )
            for face, pictures in every.items()
        ),
        say=say,
        following=names[lesson.following] if lesson.following else "",
        alike=tuple(alike),
        own=own,
    )


def shown_pictures(lesson: Lesson, face: str, names: Mapping[str, str]) -> tuple[ShownPicture, ...]:
    """Return the pictures of a face or a title. names: what players call these."""
    return tuple(
        ShownPicture(
            picture.id,
            gettext("looks like %(face)s", face=names[picture.looks_like])
            if picture.looks_like
            else str(FLAWS[picture.warning]),
        )
        for picture in lesson.pictures[face]
    )


def _trouble(lesson: Lesson, names: Mapping[str, str], complaints: Complaints) -> str:
    """Return what is wrong with the last picture of the current face; "" if nothing."""
    said = {"face": names[lesson.face], "title": names[lesson.face]}
    if lesson.trouble:
        return gettext("Not saved: %(trouble)s.", trouble=FLAWS[lesson.trouble])
    if lesson.same_as is not None:
        other = lesson.face_of(lesson.same_as)
        if other is None or other == lesson.face:
            return str(complaints.repeated)
        return str(complaints.another) % {**said, "other": names[other]}
    last = lesson.pictures[lesson.face][-1:]
    if last and last[0].looks_like:
        return str(complaints.looks_like) % {**said, "other": names[last[0].looks_like]}
    if last and last[0].warning and complaints.flawed:
        return str(complaints.flawed) % {"warning": FLAWS[last[0].warning]}
    return ""
