"""Write the page of characters: `python -m docs.generate.characters docs/characters.md`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.terms import terms

INTRODUCTION = """\
# The characters

This page lists what each character can do, in the words of the pages, for both editions in English
and in French. Each character has a twin in the other edition, with the same ability and life
points. The Sheriff and the Leader have two more life points, except with three players.

The page is generated from `companion/games/dice/terms`. To correct a text, edit it there and run
`python -m docs.generate.characters docs/characters.md`.
"""

SECTIONS = (
    ("The base game", "base", "en", ("character", "life points", "ability")),
    ("Le jeu de base", "base", "fr", ("personnage", "points de vie", "capacité")),
    ("The Walking Dead", "walking-dead", "en", ("character", "Health", "ability", "twin")),
    (
        "The Walking Dead en français",
        "walking-dead",
        "fr",
        ("personnage", "points de santé", "capacité", "jumeau"),
    ),
)


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def page() -> str:
    """Return the page: a table for each edition and language."""
    written = [INTRODUCTION]
    for heading, ruleset, language, columns in SECTIONS:
        cards = terms(RULESETS[ruleset], language).characters
        names = terms(RULESETS["base"], language).characters
        written += [f"\n## {heading}\n\n", row(columns), row(["---"] * len(columns))]
        for id in RULESETS[ruleset].characters:
            life = str(CHARACTERS[id].life)
            cells = (cards[id].name, life, cards[id].ability, names[id].name)
            written.append(row(cells[: len(columns)]))
    return "".join(written)


def main(path: str) -> None:
    Path(path).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
