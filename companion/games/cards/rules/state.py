"""The state of a game as an immutable value: players, deck, pile, cards, and what is being settled.

Cards in hand are counted, never named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from companion.games.cards.rules.characters import CardAbility, CardCharacter
from companion.games.cards.rules.events import CardEvent
from companion.games.cards.rules.rulesets import CardRuleset
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.endings import Result
from companion.games.common.players import SetupError, check_players
from companion.games.common.roles import ROLES, Role

SHERIFF_BONUS = 1
"""The extra life points of the Sheriff."""


class CardPlayer(NamedTuple):
    """A player, the same for the whole game."""

    name: str
    """The name that they gave."""
    role: Role
    """Their secret role."""
    character: CardCharacter
    """Their character."""


def _worked_out() -> Any:
    return field(init=False, compare=False, repr=False)


@dataclass(frozen=True)
class CardSetup:
    """What is dealt before the first turn.

    Raises SetupError if the number of players, their names, roles or characters don't fit.
    """

    ruleset: CardRuleset
    """The ruleset that is played."""
    players: tuple[CardPlayer, ...]
    """The players, clockwise: the index is the seat."""

    # The other fields are worked out from these, once.
    roles: tuple[Role, ...] = _worked_out()
    """The role of each seat."""
    abilities: tuple[CardAbility, ...] = _worked_out()
    """The ability of each seat."""
    max_life: tuple[int, ...] = _worked_out()
    """The life points of each seat at the start, which are also the most it can have."""
    sheriff: int = _worked_out()
    """The seat of the Sheriff, who takes the first turn."""
    trader: int | None = _worked_out()
    """The seat that may discard two cards to regain a life point, if any."""
    drawer: int | None = _worked_out()
    """The seat that draws a card when it has none in hand, if any."""
    heir: int | None = _worked_out()
    """The seat that takes the cards of eliminated players, if any."""

    def __post_init__(self) -> None:
        players, count = self.players, len(self.players)
        if count not in self.ruleset.players:
            raise SetupError(f"{self.ruleset.id} is for {self.ruleset.numbers}, not {count}")
        names, roles, characters = zip(*players, strict=True)
        check_players(names, roles, [character.id for character in characters], ROLES[count])
        abilities = tuple([character.ability for character in characters])
        vars(self).update(
            roles=roles,
            abilities=abilities,
            max_life=tuple([_max_life(player) for player in players]),
            sheriff=roles.index(Role.SHERIFF),
            trader=_seat([has.trades_cards for has in abilities]),
            drawer=_seat([has.draws_when_empty for has in abilities]),
            heir=_seat([has.inherits for has in abilities]),
        )


def _max_life(player: CardPlayer) -> int:
    return player.character.life + (SHERIFF_BONUS if player.role is Role.SHERIFF else 0)


def _seat(able: Sequence[bool]) -> int | None:
    return able.index(True) if True in able else None


class TurnPhase(StrEnum):
    """How far a turn has come; the value is its name in records."""

    START = "start"
    """Dynamite and Jail are dealt with."""
    DRAW = "draw"
    """Cards are drawn."""
    PLAY = "play"
    """Cards are played."""


class OpenCard(NamedTuple):
    """A card that is being settled: somebody must flip, answer, or play their last Beer."""

    card: Title
    """The card, as it was played."""
    by: int | None
    """The seat that played it; None for Dynamite and Jail."""
    on: int
    """The seat whose flip, answer or last Beer is awaited."""
    needed: int
    """How many cards the answer still needs; 0 for the flip at the start of a turn."""
    barrels: int = 0
    """How many flips may still be made to avoid the shot."""
    answer: Title | None = None
    """The title that answers; None: only a flip does."""
    waiting: tuple[int, ...] = ()
    """The seats that the card hits afterwards, in order."""
    rival: int | None = None
    """The seat that must answer after `on`, in turns; None unless the card is a duel."""
    points: int = 0
    """How many life points the hit took that `on` is dying of; 0 while they aren't dying."""

    @property
    def cause(self) -> int | None:
        """The seat that causes the hit on `on`; None if nobody else does."""
        return None if self.by == self.on else self.by


Laid = Title | Sign | None
"""A card in the discard pile: its title, its sign if it was flipped, None if nobody named it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardState:
    """A moment of a game."""

    setup: CardSetup
    """What was dealt."""
    turn: int
    """The seat whose turn it is."""
    phase: TurnPhase
    """How far the turn has come."""
    bangs: int
    """How many BANG! cards were played on this turn."""
    deck: int
    """How many cards the deck has."""
    pile: tuple[Laid, ...]
    """The discard pile; the top card is the last one."""
    life: tuple[int, ...]
    """The life points of each seat; below 1 only while it is dying or after it is eliminated."""
    hands: tuple[int, ...]
    """How many cards each seat has in hand."""
    in_play: tuple[tuple[Title, ...], ...]
    """The cards in front of each seat, in the order in which they came to lie there."""
    living: tuple[int, ...]
    """The seats still in the game, ascending."""
    unseen: Mapping[Title, int]
    """How many copies of each title lie neither in play nor by title in the pile."""
    shown: tuple[Sign, ...]
    """The signs that were shown since the last shuffle."""
    open: OpenCard | None
    """The card that is being settled, if any."""
    result: Result | None
    """How the game ended; None until then."""
    log: Sequence[tuple[Any, ...]] = field(compare=False, repr=False)
    """The events of the last move, each as its class and fields: `events` builds them."""

    @property
    def events(self) -> tuple[CardEvent, ...]:
        """What the last move caused, in order, built from `log`."""
        return tuple(kind(*fields) for kind, *fields in self.log)

    @property
    def awaited(self) -> int | None:
        """The seat that must decide; None once the game is over."""
        if self.result:
            return None
        return self.open.on if self.open else self.turn

    @property
    def ability(self) -> CardAbility:
        """What the character of the player whose turn it is can do."""
        return self.setup.abilities[self.turn]

    def player(self, seat: int) -> CardPlayer:
        """Return the player at `seat`, as dealt."""
        return self.setup.players[seat]
