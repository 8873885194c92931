"""Draw the sheets of dice to print: `python -m docs.generate.print_sheets docs/print`.

Each sheet holds five dice twice, as nets to fold and as stickers, from the shapes of
vision/simulate/art.py. SVG and PDF (ISO 32000-1) are written from the same marks: both define a
face once and use it often, and neither needs more here than lines, curves and one font that every
reader has. So sheets are the same bytes wherever they are drawn. Lengths are millimetres, y runs
down.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from vision.reading import FACES
from vision.simulate.art import ART, MARGIN, Disc, Polygon, Polyline, Shape

DICE = 5
EDGES = (16.0, 19.0)
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
PAPER_NAMES = {"a4": "A4", "letter": "US Letter"}

NET = {(1, 0): 2, (0, 1): 6, (1, 1): 3, (2, 1): 1, (1, 2): 5, (1, 3): 4}
"""The pips of the face in each cell (column, row), as in vision/simulate/cube.py."""
TABS = {(0, 1): "ns", (2, 1): "ns", (1, 3): "wes"}
"""The sides of cells that have a tab; once folded, each meets a side without one."""
SIDES = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
TAB = 5.0

BARE = 3.0
"""How much shorter a sticker's edge is than the die's, since blank dice are rounded."""
CORNER = 2.0
RULER = 50.0

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

POINTS = 72 / 25.4  # of PDF, in a millimetre
PDF_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
_HANDLE = 0.5523  # of the radius: cubic curves with it make a circle to 0.03 %

Step = tuple[str, tuple[float, ...]]
"""A pen's steps, in SVG's letters: M moves, L draws a line, C a curve, Z closes."""


class Pen(NamedTuple):
    """How steps are drawn: `grey` 0 black to 1 white, filled if the line has no width."""

    name: str
    grey: float = 0.0
    width: float = 0.0
    dash: float = 0.0


INK, BARE_INK = Pen("ink"), Pen("bare", grey=1.0)
CUT, FOLD = Pen("cut", 0.45, 0.15), Pen("fold", 0.6, 0.15, 1.2)
SCALE = Pen("ruler", 0.0, 0.2)


class Stroke(NamedTuple):
    """Steps and the pen that draws them."""

    pen: Pen
    steps: tuple[Step, ...]


class Art(NamedTuple):
    """A face's square of 100 x 100, `edge` wide, its top left at x, y."""

    face: str
    x: float
    y: float
    edge: float


class Text(NamedTuple):
    """Words that start at x, on the baseline y."""

    x: float
    y: float
    height: float
    words: str


Mark = Stroke | Art | Text


class Sheet(NamedTuple):
    """A page of `size` (width, height)."""

    title: str
    size: tuple[float, float]
    marks: tuple[Mark, ...]


# Shapes to steps.


def line(*points: tuple[float, float], close: bool = False) -> tuple[Step, ...]:
    steps = [("LM"[i == 0], point) for i, point in enumerate(points)]
    return (*steps, *((("Z", ()),) if close else ()))


def rounded(x: float, y: float, edge: float, radius: float) -> tuple[Step, ...]:
    """Return a square with round corners; a circle if the radius is half the edge."""
    right, low, reach = x + edge, y + edge, radius * (1 - _HANDLE)
    corners = (
        ((right, y), (-1, 0), (0, 1)),
        ((right, low), (0, -1), (-1, 0)),
        ((x, low), (1, 0), (0, -1)),
        ((x, y), (0, 1), (1, 0)),
    )
    steps: list[Step] = [("M", (x + radius, y))]
    for (cx, cy), (ax, ay), (bx, by) in corners:
        steps.append(("L", (cx + ax * radius, cy + ay * radius)))
        handles = (cx + ax * reach, cy + ay * reach, cx + bx * reach, cy + by * reach)
        steps.append(("C", (*handles, cx + bx * radius, cy + by * radius)))
    return (*steps, ("Z", ()))


def stroke(shape: Shape) -> Stroke:
    """Return a shape of the dice's art; cut-outs are painted white."""
    pen = INK if shape.ink else BARE_INK
    match shape:
        case Polygon(points):
            return Stroke(pen, line(*points, close=True))
        case Polyline(points, width):
            return Stroke(pen._replace(width=width), line(*points))
        case Disc(x, y, radius):
            return Stroke(pen, rounded(x - radius, y - radius, 2 * radius, radius))


# Layout.


def on_die(face: str, x: float, y: float, edge: float) -> Art:
    """Return the art of a face with its top left corner at x, y, sized for a die of that edge."""
    margin = MARGIN["symbols"] * edge
    return Art(face, x + margin, y + margin, edge - 2 * margin)


def net(x: float, y: float, edge: float) -> Iterator[Mark]:
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
                yield Stroke(FOLD, line(*ends))
                # Slanted by 45 degrees, so that tabs that meet in a corner don't overlap.
                share = 1 - 2 * TAB / edge
                tips = [
                    (
                        middle[0] + k * share * along[0] + right * TAB,
                        middle[1] + k * share * along[1] + down * TAB,
                    )
                    for k in (-1, 1)
                ]
                yield Stroke(CUT, line(ends[0], *tips, ends[1]))
            elif beyond not in NET:
                yield Stroke(CUT, line(*ends))
            elif side in "es":
                yield Stroke(FOLD, line(*ends))


def stickers(x: float, y: float, edge: float) -> Iterator[Mark]:
    """Return the six stickers of a die, two side by side."""
    size = edge - BARE
    for number, face in enumerate(FACES):
        left = x + number % 2 * (size + _STICKER_GAP)
        top = y + number // 2 * (size + _STICKER_GAP)
        yield on_die(face, left - BARE / 2, top - BARE / 2, edge)
        yield Stroke(CUT, rounded(left, top, size, CORNER))


def ruler(x: float, y: float) -> Iterator[Mark]:
    yield Stroke(SCALE, line((x, y), (x + RULER, y)))
    for mm in range(0, int(RULER) + 1, 5):
        height = 2.0 if mm % 10 else 4.0
        yield Stroke(SCALE, line((x + mm, y), (x + mm, y - height)))


def sheet(edge: float, paper: str) -> Sheet:
    """Return a sheet: five nets, stickers for five dice and a ruler, within printable margins."""
    size, paper_name = PAPERS[paper], PAPER_NAMES[paper]
    column, row = 3 * edge + _COLUMN_GAP, 4 * edge + TAB + _ROW_GAP
    left = (size[0] - 3 * column + _COLUMN_GAP) / 2
    title = f"bang-companion: dice of {edge:g} mm, {paper_name}"
    marks: list[Mark] = [
        Text(left, _TOP, _LARGE, f"Dice of {edge:g} mm"),
        Text(left + 36, _TOP, _SMALL, f"Print on {paper_name} at 100 %, not fitted to the page."),
    ]
    top = _TOP + 5
    for number in range(DICE):
        marks += net(left + number % 3 * column, top + number // 3 * row, edge)
    beside = left + 2 * column
    marks += ruler(beside, top + row + 8)
    for number, words in enumerate(HELP):
        marks.append(Text(beside, top + row + 13 + 4.2 * number, _SMALL, words))
    top += 2 * row + 4
    block = 2 * (edge - BARE) + _STICKER_GAP + _DIE_GAP
    left = (size[0] - DICE * block + _DIE_GAP) / 2
    marks.append(Text(left, top, _SMALL, f"Stickers of {edge - BARE:g} mm, a block for each die"))
    for number in range(DICE):
        marks += stickers(left + number * block, top + 3, edge)
    return Sheet(title, size, tuple(marks))


# The two formats.


def used(page: Sheet) -> dict[str, tuple[Shape, ...]]:
    """Return the art of the faces on a page."""
    here = {mark.face for mark in page.marks if isinstance(mark, Art)}
    art = zip(FACES, ART["symbols"], strict=True)
    return {face: tuple(shapes) for face, shapes in art if face in here}


def decimal(value: float) -> str:
    return f"{round(value, 3) + 0:g}"


def svg(page: Sheet) -> str:
    width, height = map(decimal, page.size)
    faces = "".join(
        f'<g id="{face}">\n{"".join(svg_mark(stroke(shape)) for shape in shapes)}</g>\n'
        for face, shapes in used(page).items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" '
        'stroke-linecap="round" stroke-linejoin="round">\n'
        f"<title>{page.title}</title>\n<defs>\n{faces}</defs>\n"
        f'<path d="M0 0H{width}V{height}H0Z" fill="#fff"/>\n'
        f"{''.join(map(svg_mark, page.marks))}</svg>\n"
    )


def svg_mark(mark: Mark) -> str:
    match mark:
        case Art(face, x, y, edge):
            place = f"translate({decimal(x)} {decimal(y)}) scale({edge / 100:g})"
            return f'<use href="#{face}" transform="{place}"/>\n'
        case Text(x, y, height, words):
            where = f'x="{decimal(x)}" y="{decimal(y)}"'
            return f'<text {where} font-size="{decimal(height)}">{words}</text>\n'
        case Stroke(pen, steps):
            grey = "#" + f"{round(255 * pen.grey):02x}" * 3
            drawn = "".join(op + " ".join(map(decimal, where)) for op, where in steps)
            paint = f'fill="{grey}"'
            if pen.width:
                paint = f'fill="none" stroke="{grey}" stroke-width="{decimal(pen.width)}"'
            if pen.dash:
                paint += f' stroke-dasharray="{decimal(pen.dash)}"'
            return f'<path class="{pen.name}" d="{drawn}" {paint}/>\n'


def pdf(page: Sheet) -> bytes:
    width, height = (decimal(length * POINTS) for length in page.size)
    turned = f"{POINTS:.6f} 0 0 {-POINTS:.6f} 0 {height} cm 1 J 1 j\n"
    faces = [
        pdf_stream(
            "".join(pdf_mark(stroke(shape)) for shape in shapes),
            "/Type /XObject /Subtype /Form /BBox [0 0 100 100]",
        )
        for shapes in used(page).values()
    ]
    forms = " ".join(f"/{face} {5 + i} 0 R" for i, face in enumerate(used(page), 1))
    return pdf_file(
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R "
        f"/Resources << /Font << /F 5 0 R >> /XObject << {forms} >> >> >>",
        pdf_stream(turned + "".join(map(pdf_mark, page.marks))),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        *faces,
        f"<< /Title ({page.title}) >>",
    )


def pdf_mark(mark: Mark) -> str:
    match mark:
        case Art(face, x, y, edge):
            scale = f"{edge / 100:g}"
            return f"q {scale} 0 0 {scale} {decimal(x)} {decimal(y)} cm /{face} Do Q\n"
        case Text(x, y, height, words):
            where = f"1 0 0 -1 {decimal(x)} {decimal(y)} Tm"
            return f"0 g BT /F {decimal(height)} Tf {where} ({words}) Tj ET\n"
        case Stroke(pen, steps):
            drawn = " ".join(
                " ".join((*map(decimal, where), PDF_OPERATORS[op])) for op, where in steps
            )
            if not pen.width:
                return f"{decimal(pen.grey)} g {drawn} f\n"
            dashes = decimal(pen.dash) if pen.dash else ""
            return f"{decimal(pen.grey)} G {decimal(pen.width)} w [{dashes}] 0 d {drawn} S\n"


def pdf_stream(content: str, entries: str = "") -> str:
    return f"<< {entries} /Length {len(content)} >>\nstream\n{content}endstream"


def pdf_file(*objects: str) -> bytes:
    """Return a file of these objects, numbered from 1: first the catalogue, last the title."""
    file, places = "%PDF-1.4\n", []
    for i, content in enumerate(objects, 1):
        places.append(len(file))
        file += f"{i} 0 obj\n{content}\nendobj\n"
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    return (
        f"{file}xref\n0 {count}\n0000000000 65535 f \n{rows}"
        f"trailer\n<< /Size {count} /Root 1 0 R /Info {count - 1} 0 R >>\n"
        f"startxref\n{len(file)}\n%%EOF\n"
    ).encode("ascii")


def files() -> dict[str, bytes]:
    """Return every sheet in both formats, by file name."""
    drawn = {}
    for edge in EDGES:
        for paper in PAPERS:
            page, name = sheet(edge, paper), f"dice-{edge:g}mm-{paper}"
            drawn[f"{name}.svg"] = svg(page).encode("ascii")
            drawn[f"{name}.pdf"] = pdf(page)
    return drawn


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
