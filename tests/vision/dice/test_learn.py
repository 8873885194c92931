"""Learning while playing: a named die is read right next time, and no slip outweighs teaching."""

import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest
from places import RENDERS

from tests.tools.bench.symbols import Picture, pictures, profile_of
from vision.dice.learn import (
    ProfileLearner,
    add_learned_picture,
    open_profile,
    remove_learned_pictures,
)
from vision.dice.profile import MOST, PICTURE, Profile, load_profile, save_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES, DiceReading, Die
from vision.profile_files import ProfileError

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def dark() -> Profile:
    return profile_of(RENDERS / "D")


@pytest.fixture
def folder(dark: Profile, tmp_path: Path) -> Path:
    save_profile(dark, tmp_path / "D.dice")
    return tmp_path


def picture(name: str) -> np.ndarray:
    return cv2.imread(str(RENDERS / "D" / name))


def turn(image: np.ndarray) -> np.ndarray:
    """All dice at once as they might lie after another throw, nearly as large."""
    h, w = image.shape[:2]
    return cv2.getRotationMatrix2D((w / 2, h / 2), 40.0, 0.97)


def turned(image: np.ndarray) -> np.ndarray:
    return cv2.warpAffine(image, turn(image), image.shape[1::-1], borderMode=cv2.BORDER_REFLECT)


def crop(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (PICTURE, PICTURE, 3), np.uint8)


def at(reading: DiceReading, x: float, y: float) -> Die:
    return min(reading.dice, key=lambda die: np.hypot(die.x - x, die.y - y))


class Lesson:
    """A reader of the dice of a folder, which learns the first die that it reads."""

    def __init__(self, folder: Path, name: str | Path = "D") -> None:
        self.reader = DiceReader(open_profile(name, folder))
        self.learner = ProfileLearner(lambda: self.reader, name, folder)
        self.image = picture("normal/000.jpg")
        self.die = self.reader.read(self.image).dice[0]

    def learn(self) -> None:
        self.learner.learn(self.image, [self.die], "A-1-1")


def test_the_oldest_pictures_give_way(dark):
    profile = dark
    for number in range(MOST + 2):
        profile = add_learned_picture(profile, "beer", crop(number), f"lesson-{number}")
    assert len(profile.learned["beer"]) == MOST
    assert profile.sources["beer"][0] == "lesson-2"
    assert (profile.learned["beer"][-1] == crop(MOST + 1)).all()
    assert profile.taught is dark.taught


def test_a_lesson_is_taken_back_with_all_its_pictures(dark):
    before = add_learned_picture(dark, "beer", crop(0), "one")
    after = add_learned_picture(before, "beer", crop(1), "two")
    after = add_learned_picture(after, "arrow", crop(2), "two")
    back = remove_learned_pictures(after, "two".__eq__)
    assert back.sources["beer"] == ("one",)
    assert not back.learned["arrow"]
    assert remove_learned_pictures(before, "two".__eq__) is before


def test_a_picture_that_was_learned_without_a_lesson_is_kept(folder, dark):
    save_profile(replace(dark, learned={"beer": (crop(0),)}), folder / "D.dice")
    back = load_profile("D", folder)
    assert back.sources == {"beer": ("",)}
    assert len(add_learned_picture(back, "beer", crop(1), "x").sources["beer"]) == 2


def test_the_taught_file_gains_what_is_learned(folder):
    lesson = Lesson(folder)
    lesson.learn()
    assert lesson.learner.counts[lesson.die.face] == 1
    assert load_profile("D", folder).sources == {lesson.die.face: ("A-1-1",)}
    lesson.learner.take_back("A-1-1".__eq__)
    assert sum(lesson.learner.counts.values()) == 0
    assert load_profile("D", folder).sources == {}
    assert [path.name for path in folder.iterdir()] == ["D.dice"]


def test_a_die_that_is_not_there_teaches_nothing(folder):
    before = (folder / "D.dice").read_bytes()
    lesson = Lesson(folder)
    lesson.die = replace(lesson.die, x=5.0)
    lesson.learn()
    assert lesson.reader.profile.learned == {}
    assert (folder / "D.dice").read_bytes() == before


def test_a_profile_elsewhere_is_not_changed_and_its_copy_is_complete(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("stick") / "mine.dice"
    shutil.copy(folder / "D.dice", elsewhere)
    before = elsewhere.read_bytes()
    lesson = Lesson(folder, elsewhere)
    lesson.learn()
    assert elsewhere.read_bytes() == before
    assert open_profile(elsewhere, folder).sources == {lesson.die.face: ("A-1-1",)}
    assert set(load_profile(folder / "mine.dice").taught) == set(FACES)


def test_a_shipped_profile_is_not_changed_and_keeps_its_taught_pictures(
    folder, tmp_path_factory, monkeypatch, dark
):
    shipped = tmp_path_factory.mktemp("shipped")
    monkeypatch.setattr("vision.dice.profile.SHIPPED", shipped)
    shutil.move(folder / "D.dice", shipped)
    lesson = Lesson(folder)
    lesson.learn()
    assert load_profile(shipped / "D.dice").learned == {}
    newer = {face: (*pictures, crop(7)) for face, pictures in dark.taught.items()}
    save_profile(replace(dark, taught=newer), shipped / "D.dice")
    back = open_profile("D", folder)
    assert back.sources == {lesson.die.face: ("A-1-1",)}
    assert len(back.taught["beer"]) == len(newer["beer"])


def test_other_dice_of_the_same_name_are_not_mixed(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("stick") / "D.dice"
    save_profile(Profile("D", taught={face: (crop(n),) for n, face in enumerate(FACES)}), elsewhere)
    with pytest.raises(ProfileError, match="other dice than those of"):
        open_profile(elsewhere, folder)


@pytest.fixture(scope="module")
def rolls() -> dict[str, Picture]:
    """The throws of a set."""
    thrown = [p for p in pictures(RENDERS / "D") if p.truth["kind"] in ("normal", "touching")]
    return {picture.name: picture for picture in thrown}


@pytest.fixture
def reader(dark: Profile) -> DiceReader:
    """One that was only taught."""
    return DiceReader(dark)


@pytest.fixture
def pupil(reader: DiceReader, tmp_path: Path) -> ProfileLearner:
    return ProfileLearner(lambda: reader, "D", tmp_path)


def dim(image: np.ndarray, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 10, image.shape)
    return np.asarray(np.clip(image * 0.45 + noise, 0, 255).astype(np.uint8))


def test_what_was_corrected_once_is_right_next_time_and_nothing_else_is_worse(
    dark, rolls, reader, pupil
):
    # In dim light, since too few dice are asked about otherwise.
    shots = [shown._replace(image=dim(shown.image, n)) for n, shown in enumerate(rolls.values())]
    before = [(shown, die) for shown in shots for die in reader.read(shown.image).dice]
    corrected, now_right, now_sure, lessons = 0, 0, 0, []
    for shown in shots:
        read = [(die, truth_of(die, shown)) for each, die in before if each is shown]
        doubted = [(die, face) for die, face in read if die.face != face or not die.sure]
        if not doubted:
            continue
        lessons.append((shown.image, [replace(die, face=face) for die, face in doubted], "A-1-1"))
        reader.know(dark)
        pupil.learn(*lessons[-1])
        again = reader.read(turned(shown.image))
        for die, face in doubted:
            next_die = at(again, *turn(shown.image) @ (die.x, die.y, 1))
            corrected += 1
            now_right += next_die.face == face
            now_sure += next_die.face == face and next_die.sure
    assert corrected >= 5, "the pictures are too easy to learn from"
    assert now_right >= 0.85 * corrected
    assert now_sure >= 0.7 * corrected
    # All at once, as after an evening.
    reader.know(dark)
    for lesson in lessons:
        pupil.learn(*lesson)
    after = [(shown, die) for shown in shots for die in reader.read(shown.image).dice]
    right, was_right = (sum(d.face == truth_of(d, p) for p, d in each) for each in (after, before))
    assert was_right < right == len(after)
    assert sum(d.sure for _, d in after) >= sum(d.sure for _, d in before) + 3


def truth_of(die: Die, shown: Picture) -> str:
    *_, face = min(shown.truth["boxes"], key=lambda box: np.hypot(box[0] - die.x, box[1] - die.y))
    return face


def test_one_slip_misleads_nobody(dark, rolls, reader, pupil):
    for name in ("D/normal/002.jpg", "D/normal/004.jpg"):
        shown = rolls[name]
        sure = [die for die in reader.read(shown.image).dice if die.sure]
        for number, die in enumerate(sure):
            wrong = [face for face in FACES if face != die.face][number]
            reader.know(dark)
            pupil.learn(shown.image, [replace(die, face=wrong)], "A-1-1")
            assert pupil.counts[wrong] == 1, "it is kept: the player may be right"
            again = at(reader.read(turned(shown.image)), *turn(shown.image) @ (die.x, die.y, 1))
            assert again.face == die.face or not again.sure


def test_a_player_who_insists_is_believed(reader, pupil):
    image = picture("normal/002.jpg")
    die = next(die for die in reader.read(image).dice if die.sure)
    wrong = next(face for face in FACES if face != die.face)
    for _ in range(3):
        pupil.learn(image, [replace(die, face=wrong)], "A-1-1")
    believed = at(reader.read(image), die.x, die.y)
    assert believed.face == wrong
    assert not believed.sure, "what was taught says otherwise"
    pupil.take_back("A-1-1".__eq__)
    assert at(reader.read(image), die.x, die.y) == die


def test_reading_goes_on_while_something_is_learned(rolls, reader, pupil):
    shown = rolls["D/normal/002.jpg"]
    die = reader.read(shown.image).dice[0]
    learning = threading.Thread(
        target=lambda: [pupil.learn(shown.image, [die], f"A-1-{n}") for n in range(12)]
    )
    learning.start()
    while_learning = 0
    while learning.is_alive():
        dice = reader.read(shown.image).dice
        assert [die.face for die in dice] == [truth_of(die, shown) for die in dice]
        while_learning += learning.is_alive()
    assert len(dice) == 5
    assert pupil.counts[die.face] == MOST
    assert while_learning >= 4, "readings did not wait for the lessons"


def test_dice_chosen_later_learn_into_their_own_file(folder):
    shutil.copy(folder / "D.dice", folder / "other.dice")
    before = (folder / "D.dice").read_bytes()
    lesson = Lesson(folder)
    lesson.reader = DiceReader(load_profile("other", folder))
    lesson.learn()
    assert load_profile("other", folder).sources == {lesson.die.face: ("A-1-1",)}
    assert (folder / "D.dice").read_bytes() == before


def test_dice_taught_again_meanwhile_stay_taught(folder, dark):
    lesson = Lesson(folder)
    again = {**dark.taught, "beer": dark.taught["beer"][:2]}
    save_profile(replace(dark, taught=again), folder / "D.dice")
    lesson.learn()
    assert len(load_profile("D", folder).taught["beer"]) == 2
    assert len(lesson.reader.profile.taught["beer"]) == 2


def test_what_a_disk_does_not_take_is_known_until_the_end(folder):
    before = (folder / "D.dice").read_bytes()
    lesson = Lesson(folder)
    full = mock.patch.object(os, "fsync", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(ProfileError, match=r"D\.dice: "):
        lesson.learn()
    assert lesson.learner.counts[lesson.die.face] == 1
    assert (folder / "D.dice").read_bytes() == before
    assert [path.name for path in folder.iterdir()] == ["D.dice"]


class KilledError(BaseException):
    """The process is gone."""


KILLS = ((Path, "open", 0), (os, "fsync", 0), (os, "fsync", 1), (os, "replace", 0),
         (os, "replace", 1))  # fmt: skip
"""What a save does in turn, and whether a kill comes before that or once it is done."""


def test_killed_while_saving_leaves_the_old_file_or_the_new(folder, dark):
    more, found = add_learned_picture(dark, "beer", crop(1), "A-1-1"), []
    for owner, name, done in KILLS:
        do = getattr(owner, name) if done else mock.Mock()

        def kill(*given: object, do: Callable[..., object] = do) -> None:
            do(*given)
            raise KilledError

        with mock.patch.object(owner, name, kill), pytest.raises(KilledError):
            save_profile(more, folder / "D.dice")
        found.append(load_profile("D", folder).sources)
        assert (load_profile("D", folder).taught["beer"][0] == dark.taught["beer"][0]).all()
    assert found == [{}] * 4 + [{"beer": ("A-1-1",)}]


def test_pips_are_not_learned(tmp_path):
    reader = DiceReader(load_profile("pips"))
    pupil = ProfileLearner(lambda: reader, "pips", tmp_path)
    pupil.learn(picture("normal/000.jpg"), [Die("beer", 1, 2, 3, 0, 1, True, ())], "A-1-1")
    pupil.take_back(lambda _: True)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TypeError):
        DiceReader(load_profile("pips")).know(load_profile("pips"))
