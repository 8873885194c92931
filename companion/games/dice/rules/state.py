"""The state of a game: an immutable value; each move returns a new one (`rules.apply`)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.games.common.endings import Result
from companion.games.common.players import SetupError, check_players
from companion.games.dice.rules.characters import Ability, Character
from companion.games.dice.rules.events import Cause, Event
from companion.games.dice.rules.faces import Dice
from companion.games.dice.rules.hand import Hand
from companion.games.dice.rules.house import CONTRADICTORY, HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.roles import OPEN_ROLES, ROLES, Role, first_role
from companion.games.dice.rules.rulesets import Ruleset

ARROWS = 9
"""How many arrows the game has."""

SHERIFF_BONUS = 2
"""The extra life points of the Sheriff."""


class Player(NamedTuple):
    """A player, the same for the whole game."""

    name: str
    """The name that they gave."""
    role: Role
    """Their secret role."""
    character: Character
    """Their character."""


def _worked_out() -> Any:
    return field(init=False, compare=False, repr=False)


@dataclass(frozen=True)
class Setup:
    """What is dealt before the first turn.

    Raises SetupError if the number of players, their names, roles or characters don't fit the
    ruleset, or if house rules contradict each other.
    """

    ruleset: Ruleset
    """The ruleset that is played."""
    players: tuple[Player, ...]
    """The players, clockwise: the index is the seat."""
    house_rules: frozenset[HouseRule] = frozenset()
    """The house rules that are on."""

    # The other fields are worked out from these, once.
    roles: tuple[Role, ...] = _worked_out()
    """The role of each seat."""
    abilities: tuple[Ability, ...] = _worked_out()
    """The ability of each seat."""
    max_life: tuple[int, ...] = _worked_out()
    """The life points of each seat at the start, which are also the most it can have."""
    arrow_takers: tuple[int, ...] = _worked_out()
    """The seats that may take arrows instead of losing life points."""
    arrow_discarders: tuple[int, ...] = _worked_out()
    """The seats that may put arrows back after losing life points."""
    avengers: tuple[int, ...] = _worked_out()
    """The seats whose attacker takes an arrow."""
    fallen_keep_places: bool = _worked_out()
    """Whether players eliminated on the current turn still count when distances are counted."""
    either_way: bool = _worked_out()
    """Whether distances may also be counted the long way round."""

    def __post_init__(self) -> None:
        players, house_rules, count = self.players, self.house_rules, len(self.players)
        if count not in self.ruleset.players:
            raise SetupError(f"{self.ruleset.id} is for {self.ruleset.numbers}, not {count}")
        names, roles, characters = zip(*players, strict=True)
        check_players(names, roles, [character.id for character in characters], ROLES[count])
        if house_rules >= CONTRADICTORY:
            raise SetupError(f"{' and '.join(sorted(CONTRADICTORY))} contradict each other")
        abilities = tuple([character.ability for character in characters])
        keep = self.ruleset.fallen_keep_places or HouseRule.FALLEN_KEEP_PLACES in house_rules
        vars(self).update(
            roles=roles,
            abilities=abilities,
            max_life=tuple([_max_life(player) for player in players]),
            arrow_takers=_seats([has.takes_arrows_for_hits for has in abilities]),
            arrow_discarders=_seats([has.discards_when_hurt for has in abilities]),
            avengers=_seats([has.arrow_for_attacker for has in abilities]),
            fallen_keep_places=keep and HouseRule.FALLEN_LEAVE_PLACES not in house_rules,
            either_way=HouseRule.PLACES_EITHER_WAY in house_rules,
        )

    @property
    def roles_open(self) -> bool:
        """Whether all roles are open from the start."""
        return len(self.players) == OPEN_ROLES

    @property
    def first(self) -> int:
        """The seat that takes the first turn."""
        return self.roles.index(first_role(len(self.players)))


def _max_life(player: Player) -> int:
    return player.character.life + (SHERIFF_BONUS if player.role is Role.SHERIFF else 0)


def _seats(able: Sequence[bool]) -> tuple[int, ...]:
    return tuple([seat for seat, is_able in enumerate(able) if is_able])


class Awaits(NamedTuple):
    """The decision that the game waits for."""

    seat: int
    """The seat that decides."""
    action: Action
    """The kind of decision. After the first roll of a turn, `ROLL` also allows `STOP`."""


class Damage(NamedTuple):
    """Hits that wait for the decision of somebody who was hit."""

    cause: Cause
    """What hits."""
    hits: tuple[int, ...]
    """The seats, once for each hit."""


class Aside(NamedTuple):
    """What must be remembered until the turn ends; usually nothing."""

    fallen: tuple[int, ...] = ()
    """The seats eliminated on this turn."""
    beer_spent: bool = False
    """Whether a beer was spent to double a shot."""
    avenged: bool = False
    """Whether the player whose turn it is has taken an arrow for hitting El Gringo."""
    damage: Damage | None = None
    """The hits that wait for a decision; None at any other time."""


NOTHING = Aside()
"""There is nothing to remember."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A moment of a game."""

    setup: Setup
    """What was dealt."""
    turn: int
    """The seat whose turn it is."""
    rolls: int
    """How many rolls were made this turn."""
    hand: Hand
    """The dice and what they add up to."""
    life: tuple[int, ...]
    """The life points of each seat."""
    arrows: tuple[int, ...]
    """The arrows of each seat."""
    living: tuple[int, ...]
    """The seats still in the game, ascending."""
    aside: Aside
    """What else must be remembered until the turn ends."""
    awaits: Awaits | None
    """The decision that the game waits for; None once the game is over."""
    result: Result | None
    """How the game ended; None until then."""
    log: Sequence[tuple[Any, ...]] = field(compare=False, repr=False)
    """The events of the last move, each as its class and fields: `events` builds them."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last move caused, in order."""
        return tuple(kind(*fields) for kind, *fields in self.log)

    @property
    def dice(self) -> Dice:
        """The five faces; empty before the first roll."""
        return self.hand.dice

    @property
    def pile(self) -> int:
        """How many arrows nobody holds."""
        return ARROWS - sum(self.arrows)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The kinds of moves that the deciding seat can choose from."""
        if self.awaits is None:
            return ()
        if self.awaits.action is Action.ROLL and self.rolls:
            return (Action.ROLL, Action.STOP)
        return (self.awaits.action,)

    @property
    def ability(self) -> Ability:
        """The ability of the player whose turn it is."""
        return self.setup.abilities[self.turn]

    def player(self, seat: int) -> Player:
        """Return the player at `seat`."""
        return self.setup.players[seat]
