"""The form of the tables of terms: every name and sentence of the game, in one language.

The tables contain whole sentences, so that a translator writes articles, genders and plurals
instead of the program putting them together. In the placeholders, players are `{who}` and `{whom}`;
the others are named like the fields here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.base import codec
from companion.games.common.endings import Side
from companion.games.common.words import Noun, Words
from companion.games.dice.rules.events import Cause
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.reasons import Reason

# Its values are the words of records.
codec.by_name(Reason)


class RulesText(NamedTuple):
    """A ruleset, as the host chooses it."""

    name: str
    """Its name."""
    difference: str
    """What it is for, and how it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceQuestions:
    """The words of the decisions."""

    asked: Mapping[Action, str]
    """The question to the player who decides."""
    decides: Mapping[Action, str]
    """What the others read meanwhile, after that player's name."""
    answers: Mapping[Action, str]
    """The button that confirms several choices."""
    shot: str
    """The heading of one of several shots."""
    used_as: str
    """The choice to use a bull's eye as the other one."""
    nobody_in_reach: str
    """Why a shot has no target."""
    lose_shot: str
    """The button that gives up a shot without a target."""
    double: str
    """The question whether to double a shot with a beer."""
    double_it: str
    """The answer if there is only one shot."""
    double_shot: str
    """The answer for one of several shots."""
    all_shots: str
    """The heading of the choice to aim all shots by one tap."""
    all_beers: str
    """The heading of the choice to give all beers to one player."""
    one_by_one: str
    """The heading of the choice beer by beer, or shot by shot."""
    keep_beer: str
    """The answer that doubles no shot."""
    arrows_save: str
    """Why to take arrows."""
    holds: str
    """How many arrows the player who was hurt may put back."""
    takes_away: str
    """How many arrows the player may make others put back."""
    arrow_of: str
    """One arrow of a player."""
    out_of_reach: str
    """Why a player can't be shot."""
    out: str
    """Why a player can't be chosen: they are eliminated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceStory:
    """What happened, one sentence for each event."""

    begins: str
    """A turn begins."""
    rolls: str
    """A player rolls all dice."""
    rolls_again: str
    """A player rolls some dice again."""
    takes: str
    """A player takes arrows that they rolled."""
    takes_for_hitting: str
    """A player takes an arrow for hitting the character that gives them."""
    takes_for_hits: str
    """A player takes arrows instead of losing life points."""
    puts_back: str
    """A player puts arrows back."""
    attack: str
    """The last arrow is taken."""
    explodes: str
    """The dynamite ends a player's rolling."""
    shoots: str
    """A player shoots."""
    shoots_double: str
    """A player shoots, and a beer doubles a shot."""
    reaches_nobody: str
    """A player's shots have no target."""
    fires: str
    """A player fires the Gatling."""
    loses: Mapping[Cause, str]
    """A player loses life points, by cause."""
    gains: str
    """A player gains life points."""
    gains_nothing: str
    """A player would gain life points but has all of them."""
    drinks: str
    """A player drinks beers that they threw themselves."""
    drinks_in_vain: str
    """A player drinks their own beers but has all life points."""
    gives: str
    """A player gives the beers that they threw to another."""
    gives_in_vain: str
    """A player gives beers to another, who has all life points."""
    out: str
    """A player is eliminated."""
    ends: Mapping[Side, str]
    """A side wins."""
    undone_roll: str
    """A player undoes their own roll."""
    undone_roll_of: str
    """A player undoes another player's roll."""
    undone_stop: str
    """A player undoes their own decision to stop rolling."""
    undone_stop_of: str
    """A player undoes another player's decision to stop rolling."""
    undone_decision: str
    """A player undoes any other decision of their own."""
    undone_decision_of: str
    """A player undoes any other decision of another player."""
    undone_more: str
    """A player undoes several moves at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DiceTerms(Words):
    """The terms of an edition in one language."""

    faces: Mapping[Face, str]
    """The names of the faces."""
    die: Noun
    """A die."""
    arrow: Noun
    """An arrow."""
    beer: Noun
    """A beer, as somebody drinks it."""
    life: str
    """How many life points a player has, and the most they can have."""
    pile: str
    """How many arrows are in the pile."""
    questions: DiceQuestions
    """The words of the decisions."""
    story: DiceStory
    """The sentences of the story."""
    refusals: Mapping[Reason, str]
    """Why a move is illegal, as told to the player who tried it."""
    rulesets: Mapping[str, RulesText]
    """The rulesets, by their ids in settings and records."""
    house_rules: Mapping[HouseRule, str]
    """What each house rule changes."""
