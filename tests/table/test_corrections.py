"""Readings changed by hand are on every page at once; what is told and recorded: rolls.txt."""

import json
import os
import re
from functools import partial
from html import unescape

import pytest
from sites import Site

from companion.camera.pictures import CorrectionPictures
from companion.table.lessons import picture_corrected

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
    (header,) = site.table.scene.history.record.splitlines()
    assert json.loads(header)["version"] == 3


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
