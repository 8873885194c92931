"""The state of a game: values that never change; a move gives a new one (`rules.apply`)."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.dicegame.characters import Character
from companion.dicegame.events import Cause, Result
from companion.dicegame.faces import Dice
from companion.dicegame.moves import Action
from companion.dicegame.roles import OPEN_ROLES, ROLES, Role, first_role
from companion.dicegame.rulesets import Ruleset

ARROWS = 9
"""Arrows in the game."""

SHERIFF_BONUS = 2
"""Life points that the Sheriff has beyond his character's."""


class SetupError(ValueError):
    """Players, roles, characters and ruleset that do not fit together."""


class Player(NamedTuple):
    """Who sits at a seat, for the whole game."""

    name: str
    role: Role
    character: Character


@dataclass(frozen=True)
class Setup:
    """What is dealt before the first turn. Players sit clockwise, seat = index.

    Raises SetupError where the number of players, their names, roles or characters are not
    as the ruleset asks.
    """

    ruleset: Ruleset
    players: tuple[Player, ...]

    def __post_init__(self) -> None:
        count = len(self.players)
        if count not in self.ruleset.players:
            low, high = self.ruleset.players[0], self.ruleset.players[-1]
            allowed = f"{low}" if low == high else f"{low} to {high}"
            raise SetupError(f"{self.ruleset.id} is for {allowed} players, not {count}")
        if not all(player.name for player in self.players):
            raise SetupError("a player has no name")
        if len({player.name for player in self.players}) < count:
            raise SetupError("two players have the same name")
        if len({player.character.id for player in self.players}) < count:
            raise SetupError("two players have the same character")
        if sorted(player.role for player in self.players) != sorted(ROLES[count]):
            raise SetupError(f"{count} players have the roles {', '.join(ROLES[count])}")

    @property
    def roles_open(self) -> bool:
        """Whether everybody knows all roles from the start."""
        return len(self.players) == OPEN_ROLES

    @property
    def first(self) -> int:
        """The seat that begins."""
        role = first_role(len(self.players))
        return next(seat for seat, player in enumerate(self.players) if player.role is role)

    @cached_property
    def max_life(self) -> tuple[int, ...]:
        """Life points at the start, by seat: nobody ever has more."""
        return tuple(
            player.character.life + (SHERIFF_BONUS if player.role is Role.SHERIFF else 0)
            for player in self.players
        )


class Awaits(NamedTuple):
    """Whose decision the game waits for, and which (`ROLL`: from the second roll on, or `STOP`)."""

    seat: int
    action: Action


class Damage(NamedTuple):
    """A damage event that waits for an answer: hits by seat, and what hits."""

    cause: Cause
    hits: tuple[int, ...]


class State(NamedTuple):
    """A moment of a game.

    setup: what was dealt; turn: whose turn it is; rolls: rolls made this turn; dice: as they lie,
    None before the first roll; life, arrows: by seat; fallen: seats eliminated on this turn;
    beer_spent: a beer of this turn doubled a shot; damage: only while somebody answers a hit;
    awaits: None once the game is over; result: None until then.
    """

    setup: Setup
    turn: int
    rolls: int
    dice: Dice | None
    life: tuple[int, ...]
    arrows: tuple[int, ...]
    fallen: tuple[int, ...]
    beer_spent: bool
    damage: Damage | None
    awaits: Awaits | None
    result: Result | None

    @property
    def pile(self) -> int:
        """Arrows that nobody holds."""
        return ARROWS - sum(self.arrows)

    @property
    def living(self) -> tuple[int, ...]:
        """Seats still in the game, ascending."""
        return tuple(seat for seat, life in enumerate(self.life) if life)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Kinds of moves that the awaited seat may choose from."""
        if self.awaits is None:
            return ()
        if self.awaits.action is Action.ROLL and self.rolls:
            return (Action.ROLL, Action.STOP)
        return (self.awaits.action,)

    def player(self, seat: int) -> Player:
        """Who sits at `seat`."""
        return self.setup.players[seat]
