"""What the terms of both games have: names, numbers, plurals and lists in one language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.games.common.endings import Side
from companion.games.common.roles import Role


class Noun(NamedTuple):
    """Something that is counted."""

    none: str
    """None of it: `no arrows`."""
    one: str
    """One of it: `an arrow`."""
    many: str
    """The plural, after a number: `arrows`."""


class CharacterText(NamedTuple):
    """A character, as players read it."""

    name: str
    """The name on the card."""
    ability: str
    """What the character can do."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """How a language counts and lists, and what it calls things."""

    numbers: tuple[str, ...]
    """The words for 0, 1, 2 and so on, as written before a noun."""
    last_of_list: str
    """What joins the last item of a list to the others."""
    roles: Mapping[Role, str]
    """The names of the roles."""
    goals: Mapping[Role, str]
    """The goal of each role in the game with secret roles."""
    goals_of_three: Mapping[Role, str] = field(default_factory=dict)
    """The goals of the game of three with open roles, in a box that has it."""
    characters: Mapping[str, CharacterText]
    """The characters, by their ids in records."""
    life_point: Noun
    """A life point."""
    sides: Mapping[Side, str]
    """The names of the sides that can win."""

    def goal(self, role: Role, players: int) -> str:
        """Return the goal of `role` in a game with this many players."""
        return (self.goals_of_three if players == 3 else self.goals)[role]

    def number(self, count: int) -> str:
        """Return a number as a word, or in digits if it is large."""
        return self.numbers[count] if count < len(self.numbers) else str(count)

    def quantity(self, count: int, thing: Noun) -> str:
        """Return a count of things: `an arrow`, `two arrows`."""
        if count < 2:
            return thing.one if count else thing.none
        return f"{self.number(count)} {thing.many}"

    def join(self, things: Sequence[str]) -> str:
        """Return the things joined to a list: `a, b and c`."""
        return self.last_of_list.join(filter(None, (", ".join(things[:-1]), *things[-1:])))
