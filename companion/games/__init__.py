"""The games that a table can play; each implements the interface `table.game.Game`."""

from collections.abc import Mapping

from companion.games.cards import CARD_GAME
from companion.games.dice import DICE_GAME
from companion.table.game import Game

GAMES: Mapping[str, Game] = {game.record_name: game for game in (DICE_GAME, CARD_GAME)}
"""All games, by the name in the header of their records, in the order of the lobby."""
