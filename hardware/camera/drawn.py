"""Drawings, played as a camera."""

from collections.abc import Callable

import cv2
import numpy as np

from hardware.camera.interface import FPS, Camera, Frame
from hardware.camera.pace import Pace

_GAMMA = 2.2
"""Exponent between a pixel and the light that it stands for, in sRGB."""


class _DrawnCamera:
    """Pictures that a function draws, at most `fps` a second."""

    def __init__(self, name: str, draw: Callable[[], Frame], pace: Pace) -> None:
        self.name = name
        self._draw = draw
        self._pace = pace

    def frame(self) -> Frame:
        """Return the next frame when it is due."""
        self._pace.wait()
        return self._draw()

    def darker_frame(self, share: float) -> Frame:
        """Return a frame with this share of the light. What is burnt out stays so."""
        scaled = cv2.convertScaleAbs(self.frame(), alpha=share ** (1 / _GAMMA))
        return np.asarray(scaled, np.uint8)

    def close(self) -> None:
        """Do nothing: no device is in use."""


def open_drawn(draw: Callable[[], Frame], fps: float = FPS, name: str = "simulated") -> Camera:
    """Return a camera whose frames `draw` returns, at most `fps` a second."""
    return _DrawnCamera(name, draw, Pace(fps))
