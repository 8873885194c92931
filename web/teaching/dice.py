"""What the lesson page says: which face to show, and how well the reader tells them apart."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.games.game import AnyRuleset, Game, GameTerms
from companion.setup.lesson import LEAST, Lesson, LessonCheck
from web.games.game import RulesChoice
from web.i18n import gettext, language, lazy_gettext, ngettext, percent
from web.text import capital

if TYPE_CHECKING:
    from companion.setup.teaching import Teaching

FLAWS = {
    "": "",
    "no die found": lazy_gettext("no die found"),
    "more than one die": lazy_gettext("more than one die"),
    "too small: move the camera closer": lazy_gettext("too small: move the camera closer"),
    "overexposed: turn the lamp or the die": lazy_gettext("overexposed: turn the lamp or the die"),
    "too dark": lazy_gettext("too dark"),
    "too faint": lazy_gettext("too faint"),
    "blurred": lazy_gettext("blurred"),
    "cut off above: show the whole die": lazy_gettext("cut off above: show the whole die"),
    "cut off below: show the whole die": lazy_gettext("cut off below: show the whole die"),
    "cut off on the left: show the whole die": lazy_gettext(
        "cut off on the left: show the whole die"
    ),
    "cut off on the right: show the whole die": lazy_gettext(
        "cut off on the right: show the whole die"
    ),
    "maybe only a part of the face: show the whole die, with some of the tray around it": (
        lazy_gettext(
            "maybe only a part of the face: show the whole die, with some of the tray around it"
        )
    ),
}
"""What is wrong with a picture of a die, by the reader's name for the fault."""

SETS = {
    "base": lazy_gettext("the base game"),
    "walking-dead": lazy_gettext("The Walking Dead"),
    "print": lazy_gettext("our own, printed"),
}


class ShownPicture(NamedTuple):
    """A picture on the lesson page."""

    id: int
    """Its number in all lessons since the start."""
    warning: str
    """What is wrong with it; empty if nothing is."""


class ShownFace(NamedTuple):
    """A face in the list of all."""

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


class DiceLessonPage(NamedTuple):
    """What the lesson page shows besides the table."""

    lesson: Lesson
    """The lesson itself."""
    trouble: str
    """Why the last picture was rejected, or may show another face; empty if all is well."""
    same_as: int | None
    """The number of the picture that the last one only repeated."""
    number: int
    """The position of the current face among all, from 1."""
    name: str
    """What players call this face."""
    pictures: tuple[ShownPicture, ...]
    """Its pictures."""
    faces: tuple[ShownFace, ...]
    """All faces."""
    say: str
    """What to do now."""
    following: str
    """What players call the next face; empty after the last one."""
    alike: tuple[str, ...]
    """Faces that are mistaken for others, a sentence each."""
    right: str
    """How well the reader tells the faces apart; empty until checked."""
    sets: str
    """The names of these dice's symbols."""


def dice_lesson_page(lesson: Lesson, game: Game) -> DiceLessonPage:
    """Return what the lesson page shows. game: the game whose dice are taught."""
    words = game.terms(_ruleset(game, lesson.edition), language())
    following = lesson.following
    return DiceLessonPage(
        lesson=lesson,
        trouble=_trouble(lesson, words),
        same_as=lesson.same_as,
        number=list(words.faces).index(lesson.face) + 1,
        name=words.faces[lesson.face],
        pictures=shown_pictures(lesson, lesson.face, words.faces, FLAWS),
        faces=tuple(
            ShownFace(
                face=face,
                name=name,
                taken=len(lesson.pictures[face]),
                done=face not in lesson.missing,
                asked=face == lesson.face,
                pictures=shown_pictures(lesson, face, words.faces, FLAWS),
            )
            for face, name in words.faces.items()
        ),
        say=_say(lesson, words),
        following=words.faces[following] if following else "",
        alike=tuple(_alike(lesson.check, words)) if lesson.check else (),
        right=_right(lesson.check) if lesson.check else "",
        sets=str(SETS[lesson.edition]),
    )


def shown_pictures(
    lesson: Lesson, face: str, names: Mapping[str, str], flaws: Mapping[str, object]
) -> tuple[ShownPicture, ...]:
    """Return the pictures of a face, or of a title.

    names: what players call the faces. flaws: what is wrong with a picture, by the reader's name.
    """
    return tuple(
        ShownPicture(
            picture.id,
            gettext("looks like %(face)s", face=names[picture.looks_like])
            if picture.looks_like
            else str(flaws[picture.warning]),
        )
        for picture in lesson.pictures[face]
    )


def sets(teaching: "Teaching", words: GameTerms) -> list[RulesChoice]:
    """Return the dice that the camera can read."""
    used, faces = teaching.used, words.faces.values()
    pips = ", ".join(f"{pips}\N{NO-BREAK SPACE}{name}" for pips, name in enumerate(faces, start=1))
    shipped = {
        "pips": (gettext("Ordinary dice"), pips),
        "print": (gettext("Printed dice"), gettext("the symbols on our sheet to print")),
    }
    taught = {name: (name, gettext("taught here")) for name in teaching.names}
    named = {teaching.named: (Path(teaching.named).stem, gettext("named in the settings file"))}
    known = (named if teaching.named else {}) | shipped | taught
    return [
        RulesChoice(name, *told, used in (name, Path(name).stem)) for name, told in known.items()
    ]


def _trouble(lesson: Lesson, words: GameTerms) -> str:
    """Return what is wrong with the last picture of the current face; "" if nothing."""
    face = words.faces[lesson.face]
    if lesson.trouble:
        return gettext("Not saved: %(trouble)s.", trouble=FLAWS[lesson.trouble])
    if lesson.same_as is not None:
        other = lesson.face_of(lesson.same_as)
        if other is None or other == lesson.face:
            return gettext("Not saved: the same picture as this one. Move and turn the die.")
        return gettext(
            "Not saved: the same picture as this one of %(other)s. Put the die with %(face)s on "
            "top.",
            other=words.faces[other],
            face=face,
        )
    last = lesson.pictures[lesson.face][-1:]
    if last and last[0].looks_like:
        return gettext(
            "This looks like your %(other)s. If %(face)s isn’t on top, retake the picture.",
            other=words.faces[last[0].looks_like],
            face=face,
        )
    return ""


def _ruleset(game: Game, edition: str) -> AnyRuleset:
    """Return the ruleset that names the symbols of an edition."""
    return game.rulesets.get(edition) or next(iter(game.rulesets.values()))


def _say(lesson: Lesson, words: GameTerms) -> str:
    face, count = words.faces[lesson.face], len(lesson.pictures[lesson.face])
    if lesson.wait == "enough":
        return gettext("That’s enough. Continue.")
    if lesson.wait == "lie":
        return gettext("Now leave it still.")
    if not count:
        return gettext("Put only one die in the tray, with %(face)s on top.", face=face)
    if count < LEAST:
        return ngettext(
            "Saved. Move and turn the die: one more picture, still with %(face)s on top.",
            "Saved. Move and turn the die: %(num)s more pictures, still with %(face)s on top.",
            LEAST - count,
            face=face,
        )
    return gettext(
        "Saved. Continue, or add pictures in other places and directions: up to six help."
    )


def _right(check: LessonCheck) -> str:
    if check.accuracy == 1:
        return gettext("Compared with the others, every picture is read correctly.")
    share = percent(check.accuracy)
    return gettext(
        "Compared with the others, %(share)s of the pictures are read correctly.", share=share
    )


def _alike(check: LessonCheck, words: GameTerms) -> Iterator[str]:
    for face, other, chance in check.confused:
        one, two = words.faces[face], words.faces[other]
        yield gettext(
            "%(one)s looks like %(other)s (%(chance)s). Check below that their pictures show the "
            "right faces. If they do, show both again in better light.",
            one=capital(one),
            other=two,
            chance=percent(chance),
        )
