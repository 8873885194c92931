"""Why a move is illegal: a table of reasons, each a sentence with placeholders."""

from enum import StrEnum

from companion.games.common.refusals import Refusal

CardRefusal = Refusal["CardReason"]


class CardReason(StrEnum):
    """The sentence of a refusal; placeholders such as `{seat}` take its particulars."""

    OVER = "the game is over"
    NOT_AWAITED = "expected {awaited}, not {other}"
    NOT_YOURS = "seat {seat} decides now, not seat {other}"
    NO_SEAT = "there is no seat {seat}"
    ELIMINATED = "seat {seat} is eliminated"
    CANT_COUNT = "seat {seat} can't hold {count} cards, or does by the count"
    CANT_REGAIN = "seat {seat} can't trade two cards for a life point now"

    NO_CARDS = "seat {seat} has no card in hand"
    USED_UP = "every {card} lies in play or in the discard pile"
    ONLY_AN_ANSWER = "{card} is only an answer"
    NO_ANSWER = "{card} is no answer now"
    ONE_BANG = "only one BANG! a turn"
    SECOND_COPY = "seat {seat} already has {card} in play"

    NOBODY = "{card} reaches nobody now"
    NEEDS_TARGET = "{card} needs a target"
    NO_TARGET = "{card} has no target"
    ONESELF = "seat {seat} can't play {card} on itself"
    OUT_OF_REACH = "{card} doesn't reach seat {seat} at distance {distance}"
    NO_CARD_THERE = "seat {seat} has no card to take"
    SHERIFF = "the Sheriff can't be jailed"
    JAILED = "seat {seat} already has a Jail"
    NEEDS_TAKE = "{card} names what it takes"
    NO_TAKE = "{card} takes nothing"
    NOT_THERE = "seat {seat} has no {take} to take"

    FLIPS = "{needed} cards are flipped, not {count}"
    FLIPS_ONE = "one card is flipped, not {count}"
    NEEDS_RANK = "of a spade flipped for the Dynamite, the rank counts, too"
    SHOWN_TOO_OFTEN = "{sign} was shown before: the deck has no more of it until it is shuffled"
    NEEDS_SOURCE = 'this character draws "from" somewhere'
    NO_SOURCE = "this character can't choose where to draw from"
    NEEDS_SHOWN = 'this character\'s second card is "shown"'
    NOT_SHOWN = "this character shows no card"
    NOTHING_TO_DRAW = "seat {seat} has no card to draw from"
