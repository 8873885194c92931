"""Why a move is illegal: a table of reasons, each a sentence with placeholders."""

from enum import StrEnum

from companion.games.common.refusals import Refusal, refuse

__all__ = ["Reason", "Refusal", "refuse"]


class Reason(StrEnum):
    """The sentence of a refusal; placeholders such as `{seat}` take its particulars."""

    OVER = "the game is over"
    NOT_AWAITED = "expected {awaited}, not {other}"
    NOT_YOURS = "seat {seat} decides now, not seat {other}"
    NO_SEAT = "there is no seat {seat}"
    ELIMINATED = "seat {seat} is eliminated"

    NOT_FIVE_DICE = "a roll has {needed} dice, not {count}"
    FIRST_ROLL = 'the first roll throws all dice: omit "rerolled"'
    NO_DICE_NAMED = "every later roll names the dice that were thrown again"
    NO_SUCH_DIE = "dice are numbered 0 to {last}"
    NOT_ASCENDING = "rerolled dice are listed in ascending order, each once"
    KEPT = "die {die} was kept: it must still show {before}, not {after}"
    DYNAMITE_STAYS = "die {die} shows dynamite, which can't be rolled again"

    OTHER_BULLSEYES = "the bull's eyes are dice {dice}: one shot each, in this order"
    DOUBLED_TWICE = "only one shot a turn can be doubled"
    COUNTS_AS_IT_LIES = "die {die}: this character can't use a bull's eye as the other one"
    NOT_USED_AS = "die {die} can't be used as {face}"
    MUST_HIT = "die {die} must hit one of the seats {seats}"
    OUT_OF_REACH = "die {die} does not reach seat {seat}, only {seats}"
    REACHES_NOBODY = "die {die} reaches nobody, not even seat {seat}"
    NO_DOUBLING = "die {die}: this character can't double a shot"
    NO_BEER = "die {die} shows no beer"
    LOST = "die {die} hits nobody: nothing to double"

    TOO_MANY_ARROWS = "0 to {most} arrows, not {count}"
    BEERS_LEFT = "there are {beers} beers to drink, not {count}"
    GATLING_DICE = "at most {most} arrows, one for each Gatling die"
    HOLDS_FEWER = "seat {seat} holds only {arrows} arrows"
