"""What other programs are told over HTTP: the same messages as on a broker, to be read alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from places import ROOT
from published import CardEvening
from werkzeug.test import TestResponse

from companion.club.publishing import reading
from companion.club.publishing.messages import TableName
from companion.club.publishing.public_table import PublicTable
from companion.table import rounds
from companion.table.past.past_games import record_of
from docs.generate.api import page
from web.app import create_app
from web.serving.stream import Broadcast, Stream
from web.site import TableSite

pytestmark = pytest.mark.tables

HERE, ELSEWHERE = "https://club.example", "https://elsewhere.example"


class ServerEvent(NamedTuple):
    kind: str
    id: str
    data: Mapping[str, Any]


class Events:
    """A stream of server-sent events, read as far as it goes."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def read(self) -> list[ServerEvent]:
        # As when the table has notified it.
        self._stream.outdated = True
        found = []
        for text in "".join(part.decode() for part in self._stream).split("\n\n")[:-1]:
            fields = dict(line.split(": ", 1) for line in text.split("\n"))
            kind, data = fields["event"], fields["data"].encode()
            found.append(ServerEvent(kind, fields.get("id", ""), reading.read(kind, data)))
        return found

    def close(self) -> None:
        self._stream.close()


class Programs(CardEvening):
    """A table, and a program that asks it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.name = TableName("k3", "corner", "0.3.0")
        public = PublicTable(self.table, lambda: self.name)
        self.app = create_app(TableSite(self.table, Broadcast(), public=public, origins=(HERE,)))
        self.client = self.app.test_client()

    def events(self, last: str = "") -> Events:
        headers = {"Last-Event-ID": last} if last else {}
        with self.app.test_request_context("/api/events", headers=headers):
            stream = self.app.full_dispatch_request().response
        assert isinstance(stream, Stream)
        return Events(stream)

    def state(self, **headers: str) -> TestResponse:
        return self.client.get("/api/state", headers=headers)


@pytest.fixture
def table(tmp_path: Path) -> Programs:
    return Programs(tmp_path)


def numbers(events: list[ServerEvent]) -> list[int]:
    return [event.data["number"] for event in events if event.kind == "event"]


def test_the_state_is_that_of_a_broker(table):
    table.start_game()
    answer = table.state()
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    state = reading.read("state", answer.data)
    assert state["table"] == {"id": "k3", "name": "corner", "companion": "0.3.0"}
    assert state["game"]["players"][0]["name"] == "Ann"
    assert table.table.scene.code not in answer.text


def test_an_etag_holds_until_something_changes(table):
    etag = table.state().headers["ETag"]
    assert table.state(**{"If-None-Match": etag}).status_code == 304
    assert table.state(**{"If-None-Match": etag}).data == b""
    table.start_game()
    changed = table.state(**{"If-None-Match": etag})
    assert (changed.status_code, changed.headers["Cache-Control"]) == (200, "no-cache")
    assert changed.headers["ETag"] != etag
    zipped = table.state(**{"Accept-Encoding": "gzip"})
    again = table.state(**{"Accept-Encoding": "gzip", "If-None-Match": zipped.headers["ETag"]})
    assert again.status_code == 304


def test_events_come_in_order_with_the_state_after_them(table):
    stream = table.events()
    (first,) = stream.read()
    assert (first.kind, first.data["phase"]) == ("state", "lobby")
    table.start_game()
    table.finish_game()
    *events, result, state = stream.read()
    assert [event.kind for event in (result, state)] == ["result", "state"]
    assert numbers(events) == list(range(1, len(table.table.view().story) + 1))
    assert result.data["record"] == record_of(table.table.scene)
    assert stream.read() == []
    stream.close()


def test_a_program_that_comes_back_gets_what_it_missed(table):
    stream = table.events()
    stream.read()
    table.start_game()
    known = stream.read()
    stream.close()
    (last,) = [event.id for event in known if event.id]
    table.move(10)
    missed = table.events(last).read()
    assert numbers(known) + numbers(missed) == list(range(1, len(table.table.view().story) + 1))


def test_the_rest_of_a_game_that_has_left_the_table_is_not_missed(table):
    stream = table.events()
    table.start_game()
    last = [event.id for event in stream.read() if event.id][-1]
    table.finish_game()
    events = len(table.table.view().story)
    table.start_game()
    for told in (stream.read(), table.events(last).read()):
        found = [event.data for event in told if event.kind != "state"]
        first = [one["number"] for one in found if one["game"] == 1 and "number" in one]
        assert first[-1] == events
        assert [one["game"] for one in found if "withdrawn" in one] == [1]
        second = [one["number"] for one in found if one["game"] == 2]
        assert second == list(range(1, len(table.table.view().story) + 1))


@pytest.mark.parametrize(
    "last", ["x", "1-2", "1-2-3-4", "-1-2-3", "99999999999-1-1", "1-99999-0", "9-1-0", "²-1-1"]
)
def test_an_id_that_makes_no_sense_begins_now(table, last):
    table.start_game()
    table.move(3)
    (told,) = table.events(last).read()
    assert told.kind == "state"


def test_a_game_that_was_stopped_is_followed_by_the_next(table):
    table.start_game()
    table.move(3)
    stream = table.events()
    stream.read()
    table.do(rounds.new_game)
    table.start_game()
    assert {event.data["game"] for event in stream.read() if event.kind == "event"} == {2}


@pytest.mark.parametrize("path", ["/api/state", "/api/events"])
def test_only_pages_of_sites_in_the_settings_may_read(table, path):
    other = table.client.get("/table", headers={"Origin": HERE})
    assert "Access-Control-Allow-Origin" not in other.headers
    assert table.client.post(path).status_code == 405
    allowed = table.client.get(path, headers={"Origin": HERE}, buffered=False)
    assert allowed.headers["Access-Control-Allow-Origin"] == HERE
    assert "Access-Control-Allow-Credentials" not in allowed.headers
    for other in (ELSEWHERE, "null", "", HERE + ".evil.example"):
        refused = table.client.get(path, headers={"Origin": other}, buffered=False)
        assert "Access-Control-Allow-Origin" not in refused.headers
        assert "Origin" in refused.headers["Vary"]
        refused.close()
    allowed.close()


def test_the_list_of_messages_is_current():
    assert (ROOT / "docs/dev/api.md").read_text("utf-8") == page(), (
        "run: python -m docs.generate.api docs/dev/api.md"
    )
