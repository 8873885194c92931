"""Draws what people play on: the ground of a tray, as `mat` of a simulated one."""

import cv2
import numpy as np

PER_MM = 4
"""Pixels of a ground to a millimetre."""
SIZE = (260 * PER_MM, 190 * PER_MM)
"""Width and height of a ground, as large as the floor of a simulated tray."""

Ground = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def draw_ground(kind: str, rng: np.random.Generator) -> Ground | None:
    """Return a ground of one of these kinds, BGR; None for plain felt."""
    w, h = SIZE
    picture = np.broadcast_to(rng.integers(40, 235, 3).astype(np.float32), (h, w, 3)).copy()
    match kind:
        case "plain":
            return None
        case "cloth":
            _print_flowers(picture, rng)
        case "plaid":
            picture = _weave(picture, rng)
        case "carpet":
            picture += _pile(rng)
        case "terrazzo":
            _lay_chips(picture, rng)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _paint(rng: np.random.Generator) -> tuple[int, int, int]:
    blue, green, red = (int(level) for level in rng.integers(20, 250, 3))
    return blue, green, red


def _print_flowers(picture: np.ndarray, rng: np.random.Generator) -> None:
    """Print the same flower in a box again and again, in rows."""
    paints = [_paint(rng) for _ in range(3)]
    pitch = int(rng.uniform(12, 30) * PER_MM)
    for row, y in enumerate(range(0, SIZE[1] + pitch, pitch)):
        for x in range(row % 2 * pitch // 2, SIZE[0] + pitch, pitch):
            cv2.rectangle(picture, (x, y), (x + pitch // 3, y + pitch // 2), paints[2], 3)
            for turn in np.arange(5) * 2 * np.pi / 5:
                way = np.array((np.cos(turn), np.sin(turn))) * pitch * 0.2
                place = (round(x + way[0]), round(y + way[1]))
                cv2.circle(picture, place, round(pitch * 0.14), paints[0], -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), round(pitch * 0.12), paints[1], -1, cv2.LINE_AA)


def _weave(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Weave stripes that cross."""
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
    pitch = rng.uniform(15, 50) * PER_MM
    bars = ((x % pitch < pitch / 2).astype(np.float32) + (y % pitch < pitch / 2)) / 2
    lines = ((x % pitch < 2 * PER_MM) | (y % pitch < 2 * PER_MM)).astype(np.float32)
    other = np.array(_paint(rng), np.float32)
    return np.asarray(picture + (other - picture) * bars[..., None] - 60 * lines[..., None])


def _pile(rng: np.random.Generator) -> np.ndarray:
    """Return the light and shade of tufts, and of larger stains."""
    amount = np.zeros((SIZE[1], SIZE[0]), np.float32)
    for tuft, contrast in ((rng.uniform(0.8, 2.5), rng.uniform(30, 70)), (12.0, 12.0)):
        small = tuple(round(length / (tuft * PER_MM)) for length in reversed(SIZE))
        tufts = rng.normal(0, contrast, small).astype(np.float32)
        amount += cv2.resize(tufts, SIZE, interpolation=cv2.INTER_CUBIC)
    return amount[..., None]


def _lay_chips(picture: np.ndarray, rng: np.random.Generator) -> None:
    """Lay chips of stone of a few colours, of all sizes."""
    paints = [_paint(rng) for _ in range(4)]
    for _ in range(int(rng.integers(300, 1200))):
        middle = rng.uniform(0, 1, 2) * SIZE
        turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 8))))
        reach = rng.uniform(1, 7) * PER_MM * rng.uniform(0.6, 1.2, len(turns))
        chip = middle + reach[:, None] * np.column_stack((np.cos(turns), np.sin(turns)))
        paint = paints[int(rng.integers(len(paints)))]
        cv2.fillPoly(picture, [chip.astype(np.int32)], paint, cv2.LINE_AA)
