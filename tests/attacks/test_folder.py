"""Whatever lies in the data folder, the table starts, says so, and loses nothing that was sound."""

import os
import random
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from disks import root_only
from endless_game import begin, play, press, table_of
from sites import Site, reason
from stand_ins import Die, reading

from companion.base.refused import Refused
from companion.games.common.endings import Side
from companion.games.dice.rules.faces import Face
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.journal.journal import FILE
from companion.table.scene import CameraStatus, Phase, Trouble
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from tests.tools.attacks.folders import started


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game in it."""
    folder = tmp_path_factory.mktemp("played")
    with table_of(folder) as table:
        host, chance = begin(table), random.Random(1)
        for _ in range(5):
            play(table, host, chance)
    return folder


@pytest.mark.parametrize("phase", ["lobby", "dealing", "playing", "over"])
def test_every_page_of_every_phase_says_what_was_damaged(tmp_path, phase):
    site = Site(tmp_path, phones=1)
    if phase == "dealing":
        assert site.host.post("/game/options", option="roles", value="cards").status_code == 204
    if phase != "lobby":
        site.start()
    if phase == "over":
        chance = random.Random(1)
        site.table.watch(CameraStatus())
        while site.view.phase is Phase.PLAYING:
            play(site.table, site.view.people[0].id, chance)
    assert site.view.phase == phase
    troubles = (Trouble.DAMAGE, Trouble.OLDER, Trouble.LOST, Trouble.SETUP)
    for trouble in troubles:
        site.table.report(trouble, f"kept-{trouble}")
    for phone, paths in ((site.host, ("/seat", "/table", "/story")), (site.stranger, ("/",))):
        for path in paths:
            page = phone.open(path).text
            for trouble in troubles:
                assert page.count(f"kept-{trouble}") == 1, (path, trouble)


# While it runs


def check_refused(site: Site, said: str) -> None:
    """Hold that presses are refused, and that every page says why."""
    before = site.table.scene.history
    for _ in range(2):
        answer = site.host.post("/game/new")
        assert answer.status_code == 503
        assert said in reason(answer, 503)
    assert site.table.scene.history is before
    assert site.view.troubles == {Trouble.SAVING: said}
    assert said in site.host.open("/seat").text


@pytest.fixture
def playing(tmp_path: Path) -> Site:
    made = Site(tmp_path / "data")
    press(made.table, made.view.people[0].id, rounds.start_game)
    return made


def test_without_its_folder_no_press_is_answered_as_if_it_counted(playing, tmp_path):
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    check_refused(playing, "the data folder is gone")
    shutil.rmtree(tmp_path / "elsewhere")
    check_refused(playing, "the data folder is gone")
    (tmp_path / "data").mkdir()
    assert playing.host.post("/game/new").status_code == 204
    assert playing.view.troubles == {}
    playing.journal.close()
    with started(tmp_path / "data") as running:
        found, before = running.table.view().people, playing.view.people
        assert [person.name for person in found] == [person.name for person in before]


def test_another_folder_in_its_place_is_not_overwritten(playing, tmp_path, played):
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    shutil.copytree(played, tmp_path / "data")
    theirs = (tmp_path / "data" / FILE).read_bytes()
    assert playing.host.post("/game/new").status_code == 204
    (kept,) = (tmp_path / "data").glob(f"damaged-*/{FILE}")
    assert kept.read_bytes() == theirs


@root_only
def test_in_a_folder_that_turns_read_only_no_press_is_answered(playing, tmp_path):
    data = str(tmp_path / "data")
    os.system(f"mount --bind '{data}' '{data}' && mount -o remount,bind,ro '{data}'")
    try:
        # What is open already could still be written: the press is refused all the same.
        check_refused(playing, "the disk is read-only")
    finally:
        os.system(f"umount '{data}'")
    assert playing.host.post("/game/new").status_code == 204


# What one seat can write


def test_twenty_thousand_guesses_make_no_start_longer(tmp_path):
    with table_of(tmp_path) as table:
        host, chance = begin(table), random.Random(1)
        while all(table.scene.history.standing.alive):
            play(table, host, chance)
        out = table.scene.history.standing.alive.index(False)
        fallen, lines = table.view().people[out].id, table.scene.history.lines
        sizes = set()
        for number in range(3000):
            table.do(moves.guess, Press(fallen), (Side.LAW, Side.OUTLAWS)[number % 2])
            sizes.add((tmp_path / FILE).stat().st_size)
        assert table.scene.history.lines == lines
        assert max(sizes) < 300_000
        before = (tmp_path / FILE).read_bytes()
        table.do(moves.guess, Press(fallen), Side.OUTLAWS)
        assert (tmp_path / FILE).read_bytes() == before, "the same guess again is written no more"


@pytest.mark.parametrize(("camera", "most"), [(CameraStatus(), 550), (CameraStatus("test"), 1500)])
def test_correcting_a_whole_roll_writes_little(tmp_path, camera, most):
    with table_of(tmp_path) as table:
        host, chance = begin(table), random.Random(2)
        table.watch(camera)
        if camera.works:
            lying = [Die("beer", chance.uniform(0, 800), size=40 / 3) for _ in range(5)]
            table.see(reading("ok", lying))
        before = written(tmp_path)
        for die in range(5):
            press(table, host, rolling.mark, die, TrayMark(Face.GATLING))
        assert len(table.scene.surface.state.marks) == 5
        assert before < written(tmp_path) < before + most


def written(folder: Path) -> int:
    """The bytes of the journal's lines."""
    return len((folder / FILE).read_bytes().rstrip(b"\0"))


def test_nobody_makes_a_game_longer_for_ever_by_taking_back(tmp_path, monkeypatch):
    monkeypatch.setattr(moves, "MOST_LINES", 60)
    monkeypatch.setattr("companion.table.journal.journal.MOST_BYTES", 9000)
    with table_of(tmp_path) as table:
        host, chance = begin(table), random.Random(1)
        play(table, host, chance)
        sizes = []
        while len(table.scene.history.lines) <= moves.MOST_LINES:
            press(table, host, moves.undo)
            play(table, host, chance)
            sizes.append((tmp_path / FILE).stat().st_size)
        with pytest.raises(Refused, match="too much was undone"):
            press(table, host, moves.undo)
        anew = sum(later < earlier for earlier, later in pairwise(sizes))
        assert anew < 5, "a long game is not written anew with every press"
        assert len(table.scene.history.lines) < 70
        play(table, host, chance)
