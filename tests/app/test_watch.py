"""`bang-companion watch` in a process of its own: frames in, a line for every change out."""

import json
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from places import PICTURES
from process import companion
from tiers import later

from tests.tools.bench.symbols import profile_of
from vision.dice.profile import save_profile
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
def test_a_folder_and_a_video_are_followed_alike(tmp_path, kind):
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
    profile = tmp_path_factory.mktemp("profiles") / "wood.dice"
    save_profile(profile_of(PICTURES / "renders/E"), profile)
    return profile


def clip(folder: Path, others: Mapping[int, int | None]) -> Path:
    """Copy the clip, but that some frames show what others do; None: they are missing."""
    for frame in CLIP.glob("*.jpg"):
        shown = others.get(int(frame.stem), int(frame.stem))
        if shown is not None:
            shutil.copy(CLIP / f"{shown:03}.jpg", folder / frame.name)
    return folder


@pytest.mark.parametrize(
    "others",
    [{}, *later(dict.fromkeys((14, 17, 22, 23, 25)), {14: 13, 16: 15, 18: 17, 21: 20, 24: 23})],
    ids=["all", "frames missing", "frames repeated"],
)
def test_rendered_dice_are_read_once_they_lie_and_before_half_a_second_is_over(
    tmp_path, wood, others
):
    moving, settled = watch("--profile", wood, clip(tmp_path, others))
    assert (moving["event"], settled["event"]) == ("moving", "settled")
    late = settled["frame"] - TRUTH["rest_from"]
    assert 0 < late / TRUTH["fps"] < 0.4
    found = sorted(settled["dice"], key=lambda die: die["x"])
    truth = sorted(TRUTH["boxes"])
    assert [die["face"] for die in found] == [face for *_, face in truth]
    pairs = zip(found, truth, strict=True)
    away = [np.hypot(die["x"] - x, die["y"] - y) for die, (x, y, *_) in pairs]
    assert max(away) < 6


def test_frames_out_of_order_settle_nothing_that_moves(tmp_path, wood):
    lines = watch("--profile", wood, clip(tmp_path, {15: 19, 19: 15, 14: 22, 22: 14}))
    assert [line["event"] for line in lines] == ["moving"], "too few lie still at the end"


def test_a_broken_frame_is_named_after_what_came_before(tmp_path):
    frame = clip(tmp_path, {}) / "017.jpg"
    frame.write_bytes(frame.read_bytes()[:5000])
    done = companion("watch", "--profile", "pips", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{frame}: ")
    assert done.stderr.count("\n") == 1
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["moving"]
