"""The state of a game: values that never change; a move gives a new one (`rules.apply`)."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.dicegame.characters import Ability, Character
from companion.dicegame.events import Cause, Result
from companion.dicegame.faces import Dice
from companion.dicegame.hand import Hand
from companion.dicegame.house import CONTRADICTORY, HouseRule
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
    as the ruleset asks, or house rules contradict each other.
    """

    ruleset: Ruleset
    players: tuple[Player, ...]
    house_rules: frozenset[HouseRule] = frozenset()

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
        if sorted([player.role for player in self.players]) != sorted(ROLES[count]):
            raise SetupError(f"{count} players have the roles {', '.join(ROLES[count])}")
        if self.house_rules >= CONTRADICTORY:
            raise SetupError(f"{' and '.join(sorted(CONTRADICTORY))} contradict each other")

    @property
    def roles_open(self) -> bool:
        """Whether everybody knows all roles from the start."""
        return len(self.players) == OPEN_ROLES

    @property
    def first(self) -> int:
        """The seat that begins."""
        return self.roles.index(first_role(len(self.players)))

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """Roles by seat."""
        return tuple([player.role for player in self.players])

    @cached_property
    def abilities(self) -> tuple[Ability, ...]:
        """Abilities by seat."""
        return tuple([player.character.ability for player in self.players])

    @cached_property
    def arrow_takers(self) -> tuple[int, ...]:
        """Seats that may take arrows in place of hits."""
        return self._seats_with("takes_arrows_for_hits")

    @cached_property
    def arrow_discarders(self) -> tuple[int, ...]:
        """Seats that may put arrows back when hurt."""
        return self._seats_with("discards_when_hurt")

    @cached_property
    def avengers(self) -> tuple[int, ...]:
        """Seats whose attacker takes an arrow."""
        return self._seats_with("arrow_for_attacker")

    def _seats_with(self, ability: str) -> tuple[int, ...]:
        return tuple([seat for seat, has in enumerate(self.abilities) if getattr(has, ability)])

    @cached_property
    def max_life(self) -> tuple[int, ...]:
        """Life points at the start, by seat: nobody ever has more."""
        return tuple(
            [
                player.character.life + (SHERIFF_BONUS if player.role is Role.SHERIFF else 0)
                for player in self.players
            ]
        )

    @cached_property
    def fallen_keep_places(self) -> bool:
        """Whether players eliminated on this turn still count when distances are counted."""
        if HouseRule.FALLEN_LEAVE_PLACES in self.house_rules:
            return False
        return self.ruleset.fallen_keep_places or HouseRule.FALLEN_KEEP_PLACES in self.house_rules

    @cached_property
    def either_way(self) -> bool:
        """Whether places may be counted the long way round as well."""
        return HouseRule.PLACES_EITHER_WAY in self.house_rules


class Awaits(NamedTuple):
    """Whose decision the game waits for, and which (`ROLL`: from the second roll on, or `STOP`)."""

    seat: int
    action: Action


class Damage(NamedTuple):
    """A damage event that waits for an answer: what hits, and the seats, once for each hit."""

    cause: Cause
    hits: tuple[int, ...]


class State(NamedTuple):
    """A moment of a game.

    setup: what was dealt; turn: whose turn it is; rolls: rolls made this turn; hand: the dice;
    life, arrows: by seat; living: seats still in the game, ascending;
    fallen: seats eliminated on this turn; beer_spent: a beer of this turn doubled a shot; avenged:
    whoever hit El Gringo on this turn took an arrow for it; damage: only while somebody answers a
    hit; awaits: None once the game is over; result: None until then.
    """

    setup: Setup
    turn: int
    rolls: int
    hand: Hand
    life: tuple[int, ...]
    arrows: tuple[int, ...]
    living: tuple[int, ...]
    fallen: tuple[int, ...]
    beer_spent: bool
    avenged: bool
    damage: Damage | None
    awaits: Awaits | None
    result: Result | None

    @property
    def dice(self) -> Dice:
        """The dice as they lie, none before the first roll."""
        return self.hand.dice

    @property
    def pile(self) -> int:
        """Arrows that nobody holds."""
        return ARROWS - sum(self.arrows)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Kinds of moves that the awaited seat may choose from."""
        if self.awaits is None:
            return ()
        if self.awaits.action is Action.ROLL and self.rolls:
            return (Action.ROLL, Action.STOP)
        return (self.awaits.action,)

    @property
    def ability(self) -> Ability:
        """What the player can do whose turn it is."""
        return self.setup.abilities[self.turn]

    def player(self, seat: int) -> Player:
        """Who sits at `seat`."""
        return self.setup.players[seat]
