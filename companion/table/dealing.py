"""Dealing roles and characters: by chance, entered from real cards, or chosen from two."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from random import Random
from typing import Self, TypeVar

from companion.base import codec
from companion.base.refused import Problem, Refused
from companion.games.game import AnySetup, Deck, Seat, Selection

_T = TypeVar("_T")

CHOICE = 2
"""How many characters a player chooses from, if the table plays that way."""


class RoleSource(StrEnum):
    """Where roles come from."""

    DEALT = "dealt"
    CARDS = "cards"
    """Real cards were dealt; each player enters their own."""


class CharacterSource(StrEnum):
    """Where characters come from."""

    DEALT = "dealt"
    CHOICE = "choice"
    """Each player is dealt two and keeps one."""
    CARDS = "cards"
    """Real cards were dealt; each player enters their own."""
    KEPT = "kept"
    """Who survived the last game keeps theirs; the others are dealt one."""


DEALT_HERE = (CharacterSource.DEALT, CharacterSource.KEPT)
"""Where characters come from that no player enters or chooses."""


class FirstTurn(StrEnum):
    """Who gets the role with the first turn, if roles are dealt here."""

    CHANCE = "chance"
    TURN = "turn"
    """The player to the left of the last one."""


class EliminatedSee(StrEnum):
    """What eliminated players may see."""

    ROLES = "roles"
    """All roles."""
    OWN = "own"
    """What they saw before."""


@dataclass(frozen=True, slots=True)
class DealOptions:
    """How the host wants games to be dealt."""

    roles: RoleSource = RoleSource.DEALT
    """Where the roles come from."""
    characters: CharacterSource = CharacterSource.DEALT
    """Where the characters come from."""
    sheriff: FirstTurn = FirstTurn.CHANCE
    """Who takes the first turn."""
    fallen: EliminatedSee | None = None
    """None: see the settings."""

    @property
    def players_enter(self) -> bool:
        """Whether players choose or enter anything."""
        return self.roles is RoleSource.CARDS or self.characters not in DEALT_HERE

    def with_choice(self, name: str, value: str) -> Self:
        """Return the options with one of them changed. Raises ValueError."""
        return replace(self, **codec.read_fields(type(self), {name: value}))

    def to_json(self) -> str:
        """Return the options as JSON, for `from_json`."""
        return json.dumps({name: value for name, value in codec.write(self).items() if value})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote. Raises ValueError or TypeError."""
        return codec.read(cls, json.loads(text))


class EntryError(StrEnum):
    """Why the cards that players entered can't be right."""

    ROLES = "roles"
    """They aren't the roles for this number of players."""
    CHARACTERS = "characters"
    """One of them was entered twice."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """What was dealt, entered and chosen so far. All of it is secret."""

    round: int
    """Its number, unique at this table."""
    options: DealOptions
    """The options when the dealing began."""
    deck: Deck
    """The deck for this number of players."""
    roles: tuple[str | None, ...]
    """By seat; None until the player enters theirs."""
    characters: tuple[str | None, ...]
    """By seat; None until the player enters or chooses theirs."""
    offers: tuple[tuple[str, ...], ...]
    """By seat, the characters that the player may enter."""
    wrong: tuple[EntryError, ...] = ()
    """Why all players must enter their cards again."""

    def has_entered(self, seat: int) -> bool:
        """Return whether a player has entered everything."""
        return self.roles[seat] is not None and self.characters[seat] is not None

    @property
    def complete(self) -> bool:
        """Whether everybody has entered their cards."""
        return all(self.has_entered(seat) for seat in range(len(self.roles)))

    def enter(self, seat: int, role: str | None, character: str | None) -> Self:
        """Enter a player's cards: exactly those still missing.

        Raises Refused; the reason names no card.
        """
        owes = (self.roles[seat] is None, self.characters[seat] is None)
        if (role is not None, character is not None) != owes:
            raise Refused(Problem.ILLEGAL, "enter only the cards you are asked for")
        if role is not None and role not in self.deck.role_kinds:
            raise Refused(Problem.ILLEGAL, "this role isn’t used with this number of players")
        if character is not None and character not in self.offers[seat]:
            raise Refused(Problem.ILLEGAL, "you can’t choose this character")
        return replace(
            self,
            roles=_with(self.roles, seat, role or self.roles[seat]),
            characters=_with(self.characters, seat, character or self.characters[seat]),
        )

    def take_back(self, seat: int) -> Self:
        """Return the dealing without a player's entry."""
        from_cards = self.options.roles is RoleSource.CARDS
        dealt = self.options.characters in DEALT_HERE
        return replace(
            self,
            roles=_with(self.roles, seat, None) if from_cards else self.roles,
            characters=self.characters if dealt else _with(self.characters, seat, None),
        )

    def without_errors(self, number: int) -> Self:
        """Return the dealing without entries that can't be right. `number`: of a new round.

        All players enter again, so that nobody learns whose entry was wrong.
        """
        if not self.complete:
            return self
        count, wrong = len(self.roles), []
        roles, characters = self.roles, self.characters
        if self.deck.roles and Counter(roles) != Counter(self.deck.roles):
            wrong.append(EntryError.ROLES)
            roles = (None,) * count
        if self.deck.characters and len(set(characters)) < count:
            wrong.append(EntryError.CHARACTERS)
            characters = (None,) * count
        if not wrong:
            return self
        return replace(self, round=number, roles=roles, characters=characters, wrong=tuple(wrong))

    def seats(self, names: Sequence[str]) -> tuple[Seat, ...]:
        """Return what was dealt to the players with these names; the dealing must be complete."""
        dealt = zip(names, self.roles, self.characters, strict=True)
        return tuple([Seat(name, role or "", character or "") for name, role, character in dealt])

    def to_json(self) -> str:
        """Return what `from_json` reads."""
        said = codec.write(self) | {"options": self.options.to_json()}
        del said["deck"]
        return json.dumps(said)

    @classmethod
    def from_json(cls, text: str, deck: Deck) -> Self:
        """Read what `to_json` wrote. Raises ValueError, KeyError or TypeError."""
        said = json.loads(text)
        said["options"] = json.loads(said["options"])
        dealing = cls(deck=deck, **codec.read_fields(cls, said))
        roles, characters, offers = dealing.roles, dealing.characters, dealing.offers
        if not len(roles) == len(characters) == len(offers):
            raise ValueError("not as many roles as players")
        if {role for role in roles if role} - set(deck.role_kinds):
            raise ValueError("a role that is not in the game")
        if {each for each in chain(characters, *offers) if each} - set(deck.characters):
            raise ValueError("a character that is not in the game")
        return dealing


def begin(
    number: int,
    players: int,
    deck: Deck,
    chance: Random,
    options: DealOptions,
    first: int | None = None,
    kept: Mapping[int, str] = {},
) -> Dealing:
    """Deal what `options` leaves to the companion, clockwise to this number of players.

    number: of the dealing; first: the seat that takes the first turn, None for a random one;
    kept: by seat, the characters that aren't dealt anew.
    """
    options = _possible(options, deck)
    roles: Sequence[str | None] = ("",) * players
    if deck.roles:
        dealt_here = options.roles is RoleSource.DEALT
        roles = _roles(deck, chance, first) if dealt_here else (None,) * players
    characters: Sequence[str | None] = (None,) * players
    offers: list[tuple[str, ...]] = [()] * players
    if not deck.characters:
        characters = ("",) * players
    elif options.characters in DEALT_HERE:
        others = [one for one in deck.characters if one not in kept.values()]
        drawn = iter(chance.sample(others, players - len(kept)))
        characters = [kept[seat] if seat in kept else next(drawn) for seat in range(players)]
    elif options.characters is CharacterSource.CHOICE:
        dealt = chance.sample(deck.characters, CHOICE * players)
        offers = [tuple(dealt[CHOICE * seat : CHOICE * (seat + 1)]) for seat in range(players)]
    else:
        offers = [deck.characters] * players
    return Dealing(number, options, deck, tuple(roles), tuple(characters), tuple(offers))


def deal(selection: Selection, names: Sequence[str], chance: Random) -> AnySetup:
    """Return a game dealt at random to the players with these names, clockwise.

    Raises ValueError if the number of players, the names or the house rules don't allow a game.
    """
    game, ruleset, count = selection.game, selection.ruleset, len(names)
    if count not in ruleset.players:
        raise ValueError(f"{ruleset.id} can't be played by {count}")
    deck = game.deck(ruleset, count)
    return game.setup(selection, begin(0, count, deck, chance, DealOptions()).seats(names))


def _possible(options: DealOptions, deck: Deck) -> DealOptions:
    """Return the options as far as they make sense with a deck."""
    if not deck.roles:
        options = replace(options, roles=RoleSource.DEALT)
    if not deck.characters:
        options = replace(options, characters=CharacterSource.DEALT)
    return options


def _roles(deck: Deck, chance: Random, first: int | None) -> list[str]:
    count = len(deck.roles)
    if first is None:
        return chance.sample(deck.roles, count)
    others = list(deck.roles)
    others.remove(deck.first_role)
    roles = chance.sample(others, count - 1)
    roles.insert(first, deck.first_role)
    return roles


def _with(entries: tuple[_T, ...], place: int, entry: _T) -> tuple[_T, ...]:
    return (*entries[:place], entry, *entries[place + 1 :])
