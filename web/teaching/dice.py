"""What the lesson page says: which face to show, and how well the reader tells them apart."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.games.game import AnyRuleset, Game, GameTerms
from companion.setup.lesson import LEAST, Lesson, LessonCheck
from web.games.game import RulesChoice
from web.i18n import gettext, language, lazy_gettext, ngettext, percent
from web.teaching.lesson import Complaints, LessonPage, lesson_page
from web.text import capital

if TYPE_CHECKING:
    from companion.setup.teaching import Teaching

COMPLAINTS = Complaints(
    lazy_gettext("Not saved: the same picture as this one. Move and turn the die."),
    lazy_gettext(
        "Not saved: the same picture as this one of %(other)s. Put the die with %(face)s on top."
    ),
    lazy_gettext("This looks like your %(other)s. If %(face)s isn’t on top, retake the picture."),
)
"""What is said of pictures of dice."""

SETS = {
    "base": lazy_gettext("the base game"),
    "walking-dead": lazy_gettext("The Walking Dead"),
    "print": lazy_gettext("our own, printed"),
}


class DiceLesson(NamedTuple):
    """What the lesson page shows only of dice."""

    right: str
    """How well the reader tells the faces apart; empty until checked."""
    sets: str
    """The names of these dice's symbols."""


def dice_lesson_page(lesson: Lesson, game: Game) -> LessonPage:
    """Return what the lesson page shows. game: the game whose dice are taught."""
    words = game.terms(_ruleset(game, lesson.edition), language())
    return lesson_page(
        lesson,
        words.faces,
        COMPLAINTS,
        say=_say(lesson, words),
        alike=_alike(lesson.check, words) if lesson.check else (),
        own=DiceLesson(
            right=_right(lesson.check) if lesson.check else "", sets=str(SETS[lesson.edition])
        ),
    )


def sets(teaching: "Teaching", words: GameTerms) -> list[RulesChoice]:
    """Return the dice that the camera can read."""
    used, by_settings = teaching.sets.used, teaching.sets.named
    faces = words.faces.values()
    pips = ", ".join(f"{pips}\N{NO-BREAK SPACE}{name}" for pips, name in enumerate(faces, start=1))
    shipped = {
        "pips": (gettext("Ordinary dice"), pips),
        "print": (gettext("Printed dice"), gettext("the symbols on our sheet to print")),
    }
    taught = {name: (name, gettext("taught here")) for name in teaching.sets.names()}
    named = {by_settings: (Path(by_settings).stem, gettext("named in the settings file"))}
    known = (named if by_settings else {}) | shipped | taught
    return [
        RulesChoice(name, *told, used in (name, Path(name).stem)) for name, told in known.items()
    ]


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
