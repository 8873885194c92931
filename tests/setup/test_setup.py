"""The set-up without a browser: pictures for others, locks, the empty tray, and what is kept."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from setting_up import HELD, Camera, SetUp
from sites import Site, reason
from waiting import wait_until

from companion.base.proof import take_proven
from companion.camera.camera_lock import LockState
from companion.camera.empty_tray import EmptyTrayState
from companion.camera.frames import LiveView, SharedCamera
from companion.camera.setup_store import SetupStore, StoredSetup
from companion.games.cards.game import CARD_GAME
from companion.setup.aiming import CameraSetup, Inspection, SetupView
from companion.table.table import Refused
from hardware.camera.drawn import open_drawn
from vision.dice.advice import Advice, Fault
from vision.dice.reading import DiceReading, TrayVerdict
from web.setup.advice import setup_page

pytestmark = pytest.mark.pictures

PERIOD_S = 0.005
"""From one picture of the camera to the next."""


@contextmanager
def taken(camera: Any) -> Iterator[None]:
    """Take pictures as the watcher does."""
    ended = threading.Event()

    def take() -> None:
        while not ended.wait(PERIOD_S):
            camera.frame()

    taker = threading.Thread(target=take, daemon=True)
    taker.start()
    yield
    ended.set()
    taker.join()


@pytest.fixture
def shared() -> Iterator[SharedCamera]:
    with closing(SharedCamera()) as made:
        yield made


@pytest.fixture
def taking(shared: SharedCamera) -> Iterator[Camera]:
    """A camera that has taken its first picture, and goes on."""
    camera = Camera()
    with taken(shared.share(camera)):
        wait_until(lambda: shared.frame is not None)
        yield camera


# Pictures for others


def test_who_looks_gets_the_newest_picture_once(shared):
    camera = shared.share(Camera())
    assert shared.wait(-1, 0.01) is None
    camera.frame()
    camera.frame()
    number, picture = shared.wait(-1, 1)
    assert picture[0, 0, 0] == 2
    assert shared.wait(number, 0.01) is None


def test_a_camera_that_fails_has_no_picture_any_more(shared):
    camera = Camera()
    sharing = shared.share(camera)
    sharing.frame()
    camera.fault = "unplugged"
    with pytest.raises(OSError, match="unplugged"):
        sharing.frame()
    assert shared.frame is None
    with pytest.raises(Refused, match="no camera is working"):
        shared.run(lambda camera: None)
    sharing.close()
    assert camera.told == ["close"]


def test_orders_are_carried_out_between_pictures(shared, taking):
    assert shared.run(lambda camera: threading.current_thread()) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        shared.run(lambda camera: 1 // 0)
    assert shared.run(lambda camera: camera.name) == "picamera"


def test_work_is_done_only_while_somebody_looks(shared, taking, monkeypatch):
    monkeypatch.setattr("companion.camera.frames.FAILED_S", PERIOD_S)
    worked: list[int] = []
    rested = threading.Event()

    def work(picture: np.ndarray) -> float:
        worked.append(int(picture[0, 0, 0]))
        if len(worked) == 1:
            raise ValueError("a picture that can't be looked at")
        return 0.0

    view = LiveView(shared, "test", work, rested.set, places=2)
    assert worked == []
    one, two = view.open(100, bytes), view.open(100, bytes)
    with pytest.raises(Refused, match="too many pages"):
        view.open(100, bytes)
    assert next(one) != next(one)
    assert len(next(two)) == 48 * 64 * 3
    wait_until(lambda: len(worked) > 2)
    one.close()
    one.close()
    view.open(100, bytes).close()
    assert not rested.is_set()
    two.close()
    wait_until(rested.is_set)
    done, seen = len(worked), taking.number
    wait_until(lambda: taking.number > seen + 20)
    assert len(worked) == done


def test_who_left_late_takes_nothing_from_who_looks_again(shared):
    working, go_on = threading.Event(), threading.Event()
    rested: list[int] = []

    def work(picture: np.ndarray) -> float:
        working.set()
        go_on.wait()
        return 0.0

    view = LiveView(shared, "late", work, lambda: rested.append(1))
    shared.share(Camera()).frame()
    one = view.open(100, bytes)
    assert working.wait(60)
    late = [thread for thread in threading.enumerate() if thread.name == "late"]
    one.close()
    two = view.open(100, bytes)
    go_on.set()
    for thread in late:
        thread.join(60)
    assert rested == []
    two.close()
    wait_until(lambda: rested)


def test_nobody_but_the_watcher_sees_a_darker_frame_if_one_can_be_taken(shared):
    assert shared.share(Camera()).darker_frame(0.2) is None
    simulated = shared.share(open_drawn(lambda: np.full((4, 6, 3), 200, np.uint8), fps=1000))
    simulated.frame()
    darker = simulated.darker_frame(0.2)
    assert (darker.max(), shared.frame.max()) == (96, 200)


def test_pictures_end_with_the_table_and_without_a_camera():
    shared = SharedCamera()
    view = LiveView(shared, "test", lambda picture: 0.0)
    shared.share(Camera()).frame()
    look = view.open(100, bytes)
    next(look)
    shared.close()
    with pytest.raises(StopIteration):
        next(look)
    look.close()


def test_dice_are_inspected_once_they_lie_still(made, shared, monkeypatch):
    monkeypatch.setattr("companion.setup.aiming.AIMED_S", 60.0)
    monkeypatch.setattr("companion.setup.aiming.LEAST_PAUSE_S", 0.0)
    place, rolling = [0], threading.Event()
    rolling.set()

    def frame() -> np.ndarray:
        if rolling.is_set():
            place[0] = (place[0] + 8) % 56
        picture = np.full((48, 64, 3), 60, np.uint8)
        picture[20:28, place[0] : place[0] + 8] = 200 if rolling.is_set() else 210
        return picture

    view = made.setup.live(100, {})
    with taken(shared.share(open_drawn(frame, fps=1 / PERIOD_S))), closing(view):
        for _ in range(40):
            next(view)
        assert made.inspector.inspected == []
        rolling.clear()
        wait_until(lambda: made.setup.view().inspection is not None)
        assert set(made.inspector.inspected) == {210}


def test_a_camera_that_is_aimed_by_hand_gets_advice(made, shared, monkeypatch):
    monkeypatch.setattr("companion.setup.aiming.AIMED_S", 0.1)
    noise = np.random.default_rng(1)

    def frame() -> np.ndarray:
        return noise.integers(0, 255, (48, 64, 3), np.uint8)

    view = made.setup.live(100, {})
    with taken(shared.share(open_drawn(frame, fps=1 / PERIOD_S))), closing(view):
        wait_until(lambda: made.setup.view().inspection is not None)


# Locks and the empty tray, pressed on the host's page


@pytest.fixture
def made(tmp_path: Path, shared: SharedCamera) -> Iterator["SetUp"]:
    setup = SetUp(Site(tmp_path), tmp_path, shared)
    yield setup
    setup.close()


def test_what_is_locked_is_held_after_a_restart(made, shared, taking, tmp_path):
    assert made.setup.view().lock is LockState.OPEN
    assert made.press("/setup/lock").status_code == 204
    assert made.setup.view().lock is LockState.LOCKED
    assert "Unlock" in made.site.host.live("setup")
    kept = take_proven(json.loads((tmp_path / "setup.json").read_text()))
    assert (kept.pop("mains"), kept.pop("held")) == (50, {"picamera": HELD})
    assert kept == {"profile": "", "instead_of": "", "deck": None, "steps": {}}
    camera = Camera()
    made.another_lock().restore(camera)
    assert camera.told == [HELD]


def test_an_unlocked_camera_goes_by_the_mains(made, shared, taking, tmp_path):
    made.press("/setup/lock")
    assert made.press("/setup/release", mains=60).status_code == 204
    assert taking.told == ["lock", 60]
    assert made.setup.view()[2:4] == (LockState.OPEN, 60)
    assert made.press("/setup/release").status_code == 204
    assert taking.told[-1] == 60
    said = reason(made.press("/setup/release", mains=55), 422)
    assert said == "the mains frequency must be 50 or 60 Hz"
    camera = Camera()
    made.another_lock().restore(camera)
    assert camera.told == [60]


def test_a_camera_that_cannot_be_locked_says_so(made, shared):
    made.lock.restore(plain := open_drawn(lambda: np.zeros((48, 64, 3), np.uint8), 1000))
    with taken(shared.share(plain)):
        wait_until(lambda: shared.frame is not None)
        assert made.setup.view().lock is LockState.NONE
        assert "no settings that can be locked" in reason(made.press("/setup/lock"), 422)
    assert not (made.folder / "setup.json").exists()


def test_the_empty_tray_lasts_until_the_camera_moves(made, shared, tmp_path, monkeypatch):
    has_moved = False
    made.inspector.dice = 0
    looks = "companion.camera.empty_tray.has_camera_moved"
    monkeypatch.setattr(looks, lambda tray, frame: has_moved)
    assert reason(made.press("/setup/tray"), 503) == "no camera is working"
    picture = shared.share(Camera()).frame()
    assert made.press("/setup/tray", version=made.site.view.version - 1).status_code == 409
    assert made.press("/setup/tray").status_code == 204
    assert made.site.host.open("/setup/tray.jpg").data == b"\x01"
    later = made.another_tray()
    assert (later.matching(picture) == picture).all()
    # Another camera, or another mode of it.
    assert later.matching(np.zeros((24, 32, 3), np.uint8)) is None
    assert later.state is EmptyTrayState.KNOWN
    # Hands for a moment are no motion of the camera.
    has_moved = True
    assert later.matching(picture) is None
    has_moved = False
    assert later.matching(picture) is not None
    has_moved = True
    for _ in range(4):
        assert later.matching(picture) is None
    assert later.state is EmptyTrayState.MOVED
    assert not (tmp_path / "tray.png").exists()


@pytest.mark.parametrize("dice", [0, 5])
def test_what_looks_like_dice_may_be_saved_with_the_tray(made, monkeypatch, dice):
    seen = Inspection(dice, dice, (), DiceReading(TrayVerdict.OK, ()))
    view = SetupView(True, seen, LockState.NONE, 50, EmptyTrayState.UNKNOWN, 0)
    monkeypatch.setattr(made.setup, "view", lambda: view)
    page = made.site.host.open("/setup").text
    assert ('data-press="/setup/tray" data-with="printed=1"' in page) == (dice > 0)


def test_a_tray_with_printed_dice_alone_is_saved_as_empty_and_may_be_forgotten(made, shared):
    shared.share(Camera()).frame()
    said = "the camera still sees dice in the tray (5): take them out"
    assert reason(made.press("/setup/tray"), 422) == said
    assert made.setup.view().tray is EmptyTrayState.UNKNOWN
    assert made.press("/setup/tray", printed=1).status_code == 204
    assert made.setup.view().tray is EmptyTrayState.KNOWN
    # Nobody is told that the camera moved.
    made.press("/setup/tray/forget")
    assert made.setup.view().tray is EmptyTrayState.UNKNOWN
    assert made.site.host.open("/setup/tray.jpg").status_code == 204


def test_the_table_moves_the_dice_of_a_simulated_tray_alone_and_only_before_a_game(made, shared):
    assert "this table can’t move the dice" in reason(made.press("/setup/throw"), 422)
    assert "/setup/throw" not in made.site.host.live("setup")
    done: list[str] = []
    hands = SimpleNamespace(
        throw_all=lambda: done.append("throw"), take_out=lambda: done.append("take out")
    )
    setup = CameraSetup(made.site.table, shared, made.lock, made.tray, made.inspector, hands)
    made.site.furnish(setup=setup)
    assert "/setup/throw" in made.site.host.live("setup")
    assert made.press("/setup/throw").status_code == 204
    assert made.press("/setup/take-out").status_code == 204
    made.site.start()
    for path in ("/setup/throw", "/setup/take-out"):
        assert reason(made.press(path), 422) == "you can’t do that during a game"
    assert "/setup/throw" not in made.site.host.live("setup")
    assert done == ["throw", "take out"]


def test_what_cannot_be_saved_changes_nothing(made, shared, taking, tmp_path):
    (tmp_path / "setup.json").mkdir()
    assert "nothing was changed" in reason(made.press("/setup/lock"), 503).lower()
    assert made.setup.view().lock is LockState.OPEN
    assert [path.name for path in tmp_path.glob(".*.part")] == []


def test_a_missing_file_is_no_set_up_and_no_fault(tmp_path, caplog):
    caplog.set_level("INFO")
    assert SetupStore(tmp_path).stored == StoredSetup()
    assert "the camera is not set up yet" in caplog.text
    assert "no such file" not in caplog.text


def test_a_damaged_file_is_no_set_up_and_named(tmp_path, caplog):
    path = tmp_path / "setup.json"
    for text in ("", "{", "[]", '{"mains": 55}', '{"held": []}', '{"held": {"a": 1}}', '{"new": 1}',
                 '{"profile": 3}'):  # fmt: skip
        caplog.clear()
        path.write_text(text)
        assert SetupStore(tmp_path).stored == StoredSetup(), text
        assert f"{path}: " in caplog.text


# Who sees it


def test_the_picture_is_a_stream_of_parts(made, shared, taking):
    answer = made.site.host.client.get("/setup/camera", buffered=False)
    assert answer.content_type == "multipart/x-mixed-replace; boundary=picture"
    parts = iter(answer.response)
    first = next(parts)
    assert first.startswith(b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: 1\r\n\r\n")
    assert first.endswith(b"\r\n--picture\r\n")
    assert next(parts).startswith(b"Content-Type")
    answer.close()
    wait_until(lambda: "setup" not in [thread.name for thread in threading.enumerate()])


def test_each_phone_sees_the_dice_named_in_its_language(made, shared, taking):
    for language, beer in (("fr", "bière"), ("en", "beer")):
        asked = {"Accept-Language": language}
        answer = made.site.host.client.get("/setup/camera", buffered=False, headers=asked)
        next(iter(answer.response))
        assert made.inspector.names["beer"] == beer
        answer.close()


def test_a_table_without_a_camera_says_so(tmp_path):
    site = Site(tmp_path)
    for page in ("setup", "teach"):
        assert "without a camera" in site.host.open(f"/{page}").text
        assert "without a camera" in site.host.live(page)
    assert reason(site.host.post("/setup/tray"), 404) == "this table has no camera"


# With cards


WELL = "The picture is good. Check that the whole tray is in it."


@pytest.mark.parametrize(
    ("fault", "well", "advice"),
    [("", WELL, ()), ("no_dice", WELL, ()), ("too_far", WELL, ()),
     ("blurred", "", ("Out of focus: turn the lens or wipe it clean.",))],
)  # fmt: skip
def test_the_page_asks_for_no_dice_where_cards_are_played(site, fault, well, advice):
    given = (Advice(Fault(fault), None, 9, 12),) if fault else ()
    seen = Inspection(0, 0, given, DiceReading(TrayVerdict.OK, ()))
    state = SetupView(True, seen, LockState.NONE, 50, EmptyTrayState.UNKNOWN, 0)
    with site.app.test_request_context("/"):
        page = setup_page(state, cards=True)
        assert (page.well, page.advice) == (well, advice)
        assert "dice" in str(setup_page(state)) or fault == "blurred"


def test_the_page_speaks_of_the_game_that_is_chosen(tmp_path):
    site = Site(tmp_path)
    assert "Teach the dice" in site.host.open("/setup").text
    assert site.host.post("/game/choose", game=CARD_GAME.record_name).status_code == 204
    assert "Teach the cards" in site.host.open("/seat").text
    page = site.host.open("/setup").text
    assert "Teach the cards" in page
    assert "The tray is the discard pile." in page
    assert "dice" not in re.sub("<.*?>", "", page.partition("<main")[2])
