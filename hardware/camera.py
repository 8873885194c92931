"""Cameras with one small interface: the Pi's, USB cameras, and files played as a camera.

`open_camera` opens one by its source. A camera reports a fault as a `CameraError`, one line that
begins with its name. The caller decides what to do about it: close the camera, try again later, or
ask the players for the dice. Only `PiCamera` imports picamera2.
"""

import os
import re
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]
"""A picture: BGR, uint8, shape (height, width, 3). It can be read-only: copy it to draw on it."""

SIZE = (820, 616)
"""Requested width and height in pixels: a 16 mm die 45 cm away is still about 25 px wide."""

FPS = 30.0
"""Requested frames per second, and the rate of files that don't have one."""

MAX_PIXELS = 50_000_000
"""Larger pictures are refused, because they would fill the memory of a small Pi."""

LEAST_SIDE, LONGEST_SHAPE = 24, 6
"""Limits of a picture: the fewest pixels of the shorter side, into which a die of 20 fits, and how
many times as long the longer side can be. Others show no tray and would be read as empty."""

PICTURE_SUFFIXES = {".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}

JPEG, PNG, TIFF = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", (b"II*\0", b"MM\0*")
"""The first bytes of files in these formats."""

_TIFF_WIDTH, _TIFF_HEIGHT = 256, 257
_TIFF_NUMBERS = {3: "H", 4: "I"}
"""The tags of a TIFF's size, and how numbers of their types are stored."""

FROZEN_AFTER = 5.0
"""Seconds without a picture after which the Pi's camera counts as frozen."""

SAME_AFTER = 10.0
"""Seconds after which a USB camera that gives the same picture again and again counts as frozen.

A sensor's noise makes every picture different. The Pi's camera doesn't need this limit, because a
frozen one delivers no pictures at all.
"""

# What a lock sets: the control that ends automatic adjustment, and the values that it found, by
# libcamera's names (its src/libcamera/control_ids_core.yaml): microseconds and a gain; the gains of
# red and blue; dioptres. In newer versions AeEnable wraps two controls, with the same effect.
_HELD = {
    "AeEnable": ("ExposureTime", "AnalogueGain"),
    "AwbEnable": ("ColourGains",),
    "AfMode": ("LensPosition",),
}

# Conversions to BGR by libcamera's name of the format. The name gives the order in a word, not in
# memory: RGB888 is B, G, R in memory. picamera2 decodes MJPEG to R, G, B.
_TO_BGR: dict[str, int | None] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "YVYU": cv2.COLOR_YUV2BGR_YVYU,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
    "MJPEG": cv2.COLOR_RGB2BGR,
}


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


class Pace:
    """Limits a loop to `fps` turns a second.

    Turns are due at fixed times, so that delays don't add up. A loop that is late by more than one
    turn gets a new schedule instead of catching up.
    """

    def __init__(
        self,
        fps: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._period = 1 / fps
        self._clock = clock
        self._sleep = sleep
        self._due = float("-inf")

    def wait(self) -> None:
        """Sleep until the next turn is due; the first is due immediately."""
        now = self._clock()
        self._due += self._period
        if now - self._due > self._period:
            self._due = now
        elif now < self._due:
            self._sleep(self._due - now)


def open_camera(source: str, *, dwell: float | None = None, fps: float = FPS) -> Camera:
    """Open a camera. Raises CameraError.

    source: `picamera`, `usb:N` (N as in /dev/videoN), a folder of pictures, one picture, a video
    file, or `auto`, which is the first of `picamera` and `usb:0` that delivers a picture.
    fps: frames a second. USB cameras may exceed it, and videos have their own rate.
    dwell: for pictures, see `FolderCamera`.
    """
    if source == "auto":
        return _first_that_works(fps)
    if source == "picamera":
        return PiCamera(fps=fps)
    if match := re.fullmatch(r"usb:(\d{1,3})", source):
        return open_usb(int(match[1]), fps=fps)
    path = Path(source).expanduser()
    if path.is_dir():
        return FolderCamera(source, pictures(path), dwell=dwell, fps=fps)
    if not path.is_file():
        raise CameraError(f"{source}: no such file or folder, nor is it picamera, usb:0 or auto")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return FolderCamera(source, [path], dwell=dwell, fps=fps)
    return VideoCamera(path)


def _first_that_works(fps: float) -> Camera:
    reasons = []
    for source in ("picamera", "usb:0"):
        try:
            return open_camera(source, fps=fps)
        except CameraError as error:
            reasons.append(str(error))
    raise CameraError("auto: no camera works: %(reasons)s", reasons="; ".join(reasons))


class PiCamera:
    """The Pi's camera, through picamera2 and libcamera."""

    name = "picamera"

    def __init__(
        self, size: tuple[int, int] = SIZE, fps: float = FPS, timeout: float = FROZEN_AFTER
    ) -> None:
        """Open the first camera and wait for its first picture. Raises CameraError.

        size: the requested width and height; the camera may choose another. timeout: in seconds.
        """
        try:
            from libcamera import controls
            from picamera2 import Picamera2
        except Exception as error:  # a numpy of the wrong version raises ValueError
            raise CameraError(
                "picamera: picamera2 cannot be loaded (%(reason)s); "
                "on Raspberry Pi OS: sudo apt install python3-picamera2",
                reason=error,
            ) from error
        try:
            self._camera = Picamera2()
        except Exception as error:  # which one depends on the versions of picamera2 and libcamera
            raise CameraError(
                "picamera: no camera found or it is in use (%(reason)s); "
                "check its ribbon cable with the Pi switched off",
                reason=error.__cause__ or error,
            ) from error
        self._timeout = timeout
        try:
            self._continuous_focus = controls.AfModeEnum.Continuous
            self._manual_focus = controls.AfModeEnum.Manual
            self._start(size, fps)
            self.frame()
        except CameraError:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise CameraError(
                "picamera: the camera does not start: %(reason)s", reason=error
            ) from error

    def _start(self, size: tuple[int, int], fps: float) -> None:
        camera = self._camera
        controls = {}
        # Setting a control that the camera lacks raises an error.
        if "FrameDurationLimits" in camera.camera_controls:
            controls["FrameDurationLimits"] = (round(1e6 / fps), round(1e6 / fps))
        # By default, a small picture can come from a mode that uses only the middle of the sensor.
        # The mode nearest to half the resolution uses all of it, on every Pi camera.
        width, height = camera.sensor_resolution
        wanted = camera.create_video_configuration(
            main={"size": size, "format": "RGB888"},
            sensor={"output_size": (width // 2, height // 2)},
            controls=controls,
        )
        camera.configure(wanted)
        # The camera can choose another format and size without an error.
        main = camera.camera_configuration()["main"]
        self._format, self._size = main["format"], tuple(main["size"])
        if self._format not in _TO_BGR:
            raise CameraError(f"picamera: pictures in {self._format} cannot be read")
        camera.start()
        # By default, a lens with autofocus is set to one metre.
        if "AfMode" in camera.camera_controls:
            camera.set_controls({"AfMode": self._continuous_focus})

    def frame(self) -> Frame:
        """Return the newest frame. Raises CameraError if none comes within the timeout."""
        if not self._camera.is_open:
            raise CameraError("picamera: the camera is closed")
        try:
            array = self._camera.capture_array("main", wait=self._timeout)
        except TimeoutError as error:
            # Otherwise the unanswered request stays first in the queue, and closing hangs.
            self._camera.cancel_all_and_flush()
            raise CameraError(
                "picamera: no picture for %(seconds)s s; is the ribbon cable loose?",
                seconds=f"{self._timeout:g}",
            ) from error
        except Exception as error:
            raise CameraError(f"picamera: {error}") from error
        return to_bgr(array, self._format, self._size)

    def lock(self) -> dict[str, Any]:
        """Lock exposure, white balance and focus at their present values.

        Returns libcamera's names with their values, for `hold` and for JSON. Raises CameraError if
        the camera has none of the three or delivers no picture.
        """
        try:
            seen = self._camera.capture_metadata(wait=self._timeout)
        except Exception as error:
            raise CameraError(f"picamera: {error}") from error
        held = {
            name: list(seen[name]) if name == "ColourGains" else seen[name]
            for control, names in _HELD.items()
            if control in self._camera.camera_controls
            for name in names
            if name in seen
        }
        if not held:
            raise CameraError("picamera: this camera has no settings that can be locked")
        self.hold(held)
        return held

    def hold(self, held: Mapping[str, Any]) -> None:
        """Set what an earlier `lock` returned, except what this camera doesn't have."""
        known = self._camera.camera_controls
        controls: dict[str, Any] = {}
        for control, names in _HELD.items():
            values = {name: held[name] for name in names if name in held}
            if control in known and len(values) == len(names):
                # The value takes effect only once automatic adjustment is off.
                controls[control] = self._manual_focus if control == "AfMode" else False
                controls |= values
        if "ColourGains" in controls:
            controls["ColourGains"] = tuple(controls["ColourGains"])
        self._camera.set_controls(controls)

    def release(self, hertz: int) -> None:
        """Adjust exposure, white balance and focus automatically again.

        hertz: the mains frequency, 50 or 60. Exposures become multiples of half its period, so that
        lamps don't flicker.
        """
        known = self._camera.camera_controls
        controls = {
            "AeEnable": True,
            "AwbEnable": True,
            "AfMode": self._continuous_focus,
            # Lamps flicker twice a period. libcamera numbers the modes: 1 is FlickerManual.
            "AeFlickerPeriod": round(1e6 / (2 * hertz)),
            "AeFlickerMode": 1,
        }
        self._camera.set_controls({name: controls[name] for name in controls if name in known})

    def close(self) -> None:
        """Stop the camera and release it."""
        self._camera.close()


def to_bgr(array: Frame, pixel_format: str, size: tuple[int, int]) -> Frame:
    """Return a captured array of picamera2 as BGR, shape (height, width, 3).

    size: width and height. The rows of planar YUV arrays can be padded: their width is the stride,
    and the padding is cut off. YUV is converted as BT.601, video range.
    """
    code = _TO_BGR[pixel_format]
    image = array if code is None else cv2.cvtColor(array, code)
    width, height = size
    return np.ascontiguousarray(image[:height, :width], dtype=np.uint8)


def open_usb(index: int, size: tuple[int, int] = SIZE, fps: float = FPS) -> "CaptureCamera":
    """Open /dev/video`index` and wait for its first picture. Raises CameraError.

    The camera chooses the nearest `size` (width, height) and `fps` that it supports.
    """
    name, device = f"usb:{index}", Path(f"/dev/video{index}")
    if not device.exists():
        raise CameraError(
            "%(where)s: no camera is plugged in (%(device)s does not exist)",
            where=name,
            device=device,
        )
    capture = cv2.VideoCapture(index)
    if not capture.isOpened():
        raise CameraError(
            "%(where)s: %(device)s does not open: it is not a camera, or it is in use",
            where=name,
            device=device,
        )
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    # With more than one buffer, a slow reader would get old pictures.
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    camera = CaptureCamera(name, capture)
    try:
        camera.settle()
    except CameraError:
        camera.close()
        raise
    return camera


class CaptureCamera:
    """A capture device of OpenCV, which gives up after 10 s without a picture."""

    def __init__(
        self,
        name: str,
        capture: cv2.VideoCapture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._capture = capture
        self._clock = clock
        self._sample: Frame | None = None
        self._changed = 0.0
        # Releasing a capture while another thread reads from it crashes.
        self._lock = threading.Lock()

    def settle(self) -> None:
        """Wait for two pictures that differ. Raises CameraError if there are none."""
        self.frame()
        first = self._changed
        while self._changed == first:
            self.frame()

    def frame(self) -> Frame:
        """Return the next frame. Raises CameraError once the camera is gone or frozen."""
        with self._lock:
            image = _read(self._capture)
        if image is None:
            raise CameraError(
                "%(where)s: no picture came; has the camera been unplugged?", where=self.name
            )
        # An eighth of the rows is enough to see the noise of a sensor.
        sample, now = image[::8], self._clock()
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._sample, self._changed = sample.copy(), now
        elif now - self._changed > SAME_AFTER:
            raise CameraError(
                "%(where)s: the same picture for %(seconds)s s; is it frozen, or covered?",
                where=self.name,
                seconds=f"{SAME_AFTER:g}",
            )
        return image

    def close(self) -> None:
        """Release the camera, after a `frame` call in another thread has returned."""
        with self._lock:
            self._capture.release()


def _read(capture: cv2.VideoCapture) -> Frame | None:
    try:
        ok, image = capture.read()
    except cv2.error:
        return None
    return np.asarray(image, dtype=np.uint8) if ok else None


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
        """Nothing to give back."""


class VideoCamera:
    """Plays a video file at its frame rate, and starts again after its end."""

    def __init__(self, path: Path) -> None:
        """Open the file. Raises CameraError if it contains no video."""
        self.name = str(path)
        self._path = path
        self._capture = _open_video(path)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._pace = Pace(_plausible(fps))
        self._lock = threading.Lock()

    def frame(self) -> Frame:
        """Return the next frame. Raises CameraError if the file was removed or damaged."""
        self._pace.wait()
        with self._lock:
            image = _read(self._capture)
            if image is None:
                self._capture.release()
                self._capture = _open_video(self._path)
                image = _read(self._capture)
        if image is None:
            raise CameraError(f"{self.name}: holds no picture that can be read")
        return image

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._capture.release()


def _plausible(fps: float) -> float:
    """Return the frame rate that a video declares, or `FPS` if it can't be right."""
    return fps if 1 <= fps <= 240 else FPS


def _open_video(path: Path) -> cv2.VideoCapture:
    # FFmpeg would print its errors to standard error, in addition to ours.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # So would OpenCV's own reader, which is tried after FFmpeg.
    has_ffmpeg = cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG if has_ffmpeg else cv2.CAP_ANY)
    if not capture.isOpened():
        raise CameraError(f"{path}: neither a picture nor a video that can be read")
    return capture


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


def frames(path: Path) -> Iterator[tuple[int, Frame]]:
    """Yield every frame of a folder or a video once, with its number, without delay.

    Frames of a folder take the numbers in their names if these are complete and unique. Otherwise
    they are counted from 0, as in a video. Raises CameraError if a frame can't be read, and at the
    end of a truncated video.
    """
    if path.is_dir():
        found = pictures(path)
        for number, picture in zip(_numbers(found), found, strict=True):
            yield number, load_picture(picture)
        return
    capture = _open_frames(path)
    try:
        number = -1
        while (image := _read(capture)) is not None:
            number += 1
            yield number, image
        if number < 0:
            raise CameraError(f"{path}: holds no picture that can be read")
        _check_end(path, capture, number + 1)
    finally:
        capture.release()


def _check_end(path: Path, capture: cv2.VideoCapture, shown: int) -> None:
    """Raise CameraError if a video ended clearly before its declared end."""
    declared = round(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    # It can be computed from the duration, and the sound can outlast the last frame.
    inexact = min(declared / 10, _plausible(capture.get(cv2.CAP_PROP_FPS)) / 2)
    if declared - shown > max(2, inexact):
        raise CameraError(f"{path}: cut off or damaged after {shown} of {declared} frames")


def frame_rate(path: Path) -> float:
    """Return the frame rate of a video, or `FPS` for a folder. Raises CameraError."""
    if path.is_dir():
        return FPS
    capture = _open_frames(path)
    fps = capture.get(cv2.CAP_PROP_FPS)
    capture.release()
    return _plausible(fps)


def _open_frames(path: Path) -> cv2.VideoCapture:
    if not path.is_file():
        raise CameraError(f"{path}: no such file or folder")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        # OpenCV would read the pictures beside it as a film.
        raise CameraError(f"{path}: one picture, not a folder of frames or a video")
    return _open_video(path)


def _numbers(paths: Sequence[Path]) -> Sequence[int]:
    """Return the last number in each name if they ascend, otherwise numbers from 0."""
    named = [re.findall(r"\d+", path.stem) for path in paths]
    if all(named):
        numbers = [int(found[-1]) for found in named]
        if all(one < other for one, other in pairwise(numbers)):
            return numbers
    return range(len(paths))


def pictures(folder: Path) -> list[Path]:
    """Return the pictures in a folder, 2.jpg before 10.jpg. Raises CameraError without any."""
    try:
        found = [
            path
            for path in folder.iterdir()
            if path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")
        ]
    except OSError as error:
        raise CameraError(f"{folder}: {error.strerror}") from error
    if not found:
        raise CameraError(f"{folder}: the folder holds no pictures ({_suffixes()})")
    return sorted(found, key=_natural_order)


def _suffixes() -> str:
    return ", ".join(sorted(PICTURE_SUFFIXES))


def _natural_order(path: Path) -> tuple[list[tuple[int, str]], str]:
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], path.name


def load_picture(path: Path) -> Frame:
    """Return the picture in a file, turned as its EXIF data says; the array is read-only.

    Raises CameraError if the file is unreadable, damaged or truncated, or if its size is outside
    the limits.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CameraError(f"{path}: {error.strerror}") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, path: str) -> Frame:
    """Decode the bytes of a picture file, as `load_picture` does; `path`: its name, for errors."""
    if not data:
        raise CameraError(f"{path}: the file is empty")
    # Before decoding, because a few bytes may declare a picture that fills the memory.
    declared = _declared_size(data)
    if declared is not None:
        _check_size(path, *declared)
    if _is_cut_off_jpeg(data):
        raise CameraError(f"{path}: the picture is cut off")
    if data.startswith(PNG) and not _is_whole_png(data):
        raise CameraError(f"{path}: the picture is cut off or damaged")
    if declared is None:
        raise CameraError(f"{path}: no picture that can be read, or damaged ({_suffixes()} can)")
    if data.startswith(TIFF):
        # Some versions of OpenCV read fractions as whole numbers, and some don't read them.
        kept = _decoded(data, cv2.IMREAD_UNCHANGED)
        if kept is not None and kept.dtype.kind == "f":
            raise CameraError(
                f"{path}: its pixels are fractions; 8 or 16 bits a colour can be read"
            )
    image = _decoded(data, cv2.IMREAD_COLOR)
    if image is None:
        raise CameraError(f"{path}: no picture that can be read, or damaged ({_suffixes()} can)")
    _check_size(path, image.shape[1], image.shape[0])
    picture = np.asarray(image, dtype=np.uint8)
    picture.setflags(write=False)
    return picture


def _decoded(data: bytes, flags: int) -> npt.NDArray[Any] | None:
    try:
        return cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None


def _check_size(path: str, width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise CameraError(
            f"{path}: {width} x {height} pixels are too many "
            f"(at most {MAX_PIXELS // 1_000_000} million)"
        )
    short, long = sorted((width, height))
    if short < LEAST_SIDE:
        raise CameraError(
            f"{path}: {width} x {height} pixels are too few (at least {LEAST_SIDE} each way)"
        )
    if long > LONGEST_SHAPE * short:
        raise CameraError(
            f"{path}: {width} x {height} pixels are a strip, not a picture of a tray "
            f"(at most {LONGEST_SHAPE} times as long as wide)"
        )


def _declared_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height that the header of a picture declares; None without one."""
    if data.startswith(PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(b"BM") and len(data) >= 26:
        return _declared_size_of_bmp(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _declared_size_of_webp(data)
    if data.startswith(TIFF):
        return _declared_size_of_tiff(data)
    for marker, at in _jpeg_segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 3 : at + 7])
            return width, height
    return None


def _declared_size_of_bmp(data: bytes) -> tuple[int, int]:
    if data[14:18] == struct.pack("<I", 12):
        # The oldest kind of header.
        width, height = struct.unpack("<HH", data[18:22])
        return width, height
    width, height = struct.unpack("<ii", data[18:26])
    # A negative height stands for rows from top to bottom.
    return abs(width), abs(height)


def _declared_size_of_webp(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return (
                1 + int.from_bytes(data[24:27], "little"),
                1 + int.from_bytes(data[27:30], "little"),
            )
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
    return None


def _declared_size_of_tiff(data: bytes) -> tuple[int, int] | None:
    order = "<" if data.startswith(b"II") else ">"
    sizes = {}
    try:
        (at,) = struct.unpack_from(f"{order}I", data, 4)
        (entries,) = struct.unpack_from(f"{order}H", data, at)
        for entry in range(at + 2, at + 2 + 12 * entries, 12):
            tag, kind = struct.unpack_from(f"{order}HH", data, entry)
            if tag in (_TIFF_WIDTH, _TIFF_HEIGHT) and kind in _TIFF_NUMBERS:
                (sizes[tag],) = struct.unpack_from(order + _TIFF_NUMBERS[kind], data, entry + 8)
    except struct.error:
        return None
    if sizes.keys() != {_TIFF_WIDTH, _TIFF_HEIGHT}:
        return None
    return sizes[_TIFF_WIDTH], sizes[_TIFF_HEIGHT]


def _is_cut_off_jpeg(data: bytes) -> bool:
    """Return whether a JPEG's picture, not one of its thumbnails, is truncated.

    Some versions of OpenCV fill the missing part with grey.
    """
    scans = [at for marker, at in _jpeg_segments(data) if marker == 0xDA]
    return data.startswith(JPEG) and not (scans and data.find(b"\xff\xd9", scans[0]) > 0)


def _is_whole_png(data: bytes) -> bool:
    """Return whether a PNG is complete and undamaged.

    Otherwise libpng would print its errors to standard error, in addition to ours.
    """
    at, kind = len(PNG), b""
    while kind != b"IEND" and at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if data[end : end + 4] != zlib.crc32(data[at + 4 : end]).to_bytes(4, "big"):
            return False
        at = end + 4
    return kind == b"IEND"


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the marker and offset of each segment of a JPEG's header, up to the first scan."""
    at, marker = 2, 0
    while data.startswith(JPEG) and marker != 0xDA and at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        yield marker, at + 2
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
