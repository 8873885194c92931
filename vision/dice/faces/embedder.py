"""Turn faces into vectors that are alike for the same symbol in other light.

After Snell et al., Prototypical Networks (2017). vision/training/train_embedder.py made the network
on thousands of pictograms, so that it compares symbols in general.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.faces.crops import SIDE, WHOLE, turned_crop
from vision.imaging.geometry import Array, Image
from vision.imaging.network import NETWORKS, OnnxNetwork

NETWORK = NETWORKS / "embedder.onnx"
TURNS = 8
"""Turns in which pictures are compared.

A quarter turn apart, since a face's own turn is not known, and halfway, since the edges of a face
are sometimes taken for its diagonals.
"""


class Embedder:
    """The embedder's network. Not for two threads at a time."""

    def __init__(self) -> None:
        self._network = OnnxNetwork(NETWORK, 1, SIDE, SIDE)

    def embed(self, crops: Sequence[Image]) -> Array:
        """Return unit vectors (n, d) of faces (SIDE, SIDE, 3), BGR, see `embedder_crop`."""
        if not crops:
            return np.zeros((0, 1), np.float32)
        grey = [cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crops]
        level = np.stack(grey, dtype=np.float32)
        level -= level.mean((1, 2), keepdims=True)
        even = level / (np.sqrt((level * level).mean((1, 2), keepdims=True)) + 4)
        return self._network(even[:, None])

    def embed_turned(self, pictures: Sequence[Image], share: float = WHOLE) -> Array:
        """Return unit vectors (n, TURNS, d) of pictures of a profile, each in all turns.

        share: edges of the face to show, see `turned_crop`.
        """
        # One picture after the other: all at once take 3 MB of memory each.
        return np.stack(
            [
                self.embed([turned_crop(picture, k * 360 / TURNS, share) for k in range(TURNS)])
                for picture in pictures
            ]
        )
