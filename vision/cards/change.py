"""Find what changed in a tray since the picture before, and the outline of a card in its place."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.outline import LEAST_AREA
from vision.cards.sides import (
    HALF,
    SAMPLES,
    Mask,
    Outline,
    StraightLine,
    area_of,
    begin_with_short_side,
    fit_line,
    glare_mask,
    intersect,
    order_clockwise,
    places_across,
    sample,
    sides_of,
)
from vision.imaging.geometry import Image

_RIM = 0.015
"""Share of the picture's width over which what changed reaches the rim, where an arm comes in."""
_AROUND = 51
"""Pixels of half the size, between the lines that differ where cards lie on each other."""
_SLIVERS = 0.06
"""The share of an outline that another leaves free at least, if the two lie apart."""

FILLED = 0.9
"""The share of an outline that must have changed, and the share of the change that it must hold,
where one card was laid. Hands over the pile fill 0.88 of their box at most, pushed piles 0.9."""

Box = tuple[int, int, int, int]
"""A part of a picture: left, top, width and height."""


class ChangedRegion(NamedTuple):
    """A connected part of what changed."""

    outline: Outline
    """The card that fits it best."""
    box: Box
    """The part of the picture that the masks show."""
    mask: Mask
    """Its pixels."""
    whole: Mask
    """The same without holes: what has one colour in both pictures seems unchanged."""
    blind: Mask
    """What is burnt out in both pictures: it says nothing."""
    reaches_rim: bool
    """Whether it reaches the rim of the picture."""

    def share_of(self, outline: Outline) -> float:
        """Return the share of an outline that has changed, holes included."""
        inside = self._draw(outline)
        seen = _pixel_count(outline) - int((inside & self.blind & ~self.whole).sum())
        return float((inside & self.whole).sum() / max(1, seen))

    def share_beside(self, outline: Outline, other: Outline) -> float:
        """Return the share of an outline that has changed where another doesn't cover it.

        0 where the two lie on each other, but for slivers.
        """
        drawn = self._draw(outline)
        beside = drawn & ~self._draw(other)
        if beside.sum() < _SLIVERS * drawn.sum():
            return 0.0
        return float((beside & self.whole).sum() / beside.sum())

    def share_within(self, outline: Outline, wider: float = 1.0) -> float:
        """Return the share of the region that lies in an outline made `wider`."""
        middle = outline.mean(axis=0)
        inside = self._draw(middle + (outline - middle) * wider)
        return float((self.mask & inside).sum() / max(1, self.mask.sum()))

    @property
    def straight_share(self) -> float:
        """The share of the line around it that consists of long straight pieces."""
        edge = float(self.whole.sum()) ** 0.5
        wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(0.06 * edge) + 1,) * 2)
        core = cv2.morphologyEx(self.whole.astype(np.uint8), cv2.MORPH_OPEN, wide)
        rims, _ = cv2.findContours(core, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if not rims:
            return 0.0
        hull = cv2.convexHull(max(rims, key=len))
        corners = cv2.approxPolyDP(hull, 0.01 * edge, True)[:, 0].astype(np.float64)
        lengths = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        return float(lengths[lengths > 0.3 * edge].sum() / lengths.sum())

    def _draw(self, outline: Outline) -> Mask:
        return _fill(outline - self.box[:2], self.mask.shape)


class Changes:
    """Where two pictures (H, W, 3) of one tray differ. Their exposures may differ."""

    def __init__(self, before: Image, after: Image) -> None:
        """Compare the pictures; they have one size."""
        self.before, self.after = before, after
        self._size = (after.shape[1] // HALF, after.shape[0] // HALF)
        then, now = (
            np.asarray(cv2.resize(each, self._size, interpolation=cv2.INTER_AREA), np.uint8)
            for each in (before, after)
        )
        pairs = zip(cv2.split(then), cv2.split(now), strict=True)
        self._ratios = [_light_ratio(*pair) for pair in pairs]
        amount = difference(then, now, self._ratios, 0.7)
        self._noise = float(np.median(amount[::4, ::4]))
        _, changed = cv2.threshold(amount, 12.0 + 4.0 * self._noise, 1, cv2.THRESH_BINARY)
        self._changed = cv2.medianBlur(changed, 3)

    def amount(self) -> Image:
        """Return how much each channel differs, (H, W, 3), grey levels."""
        lit = _relight(self.before, self._ratios)
        return np.asarray(cv2.absdiff(self.after, lit), np.uint8)

    def find_region(self, wide: bool = False) -> ChangedRegion | None:
        """Return the largest part that differs; None where no card could fill it.

        wide: with what differs around it. Where a card lies exactly on another, their rims differ
        in thin lines.
        """
        gaps = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
        if wide:
            gaps = np.ones((_AROUND, _AROUND), np.uint8)
        size, before, after = self._size, self.before, self.after
        closed = cv2.morphologyEx(self._changed, cv2.MORPH_CLOSE, gaps)
        labels, parts, found, _ = cv2.connectedComponentsWithStats(closed)
        if labels < 2:
            return None
        part = 1 + int(np.argmax(found[1:, cv2.CC_STAT_AREA]))
        x, y, w, h, area = (int(value) for value in found[part])
        if area < LEAST_AREA * closed.size:
            return None
        rims = (parts[0], parts[-1], parts[:, 0], parts[:, -1])
        reaches_rim = max(int((rim == part).sum()) for rim in rims) > _RIM * size[0]
        edge = HALF * float(area) ** 0.5
        margin = round(0.07 * edge) + 4
        left, top = max(0, x - margin), max(0, y - margin)
        right, bottom = min(size[0], x + w + margin), min(size[1], y + h + margin)
        mask = np.asarray(parts[top:bottom, left:right] == part, np.uint8)
        rim, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        whole = np.asarray(cv2.drawContours(np.zeros_like(mask), rim, -1, 1, cv2.FILLED), np.uint8)
        box = (HALF * left, HALF * top, HALF * (right - left), HALF * (bottom - top))
        rows, columns = slice(box[1], box[1] + box[3]), slice(box[0], box[0] + box[2])
        # Noise that is not averaged over four pixels is larger.
        least = 12.0 + 5.6 * self._noise
        larger = difference(before[rows, columns], after[rows, columns], self._ratios, 1.0)
        fitted = _fit_outline(larger, least, _rough_outline(whole, edge / HALF), edge)
        burnt = cv2.bitwise_and(*(glare_mask(each[rows, columns]) for each in (before, after)))
        return ChangedRegion(
            begin_with_short_side(fitted + box[:2]),
            box,
            _enlarge(mask, box),
            _enlarge(whole, box),
            cv2.dilate(burnt, np.ones((9, 9), np.uint8)) > 0,
            reaches_rim,
        )


def difference(before: Image, after: Image, ratios: Sequence[float], soft: float) -> Image:
    """Return the difference of two pictures in the channel that differs most, (H, W), grey levels.

    ratios: the factors by which the light grew, by channel. soft: pixels of blur.
    """
    then, now = (cv2.GaussianBlur(each, (0, 0), soft) for each in (before, after))
    blue, green, red = cv2.split(cv2.absdiff(now, _relight(then, ratios)))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _relight(picture: cv2.typing.MatLike, ratios: Sequence[float]) -> cv2.typing.MatLike:
    """Return a picture as it is in a light that has grown by factors, by channel."""
    return cv2.merge([
        cv2.convertScaleAbs(channel, alpha=ratio)
        for channel, ratio in zip(cv2.split(picture), ratios, strict=True)
    ])  # fmt: skip


def _light_ratio(then: cv2.typing.MatLike, now: cv2.typing.MatLike) -> float:
    """Return the factor by which the light grew; most of the picture shows the same."""
    one, other = then[::4, ::4].astype(np.float32), now[::4, ::4].astype(np.float32)
    lit = (one > 20) & (one < 235) & (other < 235)
    if lit.sum() < 100:
        return 1.0
    ratio = float(np.median(other[lit] / one[lit]))
    return ratio if 0.25 < ratio < 4 else 1.0


def _rough_outline(whole: Image, edge: float) -> Outline:
    """Return the smallest box around a region, in larger pixels, without the tails of shadows."""
    reach = 0.1 * edge
    padded = cv2.copyMakeBorder(whole, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    inner = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1] > reach
    core = whole
    if inner.any():
        # What is narrow, as the tails of shadows are, is gone.
        away = cv2.distanceTransform((~inner).astype(np.uint8), cv2.DIST_L2, 3)
        core = np.asarray(away <= reach, np.uint8)
    rims, _ = cv2.findContours(core, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(np.concatenate(rims))), np.float64)
    return order_clockwise(HALF * box + (HALF - 1) / 2)


def _fit_outline(amount: Image, least: float, outline: Outline, edge: float) -> Outline:
    """Return the outline with its sides where the change begins."""
    for reach in (0.12 * edge, 0.06 * edge, 5.0):
        fitted = _fit_to_change(amount, least, outline, reach)
        if 0.7 < area_of(fitted) / area_of(outline) < 1.4:
            outline = fitted
    return outline


def _fit_to_change(amount: Image, least: float, outline: Outline, reach: float) -> Outline:
    """Return the outline with its sides where, from outside, the change begins."""
    sides = []
    for start, end in sides_of(outline):
        places, offsets = places_across(start, end, reach)
        seen = sample(amount, places) > least
        # Of each row the outermost changed pixel, unless the change goes on beyond.
        last = seen.shape[1] - 1 - np.argmax(seen[:, ::-1], axis=1)
        ends = seen.any(axis=1) & (last < len(offsets) - 1)
        points = places[ends, last[ends]]
        line = (
            fit_line(points, np.ones(len(points), np.float32), 1.2)
            if len(points) > SAMPLES // 4
            else None
        )
        sides.append(line or StraightLine(start, end - start))
    return intersect(sides, outline)


def _enlarge(mask: Image, box: Box) -> Mask:
    return cv2.resize(mask, box[2:], interpolation=cv2.INTER_NEAREST) > 0


def _fill(outline: Outline, shape: tuple[int, ...]) -> Mask:
    corners = np.rint(outline).astype(np.int32)
    return cv2.fillConvexPoly(np.zeros(shape, np.uint8), corners, 1) > 0


def _pixel_count(outline: npt.NDArray[np.float64]) -> int:
    """Return how many pixels an outline has, in the picture or not."""
    corner = np.floor(outline.min(axis=0))
    wide, tall_ = np.ceil(outline.max(axis=0) - corner).astype(int) + 1
    return int(_fill(outline - corner, (tall_, wide)).sum())
