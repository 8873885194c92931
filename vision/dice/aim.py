"""Find what to change about camera and lamp, from one picture and what was read in it."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.advice import Advice, Fault, Region
from vision.dice.find.detector import INSIDE, LONG_SIDES, Detections, DiceDetector, fitting_look
from vision.dice.reading import DiceReading, Die, TrayVerdict
from vision.imaging.crop import BURNT
from vision.imaging.geometry import Array, Image
from vision.imaging.pyramid import build_pyramid

# Where reading begins to fail, by the renders of tests/pictures: scaled down, darkened (with noise
# of 2.5 grey levels) and blurred until dice were missed or misread; see docs/dev/benchmarks.md.
LEAST_EDGE = 26
"""Pixels of a top face's edge in a picture 820 wide; in larger ones as large a share of it."""
LEAST_SHARE = LEAST_EDGE / 820
"""The same as a share of the picture's longer side."""
MOST_SHARE = 0.2
"""Of the picture's longer side; five larger dice hardly lie in it beside each other."""
LEAST_LIGHT = 32
"""Grey level that the brightest fiftieth of the tray must reach."""
MOST_BLUR = 0.048
"""Standard deviation of the blur, in edges."""
SHARPEST = 1.4
"""Pixels: the blur that lens and pixels leave in the sharpest picture."""
MOST_BURNT = 0.5
"""Share of a top face that may be burnt out."""
LEAST_DARK = 150
"""Grey level below which something stays visible on a burnt-out face: the pips of a white die."""
MOST_BURNT_TRAY = 0.3
"""Share of the tray."""
LEAST_GLARE = 1.0
"""Top faces that a burnt-out spot beside the dice must cover to be named."""
MOST_UNEVEN = 5.0
"""How many times as bright as its darkest part the tray may be."""
LEAST_TRAY = 0.05
"""Share of the picture."""
MOST_CUT = 0.6
"""Share of a side of the picture at which the tray may seem to go on beyond it."""
_MIDDLE = 0.18
"""Share of the picture round its middle that is on no side."""


class AimAdvisor:
    """Detects the tray in pictures and advises on them. Not for two threads at a time."""

    def __init__(self) -> None:
        self._detector = DiceDetector()

    def advise(self, image: Image, reading: DiceReading) -> tuple[Advice, ...]:
        """Return what to change, the worst first; image: BGR (H, W, 3), with its reading."""
        levels = build_pyramid(image)
        looks = [self._detector.detect(levels, side) for side in LONG_SIDES[:2]]
        edge = float(np.median([die.size for die in reading.dice] or [0.0]))
        return advise(image, reading, fitting_look(looks, edge))


def advise(image: Image, reading: DiceReading, detections: Detections) -> tuple[Advice, ...]:
    """Return what to change about camera and lamp, the worst first; nothing where all is well.

    image: BGR (H, W, 3), with its reading. detections: of the same picture.
    """
    dice = reading.dice
    found_any = bool(dice) or reading.verdict is TrayVerdict.TOO_NEAR
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    tray = _tray(detections, grey.shape[:2])
    seen = tray.mean() >= LEAST_TRAY
    everywhere = tray if seen else np.ones_like(tray)
    if float(np.percentile(grey[everywhere], 98)) < LEAST_LIGHT:
        # Nothing else can be told in the dark.
        return (Advice(Fault.TOO_DARK),)
    found = [
        *([] if seen or found_any else [Advice(Fault.NO_TRAY)]),
        *([] if found_any else [Advice(Fault.NO_DICE)]),
        *_distance_advice(reading, grey.shape[:2]),
        *_edge_advice(dice, detections, grey.shape[:2]),
        *_light_advice(grey, everywhere, dice),
        *_focus_advice(grey, dice),
    ]
    order = list(Fault)
    return tuple(sorted(found, key=lambda advice: order.index(advice.fault)))


def _tray(detections: Detections, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Return which pixels lie in the tray, (H, W)."""
    height, width = shape
    inside = cv2.resize(detections.tray, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(inside > INSIDE)


def _distance_advice(reading: DiceReading, shape: tuple[int, ...]) -> Iterator[Advice]:
    edge, side = float(np.median([die.size for die in reading.dice] or [0.0])), max(shape)
    needed = max(LEAST_EDGE, LEAST_SHARE * side)
    if reading.verdict is TrayVerdict.TOO_NEAR or edge > MOST_SHARE * side:
        yield Advice(Fault.TOO_NEAR)
    elif reading.dice and edge < needed:
        yield Advice(Fault.TOO_FAR, None, round(edge), round(needed))


def _edge_advice(
    dice: Sequence[Die], detections: Detections, shape: tuple[int, ...]
) -> Iterator[Advice]:
    height, width = shape
    inside = detections.tray > INSIDE
    for side, border, reaches in (
        (Region.LEFT, inside[:, 0], [die.x for die in dice]),
        (Region.RIGHT, inside[:, -1], [width - 1 - die.x for die in dice]),
        (Region.TOP, inside[0], [die.y for die in dice]),
        (Region.BOTTOM, inside[-1], [height - 1 - die.y for die in dice]),
    ):
        beyond = any(reach < die.size / 2 for reach, die in zip(reaches, dice, strict=True))
        if beyond or border.mean() > MOST_CUT:
            yield Advice(Fault.CUT_OFF, side)


def _light_advice(
    grey: Image, tray: npt.NDArray[np.bool_], dice: Sequence[Die]
) -> Iterator[Advice]:
    burnt = [die for die in dice if _is_burnt_out(_face(grey, die, 0.8))]
    if (grey[tray] >= BURNT).mean() > MOST_BURNT_TRAY or len(burnt) > 1:
        yield Advice(Fault.TOO_BRIGHT)
        return
    floor = tray.astype(np.uint8)
    for die in dice:
        # With its sides, which may be bright as well.
        cv2.circle(floor, (round(die.x), round(die.y)), round(die.size), 0, -1)
    glare = list(_glare(grey, floor, dice)) or [(die.x, die.y) for die in burnt]
    sides = {_region(x, y, grey.shape) for x, y in glare}
    yield from (Advice(Fault.GLARE, side) for side in Region if side in sides)
    if not glare:
        yield from _evenness_advice(_areas(grey, floor))


def _is_burnt_out(face: Image) -> bool:
    share = float((face >= BURNT).mean())
    return share > MOST_BURNT and float(np.percentile(face, 3)) > LEAST_DARK


def _glare(grey: Image, floor: Image, dice: Sequence[Die]) -> Iterator[tuple[float, float]]:
    """Yield the centres (x, y) of burnt-out patches beside the dice, pixels."""
    width = grey.shape[1]
    edge = float(np.median([die.size for die in dice])) if dice else LEAST_SHARE * width
    mask = ((grey >= BURNT) & (floor > 0)).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] > LEAST_GLARE * edge**2:
            yield float(middles[number, 0]), float(middles[number, 1])


def _region(x: float, y: float, shape: tuple[int, ...]) -> Region:
    height, width = shape[:2]
    across, down = x / width - 0.5, y / height - 0.5
    if max(abs(across), abs(down)) < _MIDDLE:
        return Region.MIDDLE
    if abs(across) >= abs(down):
        return Region.LEFT if across < 0 else Region.RIGHT
    return Region.TOP if down < 0 else Region.BOTTOM


def _areas(grey: Image, floor: Image) -> Array:
    """Return the brightness of parts of the tray's floor, (6, 8), NaN where there is little."""
    out = np.full((6, 8), np.nan, np.float32)
    height, width = grey.shape
    # Walls are in shade: only what lies well inside counts.
    reach = max(3, width // 16) | 1
    core = cv2.erode(floor, np.ones((reach, reach), np.uint8))
    for row in range(6):
        for column in range(8):
            part = np.s_[
                row * height // 6 : (row + 1) * height // 6,
                column * width // 8 : (column + 1) * width // 8,
            ]
            inside = core[part] > 0
            if inside.sum() > 0.3 * inside.size > 0:
                out[row, column] = np.median(grey[part][inside])
    return out


def _evenness_advice(areas: Array) -> Iterator[Advice]:
    known = areas[~np.isnan(areas)]
    if known.size >= 6 and (known.max() + 4) / (known.min() + 4) > MOST_UNEVEN:
        row, column = np.unravel_index(int(np.nanargmin(areas)), areas.shape)
        yield Advice(Fault.UNEVEN, _region(float(column) + 0.5, float(row) + 0.5, areas.shape))


def _focus_advice(grey: Image, dice: Sequence[Die]) -> Iterator[Advice]:
    if len(dice) > 1 and float(np.median([blur(grey, die) for die in dice])) > MOST_BLUR:
        yield Advice(Fault.BLURRED)


def blur(grey: Image, die: Die) -> float:
    """Return how much more blurred a die is than in the sharpest picture.

    The result is a standard deviation in edges, from the steepest slopes of its face and outline:
    a step of height h, blurred by s, rises by h / (s sqrt(2 pi)) at its steepest.
    """
    face = _face(grey, die, 1.5)
    soft = cv2.GaussianBlur(face, (0, 0), 0.7).astype(np.float32)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)) / 8
    dark, bright = np.percentile(soft, (3, 97))
    steepest = float(np.percentile(slope, 99))
    pixels = float(bright - dark + 1) / (max(steepest, 1e-3) * np.sqrt(2 * np.pi))
    return float(np.sqrt(max(0.0, pixels**2 - SHARPEST**2))) / max(die.size, 1.0)


def _face(grey: Image, die: Die, share: float = 1.0) -> Image:
    """Return the square round a die, `share` edges wide, turned with it, unscaled."""
    side = max(4, round(share * die.size))
    turn = np.asarray(cv2.getRotationMatrix2D((die.x, die.y), die.angle, 1.0), np.float64)
    turn[:, 2] += (side - 1) / 2 - np.array([die.x, die.y])
    cut = cv2.warpAffine(grey, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
