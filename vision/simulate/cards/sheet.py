"""Render one card: where its bent sheet lies in space, its sleeve, its shadow, and the lamp in it.

For each ray through a pixel, the point of the sheet that it meets is found by going from height to
height until both agree, which a sheet that bends little allows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.camera import (
    Box,
    Floats,
    Image,
    PinholeCamera,
    composite,
    fixed_point,
    join_boxes,
)
from vision.simulate.cards.art import CARD, CORNER
from vision.simulate.lens import light_direction
from vision.simulate.settings import RenderSettings

Mask = NDArray[np.bool_]

_HALF = np.array(CARD) / 20
"""Half the width and the height of a card, cm."""
_RIM = 0.15
"""By how much a sleeve is larger than its card on each side, cm."""
_LAMP = 70.0
"""How high the lamp hangs that sleeves mirror, cm."""
_PITCH = 0.5
"""Pixels between two samples of a card that lies still."""
_COARSE = 8
"""Samples from ray to ray: between them, where rays meet a sheet changes evenly."""
_MARGIN = 6
"""Pixels around a card that are drawn with it."""
_PART = 8
"""Rays across a part of a card, which is drawn only where something of it is to be seen."""
_SURELY = 0.2
"""How far within its edge a card surely hides what is below, cm."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card in the tray."""

    title: str
    """Its title."""
    sign: str
    """Its rank and suit, as in `10S`."""
    x: float
    """Middle, cm right of the middle of the floor."""
    y: float
    """Middle, cm above the middle of the floor as the picture shows it."""
    angle: float
    """Turn, degrees."""
    z: float = 0.0
    """How high its lowest point lies, cm."""
    face_up: bool = True
    """Whether it shows its face."""
    lift: float = 0.0
    """By how much one end is bent up, cm."""
    bow: float = 0.0
    """By how much its middle is bent up, cm; negative: both ends are."""
    bent_along: float = 90.0
    """Which way it bends, degrees from its own right side."""
    slid: float = 0.0
    """How far it has slid out of its sleeve, towards its own top, cm."""

    def move(self, right: float, up: float, turned: float) -> "PlacedCard":
        """Return the card moved by cm and turned by degrees about the middle of the floor."""
        turn = np.radians(turned)
        x = np.cos(turn) * self.x - np.sin(turn) * self.y + right
        y = np.sin(turn) * self.x + np.cos(turn) * self.y + up
        return replace(self, x=float(x), y=float(y), angle=self.angle + turned)

    def height(self, across: Floats, along: Floats) -> Floats:
        """Return how high points of the sheet are, cm; in cm from its middle, right and up."""
        turn = np.radians(self.bent_along)
        reach = abs(np.cos(turn)) * _HALF[0] + abs(np.sin(turn)) * _HALF[1]
        way = (np.cos(turn) * across + np.sin(turn) * along) / reach
        bow = self.bow * (1 - way**2) if self.bow > 0 else -self.bow * way**2
        return np.asarray(self.z + self.lift * ((way + 1) / 2) ** 2 + bow, np.float32)

    def to_world(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return points (n, 2) of the sheet, cm from its middle, as world points (n, 3)."""
        turn = np.radians(self.angle)
        across, along = points[:, 0], points[:, 1]
        return np.column_stack(
            (
                self.x + np.cos(turn) * across - np.sin(turn) * along,
                self.y + np.sin(turn) * across + np.cos(turn) * along,
                self.height(np.asarray(across, np.float32), np.asarray(along, np.float32)),
            )
        )


class SleeveSettings(NamedTuple):
    """How sleeves shine."""

    lamp: tuple[float, float] | None = None
    """Where on the floor one would see the lamp mirrored, cm; None: nowhere."""
    glare: float = 0.8
    """How bright the mirrored lamp is, 0 to 1."""
    size: float = 2.5
    """How large it seems, cm."""


class _Sheet(NamedTuple):
    """What the rays through a part of a picture meet of a card's plane, bent as the card is."""

    across: Floats
    """(h, w): cm right of the card's middle, as the card lies upright."""
    along: Floats
    """(h, w): cm above it."""
    lit: Floats
    """(h, w): how brightly it is lit, 1 where it lies flat."""
    mirrored: Floats | None
    """(h, w): how much of the lamp a sleeve mirrors, 0 to 1; None: nothing anywhere."""

    def refine(self, part: Box) -> "_Sheet":
        """Return it at all samples of a part, which is in rays."""
        across, along, lit = (_refine(values, part) for values in self[:3])
        mirrored = None if self.mirrored is None else _refine(self.mirrored, part)
        return _Sheet(across, along, lit, mirrored)


class _Shadow(NamedTuple):
    """Where the shadow of a card falls onto one height."""

    points: NDArray[np.float64]
    """World points (n, 3) around it."""
    soft: float
    """Of its rim, pixels of a picture 820 wide."""
    darkness: float
    """Share of the light that is missing."""
    above: bool | None
    """Whether it falls onto what lies higher than half of the card, or lower; None: onto both."""


class CardPainter:
    """Draws cards into pictures of one tray."""

    def __init__(
        self, settings: RenderSettings, camera: PinholeCamera, sleeve: SleeveSettings | None = None
    ) -> None:
        """Draw as `camera` sees it; sleeve: None where cards have none."""
        self._settings, self._camera, self._sleeve = settings, camera, sleeve
        self._light = light_direction(settings)
        self._scale = camera.size[0] / 820
        self._rim = _RIM if sleeve else 0.0

    def corners(self, card: PlacedCard) -> Floats:
        """Return the corners (4, 2) in pixels, clockwise from the card's own top left."""
        w, h = _HALF
        world = card.to_world(np.array(((-w, h), (w, h), (w, -h), (-w, -h))))
        return np.asarray(self._camera.project(world), np.float32)

    def reach(self, card: PlacedCard) -> Box | None:
        """Return the part of a picture that a card changes, with its shadows; None if none."""
        boxes = [self._shadow_box(shadow) for shadow in self._shadows(card)]
        return join_boxes([*boxes, self._box([card])])

    def cover(self, numbers: NDArray[np.int16], card: PlacedCard, number: int) -> None:
        """Write a number wherever a card surely hides all that lies below it, in place."""
        inner = self._camera.project(card.to_world(_edge(-_SURELY)))
        hull = cv2.convexHull(np.rint(inner).astype(np.int32))
        cv2.fillConvexPoly(numbers, hull, number)

    def shade(
        self, picture: Floats, card: PlacedCard, ground: Floats, visible: Mask | None = None
    ) -> None:
        """Darken what lies below and beside a card, in place.

        ground: (H, W), how high what the picture shows is, cm. visible: (H, W), where it is to be
        seen in the end; elsewhere it may be left out.
        """
        for shadow in self._shadows(card):
            box = self._shadow_box(shadow)
            if box is None:
                continue
            left, top, right, bottom = box
            layer = np.zeros((bottom - top, right - left), np.uint8)
            around = self._camera.project(shadow.points) - (left, top)
            hull = cv2.convexHull(around.astype(np.float32))
            cv2.fillConvexPoly(layer, fixed_point(hull), 255, cv2.LINE_AA, 4)
            layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), shadow.soft * self._scale))
            there = layer > 0
            if shadow.above is not None:
                there &= (ground[top:bottom, left:right] > card.z / 2) == shadow.above
            if visible is not None:
                there &= visible[top:bottom, left:right]
            rows, columns = np.nonzero(there)
            # A few pixels out of many: most of a card in a pile lies below others.
            places = (rows + top) * picture.shape[1] + columns + left
            darker = layer[rows, columns] * np.float32(shadow.darkness / 255)
            picture.reshape(-1, 3)[places] *= (1 - darker)[:, None]

    def add(
        self,
        picture: Floats,
        cards: Sequence[PlacedCard],
        print_of_card: Image,
        ground: Floats | None = None,
        visible: Mask | None = None,
    ) -> None:
        """Draw one card in place; several places are its way while the shutter is open.

        print_of_card: what it shows, (h, w, 3), upright. ground: (H, W), how high what the picture
        shows is, cm; the card is added to it. visible: as in `shade`.
        """
        box = self._box(cards)
        if box is None:
            return
        # What moves is smeared anyway.
        pitch = _PITCH if len(cards) == 1 else 2.0
        rays = self._camera.rays(box, pitch * _COARSE)
        sheets = [self._intersect(card, rays) for card in cards]
        if len(cards) == 1:
            parts = self._visible_parts(cards[0], box, visible)
        else:
            parts = [(0, 0, rays.shape[2], rays.shape[1])]
        for part in parts:
            painted = [
                self._paint(card, sheet.refine(part), print_of_card, pitch)
                for card, sheet in zip(cards, sheets, strict=True)
            ]
            smeared = painted[0] if len(cards) == 1 else np.mean(painted, axis=0)
            left, top, right, bottom = (
                round(start + each * pitch * _COARSE)
                for start, each in zip((*box[:2], *box[:2]), part, strict=True)
            )
            there = (left, top, min(right, box[2]), min(bottom, box[3]))
            drawn = composite(picture, smeared, pitch, there)
            if ground is not None:
                level = ground[there[1] : there[3], there[0] : there[2]]
                np.copyto(level, np.float32(cards[0].z + 0.03), where=drawn[..., 3] > 0.5)

    def _visible_parts(self, card: PlacedCard, box: Box, visible: Mask | None) -> list[Box]:
        """Return the parts of a card's box in which something of it is to be seen, in rays."""
        left, top, right, bottom = box
        edge = _edge(self._rim + 0.1)
        # Where its card has slid out, a sleeve lies further down.
        edge = np.concatenate((edge, edge - (0, card.slid)))
        around = self._camera.project(card.to_world(edge)) - (left, top)
        seen = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(seen, cv2.convexHull(np.rint(around).astype(np.int32)), 1)
        if visible is not None:
            seen &= visible[top:bottom, left:right]
        side = round(_PITCH * _COARSE)
        size = (-(-seen.shape[1] // side), -(-seen.shape[0] // side))
        parts = []
        for row in range(0, size[1], _PART):
            there = cv2.reduce(seen[row * side : (row + _PART) * side], 0, cv2.REDUCE_MAX)[0]
            starts = np.maximum.reduceat(there, range(0, seen.shape[1], _PART * side))
            ends = np.flatnonzero(np.diff(np.concatenate(([0], starts, [0]))))
            parts += [
                (first * _PART, row, min(last * _PART, size[0]), min(row + _PART, size[1]))
                for first, last in ends.reshape(-1, 2).tolist()
            ]
        return parts

    def _paint(self, card: PlacedCard, sheet: _Sheet, print_of_card: Image, pitch: float) -> Floats:
        """Return what is seen of a card: B, G, R times its cover, and the cover.

        pitch: pixels of a sample.
        """
        pixel = float(pitch * self._settings.height / self._camera.focal)
        cover = _coverage(sheet.across, sheet.along, _HALF, CORNER / 10, pixel)
        tall, wide = print_of_card.shape[:2]
        x = sheet.across * np.float32(wide / CARD[0] * 10) + np.float32(wide / 2 - 0.5)
        y = np.float32(tall / 2 - 0.5) - sheet.along * np.float32(tall / CARD[1] * 10)
        seen = cv2.remap(print_of_card, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        # Channel by channel: spread over all three, NumPy takes several times as long.
        light = 0.92 * sheet.lit
        colours = [channel * light for channel in cv2.split(seen)]
        if self._sleeve is None:
            return np.asarray(cv2.merge([*(c * cover for c in colours), cover]), np.float32)
        half = _HALF + self._rim
        inside = _coverage(sheet.across, sheet.along + card.slid, half, 0.08, pixel)
        film = np.float32(232.0) * sheet.lit
        shine = 0.0 if sheet.mirrored is None else sheet.mirrored * (255 * self._sleeve.glare)
        colours = [(1 - inside) * c + inside * (0.93 * c + 0.06 * film + shine) for c in colours]
        # The rim of the sleeve is milky, and brightest at its edge.
        edge = np.maximum(
            abs(sheet.across) - half[0] + 0.05, abs(sheet.along + card.slid) - half[1] + 0.05
        )
        milky = inside * (1 - cover) * np.where(edge > 0, 0.45, 0.22)
        rim = milky * film + inside * (1 - cover) * shine
        whole = np.clip(cover + milky, 0, 1)
        planes = [*(c * cover + rim for c in colours), whole]
        return np.asarray(cv2.merge([plane.astype(np.float32) for plane in planes]), np.float32)

    def _intersect(self, card: PlacedCard, rays: Floats) -> _Sheet:
        """Return where rays (3, h, w) meet the sheet of a card."""
        origin = self._camera.origin
        turn = np.radians(card.angle)
        height = np.full(rays.shape[1:], card.z, np.float32)
        bent = card.lift or card.bow
        for _ in range(4 if bent else 1):
            far = (height - origin[2]) / rays[2]
            x, y = origin[0] + far * rays[0] - card.x, origin[1] + far * rays[1] - card.y
            across = np.asarray(np.cos(turn) * x + np.sin(turn) * y, np.float32)
            along = np.asarray(np.cos(turn) * y - np.sin(turn) * x, np.float32)
            height = card.height(np.clip(across, -4, 4), np.clip(along, -5.5, 5.5))
        normal = self._normal(card, across, along)
        facing = np.maximum(np.tensordot(self._light, normal, 1), 0) / self._light[2]
        ambient = self._settings.ambient
        lit = np.minimum(ambient + (1 - ambient) * facing, 1.25).astype(np.float32)
        return _Sheet(across, along, lit, self._mirror_lamp(normal, rays, x + card.x, y + card.y))

    def _normal(self, card: PlacedCard, across: Floats, along: Floats) -> Floats:
        """Return unit normals (3, h, w) of a card's sheet in the world."""
        step = np.float32(0.05)
        here = card.height(across, along)
        right = (card.height(across + step, along) - here) / step
        up = (card.height(across, along + step) - here) / step
        turn = np.radians(card.angle)
        normal = np.stack(
            (
                -(np.cos(turn) * right - np.sin(turn) * up),
                -(np.sin(turn) * right + np.cos(turn) * up),
                np.ones_like(right),
            )
        )
        return np.asarray(normal / np.linalg.norm(normal, axis=0), np.float32)

    def _mirror_lamp(self, normal: Floats, rays: Floats, x: Floats, y: Floats) -> Floats | None:
        """Return how much of the lamp a shiny sheet mirrors at places of the floor."""
        if self._sleeve is None or self._sleeve.lamp is None:
            return None
        spot = np.array(self._sleeve.lamp)
        origin = self._camera.origin
        lamp = spot + (spot - origin[:2]) * (_LAMP / origin[2])
        # Where the mirrored ray passes the lamp's height.
        bounced = rays - 2 * (rays * normal).sum(axis=0) * normal
        far = _LAMP / np.maximum(bounced[2], 0.05)
        off = np.hypot(x + far * bounced[0] - lamp[0], y + far * bounced[1] - lamp[1])
        size = self._sleeve.size * (1 + _LAMP / origin[2])
        return np.asarray(np.exp(-((off / size) ** 4)), np.float32)

    def _shadows(self, card: PlacedCard) -> Iterator[_Shadow]:
        edge = card.to_world(_edge(0.0))
        slant = self._light[:2] / self._light[2]
        beneath = (0.0, card.z) if card.z > 0.2 else (card.z,)
        for level in beneath:
            fallen = edge.copy()
            fallen[:, :2] -= slant * (edge[:, 2:] - level)
            fallen[:, 2] = level
            soft = 1.2 + 2.5 * float((edge[:, 2] - level).mean())
            darkness = (1 - self._settings.ambient) * 0.9
            above = None if len(beneath) == 1 else level > 0
            yield _Shadow(fallen, soft, darkness, above)
        near = card.to_world(_edge(0.06))
        near[:, 2] = card.z
        yield _Shadow(near, 1.6, 0.3, None)

    def _shadow_box(self, shadow: _Shadow) -> Box | None:
        margin = ceil(3 * shadow.soft * self._scale) + 1
        return self._camera.box(shadow.points, margin, margin)

    def _box(self, cards: Sequence[PlacedCard]) -> Box | None:
        """Return the part of a picture in which one card is drawn, in all these places."""
        around = _edge(self._rim + 0.1)
        edges = np.concatenate([card.to_world(around) for card in cards])
        return self._camera.box(edges, _MARGIN, _MARGIN)


@cache
def _edge(wider: float) -> NDArray[np.float64]:
    """Return points along the edge of a card or of its sleeve, cm from the middle."""
    w, h = _HALF + wider
    way = np.linspace(-1, 1, 9)[:-1]
    one = np.ones_like(way)
    sides = ((way, one), (one, -way), (-way, -one), (-one, way))
    return np.concatenate([np.column_stack((x * w, y * h)) for x, y in sides])


def _refine(values: Floats, part: Box) -> Floats:
    """Return values for all samples of a part from those that have rays; part: in rays."""
    left, top, right, bottom = part
    # Between two rays, both count.
    x, y = max(0, left - 1), max(0, top - 1)
    values = values[y : bottom + 1, x : right + 1]
    tall, wide = values.shape
    size = (wide * _COARSE, tall * _COARSE)
    fine = np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_LINEAR), np.float32)
    rows = slice((top - y) * _COARSE, (bottom - y) * _COARSE)
    return fine[rows, (left - x) * _COARSE : (right - x) * _COARSE]


def _coverage(
    across: Floats, along: Floats, half: NDArray[np.float64], corner: float, pixel: float
) -> Floats:
    """Return how much of each pixel lies in a rectangle with round corners; all in cm."""
    # Single precision, as the coordinates are: NumPy's own numbers would double it.
    x, y = (
        np.maximum(abs(values) - np.float32(reach - corner), 0)
        for values, reach in zip((across, along), half, strict=True)
    )
    return np.asarray(np.clip((corner - cv2.magnitude(x, y)) / pixel + 0.5, 0, 1), np.float32)
