import json
import re
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import cv2
import numpy as np
import pytest

from hardware.camera.drawn import open_drawn
from hardware.camera.folder import FolderCamera
from hardware.camera.frames import frame_rate, frames
from hardware.camera.interface import FPS, Camera, CameraError, Frame
from hardware.camera.pace import Pace
from hardware.camera.pi import PiCamera, to_bgr
from hardware.camera.pictures import load_picture, pictures
from hardware.camera.sources import open_camera
from hardware.camera.usb import CaptureCamera, open_usb

BLUE, GREEN, RED = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def plain(colour: tuple[int, int, int], width: int = 64, height: int = 48) -> Frame:
    return np.full((height, width, 3), colour, np.uint8)


def save(path: Path, image: Frame) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


def colour(image: Frame) -> tuple[int, ...]:
    """The colour of a plain picture, to the nearest of 0 and 255: codecs change it a little."""
    mean = image.reshape(-1, 3).mean(axis=0)
    return tuple(255 if value > 127 else 0 for value in mean)


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF note of how it is turned."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 1) + entry + b"\0\0\0\0"
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def encoded(suffix: str, image: Frame, *options: int) -> bytes:
    return cv2.imencode(suffix, image, options)[1].tobytes()


NOISE = np.random.default_rng(1).integers(0, 256, (200, 200, 3), np.uint8)


PNG = encoded(".png", NOISE)
DAMAGED = "the picture is cut off or damaged"
UNKNOWN = "no picture that can be read, or damaged"
CUT_OFF = {".jpg": "the picture is cut off", ".png": DAMAGED, ".bmp": UNKNOWN, ".webp": UNKNOWN}


def png_that_declares(width: int, height: int) -> bytes:
    return PNG[:16] + struct.pack(">II", width, height) + PNG[24:]


def jpeg_that_declares(width: int, height: int) -> bytes:
    jpeg = encoded(".jpg", plain(RED))
    start = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:start] + struct.pack(">HH", height, width) + jpeg[start + 4 :]


def with_thumbnail(jpeg: bytes) -> bytes:
    """A JPEG with a small picture before its own, which ends as a picture does."""
    thumbnail = b"\xff\xe1" + struct.pack(">H", 30) + b"\xff\xd8\xff\xda\xff\xd9".ljust(28, b"\0")
    return jpeg[:2] + thumbnail + jpeg[2:]


def webp_with_a_canvas() -> bytes:
    """As an editor writes it that keeps the profile of the colours (VP8X)."""
    rest = encoded(".webp", plain(RED))[12:]
    head = b"VP8X" + struct.pack("<II", 10, 0) + b"\xff\xff\x00" + b"\xff\x7f\x00"
    return b"RIFF" + struct.pack("<I", 4 + len(head + rest)) + b"WEBP" + head + rest


def fractions(largest: int) -> bytes:
    """A TIFF whose pixels are no whole numbers."""
    return encoded(".tiff", np.random.default_rng(1).random((48, 64, 3), np.float32) * largest)


def cut(suffix: str, share: float) -> bytes:
    whole = encoded(suffix, NOISE)
    return whole[: int(len(whole) * share)]


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "the file is empty"),
    "a text": (b"these are no pixels", "no picture that can be read"),
    "a head alone": (b"\xff\xd8\xff\xe0\x00\x10JFIF", "the picture is cut off"),
    "a whole thumbnail": (with_thumbnail(encoded(".jpg", plain(RED)))[:-2], "the picture is cut"),
    "a large PNG": (png_that_declares(30_000, 30_000), "30000 x 30000 pixels are too many"),
    "a large JPEG": (jpeg_that_declares(50_000, 60_000), "50000 x 60000 pixels are too many"),
    "a large canvas": (webp_with_a_canvas(), "65536 x 32768 pixels are too many"),
    "a flipped byte": (PNG[:60_000] + bytes([PNG[60_000] ^ 0xFF]) + PNG[60_001:], DAMAGED),
    "no end": (PNG[:-12], DAMAGED),
    "a wrong length": (PNG.replace(PNG[33:37] + b"IDAT", b"\xff" * 4 + b"IDAT", 1), DAMAGED),
    "fractions of 1": (fractions(1), "its pixels are fractions"),
    "fractions of 255": (fractions(255), "its pixels are fractions"),
    **{f"{share:.0%} of a {suffix}": (cut(suffix, share), complaint)
       for suffix, complaint in CUT_OFF.items() for share in (0.3, 0.6, 0.95)},
    "a pixel": (encoded(".png", plain(RED, 1, 1)), "1 x 1 pixels are too few"),
    "a line": (encoded(".jpg", plain(RED, 2000, 2)), "2000 x 2 pixels are too few"),
    "a column": (encoded(".bmp", plain(RED, 1, 600)), "1 x 600 pixels are too few"),
    "a wide strip": (encoded(".jpg", plain(RED, 4000, 600)), "4000 x 600 pixels are a strip"),
    "a high strip": (encoded(".png", plain(RED, 100, 601)), "100 x 601 pixels are a strip"),
}  # fmt: skip
"""What lies in the place of a picture, and what is said of it."""


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Ten frames at 25 a second, from black to light grey."""
    path = tmp_path / "throw.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 25, (64, 48))
    for step in range(10):
        writer.write(np.full((48, 64, 3), step * 20, np.uint8))
    writer.release()
    return path


# Pictures

APPENDED = b"what a phone appends"
RED_PICTURES = {
    **{suffix: encoded(suffix, plain(RED)) for suffix in (".jpg", ".png", ".bmp", ".webp", ".tif")},
    "a PNG and more": encoded(".png", plain(RED)) + APPENDED,
    "a JPEG with a thumbnail, and more": with_thumbnail(encoded(".jpg", plain(RED))) + APPENDED,
}


@pytest.mark.parametrize("content", RED_PICTURES.values(), ids=RED_PICTURES)
def test_a_picture_is_read_as_bgr(tmp_path, content):
    (tmp_path / "red").write_bytes(content)
    image = load_picture(tmp_path / "red")
    assert (image.dtype, image.shape, colour(image)) == (np.uint8, (48, 64, 3), RED)


def test_a_grey_picture_is_given_three_channels(tmp_path):
    assert load_picture(save(tmp_path / "g.png", np.zeros((35, 47), np.uint8))).shape == (35, 47, 3)


def test_a_phone_photo_held_upright_is_turned_upright(tmp_path):
    jpeg = encoded(".jpg", np.concatenate([plain(RED), plain(BLUE)], axis=1))
    path = tmp_path / "upright.jpg"
    path.write_bytes(with_orientation(jpeg, 6))  # turn right to see it upright
    image = load_picture(path)
    assert image.shape == (128, 48, 3)
    assert (colour(image[:60]), colour(image[68:])) == (RED, BLUE)


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_can_not_be_read_is_named_before_its_library_complains(tmp_path, capfd, name):
    content, complaint = UNREADABLE[name]
    path = tmp_path / "dice.picture"
    path.write_bytes(content)
    with pytest.raises(CameraError) as caught:
        load_picture(path)
    assert str(caught.value).startswith(f"{path}: {complaint}")
    assert "\n" not in str(caught.value)
    # OpenCV's own log is switched off where a command runs.
    said = capfd.readouterr().err.splitlines()
    assert [line for line in said if line and not line.startswith("[ERROR:")] == []


@pytest.mark.parametrize("form", ["png", "jpg", "bmp", "tif", "webp", "webp lossless", "pgm"])
def test_no_picture_is_decoded_before_its_size_is_checked(tmp_path, monkeypatch, form):
    suffix, _, lossless = form.partition(" ")
    quality = [cv2.IMWRITE_WEBP_QUALITY, 101 if lossless else 50] if suffix == "webp" else []
    image = plain(RED)[..., 0] if suffix == "pgm" else plain(RED)
    path = tmp_path / "large.png"
    path.write_bytes(encoded(f".{suffix}", image, *quality))
    monkeypatch.setattr("hardware.camera.pictures.MAX_PIXELS", 1000)
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    known = "no picture that can be read" if suffix == "pgm" else "64 x 48 pixels are too many"
    with pytest.raises(CameraError, match=known):
        load_picture(path)


def test_numbered_pictures_come_in_the_order_of_their_numbers(tmp_path):
    named = ["001.jpg", "9.jpeg", "10.bmp", "b2.PNG", "b10.tif", "b11.tiff", "b12.webp"]
    for name in (*reversed(named), "notes.txt", ".hidden.jpg"):
        (tmp_path / name).touch()
    assert [path.name for path in pictures(tmp_path)] == named


# A folder as a camera


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three pictures of different sizes: blue, green, red."""
    save(tmp_path / "1.png", plain(BLUE))
    save(tmp_path / "2.jpg", plain(GREEN, 100, 80))
    save(tmp_path / "10.png", plain(RED, 30, 40))
    return tmp_path


def shown(camera: Camera, times: int) -> list[tuple[int, ...]]:
    """The colours of the next frames."""
    return [colour(camera.frame()) for _ in range(times)]


def test_a_picture_of_a_folder_is_held_until_the_next_is_asked_for(folder):
    played = FolderCamera("folder", pictures(folder), fps=1000)
    seen = shown(played, 5)
    for _ in range(4):
        played.advance()
        seen += shown(played, 1)
    assert seen == [BLUE] * 5 + [GREEN, RED, BLUE, GREEN]
    played.close()


def test_a_picture_of_a_folder_is_held_for_its_dwell_time(folder):
    played = open_camera(str(folder), dwell=0.003, fps=1000)
    assert shown(played, 11) == [BLUE] * 3 + [GREEN] * 3 + [RED] * 3 + [BLUE] * 2
    # Asking for the next picture starts its dwell time.
    played = FolderCamera("folder", pictures(folder), dwell=0.003, fps=1000)
    seen = shown(played, 2)
    played.advance()
    assert seen + shown(played, 4) == [BLUE] * 2 + [GREEN] * 3 + [RED]
    # A film loses no frame.
    assert shown(open_camera(str(folder), dwell=0, fps=1000), 4) == [BLUE, GREEN, RED, BLUE]


def test_an_unreadable_picture_is_named_once_and_the_next_is_shown(folder):
    (folder / "2.jpg").write_bytes(b"damaged")
    played = open_camera(str(folder), dwell=0, fps=1000)
    assert colour(played.frame()) == BLUE
    with pytest.raises(CameraError, match=r"2\.jpg: no picture that can be read"):
        played.frame()
    assert colour(played.frame()) == RED


def test_one_picture_is_a_camera_too(folder):
    played = open_camera(str(folder / "2.jpg"), fps=1000)
    assert shown(played, 3) == [GREEN] * 3
    assert played.name == str(folder / "2.jpg")


# A video as a camera


def grey(image: Frame) -> int:
    return round(float(image.mean()) / 20)


def test_a_video_is_played_and_begins_again(video):
    played = open_camera(str(video))
    seen = [grey(played.frame()) for _ in range(12)]
    played.close()
    played.close()
    assert seen == [*range(10), 0, 1]


def test_a_video_that_is_taken_away_is_an_error(video):
    played = open_camera(str(video))
    video.unlink()
    assert [grey(played.frame()) for _ in range(10)] == list(range(10))
    with pytest.raises(CameraError, match=r"throw\.avi: neither a picture nor a video"):
        played.frame()


def test_frames_of_a_folder_or_a_video_come_once_each(folder, video):
    video = video.rename(folder / "throw.avi")
    assert [colour(frame) for _, frame in frames(folder)] == [BLUE, GREEN, RED]
    assert [grey(frame) for _, frame in frames(video)] == list(range(10))


def test_a_video_that_was_cut_off_gives_its_frames_and_then_an_error(video):
    # Each frame begins with this, as AVI names it.
    video.write_bytes(b"00dc".join(video.read_bytes().split(b"00dc")[:6]))
    shown: list[int] = []
    with pytest.raises(CameraError, match="cut off or damaged after") as caught:
        shown.extend(grey(image) for _, image in frames(video))
    assert shown == list(range(len(shown)))
    assert str(caught.value).endswith(f"after {len(shown)} of 10 frames")


@pytest.mark.parametrize("declared", [-1, 0, 5, 10, 11, 12])
def test_a_video_need_not_know_to_the_frame_how_many_it_has(video, monkeypatch, declared):
    """The film has ten."""

    def opened(*arguments: object) -> mock.Mock:
        film = played(*arguments)
        return mock.Mock(wraps=film, get=lambda prop: declared if prop == count else film.get(prop))

    played, count = cv2.VideoCapture, cv2.CAP_PROP_FRAME_COUNT
    monkeypatch.setattr(cv2, "VideoCapture", opened)
    assert len(list(frames(video))) == 10


@pytest.mark.parametrize(
    ("names", "numbers"),
    [(["a7", "a8", "a12"], [7, 8, 12]), (["2-c1", "3-c1"], [0, 1]), (["a", "b1"], [0, 1])],
    ids=["rising", "all alike", "not all numbered"],
)
def test_frames_are_numbered_as_their_names_are_or_counted(tmp_path, names, numbers):
    for name in names:
        save(tmp_path / f"{name}.png", plain(RED))
    assert [number for number, _ in frames(tmp_path)] == numbers


def test_a_rate_is_the_videos_own_or_thirty_and_frames_of_nothing_an_error(folder, video):
    assert frame_rate(folder) == FPS
    assert frame_rate(video) == 25
    with pytest.raises(CameraError, match="gone: no such file or folder"):
        next(frames(folder / "gone"))


# Sources

NOWHERE = "no such file or folder, nor is it picamera, usb:0 or auto"
NO_SOURCES = {
    "": "the folder holds no pictures",
    **dict.fromkeys(["gone/", "gone.jpg", "usb", "usb:", "usb:-1", "usb:x", "rtsp://x/y"], NOWHERE),
    "picamera": "picamera2 cannot be loaded",
    "usb:97": "no camera is plugged in (/dev/video97 does not exist)",
    "bad": "the file is empty",
    "notes.mp4": "neither a picture nor a video",
}
"""What is no camera, and what is said of it."""


@pytest.mark.parametrize("source", NO_SOURCES)
def test_what_is_no_camera_is_named(source, tmp_path, monkeypatch):
    here = tmp_path / "here"
    (here / "bad").mkdir(parents=True)
    (here / "bad/1.png").touch()
    (here / "labels.json").write_text("{}")
    (here / "notes.mp4").write_text("no video")
    monkeypatch.chdir(here)
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError) as caught:
        open_camera(source)
    named = {"": ".", "bad": "bad/1.png"}.get(source, source)
    assert str(caught.value).startswith(f"{named}: {NO_SOURCES[source]}")


def test_a_device_that_is_no_camera_is_named(monkeypatch):
    monkeypatch.setattr(Path, "exists", lambda path: True)
    with pytest.raises(CameraError, match="usb:98: /dev/video98 does not open"):
        open_usb(98)


def test_a_camera_unplugged_in_the_middle_is_an_error(video):
    # OpenCV tells the end of a video and a device that went away by the same answer.
    unplugged = CaptureCamera("usb:0", cv2.VideoCapture(str(video)))
    assert [grey(unplugged.frame()) for _ in range(10)] == list(range(10))
    with pytest.raises(CameraError, match=r"usb:0: no picture came; has .* unplugged"):
        unplugged.frame()
    unplugged.close()
    unplugged.close()
    with pytest.raises(CameraError):
        unplugged.frame()


# Drawn pictures and the pace


def turns(*work: float) -> list[float]:
    """When each turn of a loop begins that works for so many seconds in it, ten times a second."""
    now, begun = 100.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    pace = Pace(10, lambda: now, sleep)
    for seconds in work:
        pace.wait()
        begun.append(now)
        now += seconds
    return begun


def test_the_pace_makes_up_for_work_and_does_not_drift():
    begun = turns(*[0.03, 0.09, 0.12, 0.0, 0.05] * 20)
    # Who is late by 0.02 s comes on time again at the next turn.
    assert begun[3:5] == pytest.approx([100.32, 100.4])
    assert begun[5::5] == pytest.approx([100.5 + 0.5 * n for n in range(19)])


def test_the_pace_does_not_hurry_after_a_long_pause():
    assert turns(60, 0, 0, 0, 0) == pytest.approx([100, 160, 160.1, 160.2, 160.3])


# The Pi's camera: here what can be shown without libcamera


ROWS = np.concatenate([plain(RED, 32, 24), plain(BLUE, 32, 24)], axis=1)
"""64 x 24 pixels, red on the left, blue on the right."""


def planes(image: Frame) -> tuple[Frame, Frame]:
    """Y, and the rows of U and then V, which are half as long, as YUV420 has them."""
    height, width = image.shape[:2]
    i420 = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
    return i420[:height], i420[height:].reshape(height, width // 2)


def planar(image: Frame, stride: int) -> Frame:
    """YUV420 as it lies in memory, with rows that arbitrary bytes pad."""
    missing = stride - image.shape[1]
    luma, chroma = (
        np.pad(plane, ((0, 0), (0, pad)), constant_values=77).reshape(-1, stride)
        for plane, pad in zip(planes(image), (missing, missing // 2), strict=True)
    )
    return np.concatenate([luma, chroma])


def semiplanar(image: Frame) -> Frame:
    """NV12: each U beside its V."""
    luma, chroma = planes(image)
    return np.concatenate([luma, chroma.reshape(2, -1).T.reshape(-1, luma.shape[1])])


X = np.full((24, 64, 1), 9, np.uint8)
RGB = ROWS[..., ::-1]


@pytest.mark.parametrize(
    ("pixel_format", "array"),
    [("RGB888", ROWS), ("BGR888", RGB), ("MJPEG", RGB), ("XRGB8888", np.dstack([ROWS, X])),
     ("XBGR8888", np.dstack([RGB, X])), ("YUV420", planar(ROWS, 64)), ("YUV420", planar(ROWS, 128)),
     ("NV12", semiplanar(ROWS)), ("YUYV", cv2.cvtColor(ROWS, cv2.COLOR_BGR2YUV_YUY2))],
    ids=lambda value: value if isinstance(value, str) else f"{value.shape[1]}",
)  # fmt: skip
def test_every_format_of_the_pi_becomes_bgr(pixel_format, array):
    image = to_bgr(np.ascontiguousarray(array), pixel_format, (64, 24))
    assert (image.dtype, image.shape) == (np.uint8, (24, 64, 3))
    assert image.flags.c_contiguous
    assert np.abs(image.astype(int) - ROWS).max() <= 4


HELD = {"ExposureTime": 20_000, "AnalogueGain": 1.5, "ColourGains": [1.9, 1.6], "LensPosition": 3.2}
CONTROLS = (
    "AeEnable", "ExposureTime", "AnalogueGain", "AeFlickerMode", "AeFlickerPeriod", "AwbEnable",
    "ColourGains", "AfMode", "LensPosition", "FrameDurationLimits",
)  # fmt: skip


class Picamera2Double:
    """Answers as picamera2 0.3.38 does where our adapter asks; the pictures are ours."""

    is_open, captured = True, 0
    sensor_resolution = (4608, 2592)
    camera_controls: Sequence[str] = CONTROLS
    answered_format = "RGB888"
    frozen_after = 10**9

    exposures: Sequence[tuple[float, float]] = ((20_000, 1.5),)
    """Time and gain of the frames that come next; the last one stays."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def create_video_configuration(self, **asked: object) -> dict[str, object]:
        self.asked = asked
        return asked

    def configure(self, configuration: dict[str, object]) -> None:
        self.calls.append("configure")

    def camera_configuration(self) -> dict[str, object]:
        return {"main": {"format": self.answered_format, "size": (64, 24), "stride": 128}}

    def start(self) -> None:
        self.calls.append("start")

    def set_controls(self, controls: dict[str, object]) -> None:
        self.calls.append(f"set {controls}")

    def capture_metadata(self, wait: float) -> dict[str, object]:
        return {**HELD, "ColourGains": (1.9, 1.6), "Lux": 400.0}

    def capture_arrays(self, names: list[str], wait: float) -> tuple[list[Frame], dict[str, float]]:
        assert names == ["main"]
        self.captured += 1
        if self.captured > self.frozen_after:
            raise TimeoutError
        time, gain = self.exposures[min(self.captured, len(self.exposures)) - 1]
        rows = (ROWS * (time * gain / np.prod(self.exposures[0]))).astype(np.uint8)
        array = planar(rows, 128) if self.answered_format == "YUV420" else rows
        return [array], {"ExposureTime": time, "AnalogueGain": gain}

    def cancel_all_and_flush(self) -> None:
        self.calls.append("cancel")

    def close(self) -> None:
        self.is_open = False
        self.calls.append("close")


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Picamera2Double:
    """The camera that picamera2 finds: a double."""
    double, focus = Picamera2Double(), SimpleNamespace(Continuous="continuous", Manual="manual")
    controls = SimpleNamespace(AfModeEnum=focus)
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=lambda: double))
    monkeypatch.setitem(sys.modules, "libcamera", SimpleNamespace(controls=controls))
    return double


def opened_pi(pi: Picamera2Double) -> PiCamera:
    """Open the camera, and forget what it was told until then."""
    opened = PiCamera()
    pi.calls.clear()
    return opened


@pytest.mark.parametrize("answered", ["RGB888", "YUV420"])
def test_the_pi_camera_goes_by_the_format_it_was_given(pi, answered):
    pi.answered_format = answered
    opened = open_camera("picamera", fps=10)
    assert np.abs(opened.frame().astype(int) - ROWS).max() <= 4
    opened.close()
    with pytest.raises(CameraError, match="picamera: the camera is closed"):
        opened.frame()
    assert pi.asked == {
        "main": {"size": (820, 616), "format": "RGB888"},
        "sensor": {"output_size": (2304, 1296)},
        "controls": {"FrameDurationLimits": (100_000, 100_000)},
    }
    assert pi.calls == ["configure", "start", "set {'AfMode': 'continuous'}", "close"]


def test_what_a_camera_cannot_set_is_left_alone(pi):
    pi.camera_controls = ()
    open_camera("picamera")
    assert pi.calls == ["configure", "start"]
    assert pi.asked["controls"] == {}


def test_a_pi_camera_holds_what_it_has_settled_on(pi):
    opened = opened_pi(pi)
    held = json.loads(json.dumps(opened.lock()))
    assert held == HELD
    opened.hold(held)
    assert pi.calls == 2 * [
        "set {'AeEnable': False, 'ExposureTime': 20000, 'AnalogueGain': 1.5, 'AwbEnable': False, "
        "'ColourGains': (1.9, 1.6), 'AfMode': 'manual', 'LensPosition': 3.2}"
    ]


@pytest.mark.parametrize(("hertz", "period"), [(50, 10_000), (60, 8_333)])
def test_a_released_pi_camera_exposes_for_whole_flickers_of_the_lamp(pi, hertz, period):
    opened_pi(pi).release(hertz)
    usual = {"AeEnable": True, "AwbEnable": True, "AfMode": "continuous"}
    assert pi.calls == [f"set {usual | {'AeFlickerPeriod': period, 'AeFlickerMode': 1}}"]


def test_a_pi_camera_with_nothing_to_lock_says_so_and_is_left_alone(pi):
    pi.camera_controls = ()
    opened = opened_pi(pi)
    with pytest.raises(CameraError, match="picamera: this camera has no settings that can be lock"):
        opened.lock()
    opened.hold(HELD)
    assert pi.calls == ["set {}"]


USUAL, DARK = (20_000, 4.0), (15_990, 1.0)


def test_a_pi_camera_takes_one_darker_frame_and_goes_on_as_before(pi):
    """Frames that were queued before come first; gain is reduced before time."""
    pi.exposures = (*[USUAL] * 4, *[DARK] * 3, USUAL)
    opened = opened_pi(pi)
    assert opened.darker_frame(0.2).max() == 50
    assert pi.calls == [
        f"set { {'AeEnable': False, 'ExposureTime': 16_000, 'AnalogueGain': 1.0} }",
        f"set { {'AeEnable': False, 'ExposureTime': 20_000, 'AnalogueGain': 4.0} }",
        f"set { {'AeEnable': True} }",
    ]
    assert opened.frame().max() == 255, "the exposure is back before the next frame"


def test_a_pi_camera_whose_exposure_is_held_stays_so_after_a_darker_frame(pi):
    pi.exposures = (USUAL, USUAL, DARK, USUAL)
    opened = opened_pi(pi)
    opened.hold(HELD)
    assert opened.darker_frame(0.2) is not None
    assert "'AeEnable': False" in pi.calls[-1]


@pytest.mark.parametrize("controls", [(), CONTROLS], ids=["none", "all"])
def test_a_pi_camera_whose_exposure_does_not_follow_has_no_darker_frame(pi, controls):
    pi.camera_controls = controls
    opened = opened_pi(pi)
    assert opened.darker_frame(0.2) is None
    assert opened.frame().shape == ROWS.shape


def test_a_drawn_camera_has_less_light_in_a_darker_frame():
    camera = open_drawn(lambda: np.full((4, 6, 3), 200, np.uint8), fps=1000)
    assert np.unique(camera.darker_frame(0.2)).tolist() == [96]


def test_a_pi_camera_that_freezes_is_an_error_and_can_be_closed(pi):
    pi.frozen_after = 3
    opened = opened_pi(pi)
    opened.frame()
    opened.frame()
    with pytest.raises(CameraError, match="picamera: no picture for 5 s"):
        opened.frame()
    opened.close()
    assert pi.calls == ["cancel", "close"]


IN_USE = RuntimeError("Camera __init__ sequence did not complete.")
IN_USE.__cause__ = RuntimeError("Failed to acquire camera")


@pytest.mark.parametrize("error", [RuntimeError("No camera number 0 found"), IN_USE])
def test_a_pi_camera_that_is_not_there_or_in_use_says_why(pi, monkeypatch, error):
    monkeypatch.setattr(sys.modules["picamera2"], "Picamera2", mock.Mock(side_effect=error))
    said = f"picamera: no camera found or it is in use ({error.__cause__ or error})"
    with pytest.raises(CameraError, match=re.escape(said)):
        open_camera("picamera")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("answered_format", "R10", "pictures in R10 cannot be read"),
     ("frozen_after", 0, "no picture for 5 s")],
)  # fmt: skip
def test_a_pi_camera_that_does_not_open_says_why_and_is_given_back(pi, name, value, said):
    setattr(pi, name, value)
    with pytest.raises(CameraError, match=f"picamera: {said}"):
        open_camera("picamera")
    assert not pi.is_open
