"""A folder of pictures, played as a camera."""

from collections.abc import Sequence
from pathlib import Path

from hardware.camera.interface import FPS, CameraError, Frame
from hardware.camera.pace import Pace
from hardware.camera.pictures import load_picture


class FolderCamera:
    """Shows pictures one after another, and starts again after the last.

    Each picture stays until `advance()` is called, which the table does when a roll is accepted.
    With `dwell`, it stays at most that many seconds (1 / `fps` for the frames of a film), but at
    least one frame. The pictures can differ in size.
    """

    def __init__(
        self, name: str, paths: Sequence[Path], *, dwell: float | None = None, fps: float = FPS
    ) -> None:
        self.name = name
        self._paths = paths
        self._pace = Pace(fps)
        self._frames_each = None if dwell is None else max(1, round(dwell * fps))
        self._wanted = 0
        self._shown = 0
        self._frames_given = 0
        self._image = load_picture(paths[0])

    def advance(self) -> None:
        """Show the next picture from the next frame on. Any thread may call."""
        self._wanted = (self._wanted + 1) % len(self._paths)

    def frame(self) -> Frame:
        """Return the present picture, read-only.

        Raises CameraError if it can't be read; the next call then returns the one after it.
        """
        self._pace.wait()
        if self._frames_given == self._frames_each:
            self.advance()
            self._frames_given = 0
        if self._shown != self._wanted:
            self._shown = self._wanted
            self._frames_given = 0
            try:
                self._image = load_picture(self._paths[self._shown])
            except CameraError:
                self.advance()
                raise
        self._frames_given += 1
        return self._image

    def close(self) -> None:
        """Do nothing: no file stays open."""
