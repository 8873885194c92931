"""What the lesson page says about cards: which to lay, and how well the reader tells them apart."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from companion.games.game import CardNames, Game, GameTerms
from companion.setup.lesson import Lesson, LessonCheck
from web.games.game import RulesChoice
from web.i18n import gettext, language, lazy_gettext
from web.teaching.lesson import Complaints, LessonPage, ShownPicture, lesson_page, shown_pictures
from web.text import capital

if TYPE_CHECKING:
    from companion.setup.teaching import Teaching

COMPLAINTS = Complaints(
    lazy_gettext("Not saved: the same picture as before. Move the card."),
    lazy_gettext("Not saved: this card was shown as %(other)s. Lay %(title)s."),
    lazy_gettext("This looks like your %(other)s. If it isn’t %(title)s, retake the picture."),
    lazy_gettext("Saved, but look at the picture: %(warning)s. Retake it, or go on."),
)
"""What is said of pictures of cards."""

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
"""The suits as they are printed, by their letters in records."""

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class LastCard(NamedTuple):
    """The card that was captured last, which may already be another title than the one asked."""

    picture: ShownPicture
    """Its picture."""
    name: str
    """What players call it."""
    sign: str
    """The sign that it was said to have."""


class CardLesson(NamedTuple):
    """What the lesson page shows only of cards."""

    sign: str
    """The sign of the copy to be laid."""
    rank: str
    """Its rank."""
    suit: str
    """Its suit, by its letter in records."""
    last: LastCard | None
    """The card that was captured last."""
    unseen: str
    """The ranks and suits that no card has shown; empty if all were shown."""


def card_lesson_page(lesson: Lesson, game: Game) -> LessonPage:
    """Return what the lesson page shows. game: the game whose cards are taught."""
    rules = game.cards
    assert rules is not None
    names = rules.names(language())
    return lesson_page(
        lesson,
        names.titles,
        COMPLAINTS,
        say=_say(lesson, names),
        alike=_alike(lesson.check, names) if lesson.check else (),
        own=CardLesson(
            sign=shown_sign(lesson.sign),
            rank=lesson.sign[:-1],
            suit=lesson.sign[-1:],
            last=_last(lesson, names),
            unseen=", ".join(_missing_signs(lesson)),
        ),
    )


def decks(teaching: "Teaching", words: GameTerms) -> list[RulesChoice]:
    """Return the decks that the camera can read, and to do without one."""
    told = {
        "": (gettext("No deck"), gettext("every card is tapped")),
        "print": (gettext("Printed deck"), gettext("the cards on our sheets to print")),
    }
    told = {name: text for name, text in told.items() if name in ("", *teaching.others)}
    told |= {name: (name, gettext("taught here")) for name in teaching.names}
    return [RulesChoice(name, *text, name == teaching.used) for name, text in told.items()]


def shown_sign(sign: str) -> str:
    """Return a sign as it is printed: `10♥`."""
    return sign[:-1] + SUITS.get(sign[-1:], "")


def _last(lesson: Lesson, names: CardNames) -> LastCard | None:
    last = lesson.last
    if last is None:
        return None
    title = lesson.face_of(last.id)
    assert title is not None
    pictures = shown_pictures(lesson, title, names.titles)
    picture = next(each for each in pictures if each.id == last.id)
    return LastCard(picture, names.titles[title], shown_sign(last.sign))


def _say(lesson: Lesson, names: CardNames) -> str:
    title, sign = names.titles[lesson.face], shown_sign(lesson.sign)
    if not lesson.missing:
        return gettext("That’s all of them. Check the cards, or add pictures of some.")
    if lesson.wait == "enough":
        return gettext("That’s enough. Continue.")
    if lesson.wait == "lie":
        return gettext("Now leave it still.")
    return gettext(
        "Lay %(title)s with %(sign)s alone in the tray, its top to the top of the picture.",
        title=title,
        sign=sign,
    )


def _alike(check: LessonCheck, names: CardNames) -> Iterator[str]:
    for one, other, _ in check.confused:
        yield gettext(
            "%(one)s looks like %(other)s. Check below that their pictures show the right cards. "
            "If they do, show both again in better light.",
            one=capital(names.titles[one]),
            other=names.titles[other],
        )
    for title, sign, read in check.misread:
        yield gettext(
            "The sign of %(title)s looks like %(read)s, not %(sign)s. Check its picture below: if "
            "it shows another sign, show the card again and choose the right one.",
            title=names.titles[title],
            read=shown_sign(read),
            sign=shown_sign(sign),
        )
    for title in check.odd:
        yield gettext(
            "A picture of %(title)s looks cut off or burnt out, unlike the other cards. Show the "
            "card again, or the table will always ask about it.",
            title=names.titles[title],
        )


def _missing_signs(lesson: Lesson) -> Iterator[str]:
    """Yield the ranks and suits that no captured card has."""
    signs = [each.sign for captured in lesson.pictures.values() for each in captured]
    for rank in RANKS:
        if rank not in {sign[:-1] for sign in signs}:
            yield rank
    for suit, shown in SUITS.items():
        if suit not in {sign[-1:] for sign in signs}:
            yield shown
