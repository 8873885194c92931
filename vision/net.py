"""Runs small neural networks."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray


class Net:
    """A network, run by OpenCV, for pictures of one size.

    For each other size, and each other number of pictures at once, OpenCV would plan its memory
    and pack the weights anew, which takes longer than the network itself; and many pictures at once
    take no less time than one after the other, but more memory.
    """

    def __init__(self, path: Path) -> None:
        # OpenCV 5's new engine takes twice as long over so small a network.
        engine = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
        self._net = cv2.dnn.readNetFromONNX(str(path), **engine)

    def __call__(self, pictures: cv2.typing.MatLike) -> NDArray[np.float32]:
        """What it says (n, ...) of pictures (n, channels, h, w), n > 0."""
        said = []
        for number in range(len(pictures)):
            self._net.setInput(pictures[number : number + 1])
            said.append(np.asarray(self._net.forward(), np.float32))
        return np.concatenate(said)
