"""Detect dice of any kind, the tray, and what lies over it: the first look at a picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.geometry import Array, FaceBox, Image, suppress_overlaps
from vision.imaging.network import NETWORKS, STRIDE, OnnxNetwork, decode_boxes, planes, sigmoid
from vision.imaging.pyramid import crop, nearest_level, pad

NETWORK = NETWORKS / "detector.onnx"
LONG_SIDES = tuple(416 >> halved for halved in range(4))
"""Pixels of the longer side at which pictures are searched: trays at the first three, for dice from
1/40 to 2/5 of it, close-ups at all, for dice up to 4/5."""
LEAST_SCORE = 0.15
"""Of a box."""
# As vision/training/train_detector.py made the network: a cell for every 8 x 8 pixels, in quarters,
# trained on edges of 10 to 46 pixels. Sides are multiples of _GRID.
_GRID = 32
_COMMON_SIZE = (320, LONG_SIDES[0])  # height and width of most cameras' pictures
_MOST_BOXES = 48  # of which a plaid has many
_MOST_ZOOM = 2.0  # of a closer look
INSIDE = 0.5
"""Probability, or mean of those around a die, from which it counts as in the tray."""
_SURELY_TRAY, _POSSIBLY_TRAY = 0.75, 0.3
# Edges, in pixels of the network's picture, up to which it tells the tray from dice, and hands.
LARGEST_EDGE = 42.0
_LARGEST_UNDER_HANDS = 62.0


@dataclass(frozen=True, slots=True)
class Detections:
    """What the detector saw in one picture."""

    boxes: tuple[FaceBox, ...]
    """Where top faces may be, likeliest first, without overlaps."""
    tray: Array
    """(h, w), in [0, 1]: how likely each cell lies in the tray. The tray is in one piece: 0 in any
    other piece that looks like one, see `tray_piece`."""
    obstacle: Array
    """(h, w), in [0, 1]: how likely each cell shows a hand or another thing."""
    cell: float
    """Edge of a cell, in pixels of the picture."""

    def mean_around(self, mask: Array, box: FaceBox, reach: float) -> float:
        """Return how much of the disc `reach` edges around a box is in `tray` or `obstacle`."""
        part, disc, _ = self._cut_disc(mask, box, reach)
        return cv2.mean(part, disc)[0] if part.size else 0.0

    def obstacle_area(self, edge: float) -> float:
        """Return how much of the tray hands and other things cover, in faces of dice.

        Everything in the convex hull of what surely is the tray counts as tray, covered or not.
        edge: of a die, pixels.
        """
        over = (self.obstacle > 0.5) & (self.tray > _POSSIBLY_TRAY)
        tray = cv2.findNonZero((self.tray > _SURELY_TRAY).astype(np.uint8))
        if over.any() and tray is not None:
            within = np.zeros(over.shape, np.uint8)
            cv2.fillConvexPoly(within, cv2.convexHull(tray), 1)
            over &= within > 0
        return float(over.sum()) * self.cell**2 / edge**2

    def way_out(self, box: FaceBox, reach: float) -> Array | None:
        """Return the way to the tray's end within `reach` edges around a box, None without one.

        A unit vector (2,), x and y, to the middle of all that is outside.
        """
        part, disc, centre = self._cut_disc(self.tray, box, reach)
        outside = np.argwhere((part < INSIDE) & (disc > 0))
        if not len(outside):
            return None
        way = outside.mean(0)[::-1] - centre
        return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6), np.float32)

    def _cut_disc(
        self, mask: Array, box: FaceBox, reach: float
    ) -> tuple[Array, npt.NDArray[np.uint8], tuple[int, int]]:
        """Return the part of a mask around a box, which cells of it lie in the disc, its centre."""
        col, row = int(box.x / self.cell), int(box.y / self.cell)
        radius = max(1, round(reach * box.edge / self.cell))
        top, left = row - radius, col - radius
        part = mask[max(0, top) : max(0, row + radius + 1), max(0, left) : max(0, col + radius + 1)]
        tall, wide = part.shape
        disc = _disc(radius)[max(0, -top) :, max(0, -left) :][:tall, :wide]
        return part, disc, (col - max(0, left), row - max(0, top))


@cache
def _disc(radius: int) -> npt.NDArray[np.uint8]:
    """Return 1 within a circle, (2 * radius + 1, 2 * radius + 1)."""
    disc = np.zeros((2 * radius + 1, 2 * radius + 1), np.uint8)
    return np.asarray(cv2.circle(disc, (radius, radius), radius, 1, cv2.FILLED), np.uint8)


class DiceDetector:
    """The detector's network. Not for two threads at a time."""

    def __init__(self) -> None:
        self._network = OnnxNetwork(NETWORK, 3, *_COMMON_SIZE)

    def detect(
        self,
        levels: Sequence[Image],
        long_side: int = LONG_SIDES[0],
        least_score: float = LEAST_SCORE,
    ) -> Detections:
        """Search a whole picture, scaled to `long_side` pixels; levels: its pyramid."""
        image = levels[0]
        scale = long_side / max(image.shape[:2])
        size = [max(1, round(n * scale)) for n in image.shape[1::-1]]
        small = cv2.resize(nearest_level(levels, scale), size, interpolation=cv2.INTER_LINEAR)
        h, w = small.shape[:2]
        maps = self._maps(pad(small, _GRID))
        tray, obstacle = sigmoid(maps[8:10, : -(-h // STRIDE), : -(-w // STRIDE)])
        boxes, cell = _boxes(maps, scale, least_score), STRIDE / scale
        return Detections(boxes, tray_piece(tray, boxes, cell), obstacle, cell)

    def detect_closer(
        self, levels: Sequence[Image], low: Array, high: Array
    ) -> tuple[FaceBox, ...]:
        """Search a part of a picture, seen larger than `detect` sees the whole.

        low, high: (2,), the part's corners, pixels. It is enlarged as far as the network's picture
        has room, at most _MOST_ZOOM times; where it has none, nothing is searched.
        """
        shape = np.array(levels[0].shape[1::-1])
        whole = LONG_SIDES[0] / max(shape)
        size = np.ceil(shape * whole / _GRID).astype(int) * _GRID
        scale = float(min(_MOST_ZOOM * whole, float(np.min(size / (high - low)))))
        if scale < whole:
            return ()
        part = size / scale
        corner = np.clip((low + high - part) / 2, 0, np.maximum(0, shape - part))
        x, y = (corner + part / 2 - 0.5).tolist()
        back = np.array([[1 / scale, 0], [0, 1 / scale]], np.float32)
        maps = self._maps(crop(levels, x, y, back, (int(size[0]), int(size[1]))))
        return tuple(
            replace(box, x=box.x + float(corner[0]), y=box.y + float(corner[1]))
            for box in _boxes(maps, scale, LEAST_SCORE)
        )

    def _maps(self, picture: Image) -> Array:
        return _interleave(self._network([planes(picture)])[0])


def _interleave(quarters: Array) -> Array:
    """Return maps (c, 2 * h, 2 * w) of (4 * c, h, w), four numbers a channel and cell.

    Here and not in the network, since OpenCV 4.10 can't.
    """
    _, h, w = quarters.shape
    apart = quarters.reshape(-1, 2, 2, h, w).transpose(0, 3, 1, 4, 2)
    return np.ascontiguousarray(apart.reshape(-1, 2 * h, 2 * w))


def fitting_look(looks: Sequence[Detections], edge: float) -> Detections:
    """Return the finest look in which dice with this edge, in pixels, are not too large.

    From afar, hands are missed and skin-coloured tables taken for them, so these are looked for
    from nearer.
    """
    tray, hands = (
        next((look for look in looks if edge * STRIDE < most * look.cell), looks[-1])
        for most in (LARGEST_EDGE, _LARGEST_UNDER_HANDS)
    )
    if hands is tray:
        return tray
    size = tray.obstacle.shape[::-1]
    seen = cv2.resize(hands.obstacle, size, interpolation=cv2.INTER_AREA)
    return replace(tray, obstacle=np.asarray(seen, np.float32))


def tray_piece(mask: Array, boxes: Sequence[FaceBox], cell: float) -> Array:
    """Return a mask (h, w) with 0 in all pieces above a half but the one that is the tray.

    It is the one with most dice in it, and the largest of those. cell: edge of a cell, in pixels.
    """
    count, piece, stats, _ = cv2.connectedComponentsWithStats((mask > INSIDE).astype(np.uint8))
    if count < 3:
        return mask
    end = np.array(mask.shape) - 1
    at = [(box.y / cell, box.x / cell) for box in boxes if box.score > LEAST_SCORE]
    rows, cols = np.clip(np.array(at, int).reshape(-1, 2), 0, end).T
    dice = np.bincount(piece[rows, cols], minlength=count)
    main = 1 + int(np.lexsort((stats[1:, cv2.CC_STAT_AREA], dice[1:]))[-1])
    return np.where((piece == main) | (mask <= INSIDE), mask, np.float32(0))


def _boxes(maps: Array, scale: float, least_score: float) -> tuple[FaceBox, ...]:
    boxes = sorted(decode_boxes(maps, scale, least_score), key=lambda box: -box.score)
    return tuple(boxes[n] for n in suppress_overlaps(boxes[: 3 * _MOST_BOXES])[:_MOST_BOXES])
