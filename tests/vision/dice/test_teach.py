"""Teaching: single dice to a profile, its own check, and warnings of what will not work."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from places import RENDERS

from companion.app.cli import main
from tests.tools.bench.ornaments import portraits
from tests.tools.bench.ornaments import teach as became
from tests.tools.bench.symbols import profile_of
from vision.dice.profile import PICTURE, Profile, load_profile
from vision.dice.reading import FACES
from vision.dice.teach import ProfileTrainer, build_profile, find_flaw, is_same_picture
from vision.imaging.crop import Crop

pytestmark = pytest.mark.pictures

TEACH = RENDERS / "D/teach"


@pytest.fixture(scope="module")
def teacher() -> ProfileTrainer:
    return ProfileTrainer()


def pictures(face: str) -> list[np.ndarray]:
    return [cv2.imread(str(path)) for path in sorted((TEACH / face).glob("*.jpg"))]


@pytest.fixture(scope="module")
def dark() -> Profile:
    return replace(profile_of(RENDERS / "D"), edition="walking-dead")


@pytest.mark.parametrize(
    ("name", "flaw"), [("empty", "no die found"), ("normal", "more than one die")]
)
def test_a_picture_without_a_die_or_with_five_teaches_nothing(teacher, name, flaw):
    shown = teacher.crop(cv2.imread(str(RENDERS / "D" / name / "000.jpg")))
    assert (shown.picture, shown.flaw) == (None, flaw)


@pytest.mark.parametrize("share", [0.12, 0.35, 0.6])
def test_a_die_may_fill_its_picture(teacher, dark, share):
    crops = {face: teacher.crop(close_up(f"teach/{face}/001.jpg", share)) for face in FACES}
    shown = {face: [crop.picture] for face, crop in crops.items()}
    assert teacher.check(build_profile("near", shown, "base", dark)).accuracy > 0.95


def test_dice_in_one_picture_teach_the_face_that_all_show(teacher):
    beer, arrow = pictures("beer")[0], pictures("arrow")[0]
    crops = teacher.crops(np.vstack([beer, beer[::-1, ::-1]]))
    assert [crop.picture is not None for crop in crops] == [True, True]
    (crop,) = teacher.crops(np.vstack([beer, arrow]))
    assert (crop.picture, crop.flaw) == (None, "more than one die")


def test_the_command_says_how_each_picture_was_used(tmp_path, capsys):
    folder, sheet = shown(tmp_path / "pictures", 1), tmp_path / "sheet.png"
    shutil.copy(RENDERS / "D/empty/000.jpg", folder / "beer/2.jpg")
    teach = ["teach", "--profile", str(tmp_path / "mine.dice"), "--verbose", str(folder), "--sheet"]
    assert main([*teach, str(sheet)]) == 0
    said = capsys.readouterr().err
    assert re.search(r"arrow/0.jpg: 1 die taught as arrow: 44 pixels wide at \d+, \d+\n", said)
    assert "beer/2.jpg: not used" in said
    assert cv2.imread(str(sheet)).shape[0] >= 6 * PICTURE
    assert main([*teach, str(tmp_path / "sheet.txt")]) != 0


def close_up(name: str, share: float, right: float = 0.0, down: float = 0.0) -> np.ndarray:
    """A picture of D in which a die is a share of the width, moved from the middle by edges."""
    x, y, edge, _ = json.loads((RENDERS / "D" / "truth.json").read_text())[name]["boxes"][0]
    scale = share * 820 / edge
    across, along = 410 - x * scale, 308 - y * scale
    off = np.array([right, down]) * share * 820
    matrix = np.array([[scale, 0, across + off[0]], [0, scale, along + off[1]]])
    image = cv2.imread(str(RENDERS / "D" / name))
    return cv2.warpAffine(image, matrix, (820, 616), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(
    ("right", "down", "side"),
    [(0, -0.75, "above"), (0, 0.75, "below"), (-1.1, 0, "on the left"), (1.1, 0, "on the right")],
)
def test_a_die_that_is_cut_off_teaches_nothing(teacher, right, down, side):
    crop = teacher.crop(close_up("teach/gatling/000.jpg", 0.4, right, down))
    assert crop.picture is None
    assert str(crop.flaw).startswith(f"cut off {side}")


def test_what_lies_within_a_face_is_no_face(teacher):
    """Rings in the corners look more like dice than the die does, as this lens shows it."""
    for number, portrait in enumerate(portraits(1, 0.3, shown=True)):
        if number in (8, 11):
            assert became(teacher, portrait) != "wrong part", number


def test_a_hand_beside_the_die_is_no_die(teacher, dark):
    for face in FACES:
        picture = close_up(f"teach/{face}/001.jpg", 0.2, right=0.5)
        skin = (140, 170, 215)
        cv2.ellipse(picture, (0, 480), (150, 110), 0, 0, 360, skin, cv2.FILLED, cv2.LINE_AA)
        for number in range(4):
            end = (290 - 20 * number, 400 + 55 * number)
            cv2.line(picture, (80, 420 + 40 * number), end, skin, 36, cv2.LINE_AA)
        crop = teacher.crop(cv2.GaussianBlur(picture, (0, 0), 1.2))
        assert teacher.looks_like(crop.picture, "", dark.taught) == face


def test_a_picture_taken_again_is_the_same_and_another_is_not(teacher):
    one, other = pictures("beer")[:2]
    noise = np.random.default_rng(1).normal(0, 4, one.shape)
    again = np.clip(one + noise, 0, 255).astype(np.uint8)
    first, second, third = (teacher.crop(image) for image in (one, again, other))
    assert is_same_picture(first, second)
    assert not is_same_picture(first, third)
    assert is_same_picture(Crop(first.picture, None), Crop(first.picture, None))
    # The same symbol in another place, and the same light.
    assert not is_same_picture(first, replace(first, spot=(0.0, 0.0, first.spot[2])))


def test_a_face_shown_as_another_is_noticed_and_its_own_is_not(teacher, dark):
    for face in FACES:
        picture, *others = dark.taught[face]
        rest = {**dark.taught, face: tuple(others)}
        assert teacher.looks_like(picture, face, rest) is None, face
        other = next(each for each in FACES if each != face)
        assert teacher.looks_like(picture, other, rest) == face
        only = {each: pictures for each, pictures in rest.items() if each != other}
        assert teacher.looks_like(picture, other, only) == face


def test_the_command_refuses_a_picture_given_for_two_faces(tmp_path, capsys):
    folder = shown(tmp_path / "pictures", 2)
    wrong = shutil.copy(folder / "arrow/0.jpg", folder / "gatling/9.jpg")
    alike = shutil.copy(TEACH / "arrow/002.jpg", folder / "gatling/8.jpg")
    entry, warnings = teach(tmp_path / "mine.dice", folder, capsys)
    assert entry["faces"]["gatling"] == 3
    assert f"{alike}: looks like your arrow; check that gatling is up" in warnings
    same = f"{wrong}: not used: the same picture as {folder}/arrow/0.jpg; check which face it shows"
    assert same in warnings


def test_blurred_and_dark_pictures_are_named(teacher):
    picture = pictures("beer")[0]
    assert teacher.crop(picture).flaw is None
    assert teacher.crop(cv2.GaussianBlur(picture, (0, 0), 4)).flaw in ("blurred", "no die found")
    assert teacher.crop(picture // 8).flaw in ("too dark", "no die found")


def test_the_same_face_under_two_names_is_named(teacher, dark):
    both = dark.taught["beer"]
    confused = Profile("confused", taught={**dark.taught, "beer": both[:2], "gatling": both[2:]})
    check = teacher.check(confused)
    assert check.accuracy < 1
    assert {pair[:2] for pair in check.confused} >= {("beer", "gatling"), ("gatling", "beer")}


def test_a_profile_is_extended(dark):
    more = build_profile("D", {"beer": [np.zeros((PICTURE, PICTURE, 3), np.uint8)]}, "base", dark)
    assert (len(more.taught["beer"]), len(more.taught["arrow"]), more.edition) == (5, 4, "base")


def shown(folder: Path, count: int) -> Path:
    """So many pictures of each face in a folder."""
    for face in FACES:
        (folder / face).mkdir(parents=True)
        for number, source in enumerate(sorted((TEACH / face).glob("*.jpg"))[:count]):
            shutil.copy(source, folder / face / f"{number}.jpg")
    return folder


def teach(profile, folder, capsys):
    """What the command prints, and its warnings."""
    assert main(["teach", "--profile", str(profile), str(folder)]) == 0
    out, err = capsys.readouterr()
    return json.loads(out), err.splitlines()


def test_the_command_teaches_and_adds_what_is_new(tmp_path, capsys):
    profile = tmp_path / "mine.dice"
    entry, _ = teach(profile, TEACH, capsys)
    assert (entry["profile"], entry["faces"]) == (str(profile), dict.fromkeys(FACES, 4))
    assert entry["self_check"] > 0.95
    more = tmp_path / "more/beer"
    more.mkdir(parents=True)
    known = cv2.imread(shutil.copy(TEACH / "beer/000.jpg", more))
    assert cv2.imwrite(str(more / "mirrored.png"), known[:, ::-1])
    entry, _ = teach(profile, more.parent, capsys)
    assert entry["faces"]["beer"] == len(load_profile(profile).taught["beer"]) == 5


def test_pictures_that_an_earlier_profile_holds_twice_are_no_check(teacher, dark):
    twice = {face: pictures * 2 for face, pictures in dark.taught.items()}
    assert teacher.check(Profile("twice", taught=twice)) == teacher.check(dark)


def test_single_pictures_are_not_checked_and_more_are_asked_for(tmp_path, capsys):
    profile = tmp_path / "mine.dice"
    entry, warnings = teach(profile, shown(tmp_path / "one", 1), capsys)
    assert entry["self_check"] is None
    assert warnings == [f"only 1 picture of {face}: show 3 to 6" for face in FACES]
    entry, warnings = teach(profile, shown(tmp_path / "two", 2), capsys)
    assert entry["faces"] == dict.fromkeys(FACES, 2), "the first of each was known"
    assert entry["self_check"] > 0.8
    assert f"only 2 pictures of {FACES[0]}: show 3 to 6" in warnings


def test_one_face_with_a_single_picture_spoils_no_check(teacher, dark):
    check = teacher.check(Profile("one", taught={**dark.taught, "beer": dark.taught["beer"][:1]}))
    assert (check.tested, check.confused) == (20, ())
    assert check.accuracy > 0.95


def test_what_is_not_taken_is_named_and_what_is_hidden_is_not(tmp_path, capsys):
    folder = shown(tmp_path / "pictures", 3)
    (folder / ".hidden").mkdir()
    for name in (".DS_Store", "beer/._000.jpg", "beer/.DS_Store"):
        (folder / name).write_bytes(b"no picture")
    assert teach(tmp_path / "mine.dice", folder, capsys)[1] == []
    (folder / "beer" / "9.heic").write_bytes(b"")
    (folder / "loose.jpg").write_bytes(b"")
    (warning,) = teach(tmp_path / "mine.dice", folder, capsys)[1]
    assert warning.startswith(f"{folder / 'beer' / '9.heic'} and 1 more: not used; ")


def test_bright_paint_is_not_burnt_out_and_a_mirrored_lamp_is(teacher):
    for picture in pictures("beer"):
        crop = teacher.crop(picture)
        assert crop.flaw is None
        lamp = np.zeros(crop.picture.shape, np.float32)
        cv2.circle(lamp, (48, 48), 22, (400.0, 400.0, 400.0), cv2.FILLED)
        lit = crop.picture + cv2.GaussianBlur(lamp, (0, 0), 5)
        mirrored = np.clip(lit, 0, 255).astype(np.uint8)
        assert find_flaw(mirrored, 40) == "overexposed: turn the lamp or the die"


def test_faces_of_which_no_picture_shows_a_die_are_named_and_nothing_is_written(tmp_path, capsys):
    folder = shown(tmp_path / "pictures", 1)
    for face in FACES[:-1]:
        shutil.rmtree(folder / face)
    profile = tmp_path / "mine.dice"
    assert main(["teach", "--profile", str(profile), str(folder)]) == 2
    assert f"no picture shows a die with {', '.join(FACES[:-1])} up" in capsys.readouterr().err
    assert not profile.exists()
