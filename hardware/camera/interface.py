"""What every camera can do, and the error that it reports."""

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]
"""A picture: BGR, uint8, shape (height, width, 3). It can be read-only: copy it to draw on it."""

SIZE = (820, 616)
"""Requested width and height in pixels: a 16 mm die 45 cm away is still about 25 px wide."""

FPS = 30.0
"""Requested frames per second, and the rate of files that don't have one."""


class CameraError(Exception):
    """A camera or picture can't be used; the message is one line, `WHERE: what is wrong`.

    text: the line with placeholders such as `%(where)s`, for translation. particulars: the values
    of the placeholders.
    """

    def __init__(self, text: str, **particulars: object) -> None:
        super().__init__(text % particulars if particulars else text)
        self.text, self.particulars = text, particulars


class Camera(Protocol):
    """The interface of every camera. Only one thread at a time may ask for frames."""

    @property
    def name(self) -> str:
        """The source that it was opened from, such as `usb:0`."""

    def frame(self) -> Frame:
        """Wait for the next frame and return it.

        Raises CameraError if none comes.
        """

    def close(self) -> None:
        """Release the device. Closing twice is harmless."""


@runtime_checkable
class BracketingCamera(Camera, Protocol):
    """A camera that can take a single frame with less light than the others."""

    def darker_frame(self, share: float) -> Frame | None:
        """Return a frame with this share of the light; later frames are exposed as before.

        None if the exposure can't be changed that far. Raises CameraError if no frame comes.
        """
