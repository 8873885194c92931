"""`bang-companion watch` in a process of its own: frames in, a line for every change out."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from places import PICTURES
from process import companion

from vision.imaging.geometry import Image
from vision.simulate.dice.tray import SimulatedDiceTray

pytestmark = pytest.mark.pictures

CLIP = PICTURES / "clip"
TRUTH = json.loads((CLIP / "truth.json").read_text())
FPS = 15

DIE = {"face", "x", "y", "size", "angle", "confidence", "sure", "die", "moved"}


def watch(*arguments: object, **options) -> list[dict]:
    done = companion("watch", *arguments, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def refused(*arguments: object) -> subprocess.CompletedProcess[str]:
    done = companion("watch", *arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    return done


@cache
def evening() -> tuple[list[Image], list[int], list[list[str]]]:
    """A throw, and a second one with two dice kept: frames, where they come to rest, and faces."""
    tray, images, rests, faces = SimulatedDiceTray(size=(820, 616), seed=5), [], [], []
    images += [tray.frame() for _ in range(8)]
    for keep in ((), (1, 3)):
        tray.throw(keep)
        while not tray.at_rest:
            images.append(tray.frame())
        rests.append(len(images))
        images += [tray.frame() for _ in range(9)]
        faces.append(sorted(tray.faces))
    return images, rests, faces


def write_folder(folder: Path, images: Iterable[Image]) -> Path:
    folder.mkdir()
    for number, image in enumerate(images):
        cv2.imwrite(str(folder / f"{number:03}.jpg"), image)
    return folder


def write_video(path: Path, images: Iterable[Image]) -> Path:
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (820, 616))
    for image in images:
        video.write(image)
    video.release()
    return path


@pytest.mark.parametrize("kind", ["folder", "video"])
def test_a_folder_and_a_video_are_followed_alike(tmp_path: Path, kind: str) -> None:
    images, rests, faces = evening()
    if kind == "folder":
        lines = watch("--profile", "pips", "--fps", FPS, write_folder(tmp_path / "frames", images))
    else:
        lines = watch("--profile", "pips", write_video(tmp_path / "throws.avi", images))
    assert [line["event"] for line in lines] == ["empty", "moving", "settled", "moving", "settled"]
    assert all(set(line) == {"frame", "event", "verdict", "dice"} for line in lines)
    assert all(set(die) == DIE for line in lines for die in line["dice"])
    assert [line["verdict"] for line in lines] == ["empty", None, "ok", None, "ok"]
    first, second = lines[2], lines[4]
    for line, rest, shown in zip((first, second), rests, faces, strict=True):
        assert rest <= line["frame"] <= rest + 5
        assert sorted(die["face"] for die in line["dice"]) == shown
        assert sorted(die["die"] for die in line["dice"]) == [0, 1, 2, 3, 4]
    assert all(die["moved"] for die in first["dice"])
    kept = [die for die in second["dice"] if not die["moved"]]
    assert len(kept) == 2
    before = {die["die"]: die["face"] for die in first["dice"]}
    assert all(before[die["die"]] == die["face"] for die in kept)


@pytest.fixture(scope="module")
def wood(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The profile of the dice in the clip."""
    profile = tmp_path_factory.mktemp("profiles") / "wood"
    done = companion("teach", "--profile", profile, PICTURES / "renders/E/teach")
    assert done.returncode == 0, done.stderr
    return profile


def without(*left_out: int) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        for number in left_out:
            (folder / f"{number:03}.jpg").unlink()

    return change


def swapped(folder: Path) -> None:
    for one, other in ((15, 19), (14, 22)):
        first, second = (folder / f"{number:03}.jpg" for number in (one, other))
        held = first.read_bytes()
        first.write_bytes(second.read_bytes())
        second.write_bytes(held)


def held_twice(folder: Path) -> None:
    for number in (14, 16, 18, 21, 24):
        shutil.copy(folder / f"{number - 1:03}.jpg", folder / f"{number:03}.jpg")


def untouched(folder: Path) -> None:
    pass


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(untouched, id="all"),
        pytest.param(without(14, 17, 22, 23, 25), id="frames missing", marks=pytest.mark.slow),
        pytest.param(held_twice, id="frames repeated", marks=pytest.mark.slow),
    ],
)
def test_rendered_dice_are_read_once_they_lie_and_before_half_a_second_is_over(
    tmp_path: Path, wood: Path, change: Callable[[Path], None]
) -> None:
    folder = Path(shutil.copytree(CLIP, tmp_path / "clip"))
    change(folder)
    moving, settled = watch("--profile", wood, folder)
    assert (moving["event"], settled["event"]) == ("moving", "settled")
    late = settled["frame"] - TRUTH["rest_from"]
    assert 0 < late / TRUTH["fps"] < 0.4
    found = sorted(settled["dice"], key=lambda die: die["x"])
    truth = sorted(TRUTH["boxes"])
    assert [die["face"] for die in found] == [face for *_, face in truth]
    away = [
        np.hypot(die["x"] - x, die["y"] - y) for die, (x, y, *_) in zip(found, truth, strict=True)
    ]
    assert max(away) < 6


def test_frames_out_of_order_settle_nothing_that_moves(tmp_path: Path, wood: Path) -> None:
    folder = Path(shutil.copytree(CLIP, tmp_path / "clip"))
    swapped(folder)
    lines = watch("--profile", wood, folder)
    assert [line["event"] for line in lines] == ["moving"], "too few lie still at the end"


def test_a_camera_that_stops_while_dice_roll_has_settled_nothing(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(CLIP, tmp_path / "clip"))
    without(*range(21, 30))(folder)
    assert [line["event"] for line in watch("--profile", "pips", folder)] == ["moving"]


def test_names_without_numbers_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "clip"
    folder.mkdir()
    for name, number in zip("abcd", (13, 14, 15, 16), strict=True):
        shutil.copy(CLIP / f"{number:03}.jpg", folder / f"{name}.jpg")
    assert [line["frame"] for line in watch("--profile", "pips", folder)] == [1]


# Wrong input


def test_what_cannot_be_watched_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.mp4").write_text("no video")
    beginning = write_video(tmp_path / "beginning.avi", [np.zeros((616, 820, 3), np.uint8)])
    beginning.write_bytes(beginning.read_bytes()[:300])
    for path, why in {
        tmp_path / "gone": "no such file or folder",
        tmp_path / "empty": "the folder holds no pictures",
        tmp_path / "notes.mp4": "neither a picture nor a video",
        beginning: "neither a picture nor a video",
        CLIP / "013.jpg": "one picture, not a folder",
    }.items():
        done = refused("--profile", "pips", path)
        assert done.stderr.startswith(f"{path}: {why}")
        assert done.stdout == ""


@pytest.mark.parametrize("content", [b"", b"no picture", None], ids=["empty", "text", "cut off"])
def test_a_broken_frame_is_named_after_what_came_before(
    tmp_path: Path, content: bytes | None
) -> None:
    folder = Path(shutil.copytree(CLIP, tmp_path / "clip"))
    frame = folder / "017.jpg"
    frame.write_bytes(frame.read_bytes()[:5000] if content is None else content)
    done = refused("--profile", "pips", folder)
    assert done.stderr.startswith(f"{frame}: ")
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["moving"]


def test_a_video_that_was_cut_off_is_named_after_what_came_before(tmp_path: Path) -> None:
    images, _, _ = evening()
    video = write_video(tmp_path / "throws.avi", images)
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    done = refused("--profile", "pips", video)
    assert done.stderr.startswith(f"{video}: cut off or damaged after ")
    events = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert events[:2] == ["empty", "moving"]


@pytest.mark.parametrize("fps", ["-15", "nan", "many"])
def test_a_rate_that_cannot_be_is_refused(fps: str) -> None:
    assert "--fps" in refused("--profile", "pips", "--fps", fps, CLIP).stderr
