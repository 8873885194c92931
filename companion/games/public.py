"""How each game tells other programs what everybody may see of it."""

from collections.abc import Mapping

from companion.cardgame import public as public_cards
from companion.dicegame import public as public_dice
from companion.games.cards import CARD_GAME
from companion.games.dice import DICE_GAME
from companion.publishing.messages import PublicGame

PUBLIC_GAMES: Mapping[str, PublicGame] = {
    DICE_GAME.record_name: public_dice,
    CARD_GAME.record_name: public_cards,
}
"""By the name in the header of a game's records."""
