"""What a table of terms holds: everything that is said of the game, in one language.

Whatever names a thing of the game stands in the tables, as a whole sentence where it is one: an
article, a gender or a plural is then right because somebody wrote it so. `{who}` and the like are
places for what differs: players are `who` and `whom`, the rest is named like a field here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.dicegame.events import Cause, Side
from companion.dicegame.faces import Face
from companion.dicegame.house import HouseRule
from companion.dicegame.moves import Action
from companion.dicegame.reasons import Reason
from companion.dicegame.roles import OPEN_ROLES, Role


class Noun(NamedTuple):
    """A thing that is counted: `no arrows`, `an arrow`, two `arrows`."""

    none: str
    one: str
    many: str


class Card(NamedTuple):
    """A character as players read it: the name, and what the character can do."""

    name: str
    ability: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What a player decides, and with which words."""

    asked: Mapping[Action, str]
    """The question to him."""
    decides: Mapping[Action, str]
    """What the others see meanwhile, after his name."""
    answers: Mapping[Action, str]
    """The button below several choices."""
    shot: str
    """One of several shots."""
    used_as: str
    """A bull's eye, used as the other one."""
    nobody_in_reach: str
    """Why nobody can be shot."""
    lose_shot: str
    """Uses a bull's eye where it reaches nobody."""
    double: str
    """Asks whether a beer doubles a shot."""
    double_it: str
    """The only shot."""
    double_shot: str
    """One of several shots."""
    keep_beer: str
    arrows_save: str
    """What taking arrows is good for."""
    holds: str
    takes_away: str
    """How many arrows others may be made to put back."""
    arrow_of: str
    """One arrow before a player."""
    out_of_reach: str
    """Why somebody can't be shot."""
    out: str
    """Why nobody can choose a player: he is eliminated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What happened, a sentence each."""

    begins: str
    """A turn."""
    rolls: str
    rolls_again: str
    takes: str
    takes_for_hitting: str
    """Arrows, for whoever hit the character that gives them."""
    takes_for_hits: str
    """Arrows, by whoever would rather lose no life points."""
    puts_back: str
    attack: str
    """The last arrow is taken."""
    explodes: str
    """Dynamite."""
    shoots: str
    shoots_double: str
    reaches_nobody: str
    fires: str
    """The Gatling."""
    loses: Mapping[Cause, str]
    gains: str
    gains_nothing: str
    drinks: str
    drinks_in_vain: str
    out: str
    """Eliminated."""
    ends: Mapping[Side, str]
    undone_roll: str
    """Somebody takes back what he did himself, and what another one did."""
    undone_roll_of: str
    undone_stop: str
    """The decision to roll no more."""
    undone_stop_of: str
    undone_decision: str
    """Any other."""
    undone_decision_of: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terms:
    """An edition's terms in one language.

    numbers: words for 0, 1, 2 and so on, as they stand before a noun; last_of_list: what joins the
    last thing of a list to those before it; goals, goals_of_three: what a role is after, in the
    game with secret roles and in the one with open roles; characters: by id; sides: who may
    win; refusals: why a move is none, to whoever made it; house_rules: what a switch changes.
    """

    numbers: Sequence[str]
    last_of_list: str
    faces: Mapping[Face, str]
    roles: Mapping[Role, str]
    goals: Mapping[Role, str]
    goals_of_three: Mapping[Role, str]
    characters: Mapping[str, Card]
    die: Noun
    arrow: Noun
    life_point: Noun
    life: str
    """How many life points of how many somebody has."""
    pile: str
    """How many arrows lie there."""
    questions: Questions
    sides: Mapping[Side, str]
    story: Story
    refusals: Mapping[Reason, str]
    house_rules: Mapping[HouseRule, str]

    def goal(self, role: Role, players: int) -> str:
        """Return what `role` is after in a game of so many players."""
        return (self.goals_of_three if players == OPEN_ROLES else self.goals)[role]

    def number(self, count: int) -> str:
        """Return a number in a word; a large one in digits."""
        return self.numbers[count] if count < len(self.numbers) else str(count)

    def counted(self, count: int, thing: Noun) -> str:
        """Return so many of a thing: `an arrow`, `two arrows`."""
        if count < 2:
            return thing.one if count else thing.none
        return f"{self.number(count)} {thing.many}"

    def listed(self, things: Sequence[str]) -> str:
        """Return things as a list: `a, b and c`."""
        return self.last_of_list.join(filter(None, (", ".join(things[:-1]), *things[-1:])))
