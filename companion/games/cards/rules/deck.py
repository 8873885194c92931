"""The 80 cards: which titles there are, how often and with which signs, and what each may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from companion.games.cards.rules.titles import SAID_SIGNS, SIGNS, Sign, Suit, Title


class Border(StrEnum):
    """The border of a card."""

    BROWN = "brown"
    """Played onto the discard pile, then it acts."""
    BLUE = "blue"
    """Put down in front of a player, where it stays."""


class Targeting(StrEnum):
    """Whom a player names when they play a card on their own turn."""

    NOBODY = "nobody"
    IN_REACH = "in reach"
    """Another player within reach of the weapon."""
    OTHER = "other"
    """Another player, at any distance."""
    CARDS_NEAR = "cards near"
    """Another player at distance 1 who has a card; or oneself, for a card in play."""
    CARDS = "cards"
    """The same at any distance."""
    PRISONER = "prisoner"
    """Another player without a Jail, but not the Sheriff."""


@dataclass(frozen=True, slots=True)
class CardKind:
    """All cards of one title."""

    border: Border
    """The border."""
    title: Title
    """The title."""
    signs: tuple[Sign, ...]
    """The sign of each copy."""
    targeting: Targeting | None = Targeting.NOBODY
    """Whom it names; None: it is never played on one's own turn, only as an answer."""
    answered_by: Title | None = None
    """The title that saves a player at whom it is aimed."""
    takes: bool = False
    """Whether its player names a card to take from the player that it is aimed at."""
    by_turns: bool = False
    """Whether its player and its target answer by turns."""
    draws: int = 0
    """How many cards its player draws from the deck."""
    reach: int | None = None
    """How far it shoots, if it is a weapon."""


def _signs(names: str) -> tuple[Sign, ...]:
    return tuple(SIGNS[name] for name in names.split())


_brown, _blue = partial(CardKind, Border.BROWN), partial(CardKind, Border.BLUE)

_TABLE = (
    _brown(
        Title.BANG,
        _signs("AS  QH KH AH  2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD  2C 3C 4C 5C 6C 7C 8C 9C"),
        Targeting.IN_REACH,
        answered_by=Title.MISSED,
    ),
    _brown(Title.MISSED, _signs("2S 3S 4S 5S 6S 7S 8S  10C JC QC KC AC"), None),
    _brown(Title.BEER, _signs("6H 7H 8H 9H 10H JH")),
    _brown(Title.SALOON, _signs("5H")),
    _brown(Title.STAGECOACH, _signs("9S 9S"), draws=2),
    _brown(Title.WELLS_FARGO, _signs("3H"), draws=3),
    _brown(Title.GENERAL_STORE, _signs("9C QS")),
    _brown(Title.PANIC, _signs("JH QH AH  8D"), Targeting.CARDS_NEAR, takes=True),
    _brown(Title.CAT_BALOU, _signs("KH  9D 10D JD"), Targeting.CARDS, takes=True),
    _brown(Title.GATLING, _signs("10H"), answered_by=Title.MISSED),
    _brown(Title.INDIANS, _signs("KD AD"), answered_by=Title.BANG),
    _brown(Title.DUEL, _signs("QD JS 8C"), Targeting.OTHER, answered_by=Title.BANG, by_turns=True),
    _blue(Title.BARREL, _signs("QS KS")),
    _blue(Title.DYNAMITE, _signs("2H")),
    _blue(Title.JAIL, _signs("JS 10S 4H"), Targeting.PRISONER),
    _blue(Title.MUSTANG, _signs("8H 9H")),
    _blue(Title.SCOPE, _signs("AS")),
    _blue(Title.VOLCANIC, _signs("10S 10C"), reach=1),
    _blue(Title.SCHOFIELD, _signs("JC QC KS"), reach=2),
    _blue(Title.REMINGTON, _signs("KC"), reach=3),
    _blue(Title.REV_CARABINE, _signs("AC"), reach=4),
    _blue(Title.WINCHESTER, _signs("8S"), reach=5),
)

KINDS: Mapping[Title, CardKind] = {kind.title: kind for kind in _TABLE}
"""All kinds of cards, by title."""

COPIES: Mapping[Title, int] = {kind.title: len(kind.signs) for kind in _TABLE}
"""How often the deck holds each title."""

_ALL_SIGNS = [sign for kind in _TABLE for sign in kind.signs]

SIGN_COPIES: Mapping[Sign, int] = {
    sign: sum(sign in (each, Sign("", each.suit)) for each in _ALL_SIGNS)
    for sign in SAID_SIGNS.values()
}
"""How often the deck holds each sign, or each suit."""

CARDS = sum(COPIES.values())
"""How many cards the deck has."""

WEAPONS: Mapping[Title, int] = {kind.title: kind.reach for kind in _TABLE if kind.reach is not None}
"""How far each weapon shoots."""

TARGETED = frozenset(kind.title for kind in _TABLE if kind.targeting is not Targeting.NOBODY)
"""The titles that name a player when they are played on one's own turn."""

OWN = frozenset(kind.title for kind in _TABLE if kind.border is Border.BLUE) - TARGETED
"""The titles that a player puts down in front of themselves."""

BARE_REACH = 1
"""How far a player without a weapon in play shoots: the Colt .45."""

UNLIMITED = Title.VOLCANIC
"""The weapon with which any number of BANG! cards may be played."""

DYNAMITE_POINTS = 3
"""How many life points the Dynamite takes."""

_EXPLODES = frozenset(SIGNS[f"{rank}S"] for rank in "23456789")


def is_heart(sign: Sign) -> bool:
    """Return whether a flipped card saves from a shot or frees from jail."""
    return sign.suit is Suit.HEARTS


def is_red(sign: Sign) -> bool:
    """Return whether a shown card brings Black Jack another one."""
    return sign.suit in (Suit.HEARTS, Suit.DIAMONDS)


def needs_rank(sign: Sign, card: Title | None) -> bool:
    """Return whether a flip for a card hangs on the rank, which nobody said."""
    return card is Title.DYNAMITE and sign == Sign("", Suit.SPADES)


def explodes(sign: Sign) -> bool:
    """Return whether a flipped card sets off the Dynamite."""
    return sign in _EXPLODES
