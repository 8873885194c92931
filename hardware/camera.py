"""Cameras behind one small interface: the Pi's, a USB one, and pictures played as if by one.

`open_camera` picks one by its source. Every camera says what is wrong in one line, a `CameraError`
beginning with its name; what to do then (close it, try again later, ask for the dice by hand) is
the caller's decision. The only import of picamera2 in the project is in `PiCamera`.
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
"""A picture: BGR, uint8, shape (height, width, 3). It may be read-only: copy it to draw on it."""

SIZE = (820, 616)
"""Width and height in pixels asked of a camera: a 16 mm die at 45 cm is still some 25 px wide."""

FPS = 30.0
"""Frames per second asked of a camera, and given of pictures that have no rate of their own."""

MAX_PIXELS = 50_000_000
"""Larger pictures are refused: decoded they would fill the memory of a small Pi."""

LEAST_SIDE, LONGEST_SHAPE = 24, 6
"""Smaller or longer pictures are refused: pixels of the shorter side, which a die of 20 fits into,
and how many times as long the longer one may be. They show no tray, and would be read as empty."""

PICTURE_SUFFIXES = {".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}

JPEG, PNG, TIFF = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", (b"II*\0", b"MM\0*")
"""What files of these formats begin with."""

FROZEN_AFTER = 5.0
"""Seconds without a picture after which the Pi's camera counts as frozen."""

SAME_AFTER = 10.0
"""Seconds after which a USB camera that gives the same picture again and again counts as frozen.

No two pictures of a sensor are alike, to the last bit of every pixel. The Pi's camera needs no such
rule: its pictures come from the sensor's own interrupts, a frozen one gives none.
"""

# What a lock holds: the control that ends the camera's own search, and the values that it found, by
# libcamera's names (its src/libcamera/control_ids_core.yaml): microseconds and a gain; the gains of
# red and blue; dioptres. Where AeEnable is only a wrapper of two newer controls it does the same.
_HELD = {
    "AeEnable": ("ExposureTime", "AnalogueGain"),
    "AwbEnable": ("ColourGains",),
    "AfMode": ("LensPosition",),
}

# From what a camera gives to BGR, by libcamera's name of the format, which tells the order in a
# word, not in memory: RGB888 lies as B, G, R. MJPEG is decoded by picamera2, to R, G, B.
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
    """A camera or picture that cannot be used: one line, `WHERE: what is wrong`.

    text: the line with places (`%(where)s`), for whoever translates it; particulars: what stands
    there.
    """

    def __init__(self, text: str, **particulars: object) -> None:
        super().__init__(text % particulars if particulars else text)
        self.text, self.particulars = text, particulars


class Camera(Protocol):
    """What every camera offers. Only one thread at a time may ask for frames."""

    @property
    def name(self) -> str:
        """The source it was opened from, such as `usb:0`."""

    def frame(self) -> Frame:
        """Waits for the next frame and returns it.

        Raises `CameraError` if none comes.
        """

    def close(self) -> None:
        """Gives the device back. Closing twice is harmless."""


class Pace:
    """Keeps a loop at `fps` turns a second.

    The moments lie on a fixed grid, so that lateness does not add up; who is late by more than a
    turn starts a new grid instead of hurrying through what was missed.
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
        """Sleeps until the next turn is due; the first is due at once."""
        now = self._clock()
        self._due += self._period
        if now - self._due > self._period:
            self._due = now
        elif now < self._due:
            self._sleep(self._due - now)


def open_camera(source: str, *, dwell: float | None = None, fps: float = FPS) -> Camera:
    """Opens the camera named by `source`.

    `picamera`, `usb:N` (N as in /dev/videoN), a folder of pictures, one picture, a video file, or
    `auto`: the first of `picamera` and `usb:0` that gives a picture. `fps`: frames a second, which
    USB cameras may exceed and videos have of their own; `dwell`: for pictures, see `FolderCamera`.
    Raises `CameraError`.
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
    """The Pi's own camera, through picamera2 and libcamera."""

    name = "picamera"

    def __init__(
        self, size: tuple[int, int] = SIZE, fps: float = FPS, timeout: float = FROZEN_AFTER
    ) -> None:
        """Opens the first camera and waits for its first picture.

        `size`: width and height asked for; the camera may give another. `timeout`: seconds.
        Raises `CameraError`.
        """
        try:
            from libcamera import controls
            from picamera2 import Picamera2
        except Exception as error:  # numpy of the wrong version makes it a ValueError
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
        # A control that the camera lacks is refused with an error.
        if "FrameDurationLimits" in camera.camera_controls:
            controls["FrameDurationLimits"] = (round(1e6 / fps), round(1e6 / fps))
        # Left to itself a small picture may come from a mode that sees only the sensor's middle.
        # The one nearest to half the resolution each way sees all of it, on every Pi camera.
        width, height = camera.sensor_resolution
        wanted = camera.create_video_configuration(
            main={"size": size, "format": "RGB888"},
            sensor={"output_size": (width // 2, height // 2)},
            controls=controls,
        )
        camera.configure(wanted)
        # What was asked for is only a wish: formats and sizes are changed without an error.
        main = camera.camera_configuration()["main"]
        self._format, self._size = main["format"], tuple(main["size"])
        if self._format not in _TO_BGR:
            raise CameraError(f"picamera: pictures in {self._format} cannot be read")
        camera.start()
        # A lens that can focus stands at a metre until told otherwise.
        if "AfMode" in camera.camera_controls:
            camera.set_controls({"AfMode": self._continuous_focus})

    def frame(self) -> Frame:
        """The newest frame; raises `CameraError` if none comes within the timeout."""
        if not self._camera.is_open:
            raise CameraError("picamera: the camera is closed")
        try:
            array = self._camera.capture_array("main", wait=self._timeout)
        except TimeoutError as error:
            # Without this the unanswered wish stays first in the queue, and closing hangs on it.
            self._camera.cancel_all_and_flush()
            raise CameraError(
                "picamera: no picture for %(seconds)s s; is the ribbon cable loose?",
                seconds=f"{self._timeout:g}",
            ) from error
        except Exception as error:
            raise CameraError(f"picamera: {error}") from error
        return to_bgr(array, self._format, self._size)

    def lock(self) -> dict[str, Any]:
        """Fixes exposure, white balance and focus as they have settled now.

        Returns what `hold` takes, fit for JSON: libcamera's names with their values. Raises
        `CameraError` where the camera has none of the three, or gives no picture.
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
            raise CameraError("picamera: this camera has nothing that can be locked")
        self.hold(held)
        return held

    def hold(self, held: Mapping[str, Any]) -> None:
        """Fixes what an earlier `lock` returned, leaving out what this camera doesn't know."""
        known = self._camera.camera_controls
        controls: dict[str, Any] = {}
        for control, names in _HELD.items():
            values = {name: held[name] for name in names if name in held}
            if control in known and len(values) == len(names):
                # The value counts only once the camera no longer finds it by itself.
                controls[control] = self._manual_focus if control == "AfMode" else False
                controls |= values
        if "ColourGains" in controls:
            controls["ColourGains"] = tuple(controls["ColourGains"])
        self._camera.set_controls(controls)

    def release(self, hertz: int) -> None:
        """Lets the camera find exposure, white balance and focus by itself again.

        `hertz`: of the mains, 50 or 60: exposures become multiples of half a period, so that lamps
        seem steady.
        """
        known = self._camera.camera_controls
        controls = {
            "AeEnable": True,
            "AwbEnable": True,
            "AfMode": self._continuous_focus,
            # Lamps shine twice a period. The mode is a number in libcamera: 1 is FlickerManual.
            "AeFlickerPeriod": round(1e6 / (2 * hertz)),
            "AeFlickerMode": 1,
        }
        self._camera.set_controls({name: controls[name] for name in controls if name in known})

    def close(self) -> None:
        """Stops the camera and gives it back."""
        self._camera.close()


def to_bgr(array: Frame, pixel_format: str, size: tuple[int, int]) -> Frame:
    """A captured array of picamera2 as BGR, shape (height, width, 3).

    `size`: width and height. Planar YUV arrays are wider than that where the rows are padded: their
    width is the stride, and the padding is cut off. YUV is taken as BT.601, video range.
    """
    code = _TO_BGR[pixel_format]
    image = array if code is None else cv2.cvtColor(array, code)
    width, height = size
    return np.ascontiguousarray(image[:height, :width], dtype=np.uint8)


def open_usb(index: int, size: tuple[int, int] = SIZE, fps: float = FPS) -> "CaptureCamera":
    """Opens /dev/video`index` and waits for its first picture; raises `CameraError`.

    `size` (width, height) and `fps` are wishes: the camera gives the nearest that it knows.
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
            "%(where)s: %(device)s does not open: it is no camera or in use",
            where=name,
            device=device,
        )
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    # One buffer: with more, a slow reader is given pictures from the past.
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    camera = CaptureCamera(name, capture)
    try:
        camera.settle()
    except CameraError:
        camera.close()
        raise
    return camera


class CaptureCamera:
    """An opened OpenCV capture device. OpenCV gives up on one without pictures after 10 s."""

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
        """Waits for two pictures that differ; raises `CameraError` if none do, or none come."""
        self.frame()
        first = self._changed
        while self._changed == first:
            self.frame()

    def frame(self) -> Frame:
        """The next frame; raises `CameraError` once the camera is gone or frozen."""
        with self._lock:
            image = _read(self._capture)
        if image is None:
            raise CameraError(
                "%(where)s: no picture came; has the camera been unplugged?", where=self.name
            )
        # An eighth of the rows shows the noise of a sensor as well as all of them.
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
        """Gives the camera back, after a frame that is being waited for."""
        with self._lock:
            self._capture.release()


def _read(capture: cv2.VideoCapture) -> Frame | None:
    try:
        ok, image = capture.read()
    except cv2.error:
        return None
    return np.asarray(image, dtype=np.uint8) if ok else None


class FolderCamera:
    """Pictures shown one after another, the first again after the last.

    Each is held until `advance()` is called, as dice lie until somebody picks them up: whoever runs
    the table calls it when a roll was accepted. With `dwell` each is held for that many seconds
    (1 / `fps` for the frames of a film) or until `advance()`, whichever comes first; it is given
    for at least one frame. The pictures may differ in size.
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
        """Shows the next picture from the next frame on. May be called from any thread."""
        self._wanted = (self._wanted + 1) % len(self._paths)

    def frame(self) -> Frame:
        """The picture shown now, read-only.

        Raises `CameraError` for an unreadable picture, and goes on with the one after it.
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
    """A video file played at its own frame rate, from the start again after its end."""

    def __init__(self, path: Path) -> None:
        """Raises `CameraError` for a file that holds no video."""
        self.name = str(path)
        self._path = path
        self._capture = _open_video(path)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._pace = Pace(_plausible(fps))
        self._lock = threading.Lock()

    def frame(self) -> Frame:
        """The next frame; raises `CameraError` if the file was removed or damaged meanwhile."""
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
        """Closes the file."""
        with self._lock:
            self._capture.release()


def _plausible(fps: float) -> float:
    """What a video says of its rate, unless it can't be."""
    return fps if 1 <= fps <= 240 else FPS


def _open_video(path: Path) -> cv2.VideoCapture:
    # FFmpeg's own complaints would stand on standard error beside our one line.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # OpenCV's own reader, asked after FFmpeg, complains on standard error, too.
    has_ffmpeg = cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG if has_ffmpeg else cv2.CAP_ANY)
    if not capture.isOpened():
        raise CameraError(f"{path}: neither a picture nor a video that can be read")
    return capture


class _DrawnCamera:
    """Pictures drawn by a function, at most `fps` of them a second."""

    def __init__(self, name: str, draw: Callable[[], Frame], pace: Pace) -> None:
        self.name = name
        self._draw = draw
        self._pace = pace

    def frame(self) -> Frame:
        """Draws the next frame when it is due."""
        self._pace.wait()
        return self._draw()

    def close(self) -> None:
        """Nothing to give back."""


def drawn(draw: Callable[[], Frame], fps: float = FPS, name: str = "simulated") -> Camera:
    """A camera whose frames are drawn by `draw`, called `fps` times a second."""
    return _DrawnCamera(name, draw, Pace(fps))


def frames(path: Path) -> Iterator[tuple[int, Frame]]:
    """Every frame of a folder or a video with its number, once and as fast as they are taken.

    A folder's frames are numbered as their names are, where all are and no two alike; else from 0,
    as those of a video. Raises `CameraError` for what cannot be read, and at the end of a video
    that was cut off.
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
    """Raises `CameraError` where a video ended clearly before it says that it does."""
    declared = round(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    # It may be reckoned from the time, and sound go on for a moment after the last frame.
    inexact = min(declared / 10, _plausible(capture.get(cv2.CAP_PROP_FPS)) / 2)
    if declared - shown > max(2, inexact):
        raise CameraError(f"{path}: cut off or damaged after {shown} of {declared} frames")


def frame_rate(path: Path) -> float:
    """Frames a second of a video, `FPS` of a folder; raises `CameraError`."""
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
        # OpenCV would take the pictures beside it for a film.
        raise CameraError(f"{path}: one picture, not a folder of frames or a video")
    return _open_video(path)


def _numbers(paths: Sequence[Path]) -> Sequence[int]:
    """The last number in each name where these rise, else those from 0."""
    named = [re.findall(r"\d+", path.stem) for path in paths]
    if all(named):
        numbers = [int(found[-1]) for found in named]
        if all(one < other for one, other in pairwise(numbers)):
            return numbers
    return range(len(paths))


def pictures(folder: Path) -> list[Path]:
    """The pictures in a folder, 2.jpg before 10.jpg; raises `CameraError` if there are none."""
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
    """Reads a picture file, turned upright by its EXIF note; the array is read-only.

    Raises `CameraError` naming the file: unreadable, damaged, cut off, or of a size that is no
    picture of dice.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CameraError(f"{path}: {error.strerror}") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, path: str) -> Frame:
    """Decodes what a picture file holds, as `load_picture` does; `path`: its name, for errors."""
    if not data:
        raise CameraError(f"{path}: the file is empty")
    if declared := _declared_size(data):
        _check_size(path, *declared)
    if _is_cut_off_jpeg(data):
        raise CameraError(f"{path}: the picture is cut off")
    if data.startswith(PNG) and not _is_whole_png(data):
        raise CameraError(f"{path}: the picture is cut off or damaged")
    if data.startswith(TIFF):
        # Some versions of OpenCV read fractions as whole numbers, some not at all.
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
    """Width and height that a PNG or JPEG declares, without decoding it; None of other data."""
    if data.startswith(PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    for marker, at in _jpeg_segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 3 : at + 7])
            return width, height
    return None


def _is_cut_off_jpeg(data: bytes) -> bool:
    """Whether a JPEG's picture, not one of its thumbnails, lacks its end.

    Some versions of OpenCV fill what is missing with grey.
    """
    scans = [at for marker, at in _jpeg_segments(data) if marker == 0xDA]
    return data.startswith(JPEG) and not (scans and data.find(b"\xff\xd9", scans[0]) > 0)


def _is_whole_png(data: bytes) -> bool:
    """Whether all parts of a PNG are there and as they were written.

    libpng writes of others to standard error, beside our one line.
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
    """Marker and offset of each segment of a JPEG's header, up to the first scan."""
    at, marker = 2, 0
    while data.startswith(JPEG) and marker != 0xDA and at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        yield marker, at + 2
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
