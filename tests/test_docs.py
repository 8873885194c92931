"""The documents against the product: settings, commands, pictures and links."""

import inspect
import re
from dataclasses import fields, is_dataclass

import pytest
from cases import cases
from links import broken_links
from places import ROOT
from scenes import rulings

from companion.app.cli import parsers
from companion.camera.watcher import ANSWER_S, RETRY
from companion.settings import Settings
from docs.generate import reader_steps
from hardware.buttons import STUCK_S
from hardware.camera.usb import FROZEN_S
from web.serving.stream import RETRY_S, Broadcast

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob(".github/*.md"), *ROOT.glob("docs/**/*.md")]
SETTINGS = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs/dev/commands.md").read_text(encoding="utf-8")


def test_every_setting_stands_in_the_documents_with_its_default():
    for entry in fields(Settings):
        if not is_dataclass(part := entry.default):
            assert f"| `{entry.name}` |" in SETTINGS
            continue
        for nested in fields(part):
            assert f"`{entry.name}.{nested.name}`" in SETTINGS
            assert entry.name != "pins" or f"`{nested.default}`" in SETTINGS


def test_every_command_and_option_stands_in_the_documents():
    whole, commands = parsers()
    assert set(commands) >= {"run", "read", "replay"}
    for name, parser in commands.items():
        (line,) = (
            line for line in COMMANDS.splitlines() if line.startswith(f"| `bang-companion {name} ")
        )
        # Options, and what stands for their values and for arguments.
        words = re.findall(r"--[a-z-]+|\b[A-Z]+\b", parser.format_help().partition("\n\n")[0])
        assert words
        assert [word for word in words if word not in line] == []
        assert f"\nExample: bang-companion {name} " in parser.format_help()
        assert f" {name} " in whole.format_help()
    for option in ("--version", "--help"):
        assert option in whole.format_help()
        assert option in COMMANDS


def in_documents(faults):
    """What a check finds in all documents, each with its document."""
    assert len(DOCUMENTS) > 50
    return [f"{path.relative_to(ROOT)}: {fault}" for path in DOCUMENTS for fault in faults(path)]


def test_what_a_document_links_to_is_there():
    broken = in_documents(broken_links)
    assert not broken, "\n".join(broken)


def test_a_link_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "a.md").write_text("# A part\n")
    page = tmp_path / "page.md"
    page.write_text("# Top\n[a](a.md) [b](b.md) [c](a.md#a-part) [d](a.md#b) [e](#top) [f](#g)\n")
    assert list(broken_links(page)) == ["b.md", "a.md#b", "#g"]


def test_the_symptoms_name_buttons_and_pages_as_the_pages_do():
    texts = (ROOT / "web/translations/fr/LC_MESSAGES/messages.po").read_text(encoding="utf-8")
    page = (ROOT / "docs/help.md").read_text(encoding="utf-8")
    symptoms = page.partition("\n## The doctor\n")[0]
    labels = set(re.findall(r"(?<!\*)\*{1,2}([^*|\n]+)\*{1,2}", symptoms))
    assert len(labels) > 4
    assert {label for label in labels if f'msgid "{label}"\n' not in texts} == set()


PAGES = ("security.md", "faults.md")
"""Whose promises are held by tests, but for what docs.txt names."""

LOOK_UPS = ("| file |", "| format |", "| what somebody might try | over HTTP")
"""How tables begin that promise nothing."""


def functions_of_tests():
    """The names of the test functions in each file of tests."""
    files = {path.stem: path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    return {
        stem: set(re.findall(r"^(?:def|class) (test_\w+)\(", text, re.MULTILINE))
        for stem, text in files.items()
    }


def plain_of(page):
    """How the paragraphs of a page begin that promise nothing."""
    return tuple(beginning for (beginning,) in cases("docs.txt", page))


def promises_of(text):
    """The rows of tables and the paragraphs of a document, without its code."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for block in re.split(r"\n\n", text):
        lines = block.strip().splitlines()
        if not lines or lines[0].startswith("#"):
            continue
        if lines[0].startswith("|"):
            if not lines[0].startswith(LOOK_UPS):
                yield from lines[2:]
        elif lines[0].startswith("- "):
            yield from re.split(r"\n(?=- )", block.strip())
        else:
            yield block.strip()


@pytest.mark.parametrize("name", PAGES)
def test_every_promise_names_a_test_that_there_is(name):
    text = (ROOT / "docs/dev" / name).read_text(encoding="utf-8")
    functions = functions_of_tests()
    known = set().union(*functions.values())
    promises = [
        promise
        for promise in promises_of(text)
        if not promise.startswith(plain_of(name)) and "| the limits below |" not in promise
    ]
    assert len(promises) > 30
    for promise in promises:
        # A file, and then functions in it, or scenes in text.
        named = re.findall(
            r"`(?:tests/(?:\w+/)*)?(test_\w+)(?:\.py)?`:\s+((?:`test_\w+`(?:,\s+)?)+)", promise
        )
        told = re.findall(r"`(?:tests/(?:\w+/)*)?(\w+\.txt)`:\s+((?:\*[^*]+\*(?:,\s+)?)+)", promise)
        assert named or told, promise
        for file, titles in told:
            (path,) = (ROOT / "tests").rglob(file)
            scenes = {ruling.title for ruling in rulings(path)}
            said = {" ".join(title.split()) for title in re.findall(r"\*([^*]+)\*", titles)}
            assert said <= scenes, promise
        for file, tests in named:
            assert set(re.findall(r"`(test_\w+)`", tests)) <= functions.get(file, set()), promise
    for test in re.findall(r"`(?:tests/(?:\w+/)*)?(test_\w+)(?:\.py)?`", text):
        assert test in known or test in functions, test


@pytest.mark.parametrize("name", PAGES)
def test_what_describes_stands_there(name):
    text = (ROOT / "docs/dev" / name).read_text(encoding="utf-8")
    assert [start for start in plain_of(name) if f"\n{start}" not in text] == []


TIMES = {
    "No camera (…)": {"every": RETRY},
    "the camera does not answer": {"within": ANSWER_S},
    "is it frozen, or covered?": {"after": FROZEN_S, "same picture for": FROZEN_S},
    "a button is held longer": {"than": STUCK_S},
}
"""Seconds that lines of docs/dev/faults.md name, by what stands before them."""


@pytest.mark.parametrize("line", TIMES)
def test_the_faults_name_the_times_of_the_program(line):
    text = (ROOT / "docs/dev/faults.md").read_text(encoding="utf-8")
    (row,) = (row for row in text.splitlines() if line in row)
    for word, seconds in TIMES[line].items():
        assert f"{word} {seconds:g} s" in row


def test_the_faults_name_the_times_of_the_pages():
    text = (ROOT / "docs/dev/faults.md").read_text(encoding="utf-8")
    (row,) = (row for row in text.splitlines() if row.startswith("| Wi-Fi goes"))
    script = (ROOT / "web/static/scripts/connection.js").read_text(encoding="utf-8")
    (silent,) = re.findall(r"SILENT_MS = (\d+)_000;", script)
    heartbeat = inspect.signature(Broadcast).parameters["heartbeat"].default
    assert f"every {RETRY_S} s, and at once" in row
    assert f"after {silent} s of silence" in row
    assert f"at least every {heartbeat:g} s" in row
    assert int(silent) > 2 * heartbeat


WIDTH = 100
"""Of a line of prose, in characters."""

STAND_ALONE = r"    |\s*(\||!\[|<)"
"""How lines begin that can't be wrapped: tables, pictures, HTML and code."""


def long_lines(document):
    """The lines of prose in a document that are too long."""
    text = re.sub(
        r"^ *```.*?^ *```", "", document.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    return [
        line
        for line in text.splitlines()
        if len(line) > WIDTH and " " in line.strip() and not re.match(STAND_ALONE, line)
    ]


def test_prose_is_wrapped():
    found = in_documents(long_lines)
    assert not found, "\n".join(found)


def test_a_line_that_is_too_long_is_found(tmp_path):
    page, long = tmp_path / "page.md", "a " * 51
    page.write_text(f"{long}\nshort\n| {long}|\n```\n{long}\n```\n{'a' * 101}\n")
    assert long_lines(page) == [long]


def test_the_benchmarks_are_one_page_that_names_each_of_them():
    page = (ROOT / "docs/dev/benchmarks.md").read_text(encoding="utf-8")
    assert len(page.replace("|", " ").split()) < 3000, "history belongs in a decision"
    programs = {
        path.stem
        for path in (ROOT / "tests/tools/bench").glob("*.py")
        if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
    }
    assert {name for name in programs if not re.search(rf"`'?{name}\b", page)} == set()


DECISIONS = ROOT / "docs/dev/decisions"
OVERRULED = "**Overruled in part:**"


def test_every_decision_is_in_the_index_once_and_marked_there_if_it_was_overruled():
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    entries = re.findall(
        r"^- \[([^\]]+)\]\(([^)]+)\)( \(overruled in part\))?$", unwrapped(index), re.M
    )
    pages = {
        path.name: path.read_text(encoding="utf-8").split("\n\n")
        for path in DECISIONS.glob("*.md")
        if path.name != "README.md"
    }
    assert sorted(entries) == sorted(
        (
            blocks[0].removeprefix("# "),
            name,
            " (overruled in part)" * blocks[1].startswith(OVERRULED),
        )
        for name, blocks in pages.items()
    )


def test_what_was_overruled_says_so_at_the_top_and_by_what():
    for path in DECISIONS.glob("*.md"):
        blocks = path.read_text(encoding="utf-8").split("\n\n")
        notes = [number for number, block in enumerate(blocks) if block.startswith("**Overruled")]
        assert notes in ([], [1]), path.name
        assert all("](2026-" in blocks[number] for number in notes), path.name


def unwrapped(text):
    """A list with each entry on a line of its own."""
    return re.sub(r"\n {2}", " ", text)


@pytest.mark.pictures
def test_a_throw_can_be_drawn_step_by_step_again(tmp_path):
    reader_steps.main(str(tmp_path))
    drawn = [path.name for path in tmp_path.iterdir()]
    assert sorted(drawn) == sorted(path.name for path in ROOT.glob("docs/pictures/reader-*.jpg"))
