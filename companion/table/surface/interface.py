"""What the table asks of the tray, whether dice or cards lie in it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, NamedTuple, Self, TypeAlias, TypeVar

from companion.games.game import AnyMove, Correction, DeckDoubts, Game
from companion.table.history import History
from companion.table.surface.cards.state import LaidCard, Pile, PileObservation
from companion.table.surface.dice.state import Observation, Tray, TrayDie

_Shown = TypeVar("_Shown")

Seen: TypeAlias = Observation | PileObservation | None
"""An observation by the camera; None: it reads no cards from now on."""


class Signal(StrEnum):
    """What the status light shows."""

    OFF = "off"
    WAITING = "waiting"
    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    ILLEGAL = "illegal"
    ENDING = "ending"
    """The machine turns off; no scene has it."""


class TrayMove(NamedTuple):
    """A move, and what lay in the tray for it."""

    move: AnyMove
    """The move."""
    lying: tuple[TrayDie, ...]
    """Where the dice lie afterwards."""
    accepted: Observation | None = None
    """The camera's observation of the dice that it accepts; None if it accepts none."""
    corrected: tuple[Correction, ...] = ()
    """What players corrected in them."""
    cards: tuple[LaidCard, ...] = ()
    """The cards that lie there for it."""
    early: bool = False
    """Whether it was given before it was awaited."""


class EarlyAnswers(NamedTuple):
    """Decisions made before they are awaited, for one phone."""

    questions: Mapping[int, Any] = {}
    """What seats may decide early (`Game.question`), by seat."""
    given: Mapping[int, AnyMove] = {}
    """What seats decided early, by seat."""
    dropped: tuple[int, ...] = ()
    """The seats whose early answers no longer fitted after the last move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceView:
    """What everybody may see of the tray."""

    tray: Tray
    """The dice."""
    pile: Pile
    """The cards laid in the tray, and what they wait for."""
    deck_check: DeckDoubts | None = None
    """What is known of the real deck; None without one, and while it is far from being shuffled."""
    picked: frozenset[int] = frozenset()
    """The dice to throw next, if the table throws them."""
    wish: tuple[int, ...] = ()
    """The dice that a stand-in wants to be thrown again."""
    lying: tuple[str, ...] = ()
    """The faces accepted so far this turn; empty before the first roll and without a game."""
    throwable: tuple[int, ...] = ()
    """The dice that may be thrown now."""
    may_stop: bool = False
    """Whether rolling may be stopped now."""
    goes_on: bool = False
    """Whether dice may be thrown again once those that lie there are accepted."""
    by_hand: bool
    """Whether players, not a camera, enter the dice."""
    early: EarlyAnswers = field(default_factory=EarlyAnswers)
    """Decisions made on this phone before they are awaited."""


@dataclass(frozen=True)
class Surface(ABC, Generic[_Shown]):
    """What is known of the tray, as a value: by the camera, and by players.

    `shown` is what `show` returned for it and the game.
    """

    @abstractmethod
    def show(self, history: History | None) -> _Shown:
        """Return what everybody sees in the tray."""

    @abstractmethod
    def view(
        self, history: History | None, shown: _Shown, version: int, *, works: bool
    ) -> SurfaceView:
        """Return what pages see of it. works: whether the camera does."""

    def early_answers(self, history: History, seats: tuple[int, ...]) -> EarlyAnswers:
        """Return what the phone which decides for these seats may decide early, and has."""
        return EarlyAnswers()

    @abstractmethod
    def signal(self, history: History, shown: _Shown) -> Signal:
        """Return what the light shows in a running game."""

    # The camera

    @abstractmethod
    def watch(self, works: bool) -> Self:
        """Return what is known once a camera works, or none does any more."""

    @abstractmethod
    def observe(self, seen: Seen, history: History | None, shown: _Shown) -> Self:
        """Return what is known after an observation; itself if that is nothing new."""

    # The buttons, and what else moves the game

    @abstractmethod
    def green(self, history: History, shown: _Shown) -> TrayMove:
        """Return what the green button does. Raises Refused."""

    @abstractmethod
    def red(self, history: History, shown: _Shown) -> TrayMove:
        """Return what the red button does. Raises Refused."""

    def play(self, move: AnyMove, history: History, shown: _Shown) -> TrayMove:
        """Return a move from a phone. Raises Refused if something in the tray must come first."""
        return TrayMove(move, history.lying)

    @abstractmethod
    def follow_up(self, history: History) -> Self | TrayMove | None:
        """Return what follows by itself from what waits: a move, or that something waits no more.

        None if nothing does.
        """

    @abstractmethod
    def move_on(self, play: TrayMove, before: History, after: History) -> Self:
        """Return what is known after a move."""

    @abstractmethod
    def undo(self, left: History, history: History, shown: _Shown) -> Self:
        """Return what is known once only `left` is left of the game. Raises Refused."""

    @abstractmethod
    def reset(self) -> Self:
        """Return what is known once the game has moved otherwise."""

    def leave(self) -> Self:
        """Return what is known once the game is left: what lies there belongs to no other one."""
        return self.reset()

    def unwish(self) -> Self:
        """Return it without what a stand-in wants to be done."""
        return self

    # What is told, saved and learned

    def corrections(self, shown: _Shown) -> tuple[Correction, ...]:
        """Return what players corrected in what waits to be accepted."""
        return ()

    @property
    @abstractmethod
    def kept(self) -> object:
        """What must outlast a restart: equal values are saved alike."""

    @abstractmethod
    def facts(self, game: Game | None) -> Mapping[str, str]:
        """Return what a save contains of it, by name."""

    @abstractmethod
    def restore(self, name: str, text: str, history: History) -> Self:
        """Return it with a fact that was saved. Raises ValueError, KeyError or TypeError."""

    @abstractmethod
    def lessons(
        self, was: History, now: History, shown: _Shown
    ) -> Iterator[tuple[int, Sequence[Any]]]:
        """Yield what players named, with the number of the move that it was named for.

        was: the game as this surface had it; now: after a press.
        """


AnySurface: TypeAlias = Surface[Any]
