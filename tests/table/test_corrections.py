"""Readings changed by hand: everybody sees at once who said what, and it stays in the log."""

import json
import os
import re
from functools import partial
from html import unescape

import pytest
from sites import Site
from stand_ins import Die, reading

from companion.camera.pictures import CorrectionPictures
from companion.games.dice.rules.record import replay
from companion.table.lessons import picture_corrected
from companion.table.scene import CameraStatus

pytestmark = pytest.mark.tables

FACES = ("beer", "arrow", "gatling", "gatling", "arrow")
CHANGED = "Ann changed die 3: Gatling → beer."


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path).start()


def pages(site: Site) -> list[str]:
    """What phones show: the host's, and another player's."""
    some = (site.host.live("seat"), site.phones[2].live("seat"))
    return [unescape(page) for page in some]


def log(page: str) -> list[str]:
    """The sentences of a page's log, latest first."""
    (lines,) = re.findall('<ol class="lines">(.*?)</ol>', page, re.DOTALL)
    texts = re.findall("<(?:s|span)>(.*?)</(?:s|span)>", lines)
    return [unescape(text) for text in texts]


def now(page: str) -> str:
    """What a page says happened just now."""
    return re.sub("<[^>]*>", "", re.findall('<p class="now.*?</p>', page, re.DOTALL)[0])


def change(site: Site, phone: int = 0, **fields: object) -> None:
    answer = site.phones[phone].post("/dice/mark", **fields)
    assert answer.status_code == 204, answer.text


@pytest.fixture
def changed(site) -> Site:
    """Ann threw, and changed the third die."""
    site.throw(*FACES)
    change(site, die=2, face="beer")
    return site


def hands(page: str) -> int:
    return page.count('class="hand"')


def test_everybody_sees_who_changed_which_die_and_it_stays_in_the_log(site):
    site.throw(*FACES)
    assert [hands(page) for page in pages(site)] == [0, 0]
    change(site, die=2, face="beer")
    for page in pages(site):
        assert log(page)[0] == CHANGED
        assert CHANGED in now(page)
        assert "Die 3: beer, set by hand" in page
    for page in (*pages(site), unescape(site.stranger.live("table"))):
        assert CHANGED in page
        assert hands(page) == 1
    site.host.post("/dice/accept")
    for page in pages(site):
        assert CHANGED in log(page)
        assert log(page)[log(page).index(CHANGED) - 1].startswith("Ann rolls ")
        assert hands(page) == 1
    assert CHANGED in log(site.stranger.live("story"))
    # What was changed is struck through with its roll.
    site.host.post("/game/undo")
    assert f"<s>{CHANGED}</s>" in unescape(site.stranger.live("story"))
    assert [entry["version"] for entry in record(site)] == [3]


def test_a_change_that_is_changed_back_leaves_nothing(changed):
    change(changed, die=2, face="gatling")
    assert not any("die 3" in line for line in log(pages(changed)[1]))


def test_the_one_who_said_it_is_named_also_if_it_is_not_their_turn(site):
    site.roll("dynamite", "dynamite", "dynamite", "arrow", "arrow")
    site.throw(*FACES)
    change(site, 0, die=2, face="beer")
    change(site, 1, die=0, face="arrow")
    said = log(pages(site)[1])
    assert {CHANGED, "Bob changed die 1: beer → arrow."} <= set(said[:2])


def test_what_is_said_of_uncertain_and_missing_dice_is_told_and_recorded(site):
    lay = [Die(face, 100.0 * number) for number, face in enumerate(FACES)]
    doubtful = Die("beer", 0.0, sure=False, likely=("beer", "gatling"))
    site.table.see(reading("unsure", [doubtful, *lay[1:]]))
    change(site, die=0, face="beer")
    assert log(pages(site)[1])[0] == "Ann said what die 1 shows: beer."
    site.table.see(reading("count", [*lay, Die("beer", 700.0)]))
    assert site.host.post("/dice/leave-out", die=5).status_code == 204
    assert log(pages(site)[1])[0] == "Ann left out something that isn’t a die."
    site.table.see(reading("count", lay[:4]))
    assert site.host.post("/dice/add", face="beer").status_code == 204
    assert log(pages(site)[1])[0] == "Ann added a die: beer."
    site.host.post("/dice/accept")
    assert record(site)[1]["corrected"] == [{"kind": "added", "seat": 0, "face": "beer"}]


def test_what_is_said_of_kept_and_hidden_dice_is_told_and_recorded(site):
    site.roll(*FACES)
    lay = [Die(face, 100.0 * number, 100.0) for number, face in enumerate(FACES)]
    site.table.see(reading("ok", [*lay[:4], Die("beer", 700.0)]))
    change(site, die=0, thrown=1)
    assert log(pages(site)[1])[0] == "Ann said that die 1 was thrown: beer."
    change(site, die=1, face="beer")
    site.host.post("/dice/accept")
    kinds = [said["kind"] for said in record(site)[2]["corrected"]]
    assert set(kinds) <= {"thrown", "kept", "face"}
    assert "face" in kinds
    site.table.see(reading("blocked"))
    site.host.post("/dice/by-hand")
    change(site, die=0, face="beer")
    site.host.post("/dice/accept")
    assert record(site)[3]["corrected"] == [{"kind": "by_hand", "seat": 0}]
    assert "Ann entered the dice by hand." in log(pages(site)[1])
    assert list(replay(site.table.scene.history.record.encode().splitlines()))


@pytest.mark.parametrize("accepted", [False, True])
def test_a_change_outlasts_a_restart_with_its_author(tmp_path, changed, accepted):
    if accepted:
        changed.host.post("/dice/accept")
    seen = changed.table.scene.surface.state.now
    changed.journal.close()
    again = Site(tmp_path, "")
    again.table.watch(CameraStatus("test"))
    again.table.see(seen)
    assert hands(again.stranger.live("table")) == 1
    assert CHANGED in log(again.stranger.live("story"))


def record(site: Site) -> list[dict]:
    return [json.loads(line) for line in site.table.scene.history.record.splitlines()]


def test_the_record_holds_what_was_accepted_and_who_corrected_what(tmp_path, changed):
    assert len(record(changed)) == 1
    changed.host.post("/dice/accept")
    header, roll = record(changed)
    assert header["version"] == 4
    assert roll["dice"] == ["beer", "arrow", "beer", "gatling", "arrow"]
    said = {"kind": "face", "seat": 0, "die": 2, "read": "gatling", "face": "beer"}
    assert roll["corrected"] == [said]
    changed.journal.close()
    again = Site(tmp_path, "")
    assert record(again) == [header, roll]
    assert list(replay(again.table.scene.history.record.encode().splitlines()))


def test_the_picture_of_the_die_stands_beside_what_was_said(tmp_path):
    pictures = CorrectionPictures(tmp_path / "corrections", lambda die: b"die %d" % die)
    site = Site(tmp_path, correction_picture=pictures.picture).start()
    site.table.follow(partial(picture_corrected, pictures))
    site.throw(*FACES)
    change(site, die=2, face="beer")
    for _ in range(2):
        for page in pages(site):
            assert '<img class="evidence" src="/corrections/1-1-2.jpg"' in page
        site.host.post("/dice/accept")
    assert site.stranger.client.get("/corrections/1-1-2.jpg").data == b"die 2"
    assert site.stranger.client.get("/corrections/1-1-3.jpg").status_code == 204


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
