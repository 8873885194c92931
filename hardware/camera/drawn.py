"""Drawings, played as a camera."""

from collections.abc import Callable

from hardware.camera.interface import FPS, Camera, Frame
from hardware.camera.pace import Pace


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

    def close(self) -> None:
        """Nothing to give back."""


def drawn(draw: Callable[[], Frame], fps: float = FPS, name: str = "simulated") -> Camera:
    """Return a camera whose frames `draw` returns, at most `fps` a second."""
    return _DrawnCamera(name, draw, Pace(fps))
