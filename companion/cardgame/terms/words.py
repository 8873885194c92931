"""The form of the tables of terms: every name and sentence of the card game, in one language.

The tables contain whole sentences, so that a translator writes articles, genders and plurals
instead of the program putting them together. In the placeholders, players are `{who}` and `{whom}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.cardgame.events import CardSide, Occasion
from companion.cardgame.moves import CardAction
from companion.cardgame.reasons import CardReason
from companion.cardgame.titles import Suit, Title
from companion.common.roles import Role
from companion.common.words import Noun, Words


class CharacterText(NamedTuple):
    """A character, as players read it."""

    name: str
    """The name on the card."""
    ability: str
    """What the character can do."""


class CardText(NamedTuple):
    """A card, as players read it."""

    name: str
    """The title on the card."""
    effect: str
    """What it does."""


class FlipText(NamedTuple):
    """What follows from a flipped card."""

    success: str
    """The sentence if it saved, freed or, for the Dynamite, exploded."""
    failure: str
    """The sentence if it didn't."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardStory:
    """What happened, one sentence for each event."""

    begins: str
    """A turn begins."""
    draws: Mapping[Occasion, str]
    """A player draws cards from the deck, by occasion."""
    draws_from_pile: str
    """A player draws the top card of the pile, which nobody named."""
    draws_known_from_pile: str
    """A player draws the top card of the pile, by name."""
    shows: str
    """A player shows the second card of their turn."""
    plays: str
    """A player plays a card."""
    plays_on: str
    """A player plays a card on another player."""
    plays_on_themselves: str
    """A player plays a card on themselves."""
    answers: str
    """A player answers with a card."""
    flips: Mapping[Title, FlipText]
    """A player flips cards, by what for."""
    cancels: str
    """A player isn't hit."""
    loses: str
    """A player loses life points."""
    regains: str
    """A player regains a life point."""
    regains_nothing: str
    """A player regains no life point."""
    trades: str
    """A player regains a life point for two cards."""
    takes_from_hand: str
    """A player takes random cards from another player's hand."""
    takes: str
    """A player takes a card in play from another player."""
    takes_back: str
    """A player takes their own card in play into their hand."""
    removed_from_hand: str
    """A player loses a random card from their hand."""
    removed: str
    """A player loses a card in play."""
    discards: Mapping[Occasion, str]
    """A player lays cards onto the pile, by occasion."""
    passes_dynamite: str
    """The Dynamite goes on."""
    serves: str
    """A player misses their turn in jail."""
    shuffles: str
    """The pile becomes the deck."""
    inherits: str
    """A player takes all cards of an eliminated one."""
    out: str
    """A player is eliminated."""
    ends: Mapping[CardSide, str]
    """A side wins."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardTerms(Words):
    """The terms of the card game in one language."""

    faces: Mapping[Any, str] = field(default_factory=dict)
    """No faces: the game has no dice."""
    roles: Mapping[Role, str]
    """The names of the roles."""
    goals: Mapping[Role, str]
    """The goal of each role."""
    characters: Mapping[str, CharacterText]
    """The characters, by their ids in records."""
    cards: Mapping[Title, CardText]
    """The cards, by title."""
    suits: Mapping[Suit, str]
    """The suits, as they follow a rank."""
    card: Noun
    """A card."""
    life_point: Noun
    """A life point."""
    decides: Mapping[CardAction, str]
    """What others read while a player decides, after that player's name."""
    sides: Mapping[CardSide, str]
    """The names of the sides that can win."""
    story: CardStory
    """The sentences of the story."""
    refusals: Mapping[CardReason, str]
    """Why a move is illegal, as told to the player who tried it."""

    def goal(self, role: Role, players: int) -> str:
        """Return the goal of `role`, whatever the number of players."""
        return self.goals[role]
