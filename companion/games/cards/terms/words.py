"""The form of the tables of terms: every name and sentence of the card game, in one language.

The tables contain whole sentences, so that a translator writes articles, genders and plurals
instead of the program putting them together. In the placeholders, players are `{who}` and `{whom}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from companion.base import codec
from companion.games.cards.rules.events import Occasion
from companion.games.cards.rules.moves import CardAction
from companion.games.cards.rules.reasons import CardReason
from companion.games.cards.rules.titles import Suit, Title
from companion.games.common.endings import Side
from companion.games.common.words import Noun, Words

# Their values are the words of records.
codec.by_name(CardReason)
codec.by_name(Suit)


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
    takes_from_store: str
    """A player takes a card from the General Store, by name."""
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
    counts: str
    """A player says how many cards they really hold, not `{before}` as counted."""
    inherits: str
    """A player takes all cards of an eliminated one."""
    out: str
    """A player is eliminated."""
    ends: Mapping[Side, str]
    """A side wins."""
    undone: str
    """A player undoes their own move."""
    undone_of: str
    """A player undoes another player's move."""
    undone_more: str
    """A player undoes several moves."""
    retitled: str
    """A player corrects which card was played."""
    put_in: str
    """A player puts a card in that was forgotten."""
    signed_again: str
    """A player corrects the suit and rank of a card that was flipped or shown."""
    other_counts: str
    """A player corrects which of two flipped cards counts."""
    of_other: str
    """A player corrects whose card an answer was."""


class Told(NamedTuple):
    """A sentence about a player."""

    own: str
    """As the player reads it."""
    others: str
    """As everybody else reads it."""


class AnswerNeed(StrEnum):
    """What an answer is needed for."""

    SHOT = "shot"
    """A player shoots."""
    GATLING = "gatling"
    INDIANS = "indians"
    DUEL = "duel"
    DYING = "dying"
    """A player has no life points left."""
    DYNAMITE = "dynamite"
    JAIL = "jail"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardQuestions:
    """What a player is asked, and what everybody sees of the table."""

    why: Mapping[AnswerNeed, Told]
    """Why an answer is awaited of `{whom}`; `{who}` played the card."""
    passes: Mapping[AnswerNeed, str]
    """The button of a player who doesn't answer."""
    cost: Mapping[AnswerNeed, str]
    """What that costs."""
    more_missed: str
    """A shot takes several Missed!."""
    another_missed: str
    """A shot takes one more Missed! than was given."""
    plays: str
    """The player whose turn it is chooses a card."""
    empty_hand: str
    """They have no card in hand."""
    on_whom: str
    """They choose a target."""
    which_card: str
    """They choose what is taken from whom."""
    hand_card: str
    """A random card of a hand."""
    off: Mapping[CardReason, str]
    """Why a title can't be played now, after its name."""
    out_of_reach: str
    """Why a player can't be chosen, after their name."""
    no_card: str
    """The same: they have no card."""
    jailed: str
    """The same: they are in jail already."""
    no_jail: str
    """The same: they are the Sheriff."""
    end: str
    """The button that ends the turn."""
    end_discards: str
    """What ending the turn costs now."""
    flips: str
    """The button of a player who flips a card, to avoid a shot."""
    flip_helps: str
    """What that is for."""
    flipped: str
    """A player names the card that they flipped."""
    flipped_first: str
    """A player names the two cards that they flipped: first the one that counts."""
    flipped_second: str
    """The same: then the other one."""
    shows: str
    """A player names the second card that they drew."""
    source: str
    """A player chooses where their first card comes from."""
    from_deck: str
    """The deck."""
    from_hand: str
    """Another player's hand."""
    from_pile: str
    """The top card of the pile, by name."""
    from_pile_unnamed: str
    """The top card of the pile, which nobody named."""
    regain: str
    """The button of a player who trades cards for a life point."""
    life: str
    """How many life points a player has."""
    hand: str
    """How many cards a player has in hand, as `{cards}`."""
    in_play: str
    """The cards in front of a player."""
    out: str
    """A player is out of the game."""
    distance: str
    """How far away another player is."""
    in_reach: str
    """How far away another player is, whom a BANG! reaches."""
    reach: str
    """How far one's own weapon reaches."""
    deck: str
    """The deck has `{cards}`."""
    pile: str
    """The pile has `{cards}`."""
    on_top: str
    """What lies on top of the pile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHelp:
    """What players do with the real cards, one sentence for each event that moves some."""

    deal: str
    """Deal the hands, before the first turn."""
    draw: Told
    """Draw `{cards}`."""
    look: Told
    """Kit Carlson: look at three cards, keep two of them."""
    reward: Told
    """Draw `{cards}`, since `{whom}` was an Outlaw."""
    draw_from_pile: Told
    """Draw the top card of the pile."""
    lay: Told
    """Lay `{cards}` from the hand on the pile."""
    penalty: Told
    """Lay all cards on the pile, since `{whom}` was a Deputy."""
    lay_all: Told
    """Lay all cards on the pile, as an eliminated player."""
    pull: Told
    """Pull `{cards}` from the hand of `{whom}`."""
    pulled_from: str
    """`{who}` pulls `{cards}` from the reader's own hand."""
    take: Told
    """Take `{card}` in play from `{whom}`."""
    take_back: Told
    """Take `{card}` in play into one's own hand."""
    pulled_onto_pile: Told
    """`{who}` pulls a card from a hand, and it goes onto the pile."""
    onto_pile: Told
    """`{card}` in play goes onto the pile."""
    pass_dynamite: str
    """The Dynamite goes to `{whom}`."""
    shuffle: str
    """Shuffle the pile: it is the new deck, with `{cards}`."""
    put_back: Told
    """Undo: the reader holds `{hand}` cards, the deck has `{deck}`, the pile has `{pile}`."""
    inherit: Told
    """Take all cards of `{whom}`."""
    store: str
    """Turn up `{cards}`; everybody takes one, beginning with `{who}`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardTerms(Words):
    """The terms of the card game in one language."""

    faces: Mapping[Any, str] = field(default_factory=dict)
    """No faces: the game has no dice."""
    cards: Mapping[Title, CardText]
    """The cards, by title."""
    suits: Mapping[Suit, str]
    """The suits, as they follow a rank."""
    any_of_suit: Mapping[Suit, str]
    """A card of which nobody said more than its suit."""
    shown: str
    """A `{card}` named by its rank and suit, within a sentence."""
    card: Noun
    """A card."""
    decides: Mapping[CardAction, str]
    """What others read while a player decides, after that player's name."""
    story: CardStory
    """The sentences of the story."""
    questions: CardQuestions
    """What players are asked, and what everybody sees."""
    help: TableHelp
    """What players do with the real cards."""
    refusals: Mapping[CardReason, str]
    """Why a move is illegal, as told to the player who tried it."""
