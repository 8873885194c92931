"""The state of a game: values that never change; a move gives a new one (`rules.apply`)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.dicegame.characters import Ability, Character
from companion.dicegame.events import Cause, Event, Result
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


def _worked_out() -> Any:
    return field(init=False, compare=False, repr=False)


@dataclass(frozen=True)
class Setup:
    """What is dealt before the first turn. Players sit clockwise, seat = index.

    Raises SetupError where the number of players, their names, roles or characters are not
    as the ruleset asks, or house rules contradict each other.
    """

    ruleset: Ruleset
    players: tuple[Player, ...]
    house_rules: frozenset[HouseRule] = frozenset()

    # All that follows is worked out from these, once.
    roles: tuple[Role, ...] = _worked_out()
    """Roles by seat."""
    abilities: tuple[Ability, ...] = _worked_out()
    """Abilities by seat."""
    max_life: tuple[int, ...] = _worked_out()
    """Life points at the start, by seat: nobody ever has more."""
    arrow_takers: tuple[int, ...] = _worked_out()
    """Seats that may take arrows in place of hits."""
    arrow_discarders: tuple[int, ...] = _worked_out()
    """Seats that may put arrows back when hurt."""
    avengers: tuple[int, ...] = _worked_out()
    """Seats whose attacker takes an arrow."""
    fallen_keep_places: bool = _worked_out()
    """Whether players eliminated on this turn still count when distances are counted."""
    either_way: bool = _worked_out()
    """Whether places may be counted the long way round as well."""

    def __post_init__(self) -> None:
        self._check()
        players, house_rules = self.players, self.house_rules
        abilities = tuple([player.character.ability for player in players])
        keep = self.ruleset.fallen_keep_places or HouseRule.FALLEN_KEEP_PLACES in house_rules
        vars(self).update(
            roles=tuple([player.role for player in players]),
            abilities=abilities,
            max_life=tuple([_max_life(player) for player in players]),
            arrow_takers=_seats([has.takes_arrows_for_hits for has in abilities]),
            arrow_discarders=_seats([has.discards_when_hurt for has in abilities]),
            avengers=_seats([has.arrow_for_attacker for has in abilities]),
            fallen_keep_places=keep and HouseRule.FALLEN_LEAVE_PLACES not in house_rules,
            either_way=HouseRule.PLACES_EITHER_WAY in house_rules,
        )

    def _check(self) -> None:
        players, count = self.players, len(self.players)
        if count not in self.ruleset.players:
            raise SetupError(f"{self.ruleset.id} is for {self.ruleset.numbers}, not {count}")
        if "" in (names := {player.name for player in players}):
            raise SetupError("a player has no name")
        if len(names) < count:
            raise SetupError("two players have the same name")
        if len({player.character.id for player in players}) < count:
            raise SetupError("two players have the same character")
        if sorted([player.role for player in players]) != sorted(ROLES[count]):
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


def _max_life(player: Player) -> int:
    return player.character.life + (SHERIFF_BONUS if player.role is Role.SHERIFF else 0)


def _seats(able: Sequence[bool]) -> tuple[int, ...]:
    return tuple([seat for seat, is_able in enumerate(able) if is_able])


class Awaits(NamedTuple):
    """Whose decision the game waits for, and which (`ROLL`: from the second roll on, or `STOP`)."""

    seat: int
    action: Action


class Damage(NamedTuple):
    """A damage event that waits for an answer: what hits, and the seats, once for each hit."""

    cause: Cause
    hits: tuple[int, ...]


class Aside(NamedTuple):
    """What must be remembered until the turn ends: mostly nothing.

    fallen: seats eliminated on this turn; beer_spent: a beer doubled a shot; avenged: whoever hit
    El Gringo took an arrow for it; damage: only while somebody answers a hit.
    """

    fallen: tuple[int, ...] = ()
    beer_spent: bool = False
    avenged: bool = False
    damage: Damage | None = None


NOTHING = Aside()
"""Nothing to remember."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A moment of a game.

    setup: what was dealt; turn: whose turn it is; rolls: rolls made this turn; hand: the dice;
    life, arrows: by seat; living: seats still in the game, ascending; aside: what else must be
    remembered; awaits: None once the game is over; result: None until then; log: the events of the
    move that led here, each as its kind and fields, for `events`.
    """

    setup: Setup
    turn: int
    rolls: int
    hand: Hand
    life: tuple[int, ...]
    arrows: tuple[int, ...]
    living: tuple[int, ...]
    aside: Aside
    awaits: Awaits | None
    result: Result | None
    log: Sequence[tuple[Any, ...]] = field(compare=False, repr=False)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened on the way here from the state before, in this order."""
        return tuple(kind(*fields) for kind, *fields in self.log)

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
