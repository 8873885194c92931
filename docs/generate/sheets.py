"""Write sheets to print, as SVG and PDF.

SVG and PDF (ISO 32000-1) are written from the same marks: both define a form once and use it often,
and neither needs more here than lines, curves and one font that every reader has. So sheets are the
same bytes wherever they are drawn. Lengths are millimetres, y runs down.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from vision.simulate.shapes import Disc, Polygon, Polyline, Shape

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
PAPER_NAMES = {"a4": "A4", "letter": "US Letter"}
RULER = 50.0

POINTS = 72 / 25.4  # of PDF, in a millimetre
PDF_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
_HANDLE = 0.5523  # of the radius: cubic curves with it make a circle to 0.03 %

Step = tuple[str, tuple[float, ...]]
"""A pen's steps, in SVG's letters: M moves, L draws a line, C a curve, Z closes."""


class Pen(NamedTuple):
    """How steps are drawn: filled if the line has no width."""

    name: str
    grey: float = 0.0
    """0 black to 1 white."""
    width: float = 0.0
    dash: float = 0.0
    colour: tuple[int, int, int] | None = None
    """Red, green and blue, 0 to 255, instead of grey."""


INK, BARE_INK = Pen("ink"), Pen("bare", grey=1.0)
CUT, FOLD = Pen("cut", 0.45, 0.15), Pen("fold", 0.6, 0.15, 1.2)
SCALE = Pen("ruler", 0.0, 0.2)


class Stroke(NamedTuple):
    """Steps and the pen that draws them."""

    pen: Pen
    steps: tuple[Step, ...]


class Form(NamedTuple):
    """Strokes that a sheet uses often."""

    strokes: tuple[Stroke, ...]
    size: tuple[float, float] = (100, 100)
    """Width and height, in units of its own; what lies beyond is cut off."""


class Art(NamedTuple):
    """A form with its top left at x, y."""

    form: str
    x: float
    y: float
    scale: float
    """Millimetres of one of its units."""


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
    forms: Mapping[str, Form] = {}
    """By name, those that its marks use."""


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


def ruler(x: float, y: float) -> Iterator[Mark]:
    yield Stroke(SCALE, line((x, y), (x + RULER, y)))
    for mm in range(0, int(RULER) + 1, 5):
        height = 2.0 if mm % 10 else 4.0
        yield Stroke(SCALE, line((x + mm, y), (x + mm, y - height)))


def write_files(files: Mapping[str, bytes]) -> None:
    """Write files into the folder that the command names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


# The two formats.


def decimal(value: float) -> str:
    return f"{round(value, 3) + 0:g}"


def svg(page: Sheet) -> str:
    width, height = map(decimal, page.size)
    forms = "".join(
        f'<g id="{name}">\n{"".join(map(svg_mark, form.strokes))}</g>\n'
        for name, form in page.forms.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" '
        'stroke-linecap="round" stroke-linejoin="round">\n'
        f"<title>{escape(page.title)}</title>\n<defs>\n{forms}</defs>\n"
        f'<path d="M0 0H{width}V{height}H0Z" fill="#fff"/>\n'
        f"{''.join(map(svg_mark, page.marks))}</svg>\n"
    )


def svg_mark(mark: Mark) -> str:
    match mark:
        case Art(form, x, y, scale):
            place = f"translate({decimal(x)} {decimal(y)}) scale({scale:g})"
            return f'<use href="#{form}" transform="{place}"/>\n'
        case Text(x, y, height, words):
            where = f'x="{decimal(x)}" y="{decimal(y)}"'
            text = escape(words).encode("ascii", "xmlcharrefreplace").decode()
            return f'<text {where} font-size="{decimal(height)}">{text}</text>\n'
        case Stroke(pen, steps):
            shade = "#" + "".join(
                f"{part:02x}" for part in pen.colour or (round(255 * pen.grey),) * 3
            )
            drawn = "".join(op + " ".join(map(decimal, where)) for op, where in steps)
            paint = f'fill="{shade}"'
            if pen.width:
                paint = f'fill="none" stroke="{shade}" stroke-width="{decimal(pen.width)}"'
            if pen.dash:
                paint += f' stroke-dasharray="{decimal(pen.dash)}"'
            return f'<path class="{pen.name}" d="{drawn}" {paint}/>\n'


def pdf(*pages: Sheet) -> bytes:
    """Return the file of pages that have one size, one set of forms and one title."""
    first = pages[0]
    width, height = (decimal(length * POINTS) for length in first.size)
    turned = f"{POINTS:.6f} 0 0 {-POINTS:.6f} 0 {height} cm 1 J 1 j\n"
    font = 3 + 2 * len(pages)
    forms = " ".join(f"/{name} {font + i} 0 R" for i, name in enumerate(first.forms, 1))
    kids = " ".join(f"{3 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
    ]
    for i, page in enumerate(pages):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] "
            f"/Contents {4 + 2 * i} 0 R "
            f"/Resources << /Font << /F {font} 0 R >> /XObject << {forms} >> >> >>",
            pdf_stream(turned + "".join(map(pdf_mark, page.marks))),
        ]
    return pdf_file(
        *objects,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        *(
            pdf_stream(
                "".join(map(pdf_mark, form.strokes)),
                f"/Type /XObject /Subtype /Form /BBox [0 0 {form.size[0]:g} {form.size[1]:g}]",
            )
            for form in first.forms.values()
        ),
        f"<< /Title ({pdf_text(first.title)}) >>",
    )


def pdf_mark(mark: Mark) -> str:
    match mark:
        case Art(form, x, y, scale):
            return f"q {scale:g} 0 0 {scale:g} {decimal(x)} {decimal(y)} cm /{form} Do Q\n"
        case Text(x, y, height, words):
            where = f"1 0 0 -1 {decimal(x)} {decimal(y)} Tm"
            return f"0 g BT /F {decimal(height)} Tf {where} ({pdf_text(words)}) Tj ET\n"
        case Stroke(pen, steps):
            drawn = " ".join(
                " ".join((*map(decimal, where), PDF_OPERATORS[op])) for op, where in steps
            )
            shade, operator = decimal(pen.grey), "g"
            if pen.colour is not None:
                shade, operator = " ".join(decimal(part / 255) for part in pen.colour), "rg"
            if not pen.width:
                return f"{shade} {operator} {drawn} f\n"
            dashes = decimal(pen.dash) if pen.dash else ""
            line_of = f"{shade} {operator.upper()} {decimal(pen.width)} w [{dashes}] 0 d"
            return f"{line_of} {drawn} S\n"


def pdf_text(words: str) -> str:
    """Return words as a string's content in ASCII, in the encoding of the font."""
    return "".join(
        chr(code) if 32 <= code < 127 and chr(code) not in "()\\" else f"\\{code:03o}"
        for code in words.encode("cp1252")
    )


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
