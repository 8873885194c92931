"""Dealing: by chance, or entered by players who hold the real cards, or chosen of two."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import Self, TypeVar

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.house import HouseRule
from companion.dicegame.roles import ROLES, Role, first_role
from companion.dicegame.rulesets import Ruleset
from companion.dicegame.state import Player, Setup, SetupError
from companion.table.refused import Problem, Refused

_T = TypeVar("_T")

CHOICE = 2
"""Characters of which a player chooses one, where the table plays so."""


class Roles(StrEnum):
    """Where roles come from."""

    DEALT = "dealt"
    CARDS = "cards"
    """Real cards were dealt: each player enters his own."""


class Characters(StrEnum):
    """Where characters come from."""

    DEALT = "dealt"
    CHOICE = "choice"
    """Each player is dealt two, and keeps one."""
    CARDS = "cards"
    """Real cards were dealt: each player enters his own."""


class Sheriff(StrEnum):
    """Who is the next Sheriff (of three players: the Deputy), where roles are dealt here."""

    CHANCE = "chance"
    TURN = "turn"
    """Whoever sits on the left of the last one."""


class Fallen(StrEnum):
    """What eliminated players may see."""

    ROLES = "roles"
    """All roles."""
    OWN = "own"
    """No more than before."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the host wants games to be dealt; fallen: None as the settings say."""

    roles: Roles = Roles.DEALT
    characters: Characters = Characters.DEALT
    sheriff: Sheriff = Sheriff.CHANCE
    fallen: Fallen | None = None

    def changed(self, name: str, value: str) -> Self:
        """Return the options with another value of one. Raises ValueError."""
        match name:
            case "roles":
                return replace(self, roles=Roles(value))
            case "characters":
                return replace(self, characters=Characters(value))
            case "sheriff":
                return replace(self, sheriff=Sheriff(value))
            case "fallen":
                return replace(self, fallen=Fallen(value))
        raise ValueError(f"{name}: no such option")

    def to_json(self) -> str:
        """Return what `from_json` reads."""
        chosen = {"roles": self.roles, "characters": self.characters, "sheriff": self.sheriff}
        return json.dumps(chosen | ({"fallen": self.fallen} if self.fallen else {}))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote. Raises ValueError or TypeError."""
        options = cls()
        for name, value in json.loads(text).items():
            options = options.changed(name, value)
        return options


class Wrong(StrEnum):
    """What can't be, of all that was entered."""

    ROLES = "roles"
    """They are not those of a game of so many."""
    CHARACTERS = "characters"
    """One was entered twice."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """Cards on their way to the players: what is dealt, entered and chosen so far. All secret.

    round: a number that no other dealing of the table has; options: as they were when it began;
    roles, characters: by seat, None where the player has still to enter or choose; offers: by
    seat, the characters that he may enter; wrong: why everybody enters again.
    """

    round: int
    options: Options
    roles: tuple[Role | None, ...]
    characters: tuple[str | None, ...]
    offers: tuple[tuple[str, ...], ...]
    wrong: tuple[Wrong, ...] = ()

    @property
    def choice(self) -> tuple[Role, ...]:
        """The roles of a game of so many, each once."""
        return tuple(role for role in Role if role in ROLES[len(self.roles)])

    def entered(self, seat: int) -> bool:
        """Return whether a player has nothing to enter any more."""
        return self.roles[seat] is not None and self.characters[seat] is not None

    @property
    def complete(self) -> bool:
        """Whether everybody has entered."""
        return all(self.entered(seat) for seat in range(len(self.roles)))

    def enter(self, seat: int, role: Role | None, character: str | None) -> Self:
        """Enter what a player holds, or chooses: just what he has still to say.

        Raises Refused; the reason names no card.
        """
        owes = (self.roles[seat] is None, self.characters[seat] is None)
        if (role is not None, character is not None) != owes:
            raise Refused(Problem.ILLEGAL, "enter just the cards that are asked for")
        if role is not None and role not in self.choice:
            raise Refused(Problem.ILLEGAL, "no such role is in a game of so many")
        if character is not None and character not in self.offers[seat]:
            raise Refused(Problem.ILLEGAL, "no such character is to be chosen")
        return replace(
            self,
            roles=_with(self.roles, seat, role or self.roles[seat]),
            characters=_with(self.characters, seat, character or self.characters[seat]),
        )

    def taken_back(self, seat: int) -> Self:
        """Let a player enter again."""
        from_cards = self.options.roles is Roles.CARDS
        dealt = self.options.characters is Characters.DEALT
        return replace(
            self,
            roles=_with(self.roles, seat, None) if from_cards else self.roles,
            characters=self.characters if dealt else _with(self.characters, seat, None),
        )

    def checked(self, number: int) -> Self:
        """Return it without what can't be true, once all is entered; `number`: of a new round.

        Who entered what stays untold: all enter again, whoever was wrong.
        """
        if not self.complete:
            return self
        count, wrong = len(self.roles), []
        roles, characters = self.roles, self.characters
        if Counter(roles) != Counter(ROLES[count]):
            wrong.append(Wrong.ROLES)
            roles = (None,) * count
        if len(set(characters)) < count:
            wrong.append(Wrong.CHARACTERS)
            characters = (None,) * count
        if not wrong:
            return self
        return replace(self, round=number, roles=roles, characters=characters, wrong=tuple(wrong))

    def setup(
        self, ruleset: Ruleset, names: Sequence[str], house_rules: frozenset[HouseRule]
    ) -> Setup:
        """Return the game that was dealt. Raises SetupError; it must be complete."""
        players = [
            Player(name, role, CHARACTERS[character])
            for name, role, character in zip(names, self.roles, self.characters, strict=True)
            if role is not None and character is not None
        ]
        return Setup(ruleset, tuple(players), house_rules)

    def to_json(self) -> str:
        """Return what `from_json` reads."""
        return json.dumps(
            {
                "round": self.round,
                "options": self.options.to_json(),
                "roles": self.roles,
                "characters": self.characters,
                "offers": self.offers,
                "wrong": self.wrong,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote. Raises ValueError, KeyError or TypeError."""
        said = json.loads(text)
        return cls(
            round=int(said["round"]),
            options=Options.from_json(said["options"]),
            roles=tuple(role and Role(role) for role in said["roles"]),
            characters=tuple(said["characters"]),
            offers=tuple(tuple(offer) for offer in said["offers"]),
            wrong=tuple(Wrong(kind) for kind in said["wrong"]),
        )


def begin(
    number: int,
    ruleset: Ruleset,
    count: int,
    chance: Random,
    options: Options,
    first: int | None = None,
) -> Dealing:
    """Deal to `count` players (3-8), clockwise, what `options` lets the companion deal.

    number: of the dealing; first: the seat of the player who takes the first turn, None: chance.
    """
    known = ruleset.characters
    roles: Sequence[Role | None] = (None,) * count
    if options.roles is Roles.DEALT:
        roles = _roles(count, chance, first)
    characters: Sequence[str | None] = (None,) * count
    offers: list[tuple[str, ...]] = [()] * count
    if options.characters is Characters.DEALT:
        characters = chance.sample(known, count)
    elif options.characters is Characters.CHOICE:
        dealt = chance.sample(known, CHOICE * count)
        offers = [tuple(dealt[CHOICE * seat : CHOICE * (seat + 1)]) for seat in range(count)]
    else:
        offers = [known] * count
    return Dealing(number, options, tuple(roles), tuple(characters), tuple(offers))


def deal(
    ruleset: Ruleset,
    names: Sequence[str],
    chance: Random,
    house_rules: frozenset[HouseRule] = frozenset(),
) -> Setup:
    """Deal everything by chance to the players of these names, clockwise.

    Raises SetupError where so many can't play, or not by these names or house rules.
    """
    count = len(names)
    if count not in ruleset.players:
        raise SetupError(f"{ruleset.id} is for {ruleset.numbers}, not {count}")
    return begin(0, ruleset, count, chance, Options()).setup(ruleset, names, house_rules)


def _roles(count: int, chance: Random, first: int | None) -> list[Role]:
    if first is None:
        return chance.sample(ROLES[count], count)
    others = list(ROLES[count])
    others.remove(first_role(count))
    roles = chance.sample(others, count - 1)
    roles.insert(first, first_role(count))
    return roles


def _with(entries: tuple[_T, ...], place: int, entry: _T) -> tuple[_T, ...]:
    return (*entries[:place], entry, *entries[place + 1 :])
