"""Tell a pile that was pushed: one movement explains everything that changed.

The movement is searched coarsely, by turning and shifting what changed, and then fitted to a
fraction of a pixel by enhanced correlation. What it doesn't explain must be ground that the pile
has left.
"""

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.change import ChangedRegion, difference
from vision.cards.sides import Outline, outline_of
from vision.cards.titles import local_contrast
from vision.imaging.geometry import Image

_COARSE, _FINE = 8, 2
"""By how much pictures are reduced to search a movement, and to fit it."""
_TURNS = range(-32, 33, 4)
"""Degrees by which a pile is turned."""
_REACH = 136
"""Pixels by which it is pushed at most: about a card's width."""
_LIKELY = 0.45
"""The coarse correlation from which a movement is worth fitting. Pushed piles have 0.5 at least."""
_FITS, _CLEAR = 0.75, 0.88
"""The correlation from which a fitted movement is one, and from which it is clearly one."""
_EXPLAINED, _NEW = 0.65, 0.2
"""The share of what changed that it must explain, and the most that may be new."""
_LEAST = 3.0
"""Pixels that some corner of what changed must have moved."""
_DIFFERENT = 25
"""Grey levels by which a pixel differs from what was moved there."""
_SAME_LIGHT = (1.0, 1.0, 1.0)
"""The factor by which the light grew, by channel."""

Movement = npt.NDArray[np.float64]
"""A homography (3, 3) that takes places before to places after, in pixels."""


class Push(NamedTuple):
    """How a pile was pushed."""

    movement: Movement
    """Takes places before to places after."""
    clear: bool
    """Whether nothing else explains the change: two cards on one of their titles may look alike."""

    def place_before(self, outline: Outline) -> Outline:
        """Return where an outline lay before."""
        return move(outline, np.linalg.inv(self.movement).astype(np.float64))

    def scale(self, factor: float) -> Movement:
        """Return the movement in a picture that is larger by a factor."""
        return _rescale(self.movement, factor)


def find_push(before: Image, after: Image, region: ChangedRegion) -> Push | None:
    """Return how the pile was pushed, if that explains what changed; None if it doesn't."""
    x, y, w, h = region.box
    left, top = max(0, x - _REACH), max(0, y - _REACH)
    part = (slice(top, y + h + _REACH), slice(left, x + w + _REACH))
    then, now = before[part], after[part]
    changed = np.zeros(now.shape[:2], np.uint8)
    changed[y - top : y - top + h, x - left : x - left + w] = region.whole
    rough = _rough_movement(then, now, changed)
    push = None if rough is None else _fit_push(then, now, changed, rough)
    if push is None:
        return None
    there = np.array([(1, 0, left), (0, 1, top), (0, 0, 1)], np.float64)
    return push._replace(movement=there @ push.movement @ np.linalg.inv(there))


def move(outline: Outline, movement: Movement) -> Outline:
    """Return where an outline lies after a movement."""
    return np.asarray(cv2.perspectiveTransform(outline[None], movement)[0], np.float64)


def _rough_movement(before: Image, after: Image, changed: Image) -> Movement | None:
    """Return the movement, a turn and a shift, that fits best; None if none fits."""
    then, now = (local_contrast(_reduce(each, _COARSE), 2.0) for each in (before, after))
    part = _reduce(changed * np.uint8(255), _COARSE) > 127
    if not part.any():
        return None
    there = part.astype(np.float32)
    size = then.shape[1::-1]
    x, y, w, h = cv2.boundingRect(part.astype(np.uint8))
    pad = _REACH // _COARSE
    around = cv2.copyMakeBorder(now, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    around = around[y : y + h + 2 * pad, x : x + w + 2 * pad]
    squares = around * around
    middle = (x + (w - 1) / 2, y + (h - 1) / 2)
    best, movement = _LIKELY, None
    for angle in _TURNS:
        turn = cv2.getRotationMatrix2D(middle, angle, 1.0)
        mask = cv2.warpAffine(there, turn, size, flags=cv2.INTER_NEAREST)[y : y + h, x : x + w]
        turned = cv2.warpAffine(then, turn, size)[y : y + h, x : x + w] * mask
        energy = float((turned * turned).sum()) * cv2.matchTemplate(squares, mask, cv2.TM_CCORR)
        products = cv2.matchTemplate(around, turned, cv2.TM_CCORR)
        _, score, _, place = cv2.minMaxLoc(products / np.sqrt(np.maximum(energy, 1.0)))
        if score > best:
            turn[:, 2] += np.array(place) - pad
            best, movement = score, np.vstack((turn, (0, 0, 1)))
    return None if movement is None else _rescale(movement, _COARSE)


def _fit_push(before: Image, after: Image, changed: Image, rough: Movement) -> Push | None:
    """Return a movement once it is fitted to the pictures, if it explains what changed."""
    then, now = _reduce(before, _FINE), _reduce(after, _FINE)
    there = _reduce(changed * np.uint8(255), _FINE)
    x, y, w, h = cv2.boundingRect(there)
    crop = np.array([(1, 0, x), (0, 1, y), (0, 0, 1)], np.float64)
    # The alignment looks for the way back: where what is seen now was before.
    way = np.linalg.inv(_rescale(rough, 1 / _FINE)) @ crop
    latest = np.ascontiguousarray(now[y : y + h, x : x + w])
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-3)
    try:
        score, back = cv2.findTransformECC(
            local_contrast(latest, 6.0), local_contrast(then, 6.0),
            (way / way[2, 2]).astype(np.float32), cv2.MOTION_HOMOGRAPHY, stop, there, 5,
        )  # fmt: skip
    except cv2.error:
        # The two have nothing in common.
        return None
    if score < _FITS or not np.isfinite(back).all():
        return None
    movement = _rescale(np.linalg.inv(back @ np.linalg.inv(crop)), _FINE)
    corners = _FINE * (outline_of((w, h)) + np.array((x, y)))
    if np.linalg.norm(move(corners, movement) - corners, axis=1).max() < _LEAST:
        return None
    part = there[y : y + h, x : x + w] > 127
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    carried = cv2.warpPerspective(then, back, (w, h), flags=how, borderMode=cv2.BORDER_REPLICATE)
    amount = difference(np.asarray(carried, np.uint8), latest, _SAME_LIGHT, 1.0)
    # Not the thin rims that an alignment leaves.
    unlike = cv2.morphologyEx(
        (amount > _DIFFERENT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
    ) > 0  # fmt: skip
    explained = part & ~unlike
    size = now.shape[1::-1]
    left = cv2.warpPerspective(explained.astype(np.uint8), back, size, flags=cv2.INTER_NEAREST)
    new = part & unlike & (left[y : y + h, x : x + w] == 0)
    enough = explained.sum() > _EXPLAINED * part.sum() and new.sum() < _NEW * part.sum()
    return Push(movement, score > _CLEAR) if enough else None


def _reduce(picture: Image, factor: int) -> Image:
    size = (picture.shape[1] // factor, picture.shape[0] // factor)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _rescale(movement: Movement, factor: float) -> Movement:
    """Return a movement in pixels that are smaller by a factor."""
    larger = np.diag((factor, factor, 1.0))
    return np.asarray(larger @ movement @ np.linalg.inv(larger), np.float64)
