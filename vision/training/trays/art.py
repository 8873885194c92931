"""Draw the art of six faces: pictograms, digits in frames, pips."""

import cv2
import numpy as np

TEXTURE = 96


DIGITS = (*"123456780", "I", "II", "III", *"ABKVX+")


def framed_faces(rng: np.random.Generator) -> list[np.ndarray]:
    """Faces with one frame and different signs in it, (TEXTURE, TEXTURE) each."""
    n, c = TEXTURE, (TEXTURE // 2, TEXTURE // 2)
    frame = np.zeros((n, n), np.uint8)
    width = int(rng.integers(3, 9))
    radius = int(rng.integers(34, 45))
    kind = rng.integers(6)
    if kind <= 2:
        cv2.circle(frame, c, radius, 255, width, cv2.LINE_AA)
        if rng.random() < 0.35:
            cv2.circle(frame, c, radius - width - int(rng.integers(3, 7)), 255, 2, cv2.LINE_AA)
    elif kind == 3:
        low, high = ((n // 2 + r, n // 2 + r) for r in (-radius, radius))
        cv2.rectangle(frame, low, high, 255, width)
    elif kind == 4:
        count = int(rng.integers(5, 9))
        t = np.arange(count) * 2 * np.pi / count
        points = n / 2 + radius * np.stack([np.cos(t), np.sin(t)], 1)
        cv2.polylines(frame, [points.astype(np.int32)], True, 255, width, cv2.LINE_AA)
    ticks = int(rng.choice([0, 4, 4, 8, 12]))
    if kind <= 2 and ticks:
        low, high = sorted(rng.uniform(radius - 16, radius + 6, 2))
        high = max(high, low + 5)
        for k in range(ticks):
            a = 2 * np.pi * k / ticks
            ends = [(n / 2 + r * np.cos(a), n / 2 + r * np.sin(a)) for r in (low, high)]
            p, q = [(round(x), round(y)) for x, y in ends]
            cv2.line(frame, p, q, 255, int(rng.integers(2, 7)), cv2.LINE_AA)
    filled = kind <= 2 and rng.random() < 0.2
    if filled:
        cv2.circle(frame, c, radius - 2, 255, -1, cv2.LINE_AA)
    font, thick = int(rng.integers(0, 5)), int(rng.integers(3, 8))
    tall = rng.uniform(24, 42)
    found = []
    for text in rng.permutation(DIGITS)[: int(rng.integers(2, 4))]:
        (w, h), _ = cv2.getTextSize(str(text), font, 1, thick)
        size = min(tall / h, 46 / w)
        (w, h), _ = cv2.getTextSize(str(text), font, size, thick)
        sign = np.zeros((n, n), np.uint8)
        cv2.putText(
            sign, str(text), ((n - w) // 2, (n + h) // 2), font, size, 255, thick, cv2.LINE_AA
        )
        if kind != 5 and rng.random() < 0.3:  # serifs
            y = (n + h) // 2
            cv2.line(sign, (n // 2 - w // 2, y), (n // 2 + w // 2, y), 255, max(2, thick // 2))
        face = cv2.subtract(frame, sign) if filled else cv2.max(frame, sign)
        found.append(face.astype(np.float32) / 255)
    return found


def pips(rng: np.random.Generator) -> list[np.ndarray]:
    """One to six pips, (TEXTURE, TEXTURE) each."""
    radius, spread = rng.uniform(7, 11), rng.uniform(22, 28)
    rows = {1: [(0, 0)], 2: [(-1, -1), (1, 1)]}
    rows[3] = rows[1] + rows[2]
    rows[4] = [*rows[2], (-1, 1), (1, -1)]
    rows[5] = rows[4] + rows[1]
    rows[6] = [*rows[4], (-1, 0), (1, 0)]
    found = []
    for value in range(1, 7):
        face = np.zeros((TEXTURE, TEXTURE), np.uint8)
        for u, v in rows[value]:
            at = (round(48 + u * spread), round(48 + v * spread))
            cv2.circle(face, at, round(radius), 255, -1, cv2.LINE_AA)
        found.append(face.astype(np.float32) / 255)
    return found


def pictogram(rng: np.random.Generator, ink: np.ndarray, style: float, share: float) -> np.ndarray:
    """An icon as it may be printed: filled or as lines, `share` of the face wide, turned."""
    if style > 0.7:
        k = int(rng.integers(2, 4)) * 2 + 1
        edge = cv2.morphologyEx(ink, cv2.MORPH_GRADIENT, np.ones((k, k), np.uint8))
        ink = edge if edge.mean() > 10 else ink
    turn = rng.choice([0, 90, 180, 270]) + (rng.choice([0, 45]) if rng.random() < 0.3 else 0)
    m = cv2.getRotationMatrix2D((47.5, 47.5), turn, share)
    if rng.random() < 0.2:
        m[0] *= rng.uniform(0.75, 1)
    return cv2.warpAffine(ink, m, (TEXTURE, TEXTURE)).astype(np.float32) / 255


def draw_art(rng: np.random.Generator, icons: np.ndarray) -> np.ndarray:
    """The six faces of a set, (6, TEXTURE, TEXTURE)."""
    kind = rng.random()
    if kind < 0.12:
        return np.stack(pips(rng))
    faces = framed_faces(rng) if kind < 0.75 else []
    style = rng.random()
    while len(faces) < 6:
        share = rng.uniform(0.6, 0.92)
        faces.append(pictogram(rng, icons[rng.integers(len(icons))], style, share))
    return np.stack(faces[:6])[rng.permutation(6)]
