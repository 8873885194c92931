"""Compute the figures of docs/build.md and draw its pictures.

    python -m docs.generate.build docs

Cameras follow the makers' data, resistors Ohm's law, and the wiring the default pins. The tables
are between markers in the page (`<!-- trays -->`); a test compares them with the result.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import atan, degrees, hypot, radians, tan
from pathlib import Path
from typing import NamedTuple

from companion.settings import PinNumbers
from docs.generate import mats
from hardware.camera.interface import SIZE
from hardware.pins import GROUND_PINS, HEADER_PINS
from vision.dice.aim import LEAST_SHARE, MOST_SHARE

# Cameras

DICE = (16.0, 19.0)
"""Edges in millimetres."""
WALL, RIM = 25.0, 15.0
"""Height and thickness of the tray's walls in millimetres."""
TRAYS = ((200, 150), (260, 190), (297, 210), (360, 270))
"""Inner width and depth in millimetres; the third is the paper of the mat."""
ROOM = 1.05
"""How much larger than the tray the view must be, for a camera that isn't quite centred."""


class Camera(NamedTuple):
    """A camera and the picture that the table takes with it.

    If the sensor is wider than the picture, its sides are cut off.
    """

    name: str
    """The name in the tables."""
    view: tuple[float, float]
    """Degrees across and down the whole sensor, according to the maker."""
    aspect: float
    """Width of the sensor divided by its height."""
    size: tuple[int, int]
    """Width and height of the picture, in pixels."""

    def seen(self, distance: float) -> tuple[float, float]:
        """Return the width and depth of the view at a distance, in its unit: 2 d tan(view / 2).

        The lens is assumed to have no distortion.
        """
        across, down = (2 * distance * tan(radians(angle) / 2) for angle in self.view)
        wanted = self.size[0] / self.size[1]
        return (down * wanted, down) if self.aspect > wanted + 0.01 else (across, across / wanted)

    def pixels(self, edge: float, height: float) -> float:
        """Return the width of a die's top face in pixels; both arguments have the same unit."""
        return edge * self.size[0] / self.seen(height - edge)[0]

    def highest(self, edge: float) -> float:
        """Return the greatest height: a die is then as small as the reader allows."""
        return edge + edge / LEAST_SHARE / self.seen(1.0)[0]

    def lowest(self, tray: tuple[int, int], edge: float) -> float:
        """Return the least height: the whole tray is in view and dice aren't too large."""
        wide, deep = self.seen(1.0)
        whole = max((tray[0] + 2 * RIM) / wide, (tray[1] + 2 * RIM) / deep) * ROOM + WALL
        return max(whole, edge + edge / MOST_SHARE / wide)


def from_diagonal(diagonal: float, aspect: tuple[int, int]) -> tuple[float, float]:
    """Return the degrees across and down of a view, given its diagonal."""
    half = tan(radians(diagonal) / 2) / hypot(*aspect)
    return degrees(2 * atan(half * aspect[0])), degrees(2 * atan(half * aspect[1]))


CAMERAS = (
    Camera("Camera Module 2", (62.2, 48.8), 3280 / 2464, SIZE),
    Camera("Camera Module 3", (66.0, 41.0), 4608 / 2592, SIZE),
    Camera("Camera Module 3 Wide", (102.0, 67.0), 4608 / 2592, SIZE),
    Camera("USB camera, 78° diagonal", from_diagonal(78.0, (16, 9)), 16 / 9, (800, 600)),
)
"""Raspberry Pi's documentation, "About the Camera Modules", table of hardware. The last one
is Logitech's C920, which delivers 800 x 600 if 820 x 616 is requested."""

# The light

SUPPLY = 3.3
MOST_MA = 4.0
"""The most current of a pin: the drive strength that every Pi starts with (4 mA on a Pi 4 and 400,
8 mA on earlier ones; Raspberry Pi's documentation, "GPIO", voltage specifications)."""
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)


class Colour(NamedTuple):
    """A colour of the LED."""

    name: str
    """The name in the table."""
    pin: str
    """The setting of its pin."""
    volts: tuple[float, float, float]
    """The lowest, usual and highest voltage drop at 20 mA."""
    paint: str
    """The colour in the drawing."""

    @property
    def resistor(self) -> int:
        """The next larger value of the E12 series, in ohms: R = (supply - volts) / current.

        It keeps even an LED with the lowest voltage drop below the limit.
        """
        least = (SUPPLY - self.volts[0]) / MOST_MA * 1000
        return next(
            value * 10**decade for decade in (1, 2) for value in E12 if value * 10**decade >= least
        )

    def current(self, volts: float) -> float:
        """Return the milliamperes through the resistor for a voltage drop of the LED."""
        return max(0.0, (SUPPLY - volts) / self.resistor * 1000)


COLOURS = (
    Colour("red", "light_red", (1.8, 2.1, 2.4), "#e0402c"),
    Colour("green", "light_green", (2.8, 3.2, 3.8), "#2fae58"),
    Colour("blue", "light_blue", (2.8, 3.2, 3.8), "#3b62e0"),
)
"""Volts of a common three-colour LED: Avago's data sheet ASMT-QTB4-0AA02, table 4."""

# Tables


def trays() -> Iterator[str]:
    """Yield the table of heights that suit each tray."""
    yield "| tray, inside | dice | " + " | ".join(camera.name for camera in CAMERAS) + " |"
    yield "|---" * (len(CAMERAS) + 2) + "|"
    for tray in TRAYS:
        for edge in DICE:
            cells = []
            for camera in CAMERAS:
                low, high = camera.lowest(tray, edge) / 10, camera.highest(edge) / 10
                cells.append(f"{low:.0f} to {high:.0f} cm" if low <= high else "–")
            size = f"{tray[0] / 10:g} x {tray[1] / 10:g} cm"
            yield f"| {size} | {edge:g} mm | " + " | ".join(cells) + " |"


def resistors() -> Iterator[str]:
    """Yield the table of resistors and currents."""
    yield "| colour | voltage drop | resistor | usual and highest current |"
    yield "|---|---|---|---|"
    for colour in COLOURS:
        low, usual, high = colour.volts
        yield (
            f"| {colour.name} | {low} to {high} V, usually {usual} V | {colour.resistor} Ω | "
            f"{colour.current(usual):.1f} mA, {colour.current(low):.1f} mA |"
        )
    total = sum(colour.current(colour.volts[0]) for colour in COLOURS)
    yield f"| all at once | | | at most {total:.1f} mA |"


LAMPS, LENSES = (20, 30, 40, 50), (30, 35, 40)
"""Heights in centimetres above the tray: of lamps, and of the lens."""


def glare_free(half: float, lens: float, lamp: float) -> float:
    """Return how far from the middle a lamp must be, so that the tray doesn't reflect it.

    A flat surface reflects light from height `lamp` to height `lens` at the point where both angles
    are equal: at the share lens / (lens + lamp) of the distance. That must be more than `half` the
    tray. All lengths have the same unit.
    """
    return half * (lens + lamp) / lens


def lamps() -> Iterator[str]:
    """Yield the table of lamps' distances from the middle of a tray."""
    tray = TRAYS[1]
    yield "| height of the lamp | " + " | ".join(f"lens at {lens} cm" for lens in LENSES) + " |"
    yield "|---" * (len(LENSES) + 1) + "|"
    for lamp in LAMPS:
        cells = [f"{glare_free(tray[0] / 20, lens, lamp):.0f} cm" for lens in LENSES]
        yield f"| {lamp} cm | " + " | ".join(cells) + " |"


TABLES = {"trays": trays, "lamps": lamps, "resistors": resistors}


def filled(page: str) -> str:
    """Return the page with its tables as computed here."""
    for name, table in TABLES.items():
        marks = f"<!-- {name} -->", f"<!-- /{name} -->"
        inside = "\n".join((marks[0], *table(), marks[1]))
        page, count = re.subn(
            f"{marks[0]}.*?{marks[1]}", lambda _, text=inside: text, page, flags=re.DOTALL
        )
        assert count == 1, f"the page has {count} places for {name}"
    return page


# Pictures

INK, SOFT, PAPER, CARD = "#3a2719", "#7d614a", "#fffaf0", "#e9dcc6"
GOLD, WOOD, FELT, BLACK = "#d9a02c", "#b98a5e", "#4d5a52", "#222"
RED, GREEN = "#d0402c", "#2f9e56"
PAINTS = ("#b5472f", "#2f6fb5", "#2f8a4e", "#8a4fb0")
"""Of the cameras' curves, in their order."""

Point = tuple[float, float]


class Drawing:
    """An SVG drawing under construction; lengths are its pixels."""

    def __init__(self, title: str, width: int, height: int) -> None:
        self.title, self.size = title, (width, height)
        self.parts: list[str] = []

    def path(
        self, d: str, stroke: str, width: float = 2, fill: str = "none", dash: str = ""
    ) -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<path d="{d}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"{dashes}/>'
        )

    def line(self, points: Iterable[Point], colour: str, width: float = 2, dash: str = "") -> None:
        self.path("M" + "L".join(f"{x:g} {y:g}" for x, y in points), colour, width, dash=dash)

    def wire(self, points: Sequence[Point], colour: str) -> None:
        """Draw a line with a pale edge, so that crossing wires stay distinct."""
        self.line(points, PAPER, 9)
        self.line(points, colour, 5)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>')

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" '
            f'fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
        )

    def say(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 14,
        anchor: str = "start",
        fill: str = INK,
    ) -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
            f'fill="{fill}">{words}</text>'
        )

    def __str__(self) -> str:
        width, height = self.size
        parts = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif" '
            f'stroke-linejoin="round" stroke-linecap="round">\n<title>{self.title}</title>\n'
            f'<path d="M0 0H{width}V{height}H0Z" fill="{PAPER}"/>\n{parts}\n</svg>\n'
        )


# The wiring: the header lies across, with even pins on top, at the board's edge.

PITCH, LEFT, EVEN, ODD = 40, 50, 342, 382
BUTTON_GROUNDS, LIGHT_GROUND = {"green": 9, "red": 14}, 20
"""Pins of the header."""


def at(place: int) -> Point:
    """Return where a pin of the header is drawn."""
    return LEFT + PITCH * ((place - 1) // 2 + 0.5), ODD if place % 2 else EVEN


def wiring() -> Drawing:
    """Draw two buttons below the header and the light above it."""
    pins = PinNumbers()
    grounds = {*BUTTON_GROUNDS.values(), LIGHT_GROUND}
    assert grounds <= set(GROUND_PINS)
    drawing = Drawing("Two buttons and a light on the 40-pin header", 960, 690)
    drawing.parts.append(
        f'<rect x="{LEFT}" y="{EVEN - 24}" width="{20 * PITCH}" height="{ODD - EVEN + 48}" '
        'rx="6" fill="#2b2b2b"/>'
    )
    _light(drawing, pins)
    for name, x in (("green", 150.0), ("red", 430.0)):
        _button(drawing, name, getattr(pins, name), x)
    used = {HEADER_PINS[pin] for pin in (pins.green, pins.red, *pins.light)} | grounds
    for place in range(1, 41):
        x, y = at(place)
        drawing.disc(x, y, 10, GOLD if place in used else "#5c5c5c")
        drawing.say(x, y + 4, str(place), 11, "middle", "#000" if place in used else "#fff")
    drawing.say(LEFT, EVEN - 32, "edge of the board; SD card this way", 12, "start", SOFT)
    right = LEFT + 20 * PITCH
    drawing.say(right, EVEN - 32, "Pi 3, 4, 5: USB sockets this way", 12, "end", SOFT)
    return drawing


def _button(drawing: Drawing, name: str, pin: int, x: float) -> None:
    """Draw a button with its left leg on ground."""
    top, place, ground = 540.0, HEADER_PINS[pin], BUTTON_GROUNDS[name]
    (px, py), (gx, gy) = at(place), at(ground)
    colour = GREEN if name == "green" else RED
    upper, lower = 440.0, 465.0
    if gy == EVEN:
        # Between two pairs of pins, down to the other side.
        gap = gx - PITCH / 2
        way = [(gx, gy), (gap, gy), (gap, lower), (x + 30, lower), (x + 30, top)]
        drawing.wire([(px, py), (px, upper), (x + 110, upper), (x + 110, top)], colour)
    else:
        way = [(gx, gy), (gx, upper), (x + 30, upper), (x + 30, top)]
        drawing.wire([(px, py), (px, lower), (x + 110, lower), (x + 110, top)], colour)
    drawing.wire(way, BLACK)
    drawing.box(x, top, 140, 70, CARD)
    drawing.disc(x + 70, top + 35, 25, colour)
    drawing.say(x + 70, top + 92, f"{name} button", 15, "middle")
    drawing.say(x + 70, top + 110, f"GPIO {pin} (pin {place}), ground (pin {ground})", 12, "middle")


def _light(drawing: Drawing, pins: PinNumbers) -> None:
    x, top, apart = 470.0, 40.0, 56.0
    legs = {"light_red": x, "ground": x + apart, "light_green": x + 2 * apart}
    legs["light_blue"] = x + 3 * apart
    wide = 3 * apart
    dome = f"M{x - 14} {top + 56}a{wide / 2 + 14} 56 0 0 1 {wide + 28} 0Z"
    drawing.path(dome, INK, 2, "#f1ecff")
    drawing.box(x - 24, top + 56, wide + 48, 14, "#ddd6ea")
    drawing.say(x + wide / 2, top + 36, "RGB light", 15, "middle")
    lanes = {"light_red": 236.0, "light_green": 254.0, "light_blue": 272.0, "ground": 290.0}
    ways = [
        (colour.pin, HEADER_PINS[getattr(pins, colour.pin)], colour.paint) for colour in COLOURS
    ]
    for name, place, paint in (*ways, ("ground", LIGHT_GROUND, BLACK)):
        (px, py), leg, lane = at(place), legs[name], lanes[name]
        way = [(leg, top + 70), (leg, lane)]
        if py == ODD:
            gap = px - PITCH / 2
            way += [(gap, lane), (gap, py), (px, py)]
        else:
            way += [(px, lane), (px, py)]
        drawing.wire(way, paint)
    for row, word in enumerate(("longest", "leg")):
        drawing.say(legs["ground"] - 8, top + 158 + 13 * row, word, 11, "end", SOFT)
    for row, colour in enumerate(COLOURS):
        leg, pin = legs[colour.pin], getattr(pins, colour.pin)
        drawing.box(leg - 8, top + 88, 16, 44, "#e6d3ab")
        for band in (98, 106, 114):
            drawing.line([(leg - 7, top + band), (leg + 7, top + band)], WOOD, 3)
        words = f"{colour.name}: {colour.resistor} Ω to GPIO {pin} (pin {HEADER_PINS[pin]})"
        drawing.say(x + wide + 36, top + 90 + 20 * row, words, 13)
    words = f"longest leg: to ground (pin {LIGHT_GROUND}), no resistor"
    drawing.say(x + wide + 36, top + 150, words, 13)


# The camera above the tray, to scale: a centimetre is SCALE pixels.

SCALE = 11


def stand() -> Drawing:
    """Draw a tray, the camera above it and a lamp on each side, from the front."""
    camera, tray, height = CAMERAS[0], TRAYS[1], 35
    drawing = Drawing("A camera above the tray, and two lamps", 1060, 560)
    middle, floor = 480.0, 480.0
    lens = (middle, floor - height * SCALE)
    reach = camera.seen(height)[0] / 2 * SCALE
    cone = f"M{lens[0]:g} {lens[1]:g}L{middle - reach:g} {floor:g}H{middle + reach:g}Z"
    drawing.path(cone, "none", 0, "#efe3b8")
    drawing.path(f"M30 {floor:g}H1030", WOOD, 8)
    inside, rim, wall = (length / 10 * SCALE for length in (tray[0], RIM, WALL))
    for side in (-1, 1):
        edge = middle + side * inside / 2
        drawing.box(min(edge, edge + side * rim), floor - wall, rim, wall, WOOD)
    drawing.line([(middle - inside / 2, floor - 3), (middle + inside / 2, floor - 3)], FELT, 6)
    die = DICE[0] / 10 * SCALE
    for x in (-100, -46, 10, 71, 118):
        drawing.box(middle + x, floor - 6 - die, die, die, "#fffef8")
    for row, width in enumerate((120, 112, 124, 116, 120, 110, 122, 118, 114, 120, 116)):
        colour = ("#a8563f", "#55718c", "#6f8a5b", "#c2a25a")[row % 4]
        drawing.box(880 + row % 3 * 4, floor - 4 - 35 * (row + 1), width, 34, colour)
    pile = floor - 4 - 35 * 11
    drawing.box(middle - 40, pile - 12, 560, 12, "#d8c48c")
    drawing.box(910, pile - 50, 80, 38, "#8c5f7a")
    drawing.box(middle - 22, pile, 44, 14, "#3c7a4c")
    drawing.disc(middle, pile + 15, 7, BLACK)
    drawing.say(895, pile - 22, "a lath under a weight, on books", 13, "end")
    for x in (110.0, 830.0):
        _lamp(drawing, (x, floor), (middle, floor))
    drawing.say(130, floor - 284, "lamps behind baking paper", 13, "middle")
    at_left = middle - reach - 20
    drawing.line([(at_left, lens[1] + 15), (at_left, floor - 8)], SOFT, 1.5, "5 5")
    drawing.say(at_left + 8, floor - 290, f"{height} cm", 15)
    words = f"a tray of {tray[0] / 10:g} x {tray[1] / 10:g} cm"
    drawing.say(middle, floor + 30, words, 14, "middle")
    wide, deep = camera.seen(height)
    words = f"what {camera.name} sees from there: {wide:.0f} x {deep:.0f} cm"
    drawing.say(middle, floor + 52, words, 13, "middle", SOFT)
    return drawing


def _lamp(drawing: Drawing, foot: Point, aim: Point) -> None:
    """Draw a lamp on the table that shines at a point through baking paper."""
    head = (foot[0] + (20 if aim[0] > foot[0] else -20), foot[1] - 250)
    away = hypot(aim[0] - head[0], aim[1] - head[1])
    along = ((aim[0] - head[0]) / away, (aim[1] - head[1]) / away)

    def spot(far: float, beside: float) -> Point:
        return (
            head[0] + far * along[0] - beside * along[1],
            head[1] + far * along[1] + beside * along[0],
        )

    drawing.line([(foot[0], foot[1] - 6), (foot[0], head[1] + 30), head], INK, 5)
    drawing.box(foot[0] - 34, foot[1] - 12, 68, 8, INK)
    outline = [spot(0, -12), spot(50, -34), spot(50, 34), spot(0, 12)]
    shade = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in outline) + "Z"
    drawing.path(shade, INK, 2, "#e3c25f")
    paper = [spot(66, -46), spot(66, 46)]
    drawing.line([(round(x, 1), round(y, 1)) for x, y in paper], "#b3a68c", 5, "1 8")


# The size of dice at each height.


def chart(edge: float = DICE[0]) -> Drawing:
    """Draw a curve for each camera, and the reader's limit."""
    drawing = Drawing(f"How wide a die of {edge:g} mm is in the picture", 900, 470)
    low, high, most = 20, 50, 70
    left, right, top, bottom = 70.0, 640.0, 40.0, 410.0

    def spot(height: float, share: float) -> Point:
        x = left + (height - low) / (high - low) * (right - left)
        return x, bottom - share * SIZE[0] / most * (bottom - top)

    for pixels in range(0, most + 1, 10):
        x, y = spot(low, pixels / SIZE[0])
        drawing.line([(x, y), (right, y)], "#e6d9c3", 1)
        drawing.say(x - 10, y + 5, str(pixels), 13, "end")
    for height in range(low, high + 1, 5):
        x, y = spot(height, 0)
        drawing.line([(x, y), (x, top)], "#e6d9c3", 1)
        drawing.say(x, y + 22, str(height), 13, "middle")
    y = spot(low, LEAST_SHARE)[1]
    drawing.path(f"M{left} {y:g}H{right}V{bottom}H{left}Z", "none", 0, "#f3c9bd")
    drawing.line([(left, y), (right, y)], RED, 2, "7 6")
    drawing.say(left + 8, bottom - 12, "too far: dice are misread", 13, fill="#8d2a1b")
    for row, (camera, paint) in enumerate(zip(CAMERAS, PAINTS, strict=True)):
        heights = [low + step / 2 for step in range(2 * (high - low) + 1)]
        shares = [camera.pixels(edge / 10, height) / camera.size[0] for height in heights]
        points = [spot(*pair) for pair in zip(heights, shares, strict=True)]
        drawing.line([point for point in points if point[1] >= top], paint, 3)
        y = 90 + 30 * row
        drawing.line([(right + 20, y - 5), (right + 50, y - 5)], paint, 4)
        drawing.say(right + 60, y, camera.name, 13)
    drawing.say(left, 24, f"pixels across a die of {edge:g} mm, of {SIZE[0]}", 14)
    drawing.say((left + right) / 2, 455, "lens above the floor of the tray, in cm", 14, "middle")
    return drawing


def files() -> dict[str, bytes]:
    """Return every picture by file name, the mats too."""
    drawn = {"wiring": wiring(), "stand": stand(), "sizes": chart()}
    pictures = {f"{name}.svg": str(drawing).encode() for name, drawing in drawn.items()}
    return pictures | mats.files()


def main() -> None:
    docs = Path(sys.argv[1])
    (docs / "build").mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (docs / "build" / name).write_bytes(content)
    page = docs / "build.md"
    page.write_text(filled(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
