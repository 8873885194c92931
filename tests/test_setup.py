"""The set-up without a browser: pictures for others, locks, the empty tray, and what is kept."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sites import Site, reason

from companion.table.table import Refused
from companion.watching.frames import Feed, Window
from companion.watching.setup import EmptyTray, Kept, Lock, Memory, Setup

HELD = {"ExposureTime": 20_000, "ColourGains": [1.9, 1.6]}


class Camera:
    """A camera that gives numbered pictures, and notes what it is told."""

    name = "picamera"

    def __init__(self) -> None:
        self.told: list[object] = []
        self.number = 0
        self.fault = ""

    def frame(self) -> np.ndarray:
        if self.fault:
            raise OSError(self.fault)
        self.number = (self.number + 1) % 256
        return np.full((48, 64, 3), self.number, np.uint8)

    def close(self) -> None:
        self.told.append("close")

    def lock(self) -> Mapping[str, Any]:
        self.told.append("lock")
        return HELD

    def hold(self, held: Mapping[str, Any]) -> None:
        self.told.append(held)

    def release(self, hertz: int) -> None:
        self.told.append(hertz)


class Plain:
    """A camera that can't be locked."""

    name = "usb:0"

    def frame(self) -> np.ndarray:
        return np.zeros((48, 64, 3), np.uint8)

    def close(self) -> None:
        """Nothing to give back."""


class Optics:
    """Looks at pictures as it is told."""

    def __init__(self) -> None:
        self.looks = self.forgotten = 0
        self.has_moved = False

    def look(self, image: np.ndarray) -> Any:
        self.looks += 1
        return type("Sight", (), {"dice": 5, "sure": 5, "advice": ()})

    def forget(self) -> None:
        self.forgotten += 1

    def show(self, image: np.ndarray, sight: object, names: Mapping[str, str]) -> bytes:
        self.names = names
        return bytes([int(image[0, 0, 0])])

    def load(self, path: Path) -> np.ndarray | None:
        return (
            np.frombuffer(path.read_bytes(), np.uint8).reshape(48, 64, 3) if path.exists() else None
        )

    def encode(self, image: np.ndarray) -> bytes:
        return image.tobytes()

    def moved(self, tray: np.ndarray, image: np.ndarray) -> bool:
        return self.has_moved


class Taker(threading.Thread):
    """Takes pictures as the watcher does."""

    def __init__(self, camera: Any) -> None:
        super().__init__(daemon=True)
        self.camera, self.ended = camera, False

    def run(self) -> None:
        while not self.ended:
            self.camera.frame()
            time.sleep(0.005)


@pytest.fixture
def feed() -> Iterator[Feed]:
    made = Feed()
    yield made
    made.close()


@pytest.fixture
def optics() -> Optics:
    return Optics()


@pytest.fixture
def taking(feed: Feed) -> Iterator[Camera]:
    camera = Camera()
    taker = Taker(feed.through(camera))
    taker.start()
    yield camera
    taker.ended = True
    taker.join()


def wait_until(true) -> None:
    until = time.monotonic() + 10
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


# Pictures for others


def test_who_looks_gets_the_newest_picture_once(feed: Feed) -> None:
    camera = feed.through(Camera())
    assert feed.wait(-1, 0.01) is None
    camera.frame()
    camera.frame()
    number, picture = feed.wait(-1, 1)
    assert picture[0, 0, 0] == 2
    assert feed.wait(number, 0.01) is None


def test_a_camera_that_fails_has_no_picture_any_more(feed: Feed) -> None:
    camera = Camera()
    shared = feed.through(camera)
    shared.frame()
    camera.fault = "unplugged"
    with pytest.raises(OSError, match="unplugged"):
        shared.frame()
    assert feed.picture is None
    with pytest.raises(Refused, match="no camera works now"):
        feed.ask(lambda camera: None)
    shared.close()
    assert camera.told == ["close"]


def test_orders_are_carried_out_between_pictures(feed: Feed, taking: Camera) -> None:
    wait_until(lambda: feed.picture is not None)
    assert feed.ask(lambda camera: threading.current_thread()) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        feed.ask(lambda camera: 1 // 0)
    assert feed.ask(lambda camera: camera.name) == "picamera"


def test_work_is_done_only_while_somebody_looks(feed: Feed, taking: Camera) -> None:
    worked: list[int] = []
    rested = threading.Event()

    def work(picture: np.ndarray) -> float:
        worked.append(int(picture[0, 0, 0]))
        if len(worked) == 1:
            raise ValueError("a picture that can't be looked at")
        return 0.0

    window = Window(feed, "test", work, rested.set, places=2)
    wait_until(lambda: feed.picture is not None)
    assert worked == []
    one, two = window.open(100), window.open(100)
    with pytest.raises(Refused, match="too many pages"):
        window.open(100)
    assert next(one) is not next(one)
    assert next(two).shape == (48, 64, 3)
    wait_until(lambda: len(worked) > 2)
    one.close()
    one.close()
    window.open(100).close()
    assert not rested.is_set()
    two.close()
    assert rested.wait(5)
    done = len(worked)
    time.sleep(0.1)
    assert len(worked) == done


def test_pictures_end_with_the_table_and_without_a_camera() -> None:
    feed = Feed()
    window = Window(feed, "test", lambda picture: 0.0)
    feed.through(Camera()).frame()
    look = window.open(100)
    next(look)
    feed.close()
    with pytest.raises(StopIteration):
        next(look)
    look.close()


# Locks and the empty tray, pressed on the host's page


@pytest.fixture
def made(tmp_path: Path, feed: Feed, optics: Optics) -> Iterator["SetUp"]:
    setup = SetUp(tmp_path, feed, optics)
    yield setup
    setup.site.journal.close()


class SetUp:
    """A table with a set-up, and the host's phone."""

    def __init__(self, folder: Path, feed: Feed, optics: Optics) -> None:
        self.folder = folder
        self.site = Site(folder)
        self.memory = Memory(folder)
        self.setup = Setup(self.site.table, feed, self.memory, optics, self.site.streams.notify)
        self.site.app.extensions["setup"] = self.setup

    def press(self, path: str, **fields: object):
        return self.site.host.post(path, **fields)


def test_what_is_locked_is_held_after_a_restart(
    made: SetUp, feed: Feed, optics: Optics, taking: Camera, tmp_path: Path
) -> None:
    wait_until(lambda: feed.picture is not None)
    assert made.setup.view().lock is Lock.OPEN
    assert made.press("/setup/lock").status_code == 204
    assert made.setup.view().lock is Lock.LOCKED
    assert "Unlock" in made.site.host.live("setup")
    assert json.loads((tmp_path / "setup.json").read_text()) == {
        "mains": 50,
        "held": {"picamera": HELD},
        "profile": "",
        "steps": {},
    }
    again = Setup(made.site.table, feed, Memory(tmp_path), optics, lambda: None)
    camera = Camera()
    again.through(camera)
    assert camera.told == [HELD]


def test_an_unlocked_camera_goes_by_the_mains(
    made: SetUp, feed: Feed, optics: Optics, taking: Camera, tmp_path: Path
) -> None:
    wait_until(lambda: feed.picture is not None)
    made.press("/setup/lock")
    assert made.press("/setup/release", mains=60).status_code == 204
    assert taking.told == ["lock", 60]
    assert made.setup.view()[2:4] == (Lock.OPEN, 60)
    assert made.press("/setup/release").status_code == 204
    assert taking.told[-1] == 60
    assert reason(made.press("/setup/release", mains=55), 422) == "the mains have 50 or 60 hertz"
    camera = Camera()
    Setup(made.site.table, feed, Memory(tmp_path), optics, lambda: None).through(camera)
    assert camera.told == [60]


def test_a_camera_that_cannot_be_locked_says_so(made: SetUp, feed: Feed) -> None:
    taker = Taker(made.setup.through(Plain()))
    taker.start()
    wait_until(lambda: feed.picture is not None)
    assert made.setup.view().lock is Lock.NONE
    assert "nothing that can be locked" in reason(made.press("/setup/lock"), 422)
    taker.ended = True
    taker.join()
    assert not (made.folder / "setup.json").exists()


def test_the_empty_tray_lasts_until_the_camera_moves(
    made: SetUp, feed: Feed, optics: Optics, tmp_path: Path
) -> None:
    assert reason(made.press("/setup/tray"), 503) == "no camera works now"
    picture = feed.through(Camera()).frame()
    assert made.press("/setup/tray").status_code == 204
    assert made.site.host.open("/setup/tray.jpg").data == b"\x01"
    later = Setup(made.site.table, feed, Memory(tmp_path), optics, lambda: None)
    assert (later.tray_for(picture) == picture).all()
    # Another camera, or another mode of it.
    assert later.tray_for(np.zeros((24, 32, 3), np.uint8)) is None
    assert later.view().tray is EmptyTray.KNOWN
    # Hands for a moment are no motion of the camera.
    optics.has_moved = True
    assert later.tray_for(picture) is None
    optics.has_moved = False
    assert later.tray_for(picture) is not None
    optics.has_moved = True
    for _ in range(4):
        assert later.tray_for(picture) is None
    assert later.view().tray is EmptyTray.MOVED
    assert not (tmp_path / "tray.png").exists()


def test_who_forgets_the_empty_tray_is_not_told_that_the_camera_moved(
    made: SetUp, feed: Feed
) -> None:
    feed.through(Camera()).frame()
    made.press("/setup/tray")
    made.press("/setup/tray/forget")
    assert made.setup.view().tray is EmptyTray.UNKNOWN
    assert made.site.host.open("/setup/tray.jpg").status_code == 204


def test_a_press_of_an_old_page_is_refused(made: SetUp, feed: Feed) -> None:
    feed.through(Camera()).frame()
    old = made.site.now
    made.site.host.post("/people/add", name="Zoe")
    answer = made.site.host.send("/setup/tray", old)
    assert reason(answer, 409)
    assert made.setup.view().tray is EmptyTray.UNKNOWN


def test_what_cannot_be_saved_changes_nothing(
    made: SetUp, feed: Feed, taking: Camera, tmp_path: Path
) -> None:
    wait_until(lambda: feed.picture is not None)
    (tmp_path / "setup.json").mkdir()
    assert "nothing was changed" in reason(made.press("/setup/lock"), 503).lower()
    assert made.setup.view().lock is Lock.OPEN
    assert [path.name for path in tmp_path.glob(".*.part")] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"mains": 55}',
        '{"held": []}',
        '{"held": {"a": 1}}',
        '{"new": 1}',
        '{"profile": 3}',
    ],
)
def test_a_damaged_file_is_no_set_up(tmp_path: Path, text: str) -> None:
    (tmp_path / "setup.json").write_text(text)
    assert Memory(tmp_path).kept == Kept()


# Who sees it


def test_only_the_host_looks_and_the_picture_is_a_stream_of_parts(
    made: SetUp, feed: Feed, taking: Camera
) -> None:
    wait_until(lambda: feed.picture is not None)
    for path in ("/setup", "/live/setup", "/setup/camera", "/teach", "/live/teach", "/teach/1.jpg"):
        assert made.site.phones[1].client.get(path).status_code == 403, path
        assert made.site.stranger.client.get(path).location == "/", path
    answer = made.site.host.client.get("/setup/camera", buffered=False)
    assert answer.content_type == "multipart/x-mixed-replace; boundary=picture"
    parts = iter(answer.response)
    first = next(parts)
    assert first.startswith(b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: 1\r\n\r\n")
    assert first.endswith(b"\r\n--picture\r\n")
    assert next(parts).startswith(b"Content-Type")
    answer.close()
    wait_until(lambda: "setup" not in [thread.name for thread in threading.enumerate()])


def test_each_phone_sees_the_dice_named_in_its_language(
    made: SetUp, feed: Feed, optics: Optics, taking: Camera
) -> None:
    wait_until(lambda: feed.picture is not None)
    for language, beer in (("fr", "bière"), ("en", "beer")):
        answer = made.site.host.client.get(
            "/setup/camera", buffered=False, headers={"Accept-Language": language}
        )
        next(iter(answer.response))
        assert optics.names["beer"] == beer
        answer.close()


def test_a_table_without_a_camera_says_so(tmp_path: Path) -> None:
    site = Site(tmp_path)
    for page in ("setup", "teach"):
        assert "without a camera" in site.host.open(f"/{page}").text
        assert "without a camera" in site.host.live(page)
    assert reason(site.host.post("/setup/tray"), 404) == "this table has no camera"
    site.journal.close()
