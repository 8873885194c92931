"""Teaching: single dice to a profile, its own check, and warnings of what will not work."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from vision.profile import FACES, PICTURE, Profile, load_profile
from vision.teach import Teacher, taught

RENDERS = Path(__file__).parent / "pictures" / "renders"


@pytest.fixture(scope="module")
def teacher() -> Teacher:
    return Teacher()


def teach_pictures(folder: str, face: str) -> list[np.ndarray]:
    return [cv2.imread(str(p)) for p in sorted((RENDERS / folder / "teach" / face).glob("*.jpg"))]


@pytest.fixture(scope="module")
def dark(teacher: Teacher) -> Profile:
    shown = {face: [teacher.show(i) for i in teach_pictures("D", face)] for face in FACES}
    pictures = {f: [s.picture for s in each if s.picture is not None] for f, each in shown.items()}
    return taught("dark", pictures, "walking-dead")


def test_single_dice_are_found_and_told_apart(teacher: Teacher, dark: Profile) -> None:
    assert {face: len(pictures) for face, pictures in dark.taught.items()} == dict.fromkeys(
        FACES, 4
    )
    check = teacher.check(dark)
    assert check.right > 0.95
    assert check.alike == ()


def test_a_picture_without_a_die_teaches_nothing(teacher: Teacher) -> None:
    shown = teacher.show(cv2.imread(str(RENDERS / "D/empty/000.jpg")))
    assert shown.picture is None
    assert shown.warning == "no die found"


def test_a_picture_with_five_dice_teaches_nothing(teacher: Teacher) -> None:
    shown = teacher.show(cv2.imread(str(RENDERS / "D/normal/000.jpg")))
    assert shown.picture is None
    assert shown.warning == "more than one die"


def test_blurred_and_dark_pictures_are_named(teacher: Teacher) -> None:
    picture = teach_pictures("D", "beer")[0]
    assert teacher.show(picture).warning is None
    assert teacher.show(cv2.GaussianBlur(picture, (0, 0), 4)).warning in ("blurred", "no die found")
    assert teacher.show(picture // 8).warning in ("too dark", "no die found")


def test_the_same_face_under_two_names_is_named(teacher: Teacher, dark: Profile) -> None:
    both = dark.taught["beer"]
    confused = Profile("confused", taught={**dark.taught, "beer": both[:2], "gatling": both[2:]})
    check = teacher.check(confused)
    assert check.right < 1
    assert {pair[:2] for pair in check.alike} >= {("beer", "gatling"), ("gatling", "beer")}


def test_a_profile_is_extended(dark: Profile) -> None:
    more = taught("dark", {"beer": [np.zeros((PICTURE, PICTURE, 3), np.uint8)]}, "base", dark)
    assert len(more.taught["beer"]) == 5
    assert len(more.taught["arrow"]) == 4
    assert more.edition == "base"


def test_the_command_teaches_and_adds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = tmp_path / "mine.dice"
    assert main(["teach", "--profile", str(profile), str(RENDERS / "D" / "teach")]) == 0
    entry = json.loads(capsys.readouterr().out)
    assert entry["profile"] == str(profile)
    assert entry["faces"] == dict.fromkeys(FACES, 4)
    assert entry["self_check"] > 0.95
    only = tmp_path / "more" / "beer"
    only.mkdir(parents=True)
    source = RENDERS / "D/teach/beer/000.jpg"
    (only / "a.jpg").write_bytes(source.read_bytes())
    assert main(["teach", "--profile", str(profile), str(tmp_path / "more")]) == 0
    assert json.loads(capsys.readouterr().out)["faces"]["beer"] == 5
    assert len(load_profile(profile).taught["beer"]) == 5


@pytest.mark.parametrize(
    ("folders", "reason"),
    [
        ([], "no pictures in folders named arrow"),
        (["wine"], "no face; folders are named arrow"),
        (["beer"], "no picture shows a die with arrow, dynamite, bullseye1, bullseye2, gatling up"),
    ],
)
def test_a_folder_that_cannot_teach_is_named_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folders: list[str], reason: str
) -> None:
    for name in folders:
        (tmp_path / "pictures" / name).mkdir(parents=True)
        picture = RENDERS / "D/teach/beer/000.jpg"
        (tmp_path / "pictures" / name / "a.jpg").write_bytes(picture.read_bytes())
    (tmp_path / "pictures").mkdir(exist_ok=True)
    profile = tmp_path / "mine.dice"
    assert main(["teach", "--profile", str(profile), str(tmp_path / "pictures")]) == 2
    assert reason in capsys.readouterr().err
    assert not profile.exists()


def test_a_picture_that_is_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "beer").mkdir()
    (tmp_path / "beer" / "a.jpg").write_bytes(b"no picture")
    assert main(["teach", "--profile", str(tmp_path / "mine.dice"), str(tmp_path)]) == 2
    assert "a.jpg: " in capsys.readouterr().err
