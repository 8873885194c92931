"""Draw the sheets of cards to print: `python -m docs.generate.card_sheets docs/print`.

The 80 cards, eight on a page, and a page with their backs, from the shapes of
vision/simulate/cards/art.py, in each language with what the card does; and all on one large sheet,
to look at and to change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.terms import LANGUAGES, terms
from docs.generate import sheets
from vision.simulate.cards.art import CARD, REACHES, CardMark, back_marks, face_marks, sign_marks
from vision.simulate.shapes import Disc, Polygon, Polyline, Shape

ACROSS, DOWN = 4, 2
"""Cards on a page."""
WIDE = 10
"""Cards in a row of the large sheet."""
TOP = 12.0
"""The line of the heading."""
LARGE, SMALL = 4.2, 3.0  # sizes of letters
BACK = "back"

EFFECT = (29.0, 71.6)
"""The left, and the first line, of what a card does: beside its sign."""
EFFECT_LETTERS, EFFECT_LINE = 1.95, 2.55
"""The size of its letters, and from line to line."""
EFFECT_WIDTH, BESIDE_REACH = 28, 17
"""How many letters a line has, and how many beside the reach of a weapon."""


class Words(NamedTuple):
    """What stands around the cards."""

    cards: str
    """The heading of a page, with its number and how many there are."""
    backs: str
    """The heading of the page of backs."""
    printing: str
    """How to print on a paper."""
    ruler: str
    """How long the ruler must be."""


WORDS = {
    "en": Words(
        "Cards, page {} of {}",
        "Backs, if you want them",
        "Print on {}, landscape, at 100 %, not fitted to the page.",
        "This ruler must be 50 mm long.",
    ),
    "fr": Words(
        "Cartes, page {} sur {}",
        "Dos, si vous en voulez",
        "À imprimer en paysage sur {}, à 100 %, sans ajuster à la page.",
        "Cette règle doit mesurer 50 mm.",
    ),
}
"""By language."""


def named(sign: str) -> str:
    """Return the name of the form of a sign."""
    return f"sign-{sign}"


CARDS = [(str(title), named(str(sign))) for title, kind in KINDS.items() for sign in kind.signs]
"""The forms of each card."""


def strokes(marks: Iterable[CardMark]) -> tuple[sheets.Stroke, ...]:
    """Return what is printed on a card as strokes, in millimetres."""
    return tuple(
        painted(_placed(shape, mark), mark.colour) for mark in marks for shape in mark.shapes
    )


def _placed(shape: Shape, mark: CardMark) -> Shape:
    def there(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        return tuple((mark.x + x * mark.scale, mark.y + y * mark.scale) for x, y in points)

    match shape:
        case Polygon(points, ink):
            return Polygon(there(points), ink)
        case Polyline(points, width, ink):
            return Polyline(there(points), width * mark.scale, ink)
        case Disc(x, y, radius, ink):
            ((left, top),) = there(((x, y),))
            return Disc(left, top, radius * mark.scale, ink)


def painted(shape: Shape, colour: tuple[int, int, int]) -> sheets.Stroke:
    """Return a shape in a colour (B, G, R); cut-outs and what is as light as paper are white."""
    drawn = sheets.stroke(shape)
    if not shape.ink or min(colour) > 200:
        return drawn._replace(pen=drawn.pen._replace(grey=1.0))
    if max(colour) < 40:
        return drawn
    blue, green, red = colour
    return drawn._replace(pen=drawn.pen._replace(colour=(red, green, blue)))


def forms(language: str) -> Mapping[str, sheets.Form]:
    """Return what is printed again and again, with the words of a language, by name."""
    names = {title: text.name for title, text in terms(language).cards.items()}
    return {
        **{
            str(title): sheets.Form(strokes(face_marks(title, name.upper())), CARD)
            for title, name in names.items()
        },
        **{named(sign): sheets.Form(strokes(sign_marks(sign)), CARD) for sign in SIGNS},
        BACK: sheets.Form(strokes(back_marks()), CARD),
    }


def grid(left: float, top: float, across: int, down: int) -> Iterator[sheets.Mark]:
    """Yield the lines along which cards are cut."""
    right, bottom = left + across * CARD[0], top + down * CARD[1]
    for column in range(across + 1):
        x = left + column * CARD[0]
        yield sheets.Stroke(sheets.CUT, sheets.line((x, top), (x, bottom)))
    for row in range(down + 1):
        y = top + row * CARD[1]
        yield sheets.Stroke(sheets.CUT, sheets.line((left, y), (right, y)))


def laid(
    cards: Sequence[tuple[str, ...]], left: float, top: float, across: int, language: str
) -> Iterator[sheets.Mark]:
    """Yield cards in rows; each the names of its forms."""
    for number, card in enumerate(cards):
        x, y = left + number % across * CARD[0], top + number // across * CARD[1]
        for form in card:
            yield sheets.Art(form, x, y, 1)
        if card != (BACK,):
            yield from effect(card[0], x, y, language)


def effect(title: str, x: float, y: float, language: str) -> Iterator[sheets.Text]:
    """Yield the lines that say what a card at x, y does."""
    said = terms(language).cards[Title(title)].effect.replace("\N{NO-BREAK SPACE}", " ")
    left, top = EFFECT
    for number, line in enumerate(wrap(said, BESIDE_REACH if title in REACHES else EFFECT_WIDTH)):
        yield sheets.Text(x + left, y + top + number * EFFECT_LINE, EFFECT_LETTERS, line)


def page(
    cards: Sequence[tuple[str, ...]], paper: str, heading: str, language: str = "en"
) -> sheets.Sheet:
    """Return a page of at most ACROSS x DOWN cards in the middle of landscape paper."""
    height, width = sheets.PAPERS[paper]
    left, top = (width - ACROSS * CARD[0]) / 2, (height - DOWN * CARD[1]) / 2
    below = top + DOWN * CARD[1] + 6
    words, name = WORDS[language], sheets.PAPER_NAMES[paper]
    marks: list[sheets.Mark] = [
        sheets.Text(left, TOP, LARGE, heading),
        sheets.Text(left + 90, TOP, SMALL, words.printing.format(name)),
        *laid(cards, left, top, ACROSS, language),
        *grid(left, top, ACROSS, DOWN),
        *sheets.ruler(left, below),
        sheets.Text(left + 55, below, SMALL, words.ruler),
    ]
    title = f"bang-companion: cards, {name}"
    return sheets.Sheet(title, (width, height), tuple(marks), forms(language))


def pages(paper: str, language: str) -> list[sheets.Sheet]:
    """Return the pages of all cards, and that of their backs."""
    each = ACROSS * DOWN
    count, words = len(CARDS) // each, WORDS[language]
    fronts = [
        page(CARDS[n * each : (n + 1) * each], paper, words.cards.format(n + 1, count), language)
        for n in range(count)
    ]
    return [*fronts, page([(BACK,)] * each, paper, words.backs, language)]


def poster() -> sheets.Sheet:
    """Return one sheet with all cards."""
    down = -(-len(CARDS) // WIDE)
    size = (WIDE * CARD[0], down * CARD[1])
    marks = (*laid(CARDS, 0, 0, WIDE, "en"), *grid(0, 0, WIDE, down))
    return sheets.Sheet("bang-companion: all cards", size, marks, forms("en"))


def files() -> dict[str, bytes]:
    """Return the pages for each paper, and the large sheet, by file name."""
    drawn = {
        f"cards-{language}-{paper}.pdf": sheets.pdf(*pages(paper, language))
        for language in LANGUAGES
        for paper in sheets.PAPERS
    }
    return {**drawn, "cards.svg": sheets.svg(poster()).encode("ascii")}


if __name__ == "__main__":
    sheets.write_files(files())
