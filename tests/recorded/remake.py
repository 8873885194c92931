"""Plays games of tests/recorded by their recipes.

    PYTHONPATH=tests/support python -m tests.recorded.remake NAME...

Use it to add a game. A game that is there already changes with the random player, so play it again
only after an intended change of the rules, and read the difference.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import card_strategies
import strategies

from companion.games.cards.rules import events
from companion.games.cards.rules import record as card_record
from companion.games.cards.rules import rules as card_rules
from companion.games.cards.rules.moves import CardAction, Flip
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import view as card_view
from companion.games.common.audience import Audience
from companion.games.dice.rules import record
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.rules import start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.views import view

GAMES = Path(__file__).parent

BLOODY = (*strategies.FAIR, Face.BULLSEYE1, Face.BULLSEYE2, Face.GATLING, Face.ARROW)
"""Dice that keep games short."""


class Recipe(NamedTuple):
    """A kind of game: the first seed that plays one is taken."""

    players: int
    below: int = 1000
    """It takes fewer moves."""
    side: str = ""
    """Who wins; empty: anybody or nobody."""
    wanted: Callable[[Any], bool] = lambda game: True
    ruleset: str = "base"
    most: int = 1000
    """After so many moves it is left."""
    origin: record.Origin | None = None
    house_rules: frozenset[HouseRule] = frozenset()

    def fits(self, game: Any) -> bool:
        """Whether a game is of this kind."""
        result = game.states[-1].result
        ended = result.side if result else "unfinished"
        return self.side in ("", ended) and len(game.moves) < self.below and self.wanted(game)


def actions(game: Any) -> set[Action | CardAction]:
    return {move.action for move in game.moves}


def shots(game: Any) -> Iterator[Any]:
    return (shot for move in game.moves for shot in getattr(move, "shots", ()))


def twists(game: Any) -> set[str]:
    """Which of the two characters that may do more with a shot did so."""
    used = {"as" for shot in shots(game) if shot.used_as}
    return used | {"beer" for shot in shots(game) if shot.beer is not None}


def kinds(game: Any) -> list[type]:
    return [type(event) for state in game.states for event in state.events]


def characters(game: Any) -> set[str]:
    return {player.character.id for player in game.states[0].setup.players}


def saved(game: Any) -> bool:
    """Whether a player drank two Beers in a row and lived."""
    return any(
        state.open and state.open.points == 3 and state.open.needed == 2 and after.life[seat] == 1
        for state, after in zip(game.states, game.states[2:], strict=False)
        if (seat := state.awaited) is not None
    )


def flips_two(game: Any) -> bool:
    two = any(isinstance(move, Flip) and len(move.signs) == 2 for move in game.moves)
    return two and {events.DynamitePassed, events.JailServed} <= {*kinds(game)}


RECIPES = {
    "three-players-kill": Recipe(3, 40, wanted=lambda game: len(game.states[-1].living) == 2),
    "three-players-nobody-wins": Recipe(3, side="none", ruleset="base-fr"),
    "four-players-quick": Recipe(4, 40, "outlaws", ruleset="quick"),
    "five-players-law": Recipe(5, 60, "law", ruleset="base-fr"),
    "six-players-renegade": Recipe(6, 80, "renegade", ruleset="walking-dead"),
    "seven-players-twisted-shots": Recipe(7, 70, wanted=lambda game: len(twists(game)) == 2),
    "eight-players-lost-shot": Recipe(
        8, wanted=lambda game: any(shot.target is None for shot in shots(game))
    ),
    "every-action": Recipe(8, 60, wanted=lambda game: actions(game) == {*Action}),
    "version-3": Recipe(
        *(5, 40, "outlaws"),
        ruleset="walking-dead",
        origin=record.Origin("0.2.0", "2026-11-22T19:30:00Z"),
    ),
    "version-3-house-rules": Recipe(
        *(3, 40, "outlaw"),
        origin=record.Origin("0.2.0"),
        house_rules=frozenset({HouseRule.ONE_ARROW_A_TURN, HouseRule.FALLEN_LEAVE_PLACES}),
    ),
    "unfinished": Recipe(8, side="unfinished", ruleset="walking-dead", most=25),
    "cards/four-players-outlaws": Recipe(4, 60, "outlaws"),
    "cards/four-players-saved-by-two-beers": Recipe(4, 120, wanted=saved),
    "cards/five-players-law": Recipe(5, 70, "law"),
    "cards/five-players-renegade": Recipe(5, 160, "renegade"),
    "cards/six-players-every-action": Recipe(
        6, 90, wanted=lambda game: actions(game) == {*CardAction}
    ),
    "cards/six-players-two-flips": Recipe(6, 120, wanted=flips_two),
    "cards/seven-players-every-card": Recipe(
        7, wanted=lambda game: {getattr(move, "card", None) for move in game.moves} >= {*Title}
    ),
    "cards/seven-players-shuffles": Recipe(
        7,
        wanted=lambda game: (
            kinds(game).count(events.Shuffled) > 2
            and characters(game) >= {"suzy_lafayette", "sid_ketchum", "vulture_sam"}
        ),
    ),
    "cards/unfinished": Recipe(7, side="unfinished", most=40),
}


def play(name: str, chance: random.Random) -> Any:
    recipe = RECIPES[name]
    if name.startswith("cards/"):
        begun = card_rules.start(card_strategies.deal(recipe.players, chance))
        return card_strategies.play_on(begun, chance, recipe.most)
    setup = strategies.deal(RULESETS[recipe.ruleset], recipe.players, chance)
    setup = replace(setup, house_rules=recipe.house_rules)
    return strategies.play_on(start(setup), chance, BLOODY, recipe.most)


def write(name: str, game: Any) -> None:
    """Write the record of a game, and the states that it goes through."""
    setup, origin = game.states[0].setup, RECIPES[name].origin
    lines, look = (card_record, card_view) if name.startswith("cards/") else (record, view)
    header = record.header_line(setup, origin) if origin else lines.header_line(setup)
    states = [lines.view_line(look(state, Audience.RECORD)) for state in game.states]
    written = {"jsonl": [header, *map(lines.move_line, game.moves)], "states.jsonl": states}
    for ending, text in written.items():
        (GAMES / f"{name}.{ending}").write_text("\n".join(text) + "\n", "utf-8")


def remake(names: Sequence[str]) -> None:
    """Play each of these games anew."""
    for name in names:
        games = (play(name, random.Random(seed)) for seed in range(1_000_000))
        seed, game = next(found for found in enumerate(games) if RECIPES[name].fits(found[1]))
        write(name, game)
        print(f"{name}: seed {seed}, {len(game.moves)} actions")


if __name__ == "__main__":
    remake(sys.argv[1:])
