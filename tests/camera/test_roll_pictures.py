"""Pictures of the dice of accepted rolls: bounded, replaced after an undo, off if wished."""

from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from sites import Site, finish

from companion.app.build import start_table
from companion.camera.roll_pictures import CELL, RollPictures
from companion.settings import Settings
from companion.table.lessons import picture_accepted
from companion.table.surface.dice.state import Place

pytestmark = pytest.mark.pictures

FACES = ("gatling", "arrow", "gatling", "dynamite", "beer")
PLACES = [Place(60.0 + 100 * number, 60.0, 40.0) for number in range(5)]


def frame(shade: int = 200) -> np.ndarray:
    """A tray with five dice, each with a shade of its own."""
    picture = np.full((120, 520, 3), 30, np.uint8)
    for number, place in enumerate(PLACES):
        x, y = round(place.x), round(place.y)
        picture[y - 25 : y + 25, x - 25 : x + 25] = shade - 20 * number
    return picture


@contextmanager
def started(folder: Path, shown: Callable[[], np.ndarray | None] = frame, **bounds: int):
    """Pictures that are written once this ends."""
    pictures = RollPictures(folder, shown, **bounds)
    pictures.start()
    yield pictures
    pictures.stop()


def decoded(jpeg: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def kept(folder: Path) -> set[str]:
    return {f"{path.parent.name}/{path.stem}" for path in folder.rglob("*.jpg")}


def test_the_dice_are_side_by_side_and_one_beside_the_tray_leaves_its_place_empty(tmp_path):
    with started(tmp_path) as pictures:
        pictures.keep(1, 3, [*PLACES[:4], None])
    found = decoded(pictures.picture(1, 3))
    assert found.shape == (CELL, 5 * CELL, 3)
    for number in range(4):
        cell = found[10:-10, number * CELL + 10 : (number + 1) * CELL - 10]
        assert abs(int(cell.mean()) - (200 - 20 * number)) < 6
    b, g, r = found[CELL // 2, 4 * CELL + CELL // 2]
    assert g > b > r


def test_the_dice_are_those_of_the_press_even_if_a_hand_comes_next(tmp_path):
    shown = frame()
    with started(tmp_path, lambda: shown) as pictures:
        pictures.keep(1, 1, PLACES)
        shown[:] = 0
    assert decoded(pictures.picture(1, 1))[10:-10, 10 : CELL - 10].mean() > 150


def test_a_die_at_the_edge_of_the_frame_is_pictured(tmp_path):
    with started(tmp_path) as pictures:
        pictures.keep(1, 1, [Place(0.0, 0.0, 40.0), Place(519.0, 119.0, 40.0), *PLACES[2:]])
    assert decoded(pictures.picture(1, 1)).shape == (CELL, 5 * CELL, 3)


@pytest.mark.parametrize("places", [PLACES, [None] * 5], ids=["seen", "by hand"])
def test_a_roll_replaces_what_was_undone(tmp_path, places):
    with started(tmp_path) as pictures:
        for move in (1, 2, 5):
            pictures.keep(7, move, PLACES)
        pictures.keep(7, 2, places)
    assert kept(tmp_path) == ({"7/1", "7/2"} if places == PLACES else {"7/1"})


def test_pictures_take_no_more_than_their_bounds(tmp_path):
    with started(tmp_path) as pictures:
        pictures.keep(9, 1, PLACES)
    size = (tmp_path / "9/1.jpg").stat().st_size
    for game in (1, 2, 3, 4):
        with started(tmp_path, per_game=3 * size + size // 2, total=9 * size) as pictures:
            for move in range(1, 6):
                pictures.keep(game, move, PLACES)
    assert kept(tmp_path) == {f"{number}/{move}" for number in (3, 4) for move in (1, 2, 3)}


def test_without_a_frame_or_a_disk_the_game_goes_on(tmp_path, caplog):
    with started(tmp_path / "none", lambda: None) as nothing:
        nothing.keep(1, 1, PLACES)
    assert nothing.picture(1, 1) is None
    (tmp_path / "file").write_text("in the way")
    with started(tmp_path / "file") as pictures:
        pictures.keep(1, 1, PLACES)
    assert "roll pictures: Not a directory" in caplog.text


def test_each_accepted_roll_is_pictured_and_shown_once_the_game_is_over(tmp_path):
    with started(tmp_path / "rolls") as pictures:
        site = Site(tmp_path, roll_picture=pictures.picture).start()
        site.table.follow(partial(picture_accepted, pictures))
        site.roll(*FACES)
        site.host.post("/game/undo")
        site.roll(*FACES)
        finish(site)
    replay = site.table.past.replay(1, site.table.scene)
    rolls = {f"1/{step}" for step in range(replay.last + 1) if replay.has_picture(step)}
    assert kept(tmp_path / "rolls") == rolls != set()
    get = site.stranger.client.get
    assert 'src="/watch/1/dice/1.jpg"' in get("/watch/1/1").text
    assert get("/watch/1/dice/1.jpg").data == pictures.picture(1, 1)
    assert {get(f"/watch/1/dice/{step}.jpg").status_code for step in ("0", "9999")} == {204}


def test_a_table_can_do_without_and_drops_those_it_had(tmp_path):
    (tmp_path / "rolls/1").mkdir(parents=True)
    (tmp_path / "rolls/1/1.jpg").write_bytes(b"old")
    for wished in (True, False):
        plain = Settings(camera="none", data=tmp_path, host="127.0.0.1", port=0)
        with ExitStack() as stack:
            start_table(replace(plain, dice_pictures=wished), stack)
        assert (tmp_path / "rolls").exists() == wished
