"""The host updates the table from the page of the Pi; everybody is told, and nobody else may."""

import hashlib
import html
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from installer.__main__ import describe
from releases import make_archive
from sites import Phone, Site
from waiting import wait_until

from companion import __version__
from companion.base.worker import WorkerThread
from companion.setup.machine.helper import HelperFollower, HelperPlaces, RootHelper
from companion.setup.machine.updates import FAULTS, MOST_UPLOAD, UPLOAD, WAY_BACK, Updates

PIECE = 16 * 1024
LATER = "9.9.0"


class Pi:
    """A table whose service systemd waits for, as far as the table can see."""

    def __init__(self, folder: Path) -> None:
        self.site = Site(folder / "data")
        self.places = HelperPlaces(
            folder / "asked/update", folder / "update.json", folder / "waits", folder / "running"
        )
        self.places.request.parent.mkdir()
        self.places.waits.symlink_to("anything")
        self.helper = RootHelper(self.places)
        self.updates = Updates(self.site.table, __version__, self.helper, self.describe)
        self.updates.listeners.add(self.site.streams.notify)
        self.site.furnish(updates=self.updates)
        self.archive = make_archive(folder / "archive")
        self.signed = True

    def describe(self, path: Path) -> Mapping[str, Any]:
        return json.loads(json.dumps(describe(path, __version__) | {"signed": self.signed}))

    def send(self, phone: Phone | None = None, content: bytes | None = None) -> int:
        """Upload a file in pieces; return the status of the last answer."""
        phone = phone or self.site.host
        content = self.archive.read_bytes() if content is None else content
        status = 0
        for at in range(0, len(content), PIECE):
            answer = phone.client.post(
                f"/machine/piece?at={at}&size={len(content)}",
                data=content[at : at + PIECE], headers={"X-Page": phone.proof},
            )  # fmt: skip
            status = answer.status_code
            self.said = html.unescape(answer.text)
        return status

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.archive.read_bytes()).hexdigest()

    @property
    def request(self) -> Mapping[str, str] | None:
        path = self.places.request
        return json.loads(path.read_text()) if path.exists() else None

    def end(self, **said: str) -> None:
        """Let the installer come to its end."""
        self.places.request.unlink(missing_ok=True)
        ended = {"version": LATER, "step": "", "fault": "", "why": ""} | said
        self.places.status.write_text(json.dumps(ended))

    def note_way_back(self, opens: str = "all") -> None:
        way = {"version": "0.2.9", "opens": opens, "games": 3}
        self.places.status.with_name(WAY_BACK).write_text(json.dumps(way))

    def page(self) -> str:
        return html.unescape(self.site.host.open("/machine").text)


@pytest.fixture
def pi(tmp_path: Path) -> Iterator[Pi]:
    made = Pi(tmp_path)
    yield made
    made.site.journal.close()


def test_the_host_uploads_reads_and_presses_once(pi: Pi) -> None:
    pi.site.host.open("/machine")
    assert pi.send() == 204
    page = pi.page()
    assert f"Version {LATER}<" in page
    assert "It is signed by" in page
    assert "A hat." in page
    assert pi.sha256 in page
    assert pi.site.host.post("/machine/update", sha256=pi.sha256).status_code == 204
    assert pi.request == {"do": "install", "version": LATER, "sha256": pi.sha256, "code": ""}
    assert f"Version {LATER} is checked." in pi.page()
    # Once is enough.
    assert pi.site.host.post("/machine/update", sha256=pi.sha256).status_code == 422
    assert pi.send() == 422
    assert "an update is running already" in pi.said


def test_an_unsigned_release_asks_for_the_owners_code(pi: Pi) -> None:
    pi.signed = False
    pi.site.host.open("/machine")
    pi.send()
    page = pi.page()
    assert "Nobody that this table knows has signed it" in page
    assert 'name="code"' in page
    assert (
        pi.site.host.post("/machine/update", sha256=pi.sha256, code="abcd-efgh").status_code == 204
    )
    assert pi.request is not None
    assert pi.request["code"] == "abcd-efgh"


def test_nobody_else_uploads_or_presses(pi: Pi) -> None:
    pi.site.host.open("/machine")
    pi.send()
    pi.note_way_back()
    shown = pi.updates.upload
    for phone in (pi.site.phones[1], pi.site.stranger):
        assert phone.client.get("/machine").status_code in (302, 303, 403)
        assert pi.send(phone) in (302, 303, 403)
        for path in ("/machine/update", "/machine/back", "/machine/discard"):
            assert phone.post(path, sha256=pi.sha256).status_code in (302, 303, 403), path
    # A page of another site has the host's cookies, and no proof.
    forged = pi.site.host.client.post(
        "/machine/update", data=pi.site.now | {"sha256": pi.sha256}, headers={"X-Page": "0" * 64}
    )
    assert forged.status_code == 403
    assert pi.request is None
    assert pi.updates.upload == shown


def test_a_press_of_an_earlier_page_or_for_another_file_changes_nothing(pi: Pi) -> None:
    pi.site.host.open("/machine")
    pi.send()
    stale = {"version": pi.site.view.version - 1, "sha256": pi.sha256}
    assert pi.site.host.send("/machine/update", stale).status_code == 409
    assert pi.site.host.post("/machine/update", sha256="0" * 64).status_code == 409
    assert pi.site.host.post("/machine/update").status_code == 409
    assert pi.site.host.post("/machine/discard").status_code == 204
    assert pi.site.host.post("/machine/update", sha256=pi.sha256).status_code == 409
    assert pi.request is None
    assert not pi.places.request.with_name(UPLOAD).exists()


def test_nothing_is_installed_during_a_game(pi: Pi) -> None:
    pi.site.host.open("/machine")
    pi.send()
    pi.note_way_back()
    assert "/machine" in pi.site.start().host.open("/seat").text
    assert "/machine" not in pi.site.phones[1].open("/seat").text
    assert pi.site.host.post("/machine/update", sha256=pi.sha256).status_code == 422
    assert pi.site.host.post("/machine/back").status_code == 422
    assert pi.request is None


@pytest.mark.parametrize("content", [b"no archive", b"\x1f\x8b" + bytes(100)])
def test_what_is_no_release_is_refused_and_gone(pi: Pi, content: bytes) -> None:
    pi.site.host.open("/machine")
    assert pi.send(content=content) == 422
    assert pi.said.startswith("this file can’t be used: ")
    assert pi.updates.upload is None
    assert not pi.places.request.with_name(UPLOAD).exists()


def test_an_upload_is_bounded_and_in_order(pi: Pi) -> None:
    host = pi.site.host
    host.open("/machine")

    def piece(at: int, size: int, content: bytes) -> int:
        return host.client.post(f"/machine/piece?at={at}&size={size}", data=content,
                                headers={"X-Page": host.proof}).status_code  # fmt: skip

    assert piece(0, MOST_UPLOAD + 1, b"x") == 422
    assert piece(7, 20, b"x") == 409
    assert piece(0, 20, b"x" * 10) == 204
    assert piece(10, 20, b"x" * 11) == 422
    assert piece(11, 20, b"x") == 409
    assert pi.places.request.with_name(UPLOAD).stat().st_size == 10


STEPS = {
    "": "is checked.",
    "building": "is built beside",
    "changing over": "The table changes",
}


def test_every_page_is_told_while_it_runs_and_the_hosts_how_far_it_is(pi: Pi) -> None:
    pi.places.running.mkdir()
    for step, said in STEPS.items():
        pi.end(step=step)
        HelperFollower("updates", pi.helper, pi.site.table, pi.updates.notice).catch_up(
            WorkerThread.__new__(WorkerThread)
        )
        assert said in pi.page()
    seen = (pi.site.stranger.client.get("/table"), pi.site.phones[1].open("/seat"))
    assert all("The table is being updated" in html.unescape(page.text) for page in seen)


def test_the_end_is_told_once_it_is_there_and_the_notice_goes(pi: Pi) -> None:
    follower = HelperFollower("updates", pi.helper, pi.site.table, pi.updates.notice)
    follower.start()
    try:
        pi.places.running.mkdir()
        wait_until(lambda: bool(pi.site.table.scene.troubles))
        pi.end(version=__version__)
        pi.places.running.rmdir()
        wait_until(lambda: not pi.site.table.scene.troubles)
    finally:
        follower.stop()
    assert f"The update is done: this is version {__version__}." in pi.page()


def test_what_did_not_work_is_said_with_its_reason(pi: Pi) -> None:
    for word in (*FAULTS, "a word of a later installer"):
        pi.end(fault=word, step="" if word else "building", why="pip: no network")
        page = pi.page()
        assert f"Version {LATER} isn’t installed: {FAULTS.get(word, FAULTS['failed'])}." in page
        assert "pip: no network" in page


def test_half_a_file_of_the_installers_says_nothing(pi: Pi) -> None:
    for text in ("", "[]", "{", "[" * 9000, '{"version": {}}'):
        for name in ("update.json", "way-back.json"):
            pi.places.status.with_name(name).write_text(text)
        assert "Go back" not in pi.page(), text


def test_an_end_of_long_ago_is_not_told(pi: Pi) -> None:
    pi.end(version="0.2.0")
    assert "0.2.0" not in pi.page()


@pytest.mark.parametrize(
    ("opens", "said"), [("all", "It can open everything"), ("earlier", "goes on with the 3 games")]
)
def test_the_host_goes_back_and_reads_before_which_games_are_there_then(
    pi: Pi, opens: str, said: str
) -> None:
    assert "Go back" not in pi.page()
    assert pi.site.host.post("/machine/back").status_code == 422
    pi.note_way_back(opens)
    page = pi.page()
    assert "Go back to version 0.2.9" in page
    assert said in page
    assert ("/backup" in page) is (opens == "earlier")
    assert pi.site.host.post("/machine/back").status_code == 204
    assert pi.request == {"do": "back", "version": "0.2.9"}


@pytest.mark.parametrize("missing", ["service", "unit"])
def test_where_nothing_waits_the_page_says_so(pi: Pi, missing: str) -> None:
    pi.site.host.open("/machine")
    if missing == "unit":
        pi.places.waits.unlink()
    else:
        pi.site.furnish(updates=Updates(pi.site.table, __version__, RootHelper(None), pi.describe))
    assert "updated by hand" in pi.page()
    assert pi.send() == 422
