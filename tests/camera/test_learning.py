"""What players say of dice teaches the reader: at a real table, with a real reader, by pictures."""

import os
from contextlib import ExitStack
from dataclasses import replace
from unittest import mock

import cv2
import numpy as np
import pytest
from endless_game import begin, press
from evening import Evening, refusal
from places import RENDERS
from sites import Site
from stand_ins import Dealer
from waiting import view_when

from companion.app.build import start_table
from companion.camera.correction_worker import CorrectionWorker
from companion.games.dice.rules.faces import Face
from companion.settings import Settings
from companion.table import moves
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark, TrayStatus
from companion.table.surface.dice.surface import DiceSurface, still
from companion.table.table import Problem
from tests.tools.bench.symbols import profile_of
from vision.dice.follow import follow_dice
from vision.dice.learn import ProfileLearner, open_profile
from vision.dice.profile import load_profile, save_profile
from vision.dice.reader import DiceReader

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def dice():
    return profile_of(RENDERS / "D")


@pytest.fixture(scope="module")
def doubtful(dice):
    """A picture of five dice in dim light with one that is not read surely."""
    reader = DiceReader(dice)
    for path in sorted(RENDERS.glob("D/normal/*.jpg")):
        image = (cv2.imread(str(path)) * 0.4).astype(np.uint8)
        reading = reader.read(image)
        if reading.verdict == "unsure" and sum(not die.sure for die in reading.dice) == 1:
            return image
    raise AssertionError("every die is sure: choose harder pictures")


class Lessons(Evening):
    """An evening whose camera sees one picture after the other; one person has a phone."""

    def __init__(self, folder):
        super().__init__(folder, people=4, phones=1, chance=Dealer("sroo"))
        self.start()

    def open(self):
        super().open()
        self.reader = DiceReader(open_profile("D", self.folder))
        self.image = None
        self.learn()

    def learn(self):
        """Begin to learn."""
        learner = ProfileLearner(lambda: self.reader, "D", self.folder)
        self.learner = CorrectionWorker(learner, lambda: self.image, self.table.lessons.show)
        self.table.lessons.teach(DiceSurface, self.learner)
        self.learner.start()

    def reopen(self):
        self.learner.stop()
        super().reopen()

    def look(self, image):
        """Let the camera see a picture."""
        self.image = image
        found = self.reader.read(image)
        self.table.see(still(found.verdict, follow_dice({}, found.dice)))

    @property
    def doubted(self):
        return next(n for n, die in enumerate(self.view.tray.dice) if not die.sure)

    def teach(self, image, *faces):
        """Accept what the camera sees, with these faces said of the doubtful die."""
        self.look(image)
        number = self.doubted
        for face in faces:
            self.correct(number, face)
        self.green()

    def green(self):
        self.table.press_green()
        assert self.view.notice == ""

    def learned(self):
        """What is learned, once all is done: the thread is stopped for it and begun anew."""
        self.learner.stop()
        counts = self.view.learned
        saved = load_profile("D", self.folder).learned
        assert {face: len(saved.get(face, ())) for face in counts} == counts
        self.learn()
        return {face: count for face, count in counts.items() if count}


@pytest.fixture
def evening(tmp_path, dice):
    save_profile(dice, tmp_path / "D.dice")
    made = Lessons(tmp_path)
    yield made
    made.learner.stop()


def test_a_correction_counts_only_as_it_was_accepted(evening, doubtful):
    evening.look(doubtful)
    doubted = evening.doubted
    for face in (Face.BEER, Face.ARROW):
        evening.correct(doubted, face)
    assert evening.learned() == {}
    evening.green()
    assert evening.learned() == {Face.ARROW: 1}


def test_dice_that_were_not_doubted_or_entered_by_hand_teach_nothing(evening, doubtful):
    evening.look(doubtful)
    doubted = evening.doubted
    for number, die in enumerate(evening.view.tray.dice):
        evening.correct(number, die.face)
    face = evening.view.tray.dice[doubted].face
    evening.green()
    assert evening.learned() == {face: 1}
    evening.do(moves.undo)
    assert evening.learned() == {}, "an undo takes back what the roll taught"
    evening.do(rolling.enter_by_hand)
    for number in range(5):
        evening.correct(number, Face.BEER)
    evening.green()
    assert evening.learned() == {}


def test_what_was_undone_is_forgotten_though_the_table_was_killed_before(evening, doubtful):
    evening.teach(doubtful, Face.BEER)
    evening.learner.stop()
    evening.do(moves.undo)
    assert len(load_profile("D", evening.folder).learned["beer"]) == 1
    evening.reopen()
    assert evening.learned() == {}


def test_undoing_another_roll_leaves_it(evening, doubtful):
    evening.teach(doubtful, Face.BEER)
    evening.see("empty")
    evening.look(np.rot90(doubtful, 2).copy())
    if evening.status is TrayStatus.UNSURE:
        evening.correct(evening.doubted, Face.BEER)
    before = evening.learned()
    evening.green()
    evening.do(moves.undo)
    assert evening.learned() == before == {Face.BEER: 1}


def test_a_die_that_is_read_right_now_still_lies_as_it_was_accepted(evening, doubtful):
    evening.look(doubtful)
    number = evening.doubted
    other = Face.ARROW if evening.view.tray.dice[number].face is Face.BEER else Face.BEER
    evening.teach(doubtful, other)
    evening.learned()
    evening.look(doubtful)
    assert evening.status is TrayStatus.LYING
    assert evening.view.tray.dice[number].face is other


def test_the_host_forgets_all_that_was_learned(evening, doubtful):
    evening.teach(doubtful, Face.BEER)
    assert evening.learned() == {Face.BEER: 1}
    forget = evening.table.lessons.forget
    for person in (None, 2):
        assert refusal(forget, evening.table.scene, evening.press(person)) is Problem.FORBIDDEN
    forget(evening.table.scene, evening.press())
    assert evening.learned() == {}


def test_other_dice_have_learned_something_else(evening, dice, doubtful):
    evening.teach(doubtful, Face.BEER)
    assert evening.learned() == {Face.BEER: 1}
    evening.reader = DiceReader(replace(dice, name="other"))
    evening.learner.refresh()
    evening.learner.stop()
    assert set(evening.view.learned.values()) == {0}


def test_the_hosts_page_says_what_was_learned_and_forgets_it(tmp_path):
    site = Site(tmp_path)
    site.table.lessons.show({"arrow": 0, "beer": 2, "gatling": 1})
    for prepare in (lambda: None, site.start):
        prepare()
        shown = site.host.live("seat")
        assert "beer\N{NO-BREAK SPACE}2, Gatling\N{NO-BREAK SPACE}1." in shown
        assert 'data-press="/dice/forget"' in shown
        assert "/dice/forget" not in site.phones[1].live("seat")
    assert site.phones[1].post("/dice/forget").status_code == 403
    answer = site.host.post("/dice/forget")
    assert (answer.status_code, answer.text) == (422, "this table doesn’t learn while playing\n")
    site.table.lessons.show(dict.fromkeys(("arrow", "beer", "gatling"), 0))
    assert "/dice/forget" not in site.host.live("seat")


def test_dice_before_a_camera_teach_the_service_until_it_is_undone(tmp_path, dice, doubtful):
    save_profile(dice, tmp_path / "data" / "profiles" / "D.dice")
    (tmp_path / "pictures").mkdir()
    cv2.imwrite(str(tmp_path / "pictures" / "0.png"), doubtful)
    folders = {"camera": str(tmp_path / "pictures"), "data": tmp_path / "data"}
    settings = Settings(host="127.0.0.1", port=0, profile="D", **folders)
    with ExitStack() as stack:
        table = start_table(settings, stack, seed=1).table
        host = begin(table)
        view_when(table, lambda view: view.tray.status is TrayStatus.UNSURE)
        view = table.view(host)
        number = next(n for n, die in enumerate(view.tray.dice) if not die.sure)
        face = view.tray.dice[number].face
        press(table, host, rolling.mark, number, TrayMark(face))
        table.press_green()
        view_when(table, lambda view: view.learned.get(face) == 1)
    assert len(load_profile("D", tmp_path / "data" / "profiles").learned[face]) == 1
    with ExitStack() as stack:
        table = start_table(settings, stack, seed=1).table
        view_when(table, lambda view: view.learned.get(face) == 1)
        press(table, host, moves.undo)
        view_when(table, lambda view: view.learned.get(face) == 0)


def test_a_full_disk_is_said_once_and_play_goes_on(evening, doubtful, monkeypatch, caplog):
    notices = []
    evening.table.follow(lambda *_: notices.append(evening.view.notice))
    monkeypatch.setattr(os, "fsync", mock.Mock(side_effect=OSError(28, "No space left on device")))
    evening.look(doubtful)
    evening.correct(evening.doubted, Face.BEER)
    evening.table.press_green()
    evening.do(moves.undo)
    evening.learner.stop()
    said = f"could not save what was learned: {evening.folder}/D.dice: No space left on device"
    assert {notice for notice in notices if notice} == {said}
    assert caplog.text.count("No space left") == 1
    assert evening.view.learned["beer"] == 0
    assert evening.view.game.dice is None
