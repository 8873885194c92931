"""What the table needs to know about a game: the one interface that every game meets.

The table knows seats, dealing, undo, saving and phones. What a state holds, which moves there are
and what is said of them belongs to the game: the table hands those values on without looking into
them. A game is pure: it rolls no dice, reads no clock and keeps nothing between calls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

Setup = Any
"""What is dealt before the first turn; a value of the game that never changes."""

State = Any
"""A moment of a game; a value of the game that never changes. Equal states are the same moment."""

Event = Any
"""Something that happened and that everybody may know.

`str()` tells it where a game has no pages of its own.
"""

Reason = Any
"""Why a move is illegal. `str()` tells it in the names of the record."""


Move = Any
"""A decision of one seat, as plain data, with `seat` (whose it is) and `action` (its kind's name in
records).
"""


class AnyRuleset(Protocol):
    """One way to play a game."""

    @property
    def id(self) -> str:
        """Its name in records and settings."""

    @property
    def language(self) -> str:
        """The language in which it is shown unless somebody asks for another."""

    @property
    def players(self) -> range:
        """How many may play."""


class RecordOrigin(NamedTuple):
    """Where a record comes from."""

    companion: str
    """The version of the product that writes it."""
    date: str
    """When the game began: a time in UTC, `2026-11-22T19:30:00Z`."""


class Deck(NamedTuple):
    """The secret roles and the characters that are dealt to a number of players."""

    roles: tuple[str, ...] = ()
    """A role for each player; empty where the game has none."""
    role_kinds: tuple[str, ...] = ()
    """The same roles, each once, in the order in which players choose from them."""
    first_role: str = ""
    """The role that takes the first turn."""
    characters: tuple[str, ...] = ()
    """The characters to deal from; empty where the game has none."""


class Outcome(NamedTuple):
    """How a game ended."""

    side: str
    """The side that won."""
    winners: tuple[int, ...]
    """Its seats, ascending."""


class Standing(NamedTuple):
    """Where a game stands, as far as the table must know. All of it is public."""

    turn: int
    """The seat whose turn it is; once the game is over, whose turn it was."""
    awaited: int | None
    """The seat that must decide; None once the game is over."""
    rolling: bool
    """Whether the decision is made by throwing dice or stopping."""
    alive: tuple[bool, ...]
    """By seat, whether the player is still in the game."""
    outcome: Outcome | None
    """How the game ended; None while it runs."""


class Odds(NamedTuple):
    """How often each side won when a game was played on by chance."""

    shares: Mapping[str, float]
    """By side, its share of the games; the sides that can win, in their order."""
    games: int
    """How many games were played."""


class Named(Protocol):
    """A character, as players read it."""

    @property
    def name(self) -> str:
        """What the character is called."""


class GameTerms(Protocol):
    """The words of a game in one language, as far as every game has them."""

    @property
    def faces(self) -> Mapping[Any, str]:
        """The names of the faces, in the order in which players choose from them."""

    @property
    def roles(self) -> Mapping[Any, str]:
        """The names of the roles; empty where the game has none."""

    @property
    def characters(self) -> Mapping[str, Named]:
        """The characters by id; empty where the game has none."""

    @property
    def sides(self) -> Mapping[Any, str]:
        """The names of the sides that can win."""

    def goal(self, role: Any, players: int) -> str:
        """Return what a role is after in a game of so many players."""

    def number(self, count: int) -> str:
        """Return a number in a word, as it stands before a noun; a large one in digits."""

    def listed(self, things: Sequence[str]) -> str:
        """Return things as a list: `a, b and c`."""


class DiceRules(Protocol):
    """How a game is played with the dice in the tray."""

    def faces(self) -> Sequence[str]:
        """Return the names of the faces."""

    def lying(self, state: State) -> Sequence[str]:
        """Return the faces accepted so far this turn; empty before the first roll."""

    def throwable(self, state: State) -> tuple[int, ...]:
        """Return the dice that may be thrown now, by number."""

    def check_throw(self, state: State, die: int) -> Reason | None:
        """Return why a die may not be thrown now; None if it may."""

    def fixed_faces(self, state: State) -> frozenset[str]:
        """Return the faces that stay: a die that shows one may not be thrown again."""

    def roll(self, seat: int, faces: Sequence[str], thrown: tuple[int, ...] | None) -> Move:
        """Return the move of a roll: all dice as they lie, and which were thrown (None: all)."""

    def stop(self, seat: int) -> Move:
        """Return the move that ends the rolling."""

    def rolled(self, move: Move) -> Sequence[str] | None:
        """Return the faces that a move rolled; None for any other move."""


class Game(Protocol):
    """A game. Its methods are pure functions."""

    @property
    def record_name(self) -> str:
        """What the headers of its records name it."""

    @property
    def rulesets(self) -> Mapping[str, AnyRuleset]:
        """All ways to play it, by id."""

    @property
    def dice(self) -> DiceRules:
        """How its dice are thrown."""

    # Before the game

    def deck(self, ruleset: AnyRuleset, players: int) -> Deck:
        """Return what is dealt to so many players."""

    def setup(self, selection: "Selection", seats: "Sequence[Seat]") -> Setup:
        """Return the game that was dealt. Raises ValueError where that can't be played."""

    def selection(self, setup: Setup) -> "Selection":
        """Return by which rules a game is played."""

    # The game

    def start(self, setup: Setup) -> State:
        """Return the state before the first decision."""

    def check(self, state: State, move: Move) -> Reason | None:
        """Return why a move is illegal; None if it is legal."""

    def apply(self, state: State, move: Move) -> State:
        """Return the state after a move. Raises ValueError if it is illegal."""

    def only_move(self, state: State) -> Move | None:
        """Return the move if all that is legal comes to the same, so that nobody need be asked."""

    # What is known of it

    def standing(self, state: State) -> Standing:
        """Return where the game stands."""

    def events(self, state: State) -> tuple[Event, ...]:
        """Return what the last move brought about, in order."""

    def public_view(self, state: State) -> Any:
        """Return what everybody may see, for the game's own pages. It must hold no secret."""

    def question(self, state: State) -> Any:
        """Return what is to be decided now, for the game's own pages; None once it is over."""

    def roles(self, state: State) -> tuple[str, ...]:
        """Return all roles by seat. This is the game's secret."""

    def sides(self, players: int) -> tuple[str, ...]:
        """Return the sides that can win a game of so many players."""

    # The record

    def header_line(self, setup: Setup, origin: RecordOrigin) -> str:
        """Return the first line of the record, without its end."""

    def parse_header(self, line: bytes) -> Setup:
        """Read the first line of a record. Raises ValueError."""

    def move_line(self, move: Move) -> str:
        """Return a move as a line of the record, without its end."""

    def parse_move(self, line: bytes) -> Move:
        """Read a line of a record. Raises ValueError."""

    # What is said of it

    def terms(self, ruleset: AnyRuleset, language: str) -> "GameTerms":
        """Return the names of its things in a language, and what else its own pages say."""


class Seat(NamedTuple):
    """What is dealt to a player."""

    name: str
    """The player's name."""
    role: str
    """Empty where the game deals no roles."""
    character: str
    """Empty where the game deals no characters."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which game is played, and how."""

    game: Game
    """The game."""
    ruleset: AnyRuleset
    """One of the game's rulesets."""
    house_rules: frozenset[str] = frozenset()
    """The rulings that this table plays differently."""
