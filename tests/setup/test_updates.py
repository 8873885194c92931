"""The host updates the table from the page of the Pi, and reads how that goes."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helped import Helped
from installer.__main__ import describe
from releases import make_archive
from sites import finish

from companion import __version__
from companion.setup.machine.helper import RootHelper
from companion.setup.machine.updates import FAULTS, MOST_UPLOAD, PLAYING, UPLOAD, WAY_BACK, Updates

LATER = "9.9.0"


class Pi(Helped):
    """A table that the host can update."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, running=folder / "running")
        self.furnish(self.helper)
        self.archive = make_archive(folder / "archive")
        self.received = self.places.request.with_name(UPLOAD)
        self.signed = True

    def furnish(self, helper: RootHelper) -> None:
        self.updates = Updates(self.site.table, __version__, helper, self.describe)
        self.site.furnish(updates=self.updates)

    def describe(self, path: Path) -> Mapping[str, Any]:
        return json.loads(json.dumps(describe(path, __version__) | {"signed": self.signed}))

    def send(self) -> int:
        """Upload the archive; return the status of the last answer."""
        answer = self.site.host.upload("/machine/piece", self.archive.read_bytes())
        self.said = answer.text
        return answer.status_code

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.archive.read_bytes()).hexdigest()

    def tell(self, **said: object) -> None:
        """Let the installer say how far it is."""
        super().tell(**{"version": LATER, "step": "", "fault": "", "why": ""} | said)

    def note_way_back(self, opens: str = "all") -> None:
        way = {"version": "0.2.9", "opens": opens, "games": 3}
        self.places.status.with_name(WAY_BACK).write_text(json.dumps(way))


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_the_host_uploads_reads_and_presses_once(pi):
    assert pi.send() == 204
    page = pi.page()
    for said in (f"Version {LATER}<", "It is signed by", "A hat.", pi.sha256):
        assert said in page
    assert pi.press("update", sha256=pi.sha256) == 204
    assert pi.request == {"do": "install", "version": LATER, "sha256": pi.sha256, "code": ""}
    assert f"Version {LATER} is checked." in pi.page()
    # Once is enough.
    assert pi.press("update", sha256=pi.sha256) == 422
    assert pi.send() == 422
    assert "an update is running already" in pi.said


def test_an_unsigned_release_asks_for_the_owners_code(pi):
    pi.signed = False
    pi.send()
    page = pi.page()
    assert "Nobody that this table knows has signed it" in page
    assert 'name="code"' in page
    assert pi.press("update", sha256=pi.sha256, code="abcd-efgh") == 204
    assert pi.request is not None
    assert pi.request["code"] == "abcd-efgh"


def test_a_press_of_an_earlier_page_or_for_another_file_changes_nothing(pi):
    pi.send()
    assert pi.press("update", version=pi.site.view.version - 1, sha256=pi.sha256) == 409
    assert pi.press("update", sha256="0" * 64) == pi.press("update") == 409
    assert pi.press("discard") == 204
    assert pi.press("update", sha256=pi.sha256) == 409
    assert pi.request is None
    assert not pi.received.exists()


def test_during_a_game_nothing_is_uploaded_or_installed_and_the_page_says_so_first(pi):
    def disabled() -> str:
        page = pi.page()
        assert f"T{PLAYING[1:]}." in page
        (group,) = re.findall(r'<fieldset class="part" disabled>(.*?)</fieldset>', page, re.DOTALL)
        return group

    def refused(status: int) -> bool:
        return (status, pi.said.strip()) == (422, PLAYING)

    pi.send()
    pi.note_way_back()
    assert "/machine" in pi.site.start().host.open("/seat").text
    assert "/machine" not in pi.site.phones[1].open("/seat").text
    assert 'data-press="/machine/update"' in disabled()
    assert refused(pi.press("update", sha256=pi.sha256))
    assert pi.press("discard") == 204
    assert {'data-press="/machine/back"', 'data-upload="/machine/piece"'} <= set(
        re.findall(r'data-(?:press|upload)="[^"]*"', disabled())
    )
    assert refused(pi.press("back"))
    assert refused(pi.send())
    assert pi.request is None
    assert not pi.received.exists()
    finish(pi.site)
    assert PLAYING[1:] not in pi.page()
    assert pi.send() == 204


@pytest.mark.parametrize("content", [b"no archive", b"\x1f\x8b" + bytes(100)])
def test_what_is_no_release_is_refused_and_gone(pi, content):
    pi.archive.write_bytes(content)
    assert pi.send() == 422
    assert pi.said.startswith("this file can’t be used: ")
    assert pi.updates.upload is None
    assert not pi.received.exists()


def test_an_upload_is_bounded_and_in_order(pi):
    def send(piece: bytes, at: int, size: int) -> int:
        return pi.site.host.send_piece("/machine/piece", piece, at, size).status_code

    assert [send(b"x", 0, MOST_UPLOAD + 1), send(b"x", 7, 20)] == [422, 409]
    assert [send(b"x" * 10, 0, 20), send(b"x" * 11, 10, 20)] == [204, 422]
    assert pi.received.stat().st_size == 10


STEPS = {"": "is checked.", "building": "is built beside", "changing over": "The table changes"}


def test_it_is_told_how_far_an_update_is_and_that_it_is_done(pi):
    pi.places.running.mkdir()
    for step, said in STEPS.items():
        pi.tell(step=step)
        assert said in pi.page()
        assert pi.updates.notice().startswith("The table is being updated")
    pi.tell(version=__version__)
    pi.places.running.rmdir()
    assert pi.updates.notice() == ""
    assert f"The update is done: this is version {__version__}." in pi.page()
    # One of long ago is not told.
    pi.tell(version="0.2.0")
    assert "0.2.0" not in pi.page()


def test_what_did_not_work_is_said_with_its_reason(pi):
    for word in (*FAULTS, "a word of a later installer"):
        pi.tell(fault=word, step="" if word else "building", why="pip: no network")
        page = pi.page()
        assert f"Version {LATER} isn’t installed: {FAULTS.get(word, FAULTS['failed'])}." in page
        assert "pip: no network" in page


def test_half_a_file_of_the_installers_says_nothing(pi):
    for text in ("", "[]", "{", "[" * 9000, '{"version": {}}'):
        for name in ("status.json", WAY_BACK):
            pi.places.status.with_name(name).write_text(text)
        assert "Go back" not in pi.page(), text


@pytest.mark.parametrize(
    ("opens", "said"), [("all", "It can open everything"), ("earlier", "goes on with the 3 games")]
)
def test_the_host_goes_back_and_reads_before_which_games_are_there_then(pi, opens, said):
    assert "Go back" not in pi.page()
    assert pi.press("back") == 422
    pi.note_way_back(opens)
    page = pi.page()
    assert "Go back to version 0.2.9" in page
    assert said in page
    assert ("/backup" in page) is (opens == "earlier")
    assert pi.press("back") == 204
    assert pi.request == {"do": "back", "version": "0.2.9"}


@pytest.mark.parametrize("missing", ["service", "unit"])
def test_where_nothing_waits_the_page_says_so(pi, missing):
    if missing == "unit":
        pi.places.waits.unlink()
    else:
        pi.furnish(RootHelper(None))
    assert "updated by hand" in pi.page()
    assert pi.send() == 422
