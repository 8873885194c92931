"""Pictures of corrected dice; what is told and recorded of them: rolls.txt, pages.txt."""

import os
from dataclasses import replace
from functools import partial

import pytest
from running import running_table
from sites import Site
from stand_ins import Die

from companion.camera.pictures import CorrectionPictures
from companion.table.lessons import picture_corrected
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from companion.table.surface.dice.surface import DiceSurface

pytestmark = pytest.mark.tables

FACES_BY_PIPS = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")
FACES = ("beer", "arrow", "gatling", "gatling", "arrow")


def test_the_picture_of_the_die_stands_beside_what_was_said(tmp_path):
    pictures = CorrectionPictures(tmp_path / "corrections", lambda die: b"die %d" % die)
    site = Site(tmp_path, correction_picture=pictures.picture).start()
    site.table.follow(partial(picture_corrected, pictures))
    site.throw(*FACES)
    assert site.host.post("/dice/mark", die=2, face="beer").status_code == 204
    for _ in range(2):
        for phone in (site.host, site.phones[2]):
            assert '<img class="evidence" src="/corrections/1-1-2.jpg"' in phone.live("seat")
        site.host.post("/dice/accept")
    assert site.stranger.client.get("/corrections/1-1-2.jpg").data == b"die 2"
    assert site.stranger.client.get("/corrections/1-1-3.jpg").status_code == 204


def test_where_ordinary_dice_are_read_pages_say_how_many_pips_stand_for_a_face(tmp_path):
    with running_table(tmp_path / "running") as running:
        # Nobody chose any dice: the table owns the game's.
        assert running.table.view().camera.pips == ()
        for dice, pips in (("pips", FACES_BY_PIPS), ("print", ())):
            running.watching.sets.use(dice)
            told = running.table.view().camera
            assert (told.name, told.pips) == ("none", pips)
    site = Site(tmp_path / "site").start()
    site.throw(*FACES)
    assert "pip" not in site.host.live("seat")
    lying = site.table.view().tray
    site.table.watch(replace(site.table.view().camera, pips=FACES_BY_PIPS))
    assert site.table.view().tray == lying
    page = site.host.live("seat")
    assert "Arrow: one pip</button>" in page
    assert "Gatling: 6 pips</button>" in page


def test_only_the_latest_pictures_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.camera.pictures.MOST_CORRECTIONS", 3)
    pictures = CorrectionPictures(tmp_path / "corrections", lambda _: b"die")
    for move in range(5):
        pictures.keep(1, move, 0)
        os.utime(tmp_path / "corrections" / f"1-{move}-0.jpg", (move, move))
    pictures.keep(1, 5, 0)
    assert [pictures.picture(1, move, 0) for move in range(6)] == [None] * 3 + [b"die"] * 3


def test_a_picture_that_cannot_be_kept_stops_no_game(tmp_path):
    (tmp_path / "corrections").write_text("in the way")
    pictures = CorrectionPictures(tmp_path / "corrections", lambda _: b"die")
    pictures.keep(1, 1, 0)
    assert pictures.picture(1, 1, 0) is None


class Learner(list):
    def learn(self, named, game, moment):
        self.extend(die.face for die in named)

    def take_back(self, game, moment):
        pass


@pytest.mark.parametrize(("leans", "learned"), [(True, []), (False, ["beer"])])
def test_a_die_that_was_named_only_because_it_may_lean_teaches_nothing(evening, leans, learned):
    evening.start()
    learner = Learner()
    evening.table.lessons.teach(DiceSurface, learner)
    dice = [Die("beer", 100.0, sure=False, leans=leans)]
    evening.see("unsure", *dice, *(Die("arrow", 100.0 * n) for n in range(2, 6)))
    evening.do(rolling.mark, 0, TrayMark("beer"))
    evening.table.press_green()
    assert evening.game.rolls == 1
    assert learner == learned
