"""Runs small neural networks."""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray


def planes(image: NDArray[np.uint8], out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """(3, h, w), in [0, 1], of a picture (h, w, 3), into `out` if given.

    cv2.dnn.blobFromImage takes ten times as long, mostly for memory that is new to the process.
    """
    return np.multiply(cv2.split(image), np.float32(1 / 255), out=out, dtype=np.float32)


class Net:
    """A network, run by OpenCV, for pictures of one size.

    For each other size, and each other number of pictures at once, OpenCV would plan its memory
    and pack the weights anew, which takes longer than the network itself; and many pictures at once
    take no less time than one after the other, but more memory.
    """

    def __init__(self, path: Path, *shape: int) -> None:
        """Load it; `shape`: of a picture (channels, h, w), to be ready for at once if given."""
        # OpenCV 5's new engine takes twice as long over so small a network.
        engine = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
        self._net = cv2.dnn.readNetFromONNX(str(path), **engine)
        if shape:
            self([np.zeros(shape, np.float32)])

    def __call__(self, pictures: Iterable[NDArray[np.float32]]) -> NDArray[np.float32]:
        """What it says (n, ...) of n pictures (channels, h, w), at least one, of the same shape."""
        said = []
        for picture in pictures:
            self._net.setInput(np.ascontiguousarray(picture[None]))
            said.append(np.asarray(self._net.forward(), np.float32))
        return np.concatenate(said)
