"""Draw the faces of the dice for the pages: `python -m docs.generate.faces web/static/faces.svg`.

The shapes are those of vision/simulate/dice/art.py, as on the sheets to print. Paint takes the
page's `fill` and `stroke`; cut-outs take its `color`, which should be the die's.
"""

import sys
from pathlib import Path

from docs.generate.sheets import decimal
from vision.dice.reading import FACES
from vision.simulate.dice.art import ART
from vision.simulate.shapes import Disc, Polygon, Polyline, Shape


def faces_svg() -> str:
    """Return all six faces, each a symbol with its name."""
    symbols = "".join(
        f'<symbol id="{face}" viewBox="0 0 100 100">\n{"".join(map(element, shapes))}</symbol>\n'
        for face, shapes in zip(FACES, ART["symbols"], strict=True)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}</svg>\n'


def element(shape: Shape) -> str:
    """Return a shape as an SVG element."""
    filled = 'stroke="none"' + ("" if shape.ink else ' fill="currentColor"')
    match shape:
        case Polygon(points):
            return f'<path {filled} d="M{path(points)}Z"/>\n'
        case Disc(x, y, radius):
            circle = f'cx="{decimal(x)}" cy="{decimal(y)}" r="{decimal(radius)}"'
            return f"<circle {filled} {circle}/>\n"
        case Polyline(points, width):
            drawn = 'fill="none"' + ("" if shape.ink else ' stroke="currentColor"')
            return f'<path {drawn} stroke-width="{decimal(width)}" d="M{path(points)}"/>\n'


def path(points: tuple[tuple[float, float], ...]) -> str:
    return "L".join(f"{decimal(x)} {decimal(y)}" for x, y in points)


def main() -> None:
    Path(sys.argv[1]).write_text(faces_svg(), encoding="ascii")


if __name__ == "__main__":
    main()
