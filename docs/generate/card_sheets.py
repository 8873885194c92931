"""Draw the sheets of cards to print: `python -m docs.generate.card_sheets docs/print`.

The 80 cards, eight on a page, and a page with their backs, from the shapes of
vision/simulate/cards/art.py; and all on one large sheet, to look at and to change.
"""

from collections.abc import Iterable, Iterator, Sequence

from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.titles import SIGNS
from docs.generate import sheets
from vision.simulate.cards.art import CARD, CardMark, back_marks, face_marks, sign_marks
from vision.simulate.shapes import Disc, Polygon, Polyline, Shape

ACROSS, DOWN = 4, 2
"""Cards on a page."""
WIDE = 10
"""Cards in a row of the large sheet."""
TOP = 12.0
"""The line of the heading."""
LARGE, SMALL = 4.2, 3.0  # sizes of letters
BACK = "back"


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


FORMS = {
    **{title: sheets.Form(strokes(face_marks(title)), CARD) for title in KINDS},
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
    cards: Sequence[tuple[str, ...]], left: float, top: float, across: int
) -> Iterator[sheets.Mark]:
    """Yield cards in rows; each the names of its forms."""
    for number, card in enumerate(cards):
        x, y = left + number % across * CARD[0], top + number // across * CARD[1]
        for form in card:
            yield sheets.Art(form, x, y, 1)


def page(cards: Sequence[tuple[str, ...]], paper: str, heading: str) -> sheets.Sheet:
    """Return a page of at most ACROSS x DOWN cards in the middle of landscape paper."""
    height, width = sheets.PAPERS[paper]
    left, top = (width - ACROSS * CARD[0]) / 2, (height - DOWN * CARD[1]) / 2
    below = top + DOWN * CARD[1] + 6
    marks: list[sheets.Mark] = [
        sheets.Text(left, TOP, LARGE, heading),
        sheets.Text(
            left + 90, TOP, SMALL,
            f"Print on {sheets.PAPER_NAMES[paper]}, landscape, at 100 %, not fitted to the page.",
        ),
        *laid(cards, left, top, ACROSS),
        *grid(left, top, ACROSS, DOWN),
        *sheets.ruler(left, below),
        sheets.Text(left + 55, below, SMALL, "This ruler must be 50 mm long."),
    ]  # fmt: skip
    title = f"bang-companion: cards, {sheets.PAPER_NAMES[paper]}"
    return sheets.Sheet(title, (width, height), tuple(marks), FORMS)


def pages(paper: str) -> list[sheets.Sheet]:
    """Return the pages of all cards, and that of their backs."""
    each = ACROSS * DOWN
    count = len(CARDS) // each
    fronts = [
        page(CARDS[n * each : (n + 1) * each], paper, f"Cards, page {n + 1} of {count}")
        for n in range(count)
    ]
    return [*fronts, page([(BACK,)] * each, paper, "Backs, if you want them")]


def poster() -> sheets.Sheet:
    """Return one sheet with all cards."""
    down = -(-len(CARDS) // WIDE)
    size = (WIDE * CARD[0], down * CARD[1])
    marks = (*laid(CARDS, 0, 0, WIDE), *grid(0, 0, WIDE, down))
    return sheets.Sheet("bang-companion: all cards", size, marks, FORMS)


def files() -> dict[str, bytes]:
    """Return the pages for each paper, and the large sheet, by file name."""
    drawn = {f"cards-{paper}.pdf": sheets.pdf(*pages(paper)) for paper in sheets.PAPERS}
    return {**drawn, "cards.svg": sheets.svg(poster()).encode("ascii")}


if __name__ == "__main__":
    sheets.write_files(files())
