"""The record format: what it refuses, at which line, and that nothing is lost on the way."""

import json
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import each_scene
from wrong_lines import assert_refused, check, lines, replayed

from companion.games.common.lines import FormatError
from companion.games.dice.game import DICE_GAME
from companion.games.dice.rules import record
from companion.games.dice.rules.corrections import RecordedCorrection, RecordedCorrectionKind
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.rulesets import RULESETS

ENTRIES = json.loads(Path(__file__).with_name("entries.json").read_text("utf-8"))
HEADER, ROLL, STOP, SHOOT, BEER = ENTRIES.values()
PLAYERS = HEADER["players"]
HOUSE_HEADER = HEADER | {"version": 2, "house_rules": ["one_arrow_a_turn"]}
DATED_HEADER = HEADER | {"version": 3, "companion": "0.2.0", "date": "2026-11-22T19:30:00Z"}
CORRECTED_HEADER = DATED_HEADER | {"version": 4}
ENTRIES |= {"house": HOUSE_HEADER, "dated": DATED_HEADER, "corrected": CORRECTED_HEADER}
GAME = [HEADER, ROLL, STOP, SHOOT, BEER]


def without(entry: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != key}


# Bytes and lines

ROLL_LINE = json.dumps(ROLL).encode()

STOPS = b'{"action": "stop", "seat": %s}'
NOT_JSON: list[tuple[bytes, str]] = [
    (text + b"\n", reason)
    for reason, texts in {
        "the line is blank": (b"", b"\r", b" \t"),
        "this is not JSON: Expecting value (column 1)": (b"roll",),
        "this is not JSON: ...": (
            b"\xef\xbb\xbf" + ROLL_LINE, ROLL_LINE[:-1], ROLL_LINE + b",", ROLL_LINE + ROLL_LINE,
            ROLL_LINE.replace(b'"', b"'"), ROLL_LINE.replace(b"}", b",}"), b"X" + ROLL_LINE,
            b"\x0c" + ROLL_LINE, "\u00a0".encode() + ROLL_LINE, STOPS % b"00", b"\x00",
            b'{"action": "a\tb", "seat": 0}',
        ),
        "byte 1 is not UTF-8": (b"\xff\xfe{\x00}\x00",),
        "byte 43 is not UTF-8": (ROLL_LINE.replace(b"beer", b"be\xe9r"),),
        "byte 41 is not UTF-8": (ROLL_LINE.replace(b"beer", b"\xed\xa0\x80"),),
        "NaN is not JSON": (STOPS % b"NaN",),
        "Infinity is not JSON": (STOPS % b"Infinity",),
        "-Infinity is not JSON": (STOPS % b"-Infinity",),
        "a number has too many digits": (STOPS % (b"9" * 5000),),
        "the same key appears twice": (STOPS % b'0, "seat": 0',),
        "this is nested too deeply": (b"[" * 100_000, STOPS % (b'{"a":' * 100_000)),
        # Some versions of Python read so much, and then it is no move.
        "...": (b"[" * 1000 + b"]" * 1000, STOPS % (b"[" * 1000 + b"]" * 1000)),
    }.items()
    for text in texts
]  # fmt: skip


@pytest.mark.parametrize("before", [[], [HEADER], [HEADER, ROLL]])
def test_a_line_that_is_no_json_is_an_error_wherever_it_stands(before):
    for line, reason in NOT_JSON:
        assert_refused(record.replay, before, line, reason)
        assert "\n" not in str(replayed(record.replay, lines(line, STOP))[1]), line


def test_blanks_round_the_json_and_within_are_nothing():
    expected, _ = replayed(record.replay, lines(*GAME))
    blanks = [b" \t" + line[:-1].replace(b": ", b"\t:  ") + b"  \r\n" for line in lines(*GAME)]
    # Nor need the last line have an end.
    blanks[-1] = blanks[-1].rstrip()
    assert replayed(record.replay, blanks) == (expected, None)


NAMES = (
    " ", "null", "Ann\n", "A\u2028nn", "A\u2029nn", "A\x85nn", "A\x1cnn", "\u202e",
    "Zoë \U0001f920", "a" * 10_000, "\ud83e",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_odd_names_are_names_and_written_as_they_are_read(name):
    players = [PLAYERS[0] | {"name": name}, *PLAYERS[1:]]
    text = json.dumps(HEADER | {"players": players}, ensure_ascii=False)
    header = text.encode("utf-8", "backslashreplace")
    states = list(record.replay(BytesIO(b"".join([header, b"\n", *lines(*GAME[1:])]))))
    assert len(states) == len(GAME), "no separator in a name ends a line"
    assert states[0].player(0).name == name
    assert record.header_line(states[0].setup).encode() == header


# The header


@each_scene(__file__, "wrong_lines.txt")
def test_a_wrong_line_is_an_error_where_it_stands(ruling):
    check(record.replay, ENTRIES, ruling)


DATES = ("2026-11-22", "2024-02-29", "0001-01-01", "9999-12-31T23:59:59Z", "2026-11-22T00:00:00Z")


VERSIONS = ("0.2.0", "1", "10.0.0rc1", "0.3.0.dev1+g4b7e09e")


@pytest.mark.parametrize("house_rules", [{}, {"house_rules": ["one_arrow_a_turn"]}])
def test_version_3_says_where_the_record_comes_from(house_rules):
    for companion, day in product(VERSIONS, ["", *DATES]):
        told = {"companion": companion} | ({"date": day} if day else {})
        line = json.dumps(HEADER | {"version": 3} | told | house_rules).encode()
        setup, origin = record.parse_header(line), record.parse_origin(line)
        assert setup.house_rules == set(house_rules.get("house_rules", ()))
        assert origin == record.Origin(companion, day)
        assert json.loads(record.header_line(setup, origin)) == json.loads(line)
        states, error = replayed(record.replay, [line + b"\n", *lines(*GAME[1:])])
        assert (len(states), error) == (len(GAME), None)


SAID = [
    {"kind": "face", "seat": 1, "die": 0, "read": "gatling", "face": "beer"},
    {"kind": "face", "die": 4, "face": "beer"},
    {"kind": "kept", "seat": 0, "die": 2},
    {"kind": "thrown", "die": 3},
    {"kind": "left_out", "seat": 2},
    {"kind": "added", "seat": 0, "face": "arrow"},
    {"kind": "by_hand"},
]


def corrected(said: Any) -> list[dict[str, Any]]:
    """The game, as version 4 has it, with corrections of its first roll."""
    _, first, *others = GAME
    return [CORRECTED_HEADER, first | {"corrected": said}, *others]


def test_version_4_holds_what_players_corrected_and_replays_alike():
    usual, _ = replayed(record.replay, lines(DATED_HEADER, *GAME[1:]))
    states, error = replayed(record.replay, lines(*corrected(SAID)))
    assert (states, error) == (usual, None)
    line = json.dumps(corrected(SAID)[1]).encode()
    said = record.parse_corrections(line)
    assert said[0] == RecordedCorrection(RecordedCorrectionKind.FACE, 1, 0, Face.GATLING, Face.BEER)
    assert [each.kind for each in said] == [each["kind"] for each in SAID]
    written = record.with_corrections(
        [json.dumps(entry) for entry in (DATED_HEADER, *GAME[1:])], {1: said}
    )
    assert [json.loads(line) for line in written] == corrected(SAID)
    # Without corrections, and in records that earlier programs wrote, nothing changes.
    for header, made in ((DATED_HEADER, {}), (HEADER, {1: said}), (HOUSE_HEADER, {1: said})):
        before = [json.dumps(entry) for entry in (header, *GAME[1:])]
        assert record.with_corrections(before, made) == before
    assert record.parse_corrections(json.dumps(GAME[2]).encode()) == ()


def test_earlier_versions_say_nothing_of_that():
    for header in (HEADER, HOUSE_HEADER):
        assert record.parse_origin(json.dumps(header).encode()) is None
        setup = record.parse_header(json.dumps(header).encode())
        assert json.loads(record.header_line(setup)) == header
    with pytest.raises(FormatError, match=r'^the key "ruleset" is missing$'):
        record.parse_origin(json.dumps(without(DATED_HEADER, "ruleset")).encode())


def test_version_5_says_that_nobody_confirmed_the_date():
    for date in ("2026-11-22?", "2026-11-22T19:30:00Z?"):
        header = DATED_HEADER | {"version": 5, "date": date}
        line = json.dumps(header).encode()
        setup, origin = record.parse_header(line), record.parse_origin(line)
        assert origin == record.Origin("0.2.0", date)
        assert json.loads(record.header_line(setup, origin)) == header
        said = record.parse_corrections(json.dumps(corrected(SAID)[1]).encode())
        lines_before = [json.dumps(entry) for entry in (header, *GAME[1:])]
        written = [json.loads(each) for each in record.with_corrections(lines_before, {1: said})]
        assert written == [header, *corrected(SAID)[1:]]
        usual, _ = replayed(record.replay, lines(DATED_HEADER, *GAME[1:]))
        assert replayed(record.replay, lines(*written)) == (usual, None)


@given(st.dates() | st.datetimes().map(lambda at: at.replace(microsecond=0)))
def test_every_day_and_every_second_is_a_date(at):
    text = f"{at.isoformat()}Z" if isinstance(at, datetime) else at.isoformat()
    line = record.header_line(
        record.parse_header(json.dumps(HEADER).encode()), record.Origin("0.2.0", text)
    )
    assert record.parse_origin(line.encode()) == record.Origin("0.2.0", text)


@pytest.mark.parametrize(
    "origin", [record.Origin(""), record.Origin("v1"), record.Origin("0.2.0", "today")]
)
def test_no_header_is_written_that_could_not_be_read(origin):
    with pytest.raises(FormatError, match="not a "):
        record.header_line(record.parse_header(json.dumps(HEADER).encode()), origin)


def test_from_version_3_on_characters_are_those_of_the_ruleset(monkeypatch):
    few = replace(RULESETS["base"], characters=("kit_carlson", "slab_the_killer", "willy_the_kid"))
    monkeypatch.setattr("companion.games.dice.rules.record.RULESETS", {"base": few})
    reason = (
        'player 1: "character" is "calamity_janet", not one of kit_carlson, slab_the_killer,'
        " willy_the_kid"
    )
    with pytest.raises(FormatError, match=f"^{reason}$"):
        record.parse_header(json.dumps(DATED_HEADER).encode())
    for header in (HEADER, HOUSE_HEADER):
        assert len(record.parse_header(json.dumps(header).encode()).players) == 4


def test_a_game_is_known_as_the_same_from_any_program():
    plain, dated = (
        (b"".join(lines(first, *GAME[1:]))).decode() for first in (HEADER, DATED_HEADER)
    )
    assert DICE_GAME.same(plain, dated)
    assert DICE_GAME.same(dated, plain)
    assert not DICE_GAME.same(plain, dated.replace('"targets": [0, 3]', '"targets": [3, 0]'))
    assert not DICE_GAME.same(plain, dated.replace("Ann", "Anna"))
    assert not DICE_GAME.same(plain, "no record\n" + plain.partition("\n")[2])


# Actions

EVERY_ACTION = [
    *GAME[1:],
    {"action": "heal", "seat": 0, "target": 1},
    {"action": "take_arrows", "seat": 1, "count": 1},
    {"action": "discard_arrows", "seat": 1, "count": 1},
    {"action": "discard_from", "seat": 0, "targets": [1]},
]


@pytest.mark.parametrize("action", EVERY_ACTION, ids=lambda action: action["action"])
def test_an_action_has_exactly_its_keys_and_is_written_as_it_is_read(action):
    line = json.dumps(action)
    assert record.move_line(record.parse_move(line.encode())) == line
    with pytest.raises(FormatError, match=r'^the key "comment" is unknown$'):
        record.parse_move(json.dumps(action | {"comment": ""}).encode())
    for key in action:
        with pytest.raises(FormatError, match=rf'^the key "{key}" is missing$'):
            record.parse_move(json.dumps(without(action, key)).encode())


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused(line):
    for parse in (record.parse_header, record.parse_move):
        with pytest.raises(FormatError):
            parse(line)
