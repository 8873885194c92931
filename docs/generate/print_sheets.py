"""Draw the sheets of dice to print: `python -m docs.generate.print_sheets docs/print`.

Each sheet holds five dice twice, as nets to fold and as stickers, from the shapes of
vision/simulate/dice/art.py.
"""

from collections.abc import Iterator

from docs.generate import sheets
from vision.dice.reading import FACES
from vision.simulate.dice.art import ART, MARGIN

DICE = 5
EDGES = (16.0, 19.0)

NET = {(1, 0): 2, (0, 1): 6, (1, 1): 3, (2, 1): 1, (1, 2): 5, (1, 3): 4}
"""The pips of the face in each cell (column, row), as in vision/simulate/dice/cube.py."""
TABS = {(0, 1): "ns", (2, 1): "ns", (1, 3): "wes"}
"""The sides of cells that have a tab; once folded, each meets a side without one."""
SIDES = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
TAB = 5.0

BARE = 3.0
"""How much shorter a sticker's edge is than the die's, since blank dice are rounded."""
CORNER = 2.0

_TOP = 12.0
_COLUMN_GAP, _ROW_GAP = 9.0, 4.0
_STICKER_GAP, _DIE_GAP = 2.0, 5.0
_LARGE, _SMALL = 4.2, 3.0  # sizes of letters
HELP = (
    "This ruler must be 50 mm long.",
    "To fold: cut along the full lines,",
    "fold along the dashed ones,",
    "glue the tabs to the inside.",
    "To stick: see below. One of the",
    "two is enough for five dice.",
)

FORMS = {
    face: sheets.Form(tuple(sheets.stroke(shape) for shape in shapes))
    for face, shapes in zip(FACES, ART["symbols"], strict=True)
}


def on_die(face: str, x: float, y: float, edge: float) -> sheets.Art:
    """Return the art of a face with its top left corner at x, y, sized for a die of that edge."""
    margin = MARGIN["symbols"] * edge
    return sheets.Art(face, x + margin, y + margin, (edge - 2 * margin) / 100)


def net(x: float, y: float, edge: float) -> Iterator[sheets.Mark]:
    """Return a die to fold, 3 edges wide, 4 edges and a tab high."""
    for cell, pips in NET.items():
        left, top = x + cell[0] * edge, y + cell[1] * edge
        yield on_die(FACES[pips - 1], left, top, edge)
        for side, (right, down) in SIDES.items():
            beyond = (cell[0] + right, cell[1] + down)
            middle = (left + edge * (1 + right) / 2, top + edge * (1 + down) / 2)
            along = (down * edge / 2, -right * edge / 2)
            ends = [(middle[0] + k * along[0], middle[1] + k * along[1]) for k in (-1, 1)]
            if side in TABS.get(cell, ""):
                yield sheets.Stroke(sheets.FOLD, sheets.line(*ends))
                # Slanted by 45 degrees, so that tabs that meet in a corner don't overlap.
                share = 1 - 2 * TAB / edge
                tips = [
                    (
                        middle[0] + k * share * along[0] + right * TAB,
                        middle[1] + k * share * along[1] + down * TAB,
                    )
                    for k in (-1, 1)
                ]
                yield sheets.Stroke(sheets.CUT, sheets.line(ends[0], *tips, ends[1]))
            elif beyond not in NET:
                yield sheets.Stroke(sheets.CUT, sheets.line(*ends))
            elif side in "es":
                yield sheets.Stroke(sheets.FOLD, sheets.line(*ends))


def stickers(x: float, y: float, edge: float) -> Iterator[sheets.Mark]:
    """Return the six stickers of a die, two side by side."""
    size = edge - BARE
    for number, face in enumerate(FACES):
        left = x + number % 2 * (size + _STICKER_GAP)
        top = y + number // 2 * (size + _STICKER_GAP)
        yield on_die(face, left - BARE / 2, top - BARE / 2, edge)
        yield sheets.Stroke(sheets.CUT, sheets.rounded(left, top, size, CORNER))


def sheet(edge: float, paper: str) -> sheets.Sheet:
    """Return a sheet: five nets, stickers for five dice and a ruler, within printable margins."""
    size, paper_name = sheets.PAPERS[paper], sheets.PAPER_NAMES[paper]
    column, row = 3 * edge + _COLUMN_GAP, 4 * edge + TAB + _ROW_GAP
    left = (size[0] - 3 * column + _COLUMN_GAP) / 2
    title = f"bang-companion: dice of {edge:g} mm, {paper_name}"
    marks: list[sheets.Mark] = [
        sheets.Text(left, _TOP, _LARGE, f"Dice of {edge:g} mm"),
        sheets.Text(
            left + 36, _TOP, _SMALL, f"Print on {paper_name} at 100 %, not fitted to the page."
        ),
    ]
    top = _TOP + 5
    for number in range(DICE):
        marks += net(left + number % 3 * column, top + number // 3 * row, edge)
    beside = left + 2 * column
    marks += sheets.ruler(beside, top + row + 8)
    for number, words in enumerate(HELP):
        marks.append(sheets.Text(beside, top + row + 13 + 4.2 * number, _SMALL, words))
    top += 2 * row + 4
    block = 2 * (edge - BARE) + _STICKER_GAP + _DIE_GAP
    left = (size[0] - DICE * block + _DIE_GAP) / 2
    marks.append(
        sheets.Text(left, top, _SMALL, f"Stickers of {edge - BARE:g} mm, a block for each die")
    )
    for number in range(DICE):
        marks += stickers(left + number * block, top + 3, edge)
    return sheets.Sheet(title, size, tuple(marks), FORMS)


def files() -> dict[str, bytes]:
    """Return every sheet in both formats, by file name."""
    drawn = {}
    for edge in EDGES:
        for paper in sheets.PAPERS:
            page, name = sheet(edge, paper), f"dice-{edge:g}mm-{paper}"
            drawn[f"{name}.svg"] = sheets.svg(page).encode("ascii")
            drawn[f"{name}.pdf"] = sheets.pdf(page)
    return drawn


if __name__ == "__main__":
    sheets.write_files(files())
