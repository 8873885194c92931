"""Plays games of tests/recorded by their recipes: `python -m tests.recorded.remake NAME...`.

Use it to add a game. A game that is there already changes with the random player, so play it again
only after an intended change of the rules, and read the difference.
"""

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from strategies import FAIR, Played, deal, play_on

from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action, Shoot
from companion.games.dice.rules.record import Origin, header_line, move_line, view_line
from companion.games.dice.rules.rules import start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.views import Audience, view

GAMES = Path(__file__).parent

BLOODY = (*FAIR, Face.BULLSEYE1, Face.BULLSEYE2, Face.GATLING, Face.ARROW)
"""Dice that keep games short."""


class Recipe(NamedTuple):
    """A kind of game: the first seed that plays one is taken."""

    ruleset: str
    players: int
    wanted: Callable[[Played], bool]
    most: int = 1000
    origin: Origin | None = None
    house_rules: frozenset[HouseRule] = frozenset()


def side(game: Played) -> str | None:
    result = game.states[-1].result
    return result.side if result else None


def actions(game: Played) -> set[Action]:
    return {move.action for move in game.moves}


def lost_shots(game: Played) -> int:
    shoots = [move for move in game.moves if isinstance(move, Shoot)]
    return sum(shot.target is None for shoot in shoots for shot in shoot.shots)


def twists(game: Played) -> set[str]:
    """Which of the two characters that may do more with a shot did so."""
    shots = [shot for move in game.moves if isinstance(move, Shoot) for shot in move.shots]
    return {"as" for shot in shots if shot.used_as} | {"beer" for s in shots if s.beer is not None}


RECIPES = {
    "three-players-kill": Recipe(
        "base", 3, lambda game: len(game.states[-1].living) == 2 and len(game.moves) < 40
    ),
    "three-players-nobody-wins": Recipe("base-fr", 3, lambda game: side(game) == "none"),
    "four-players-quick": Recipe(
        "quick", 4, lambda game: side(game) == "outlaws" and len(game.moves) < 40
    ),
    "five-players-law": Recipe(
        "base-fr", 5, lambda game: side(game) == "law" and len(game.moves) < 60
    ),
    "six-players-renegade": Recipe(
        "walking-dead", 6, lambda game: side(game) == "renegade" and len(game.moves) < 80
    ),
    "seven-players-twisted-shots": Recipe(
        "base", 7, lambda game: twists(game) == {"as", "beer"} and len(game.moves) < 70
    ),
    "eight-players-lost-shot": Recipe("base", 8, lambda game: lost_shots(game) > 0),
    "every-action": Recipe(
        "base", 8, lambda game: actions(game) == set(Action) and len(game.moves) < 60
    ),
    "version-3": Recipe(
        "walking-dead",
        5,
        lambda game: side(game) == "outlaws" and len(game.moves) < 40,
        origin=Origin("0.2.0", "2026-11-22T19:30:00Z"),
    ),
    "version-3-house-rules": Recipe(
        "base",
        3,
        lambda game: side(game) == "outlaw" and len(game.moves) < 40,
        origin=Origin("0.2.0"),
        house_rules=frozenset({HouseRule.ONE_ARROW_A_TURN, HouseRule.FALLEN_LEAVE_PLACES}),
    ),
    "unfinished": Recipe("walking-dead", 8, lambda game: side(game) is None, most=25),
}


def remake(names: Sequence[str]) -> None:
    """Write the record of each of these games, and the states that it goes through."""
    for name in names:
        recipe = RECIPES[name]
        for seed in range(1_000_000):
            chance = random.Random(seed)
            setup = deal(RULESETS[recipe.ruleset], recipe.players, chance)
            setup = replace(setup, house_rules=recipe.house_rules)
            game = play_on(start(setup), chance, BLOODY, recipe.most)
            if recipe.wanted(game):
                break
        record = [header_line(setup, recipe.origin), *map(move_line, game.moves)]
        states = [view_line(view(state, Audience.RECORD)) for state in game.states]
        for ending, lines in (("jsonl", record), ("states.jsonl", states)):
            (GAMES / f"{name}.{ending}").write_text("\n".join(lines) + "\n", "utf-8")
        print(f"{name}: seed {seed}, {len(game.moves)} actions")


if __name__ == "__main__":
    remake(sys.argv[1:])
