"""Tell a pile that was pushed: one movement explains everything that changed.

The movement is searched coarsely, by turning and shifting what changed, and then fitted to a
fraction of a pixel by enhanced correlation. What it doesn't explain must be ground that the pile
has left.
"""

import cv2
import numpy as np

from vision.cards.change import ChangedRegion, difference
from vision.cards.sides import HALF, Movement, Outline, move, outline_of
from vision.cards.titles import local_contrast
from vision.imaging.geometry import Image
from vision.imaging.overlay import LIKE, align, lay

_COARSE = 8
"""By how much pictures are reduced to search a movement."""
_FARTHEST, _STEP = 32, 4
"""Degrees by which a pile is turned at most, and between the turns that are tried."""
_REACH = 136
"""Pixels by which it is pushed at most: about a card's width."""
_LIKELY = 0.45
"""The coarse correlation from which a movement is worth fitting. Pushed piles have 0.5 at least."""
_LEAST = 3.0
"""Pixels that some corner of what changed must have moved."""
_EXPLAINED, _NEW = 0.65, 0.2
"""The share of what changed that it must explain, and the most that may be new."""
_DIFFERENT = 25
"""Grey levels by which a pixel differs from what was moved there."""
_SAME_LIGHT = (1.0, 1.0, 1.0)
"""The factor by which the light grew, by channel."""


def find_push(before: Image, after: Image, region: ChangedRegion) -> Movement | None:
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
    return np.asarray(there @ push @ np.linalg.inv(there), np.float64)


def move_back(outline: Outline, movement: Movement | None) -> Outline:
    """Return where an outline lay before a movement; None: it lay there."""
    if movement is None:
        return outline
    return move(outline, np.linalg.inv(movement).astype(np.float64))


def rescale(movement: Movement, factor: float) -> Movement:
    """Return a movement in a picture that is larger by a factor."""
    larger = np.diag((factor, factor, 1.0))
    return np.asarray(larger @ movement @ np.linalg.inv(larger), np.float64)


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
    for angle in range(-_FARTHEST, _FARTHEST + 1, _STEP):
        turn = cv2.getRotationMatrix2D(middle, angle, 1.0)
        mask = cv2.warpAffine(there, turn, size, flags=cv2.INTER_NEAREST)[y : y + h, x : x + w]
        turned = cv2.warpAffine(then, turn, size)[y : y + h, x : x + w] * mask
        energy = float((turned * turned).sum()) * cv2.matchTemplate(squares, mask, cv2.TM_CCORR)
        products = cv2.matchTemplate(around, turned, cv2.TM_CCORR)
        _, score, _, place = cv2.minMaxLoc(products / np.sqrt(np.maximum(energy, 1.0)))
        if score > best:
            turn[:, 2] += np.array(place) - pad
            best, movement = score, np.vstack((turn, (0, 0, 1)))
    return None if movement is None else rescale(movement, _COARSE)


def _fit_push(before: Image, after: Image, changed: Image, rough: Movement) -> Movement | None:
    """Return a movement once it is fitted to the pictures, if it explains what changed."""
    then, now = _reduce(before, HALF), _reduce(after, HALF)
    there = _reduce(changed * np.uint8(255), HALF)
    x, y, w, h = cv2.boundingRect(there)
    crop = np.array([(1, 0, x), (0, 1, y), (0, 0, 1)], np.float64)
    # The alignment looks for the way back: where what is seen now was before.
    way = np.linalg.inv(rescale(rough, 1 / HALF)) @ crop
    latest = np.ascontiguousarray(now[y : y + h, x : x + w])
    contrast, earlier = local_contrast(latest, 6.0), local_contrast(then, 6.0)
    start = (way / way[2, 2]).astype(np.float32)
    score, back = align(contrast, earlier, start, 5, there)
    if score < LIKE or not np.isfinite(back).all():
        return None
    movement = rescale(np.linalg.inv(back @ np.linalg.inv(crop)), HALF)
    corners = HALF * (outline_of((w, h)) + np.array((x, y)))
    if np.linalg.norm(move(corners, movement) - corners, axis=1).max() < _LEAST:
        return None
    part = there[y : y + h, x : x + w] > 127
    carried = np.asarray(lay(then, back, (w, h)), np.uint8)
    amount = difference(carried, latest, _SAME_LIGHT, 1.0)
    # Not the thin rims that an alignment leaves.
    unlike = cv2.morphologyEx(
        (amount > _DIFFERENT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
    ) > 0  # fmt: skip
    explained = part & ~unlike
    size = now.shape[1::-1]
    left = cv2.warpPerspective(explained.astype(np.uint8), back, size, flags=cv2.INTER_NEAREST)
    new = part & unlike & (left[y : y + h, x : x + w] == 0)
    enough = explained.sum() > _EXPLAINED * part.sum() and new.sum() < _NEW * part.sum()
    return movement if enough else None


def _reduce(picture: Image, factor: int) -> Image:
    size = (picture.shape[1] // factor, picture.shape[0] // factor)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
