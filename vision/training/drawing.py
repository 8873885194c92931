"""Draw colours, noise and turns by chance, fill outlines, and read pictures."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np


def read_picture(path: Path) -> np.ndarray:
    """Return the picture in a file, BGR (h, w, 3). Raises OSError without one."""
    picture = cv2.imread(str(path))
    if picture is None:
        raise OSError(f"{path}: no picture")
    return np.asarray(picture, np.uint8)


def decode_picture(coded: np.ndarray) -> np.ndarray:
    """Return a picture from the bytes of a JPEG, BGR (h, w, 3). Raises ValueError if it is none."""
    picture = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("no picture")
    return np.asarray(picture, np.uint8)


def write_pools(folder: Path, seeds: Iterable[str], draw: Callable[[int], dict[str, Any]]) -> None:
    """Write what `draw` returns for each seed as FOLDER/SEED.npz, in one thread."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for seed in map(int, seeds):
        np.savez(folder / f"{seed}.npz", **draw(seed))
        print(seed, flush=True)


def pool_of(
    pictures: Sequence[np.ndarray], rows: Sequence[Sequence[float]], **masks: Sequence[np.ndarray]
) -> dict[str, Any]:
    """Return pictures, as the bytes of JPEGs, the dice in them and their masks, as one pool.

    rows: of each die the number of its picture, and its truth; masks: of each picture, in [0, 1].
    """
    return {
        "pictures": np.array([*pictures, None], object)[:-1],
        **{
            name: np.stack([(m * 255).astype(np.uint8) for m in each])
            for name, each in masks.items()
        },
        "truths": np.array(rows, np.float32),
    }


def encode_picture(picture: np.ndarray, quality: int = 97) -> np.ndarray:
    """Return a picture as the bytes of a JPEG."""
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.frombuffer(coded, np.uint8)


def rotation(axis: int, angle: float) -> np.ndarray:
    """Return the turn (3, 3) about an axis, 0 to 2, by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = np.eye(3)
    m[i, i] = m[j, j] = c
    m[i, j], m[j, i] = -s, s
    return m


def turn_matrix(angle: float) -> np.ndarray:
    """Return the turn (2, 2) in the plane by an angle in radians."""
    return rotation(2, angle)[:2, :2]


def unmirrored(axes: np.ndarray) -> np.ndarray:
    """Return the axes of a face (2, 2), the other one first where they are mirrored."""
    return axes[:, ::-1] if np.linalg.det(axes) < 0 else axes


def cube_rotations() -> list[np.ndarray]:
    """Return the 24 turns (3, 3) of a cube onto itself."""
    turns: list[np.ndarray] = []
    for a in range(4):
        for b in range(4):
            for c in range(4):
                m = rotation(0, a * np.pi / 2) @ rotation(1, b * np.pi / 2)
                m = np.rint(m @ rotation(2, c * np.pi / 2))
                if not any(np.array_equal(m, t) for t in turns):
                    turns.append(m)
    return turns


CUBE = cube_rotations()


def smooth_noise(
    rng: np.random.Generator, h: int, w: int, cell: float, stretch: float = 1
) -> np.ndarray:
    """Noise in about [-1, 1] whose grains are `cell` pixels, longer by `stretch` along x."""
    rows, cols = max(2, int(h / cell)), max(2, int(w / (cell * stretch)))
    small = rng.normal(0, 0.5, (rows, cols)).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a number between two, each octave as likely as the next."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def colour(rng: np.random.Generator) -> np.ndarray:
    """Return any colour, BGR in [0, 1]."""
    hsv = np.array([[[rng.integers(180), rng.integers(40, 256), rng.integers(30, 256)]]], np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255


def bgr(rrggbb: str) -> np.ndarray:
    """The colour of six hexadecimal digits, BGR in [0, 1]."""
    return np.array([int(rrggbb[k : k + 2], 16) / 255 for k in (4, 2, 0)], np.float32)


def near(rng: np.random.Generator, bgr: tuple[float, float, float], by: float) -> np.ndarray:
    """Return a colour near another one, BGR in [0, 1]; by: the standard deviation."""
    return np.clip(np.array(bgr, np.float32) + rng.normal(0, by, 3), 0, 1).astype(np.float32)


def luminance(bgr: np.ndarray) -> float:
    """Return how bright a colour seems, in [0, 1]."""
    return float(bgr @ np.array([0.114, 0.587, 0.299], np.float32))


def mask_of(size: tuple[int, int], outline: np.ndarray) -> np.ndarray:
    """Return a mask (h, w, 1) in [0, 1] of what lies in an outline; size: (w, h)."""
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32)[..., None] / 255


def fill(image: np.ndarray, outline: np.ndarray, paint: np.ndarray) -> None:
    """Fill an outline in pixels with a colour (3,) or what a whole picture of paint has there."""
    h, w = image.shape[:2]
    x0, y0 = np.clip(np.floor(outline.min(0)).astype(int) - 1, 0, (w, h))
    x1, y1 = np.clip(np.ceil(outline.max(0)).astype(int) + 2, 0, (w, h))
    if x1 > x0 and y1 > y0:
        mask = mask_of((x1 - x0, y1 - y0), outline - [x0, y0])
        part = image[y0:y1, x0:x1]
        part += ((paint if paint.ndim == 1 else paint[y0:y1, x0:x1]) - part) * mask
