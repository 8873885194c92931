"""The pages of rulings: every ruling has a test named after it, every house rule its place.

The words of a ruling's heading begin the name of its tests: "Nobody may shoot themselves" is held
by `test_nobody_may_shoot_themselves`, or by scenes of that title in the text beside the tests. A
house rule's tests begin with the name of its switch.
"""

import re
import tomllib

import pytest
import scenes
from places import ROOT, TESTS

from companion.games.dice.rules.house import HouseRule
from companion.settings import Settings

PAGES = {"rulings.md": "test_rulings.py", "card-game.md": "test_card_rulings.py"}
"""The pages of rulings of both games, and the modules of their tests."""


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def rulings(name: str) -> dict[str, str]:
    """The text of each ruling of a page by its heading."""
    return dict(re.findall(r"^### (.+)\n((?:(?!##).*\n)*)", page(name), re.MULTILINE))


PAGE = page("rulings.md")
RULINGS = rulings("rulings.md")


def names(module: str) -> list[str]:
    """The tests of a module, without `test_`, and those of the scenes beside it."""
    text = next(TESTS.rglob(module)).read_text(encoding="utf-8")
    tests = re.findall(r"^def test_(\w+)", text, re.M)
    return tests + told(module.replace("test_", "").replace(".py", ".txt"))


def told(file: str) -> list[str]:
    """The titles of scenes in a text, as tests are named."""
    return [name(one.title) for one in scenes.rulings(next((TESTS / "games").rglob(file)))]


def name(heading: str) -> str:
    """How the name of a ruling's test begins."""
    words = re.sub(r"bull's eye( (?=\d))?", "bullseye", heading.lower())
    return "_".join(re.findall(r"\w+", words.replace("'", "")))


def anchor(heading: str) -> str:
    """The part of an address that leads to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("of", PAGES)
def test_every_ruling_has_a_reason_and_a_test_named_after_it(of):
    found, tests = rulings(of), names(PAGES[of])
    assert found
    assert [heading for heading, text in found.items() if "\n*Why:* " not in text] == []
    unheld = [
        heading for heading in found if not any(test.startswith(name(heading)) for test in tests)
    ]
    assert not unheld, "\n".join(unheld)


@pytest.mark.parametrize("of", PAGES)
def test_rulings_differ_by_name(of):
    found = rulings(of)
    assert len(found) == page(of).count("\n### ") == len({name(heading) for heading in found})


@pytest.mark.parametrize("rule", HouseRule)
def test_every_house_rule_has_a_row_a_ruling_that_it_changes_and_a_test(rule):
    (link,) = re.findall(rf"^\| `{rule}` \|.*\(#([\w-]+)\) \|$", PAGE, re.MULTILINE)
    changed = [
        heading for heading, text in RULINGS.items() if f"\n**House rule** `{rule}`: " in text
    ]
    assert [anchor(heading) for heading in changed] == [link]
    assert any(test.startswith(f"{rule}_") for test in told("house_rules.txt"))


def test_no_other_switch_is_named():
    named = re.findall(r"^(?:\| |\*\*House rule\*\* )`(\w+)`", PAGE, re.MULTILINE)
    assert sorted(named) == sorted([*HouseRule, *HouseRule])


def test_the_example_is_a_settings_file():
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    settings = tomllib.loads(example)
    settings["house_rules"] = frozenset(HouseRule(rule) for rule in settings["house_rules"])
    assert Settings(**settings).house_rules
