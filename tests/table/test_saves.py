"""What earlier versions saved is opened by this one: tables, records, and all other files."""

import json
import shutil
from pathlib import Path

import pytest
from places import SAVED
from saves import EXPECTED, SINCE, TABLES, Json, described, described_files, save_files

from companion.games.dice.rules.record import replay

pytestmark = pytest.mark.tables

FOLDERS = sorted(path.parent for path in SAVED.glob(f"*/*/{EXPECTED}"))
TABLE_FOLDERS = [folder for folder in FOLDERS if folder.name in TABLES]
RECORDS = sorted(SAVED.glob("*/*/games/*.jsonl"))


def name_of(path: Path) -> str:
    return str(path.relative_to(SAVED))


def of_its_time(found: Json, expected: Json) -> Json:
    """What was found, without what came later: parts, and their options and settings."""
    found = {part: value for part, value in found.items() if part in expected}
    later = {"options", "settings", "setup"} & found.keys()
    return found | {key: _known(found[key], expected[key]) for key in later}


def _known(found: Json, expected: Json) -> Json:
    """What was found, under the names that were known then, in parts as well."""
    return {
        name: _known(found[name], value) if isinstance(value, dict) else found[name]
        for name, value in expected.items()
    }


def without_version(found: Json) -> Json:
    """What was found, without the version: no start gives one again that a page may show."""
    return {key: value for key, value in found.items() if key != "version"}


def test_each_version_left_every_table_and_the_other_files():
    versions = {folder.parent for folder in FOLDERS}
    assert {SAVED / "0.1.0", SAVED / "0.2.0", SAVED / "0.3.0"} <= versions
    assert {(each.parent, each.name) for each in FOLDERS} == {
        (version, name)
        for version in versions
        for name in (*TABLES, "files")
        if tuple(map(int, version.name.split("."))) >= SINCE.get(name, (0,))
    }


@pytest.mark.parametrize("folder", TABLE_FOLDERS, ids=name_of)
def test_a_saved_table_stands_where_its_own_version_left_it(folder):
    expected = json.loads((folder / EXPECTED).read_text("utf-8"))
    found = described(folder, list(expected["phones"]))
    assert without_version(of_its_time(found, expected)) == without_version(expected)
    assert found["version"] > expected["version"]


@pytest.mark.parametrize("path", RECORDS, ids=name_of)
def test_a_saved_record_replays_to_its_last_line(path):
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(list(replay(lines))) == len(lines)


@pytest.mark.parametrize(
    "folder", [folder for folder in FOLDERS if folder.name == "files"], ids=name_of
)
def test_saved_files_say_what_they_said_to_their_own_version(folder):
    expected = json.loads((folder / EXPECTED).read_text("utf-8"))
    assert of_its_time(described_files(folder), expected) == expected


@pytest.mark.parametrize("name", TABLES)
def test_this_version_opens_the_tables_that_it_saves(tmp_path, name):
    evening = TABLES[name](tmp_path / "played")
    # A copy of the folder at any moment is what a kill at that moment leaves.
    shutil.copytree(tmp_path / "played", tmp_path / "killed")
    found, left = described(tmp_path / "killed", evening.tokens), evening.view
    assert found["version"] > left.version
    assert (found["troubles"], found["code"], found["phase"]) == ([], left.code, left.phase)
    assert found["options"] == json.loads(left.choices.options.to_json())
    if left.game is not None:
        assert found["record"] == evening.history.record.splitlines()


def test_this_version_opens_the_files_that_it_saves(tmp_path):
    save_files(tmp_path)
    expected = json.loads((tmp_path / EXPECTED).read_text("utf-8"))
    assert described_files(tmp_path) == expected
    assert expected["setup"]["held"]["picamera"]["LensPosition"] == 4.5
    assert expected["settings"]["pins"]["light_blue"] == 26
