"""What statistics keep of a game, worked out by playing its record again."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol, TypeVar

from companion.games.common.events import TurnBegan


class SeatSummary(NamedTuple):
    """What a player did in a game."""

    name: str
    """The name in the record."""
    role: str
    """The role."""
    team: str
    """The side that this role wins with."""
    character: str
    """The character's id."""
    place: int
    """How many places after the first player they sat, clockwise."""
    won: bool
    """Whether they won; False in a game that was stopped."""
    alive: bool
    """Whether they were in the game at its end."""
    thrown: tuple[int, ...] = ()
    """How often each face came up among the dice that they threw; empty in a game without dice."""


class GameSummary(NamedTuple):
    """What statistics keep of a game."""

    kind: str
    """Which game it is, by the name in its records."""
    ruleset: str
    """The ruleset's id."""
    date: str
    """When it began, as in the record; empty if the record doesn't say."""
    side: str
    """The side that won; empty if the game was stopped before its end."""
    turns: int
    """How many turns began."""
    seats: tuple[SeatSummary, ...]
    """The players, by seat."""
    shots: Mapping[tuple[int, int], int]
    """How often a seat shot at another; a doubled shot counts twice."""
    digest: str
    """The same for the same deal with the same actions, whatever else the records say."""


class _Logged(Protocol):
    """A state of a game."""

    @property
    def log(self) -> Sequence[tuple[Any, ...]]:
        """The events of the last move, each as its class and fields."""


_State = TypeVar("_State", bound=_Logged)


def play_again(
    record: bytes, replay: Callable[[Iterable[bytes]], Iterator[_State]]
) -> tuple[_State, Sequence[tuple[Any, ...]], Sequence[bytes]]:
    """Return the last state of a record, the log of all its events, and its lines.

    replay: yields the state after each line. Raises RecordError, which names the first wrong line.
    """
    lines = record.removesuffix(b"\n").split(b"\n") if record else []
    state = None
    log: list[tuple[Any, ...]] = []
    for state in replay(lines):
        log += state.log
    assert state is not None
    return state, log, lines


def turns(log: Iterable[tuple[Any, ...]]) -> int:
    """Return how many turns began."""
    return sum(kind is TurnBegan for kind, *_ in log)


def digest(header: str, lines: Sequence[bytes]) -> str:
    """Return the digest of a record. header: its first line without date and version."""
    found = sha256(header.encode())
    for line in lines[1:]:
        found.update(b"\n" + line.strip())
    return found.hexdigest()
