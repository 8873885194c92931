"""Plays games of tests/recorded/cards by their recipes.

    python -m tests.recorded.remake_cards NAME...

Use it to add a game. A game that is there already changes with the random player, so play it again
only after an intended change of the rules, and read the difference.
"""

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from card_strategies import CardGamePlayed, deal, play_on

from companion.games.cards.rules.events import DynamitePassed, JailServed, Shuffled
from companion.games.cards.rules.moves import CardAction, Flip, Play
from companion.games.cards.rules.record import header_line, move_line, view_line
from companion.games.cards.rules.rules import start
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience

GAMES = Path(__file__).parent / "cards"


class Recipe(NamedTuple):
    """A kind of game: the first seed that plays one is taken."""

    players: int
    wanted: Callable[[CardGamePlayed], bool]
    most: int = 1000


def side(game: CardGamePlayed) -> str | None:
    result = game.states[-1].result
    return result.side if result else None


def actions(game: CardGamePlayed) -> set[CardAction]:
    return {move.action for move in game.moves}


def titles(game: CardGamePlayed) -> set[Title]:
    return {move.card for move in game.moves if isinstance(move, Play)}


def kinds(game: CardGamePlayed) -> set[type]:
    return {type(event) for state in game.states for event in state.events}


def characters(game: CardGamePlayed) -> set[str]:
    return {player.character.id for player in game.states[0].setup.players}


def saved(game: CardGamePlayed) -> bool:
    """Whether a player drank two Beers in a row and lived."""
    return any(
        state.open and state.open.points == 3 and state.open.needed == 2 and after.life[seat] == 1
        for state, after in zip(game.states, game.states[2:], strict=False)
        if (seat := state.awaited) is not None
    )


RECIPES = {
    "four-players-outlaws": Recipe(
        4, lambda game: side(game) == "outlaws" and len(game.moves) < 60
    ),
    "four-players-saved-by-two-beers": Recipe(
        4, lambda game: saved(game) and len(game.moves) < 120
    ),
    "five-players-law": Recipe(5, lambda game: side(game) == "law" and len(game.moves) < 70),
    "five-players-renegade": Recipe(
        5, lambda game: side(game) == "renegade" and len(game.moves) < 160
    ),
    "six-players-every-action": Recipe(
        6, lambda game: actions(game) == set(CardAction) and len(game.moves) < 90
    ),
    "six-players-two-flips": Recipe(
        6,
        lambda game: (
            len(game.moves) < 120
            and any(isinstance(move, Flip) and len(move.signs) == 2 for move in game.moves)
            and kinds(game) >= {DynamitePassed, JailServed}
        ),
    ),
    "seven-players-every-card": Recipe(7, lambda game: titles(game) == set(Title)),
    "seven-players-shuffles": Recipe(
        7,
        lambda game: (
            sum(isinstance(e, Shuffled) for state in game.states for e in state.events) > 2
            and characters(game) >= {"suzy_lafayette", "sid_ketchum", "vulture_sam"}
        ),
    ),
    "unfinished": Recipe(7, lambda game: side(game) is None, most=40),
}


def remake(names: Sequence[str]) -> None:
    """Write the record of each of these games, and the states that it goes through."""
    for name in names:
        recipe = RECIPES[name]
        for seed in range(1_000_000):
            chance = random.Random(seed)
            setup = deal(recipe.players, chance)
            game = play_on(start(setup), chance, recipe.most)
            if recipe.wanted(game):
                break
        record = [header_line(setup), *map(move_line, game.moves)]
        states = [view_line(view(state, Audience.RECORD)) for state in game.states]
        for ending, lines in (("jsonl", record), ("states.jsonl", states)):
            (GAMES / f"{name}.{ending}").write_text("\n".join(lines) + "\n", "utf-8")
        print(f"{name}: seed {seed}, {len(game.moves)} actions")


if __name__ == "__main__":
    remake(sys.argv[1:])
