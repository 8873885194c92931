"""The documents against the product: settings, commands, pictures and links."""

import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from companion.app.cli import parsers
from companion.settings import Hotspot, PinNumbers, Settings

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob(".github/*.md"), *ROOT.glob("docs/**/*.md")]
SETTINGS = (ROOT / "docs/settings.md").read_text(encoding="utf-8")


def test_every_setting_stands_in_the_documents_with_its_default():
    for entry in fields(Settings):
        if not is_dataclass(entry.default):
            assert f"| `{entry.name}` |" in SETTINGS
    for entry in fields(PinNumbers):
        assert f"`pins.{entry.name}`" in SETTINGS
        assert f"`{entry.default}`" in SETTINGS
    for entry in fields(Hotspot):
        assert f"`hotspot.{entry.name}`" in SETTINGS


def test_every_command_and_option_stands_in_the_documents():
    whole, commands = parsers()
    assert set(commands) >= {"run", "read", "replay"}
    for name, parser in commands.items():
        (line,) = (
            line for line in SETTINGS.splitlines() if line.startswith(f"| `bang-companion {name} ")
        )
        # Options, and what stands for their values and for arguments.
        words = re.findall(r"--[a-z-]+|\b[A-Z]+\b", parser.format_help().partition("\n\n")[0])
        assert words
        assert [word for word in words if word not in line] == []
        assert f"\nExample: bang-companion {name} " in parser.format_help()
        assert f" {name} " in whole.format_help()
    for option in ("--version", "--help"):
        assert option in whole.format_help()
        assert option in SETTINGS


def anchors(document):
    """The headings of a document as links name them."""
    headings = re.findall(r"^#+ +(.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    shown = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in shown}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_links_to_is_there(document):
    text = document.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?[^)]*\)", text):
        if not target.startswith(("http:", "https:")):
            linked = document.parent / target if target else document
            assert linked.exists(), f"{document.name}: {target}"
            if anchor and linked.suffix == ".md":
                assert anchor in anchors(linked), f"{document.name}: {target}#{anchor}"


def test_the_symptoms_name_buttons_and_pages_as_the_pages_do():
    texts = (ROOT / "web/translations/fr/LC_MESSAGES/messages.po").read_text(encoding="utf-8")
    symptoms = (ROOT / "docs/symptoms.md").read_text(encoding="utf-8")
    labels = set(re.findall(r"(?<!\*)\*{1,2}([^*|\n]+)\*{1,2}", symptoms))
    assert len(labels) > 4
    assert {label for label in labels if f'msgid "{label}"\n' not in texts} == set()


def test_every_promise_of_security_names_a_test_that_there_is():
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    promises = text.partition("## What the table protects against")[2]
    promises = promises.partition("## What it doesn't protect against")[0]
    rows = re.findall(
        r"^\| (?!what somebody|limit |keep the table busy)\w.*", promises, re.MULTILINE
    )
    assert len(rows) > 20
    files = {path.stem: path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    functions = set(re.findall(r"^def (test_\w+)\(", "\n".join(files.values()), re.MULTILINE))
    for row in rows:
        named = re.findall(r"`(?:tests/(?:\w+/)*)?(test_\w+)(?:\.py)?`", row)
        assert named, row
        assert [name for name in named if name not in functions | files.keys()] == [], row
