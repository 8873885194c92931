"""What `make house` measures may fall, but not grow beyond the bounds of house.txt."""

from pathlib import Path

import pytest
from cases import cases

from companion.games.common.texts import is_text
from tests.tools import house

BOUNDS = {name: int(most) for name, most in cases("house.txt", "Bounds")}


@pytest.fixture(scope="module")
def figures() -> dict[str, int]:
    return {figure.name: figure.number for figure in house.measure()}


@pytest.mark.tables
def test_no_figure_grows(figures):
    grown = [f"{name}: {figures[name]} > {most}" for name, most in BOUNDS.items()
             if figures[name] > most]  # fmt: skip
    assert not grown, "\n".join(grown)


@pytest.mark.tables
def test_every_figure_has_a_bound_but_those_of_size(figures):
    assert figures.keys() - BOUNDS.keys() == {"functions", "lines of code"}


FILES = {
    "companion/__init__.py": "",
    "companion/games/dice/rules/__init__.py": "",
    "companion/games/dice/rules/rules.py": "class State: ...\ndef told(): 'Say it.'\n",
    "companion/games/cards/rules/rules.py": "class CardState: ...\n",
    "companion/seats/seats.py": (
        "from companion.games.dice import rules\nimport companion.phones.phones\n"
    ),
    "companion/phones/phones.py": "# As fast.\nimport companion.seats.seats\n",
    "companion/phones/screen.py": "from companion.phones.phones import x\ndef show(): 'Say it.'\n",
    "web/page.html": "{% if game.cards is none %}{{ web.games.dice.words }}{% endif %}\n",
}


@pytest.fixture
def code(tmp_path: Path) -> house.Code:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return house.Code(tmp_path)


def test_the_rules_see_what_they_count(code):
    assert house.registrations(code, "companion").counted == ["companion/seats/seats.py"]
    assert house.registrations(code, "web").counted == ["web/page.html"]
    assert house.questions(code).counted == ["web/page.html:1"]
    assert house.cycles(code).counted == ["companion.phones ↔ companion.seats"]
    assert house.twins(code).counted == ["State, CardState"]
    participles, shared = house.names(code)
    assert participles.counted == ["told (companion/games/dice/rules/rules.py)"]
    assert shared.number == 1
    assert house.floors(code.imports, ["companion.phones.phones", "companion.phones.screen"]) == 2
    path = Path("companion/phones/phones.py")
    assert house.lines_of(code.texts[path], code.trees[path]) == 1


@pytest.mark.parametrize(("path", "own"), cases("house.txt", "Files"))
def test_files_of_a_game_are_told_from_those_for_any_game(path, own):
    assert house.is_own(Path(path)) is (own == "of a game")


@pytest.mark.parametrize(("name", "kind"), cases("house.txt", "Names"))
def test_participles_are_told_from_verbs_and_nouns(name, kind):
    assert house.is_participle(name) is (kind == "a participle")


def test_only_calls_into_the_product_are_followed():
    assert house.trace(house.ROOT, lambda: is_text(Path("name").name)) == (
        ["companion/games/common/texts.py"],
        1,
    )
    with pytest.raises(AssertionError, match="nothing of"):
        house.trace(house.ROOT, Path.cwd)
