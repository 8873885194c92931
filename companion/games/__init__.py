"""The games that a table can play; each implements the interface `table.game.Game`."""

from collections.abc import Mapping

from companion.games.dice import DICE_GAME
from companion.table.game import Game

GAMES: Mapping[str, Game] = {DICE_GAME.record_name: DICE_GAME}
"""All games, by the name in the header of their records."""
