"""A record from another table is watched here; a wrong one is refused with its line."""

from html import unescape

import pytest
from places import RECORDED
from sites import Phone, Site, deal_to, finish, reason

from companion.table.past import opened as opened_records
from companion.table.past.opened import MOST, MOST_BYTES, MOST_LINES

pytestmark = pytest.mark.tables

GAMES = RECORDED
WHOLE = (GAMES / "six-players-renegade.jsonl").read_bytes()
NAME = b'"name": "Player 0"'
PIECES = "/records/piece"
FIRST = "Line 1 of the record is wrong: "


def open_record(phone: Phone, record: bytes) -> str:
    answer = phone.upload(PIECES, record, 4096)
    assert answer.status_code == 303, answer.text
    return answer.location


@pytest.mark.parametrize("name", [path.stem for path in sorted(GAMES.glob("*[a-z0-9].jsonl"))
                                  if not path.stem.endswith(".states")])  # fmt: skip
def test_every_record_of_the_tests_can_be_watched_to_its_end(site, name):
    record = (GAMES / f"{name}.jsonl").read_bytes()
    where = open_record(site.phones[1], record)
    replay = site.table.opened.replay(1)
    assert replay.last == record.strip().count(b"\n")
    for step in (0, replay.last):
        page = site.stranger.open(f"{where}?step={step}")
        assert f'data-step="{step}"' in page.text
    assert ("summary.png" in page.text) == (replay.history.standing.outcome is not None)


def test_nothing_is_stored_unless_the_host_wishes(tmp_path, site):
    before = {path: path.stat().st_size for path in tmp_path.rglob("*")}
    where = open_record(site.phones[1], WHOLE)
    assert {path: path.stat().st_size for path in tmp_path.rglob("*")} == before
    assert "/records/keep" in site.host.open(where).text
    assert "/records/keep" not in site.phones[1].open(where).text
    assert site.phones[1].post("/records/keep", record=1).status_code == 403
    for _ in range(2):
        assert site.host.post("/records/keep", record=1).status_code == 204
    (kept,) = (tmp_path / "games").iterdir()
    assert kept.read_bytes() == WHOLE
    page = site.host.open(where).text
    assert "It is kept with the games of this table." in page
    assert "/records/keep" not in page


def test_an_unfinished_record_is_watched_but_not_kept(site):
    record = b"".join(WHOLE.splitlines(keepends=True)[:9])
    where = open_record(site.host, record)
    assert "/records/keep" not in site.host.open(where).text
    said = reason(site.host.post("/records/keep", record=1), 422)
    assert said == "only games that are over can be kept"
    assert site.stranger.client.get(f"{where}/summary.png").status_code == 404


def spoilt(number: int, line: bytes) -> bytes:
    lines = WHOLE.splitlines(keepends=True)
    lines[number - 1] = line
    return b"".join(lines)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (b"[" * 100_000, f"{FIRST}this is nested too deeply."),
        (spoilt(3, b"\n"), "Line 3 of the record is wrong: the line is blank."),
        (WHOLE.replace(NAME, b'"name": "\\ud800"'), f"{FIRST}a name"),
        (WHOLE.replace(NAME, b'"name": "' + b"n" * 101 + b'"'), f"{FIRST}a name"),
        (WHOLE + b"\n" * MOST_LINES, f"Line {MOST_LINES + 1} of the record is wrong: more than"),
    ],
    ids=["nested", "gap", "half a pair", "long name", "long"],
)  # fmt: skip
def test_a_wrong_record_is_refused_with_its_line(site, record, said):
    assert record != WHOLE
    answer = site.host.upload(PIECES, record)
    assert reason(answer, 422).startswith(said)
    assert site.table.opened.replay(1) is None


def test_an_illegal_move_is_named_in_the_language_of_the_page(site):
    record = WHOLE + b'{"action": "stop", "seat": 0}\n'
    said = reason(site.host.upload(PIECES, record), 422)
    assert "seat 0" not in said
    site.host.client.set_cookie("language", "fr")
    told = reason(site.host.upload(PIECES, record), 422)
    assert told.startswith(f"La ligne {record.count(bytes([10]))} de la partie est erronée")


def test_an_upload_is_bounded_and_begins_anew_after_an_interruption(site, monkeypatch):
    too_long = site.host.send_piece(PIECES, b"x", 0, MOST_BYTES + 1)
    assert "256 kB" in reason(too_long, 422)
    tries = [
        (0, 100, 0, 409),
        (50, 100, 10, 409),
        (0, 10, 11, 409),
        (0, 20, 10, 204),
        (5, 20, 10, 409),
    ]
    for at, size, sent, status in tries:
        assert site.host.send_piece(PIECES, b"x" * sent, at, size).status_code == status
    for _ in range(MOST + 1):
        open_record(site.host, WHOLE)
    assert site.table.opened.replay(1) is None
    assert site.table.opened.replay(MOST + 1) is not None
    assert 2 * max(p.stat().st_size for p in GAMES.glob("*s.jsonl")) < opened_records.MOST_BYTES


def test_what_was_corrected_at_the_other_table_is_told(tmp_path, site):
    other = Site(tmp_path / "other").start()
    other.throw("dynamite", "beer", "beer", "arrow", "beer")
    other.host.post("/dice/mark", die=0, face="beer")
    other.table.press_green()
    record = finish(other).stranger.client.get("/record/1").data
    assert b'"corrected"' in record
    where = open_record(site.host, record)
    page = unescape(site.stranger.client.get(f"{where}/1").text)
    assert "Ann changed die 1: dynamite → beer." in page
    # An earlier version of the format has no corrections.
    earlier = record.replace(b'"version": 4', b'"version": 3')
    assert "corrected" in reason(site.host.upload(PIECES, earlier), 422)
    # The record is kept as it came.
    assert site.host.post("/records/keep", record=1).status_code == 204
    (kept,) = (tmp_path / "games").glob("opened-*")
    assert kept.read_bytes() == record


def test_only_phones_with_a_seat_upload(site):
    assert site.stranger.upload(PIECES, WHOLE).status_code == 403
    assert 'data-upload="/records/piece"' not in site.stranger.open("/story").text
    assert 'data-upload="/records/piece"' in site.phones[1].open("/story").text


def test_a_record_of_this_table_opens_at_another(tmp_path, site):
    finish(site.start())
    record = site.stranger.client.get("/record/1").data
    other = Site(tmp_path / "other")
    where = open_record(other.host, record)
    page = unescape(other.stranger.open(f"{where}?roles=1").text)
    assert "A game from a record" in page
    deal_to(other, "soro")
    other.start()
    assert "The next game has started." not in unescape(other.host.live(where[1:]))
    assert 'data-calls="turn-1-1"' in other.host.live(where[1:])
