"""The titles and signs that cards bear."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Title(StrEnum):
    """What a card is called; the value is its name in records."""

    BANG = "bang"
    MISSED = "missed"
    BEER = "beer"
    SALOON = "saloon"
    STAGECOACH = "stagecoach"
    WELLS_FARGO = "wells_fargo"
    GENERAL_STORE = "general_store"
    PANIC = "panic"
    CAT_BALOU = "cat_balou"
    GATLING = "gatling"
    INDIANS = "indians"
    DUEL = "duel"
    BARREL = "barrel"
    DYNAMITE = "dynamite"
    JAIL = "jail"
    MUSTANG = "mustang"
    SCOPE = "scope"
    VOLCANIC = "volcanic"
    SCHOFIELD = "schofield"
    REMINGTON = "remington"
    REV_CARABINE = "rev_carabine"
    WINCHESTER = "winchester"


class Suit(StrEnum):
    """The suit of a card; the value is its letter in records."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Sign(NamedTuple):
    """Rank and suit, in the corner of a card; `str` returns its name in records: `10S`."""

    rank: str
    """The rank: `2` to `10`, `J`, `Q`, `K` or `A`; empty if nobody said it."""
    suit: Suit
    """The suit."""

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""All ranks, in the order in which they count."""

SIGNS: Mapping[str, Sign] = {
    str(sign): sign for sign in (Sign(rank, suit) for suit in Suit for rank in RANKS)
}
"""All signs, by their names in records."""

SAID_SIGNS: Mapping[str, Sign] = {**SIGNS, **{str(suit): Sign("", suit) for suit in Suit}}
"""All that players may say of a sign, by its name in records: all of it, or the suit alone."""
