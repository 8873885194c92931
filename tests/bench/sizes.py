"""Measures how long a reading takes, by the size of the picture: `python -m tests.bench.sizes`.

The pictures of the tests, brought to the sizes that cameras have, read on one thread: pips from
photographs, symbols from path-traced pictures. Beside it the tutorials' method for pips. Times are
the processor's, so that what else runs here counts for little. Prints a markdown table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from tests.bench.machine import machine
from tests.bench.symbols import RENDERS, pictures, profile_of
from tests.bench.vision import PICTURES, Photo, photos, tutorial
from vision.profile import load_profile
from vision.reader import Reader

SIZES = ((820, 616), (1640, 1232), (2304, 1296))
"""Of a small picture, of the binned one of Camera Module 2, and of Module 3."""


def resized(image: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The middle of the picture in the format of `size`, as large."""
    width, height = size
    h, w = image.shape[:2]
    part = min(w / width, h / height)
    return cv2.getRectSubPix(image, (round(width * part), round(height * part)), (w / 2, h / 2))


def times(read: Callable[[np.ndarray], object], images: Sequence[np.ndarray]) -> str:
    read(images[0])
    found = []
    for image in images:
        begun = time.thread_time()
        read(image)
        found.append((time.thread_time() - begun) * 1000)
    return f"{np.median(found):.0f} | {np.percentile(found, 99):.0f}"


def main() -> None:
    cv2.setNumThreads(1)
    home = RENDERS / "D"
    symbols = [p.image for p in pictures(home) if p.truth["kind"] in ("normal", "touching")]
    pips = [photo.image for photo in photos(PICTURES / "gray_plate")]
    ways = (
        ("symbols, taught", Reader(profile_of(home)).read, symbols),
        ("pips", Reader(load_profile("pips")).read, pips),
        ("pips, the tutorials' method", lambda image: tutorial(Photo(image, [], None)), pips),
    )
    print(f"\nOne thread of {machine()}, OpenCV {cv2.__version__}\n")
    print("| size | dice | ms, median | p99 |\n|---|---|---|---|")
    for size in SIZES:
        for name, read, images in ways:
            fitted = [cv2.resize(resized(image, size), size) for image in images]
            print(f"| {size[0]} x {size[1]} | {name} | {times(read, fitted)} |", flush=True)


if __name__ == "__main__":
    main()
