"""`bang-companion watch` in a process of its own: frames in, a line for every change out."""

import json
import shutil
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from places import PICTURES
from process import companion, within

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


# Wrong input


def test_what_cannot_be_watched_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
        done = within(capsys, "watch", "--profile", "pips", path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"{path}: {why}")
        assert done.stderr.count("\n") == 1


def test_a_broken_frame_is_named_after_what_came_before(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(CLIP, tmp_path / "clip"))
    frame = folder / "017.jpg"
    frame.write_bytes(frame.read_bytes()[:5000])
    done = companion("watch", "--profile", "pips", folder)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{frame}: ")
    assert done.stderr.count("\n") == 1
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["moving"]
