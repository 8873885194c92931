"""What the table asks of the tray, whether dice or cards lie in it."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeAlias, TypeVar

from companion.base import codec
from companion.base.refused import Message, Problem, Refused
from companion.games.game import AnswerRules, AnyMove, AnyState, Correction, DeckDoubts, Game
from companion.table.history import History
from companion.table.surface.cards.state import LaidCard, Pile, PileObservation
from companion.table.surface.dice.state import Tray, TrayDie, TrayObservation

_Shown = TypeVar("_Shown")

Seen: TypeAlias = TrayObservation | PileObservation | None
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
    accepted: TrayObservation | None = None
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
    passes: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The seats whose card each answer may have been, by the number of its move: they passed."""
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

    @abstractmethod
    def signal(self, history: History, shown: _Shown) -> Signal:
        """Return what the light shows in a running game."""

    # The camera

    def read_last(self) -> int:
        """Return the number of the picture read last; 0 where the light's colour tells of it."""
        return 0

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


@dataclass(frozen=True)
class EarlySurface(Surface[_Shown]):
    """A tray, or none, of a game in which one card may ask several seats."""

    answer_awaited: ClassVar[Message]
    """What to do while the turn can't end because an answer is awaited."""
    rules: AnswerRules
    """How they answer."""
    early: Mapping[int, AnyMove] = field(default_factory=dict)
    """Answers that seats gave before they were awaited, by seat."""
    dropped: frozenset[int] = frozenset()
    """The seats whose early answers no longer fitted after the last move."""

    def green(self, history: History, shown: _Shown) -> TrayMove:
        """End the turn, if no card must be chosen for it. Raises Refused."""
        move = self.rules.ending(history.state)
        if move is None:
            reason = Message("the turn can’t end now")
            if self.rules.passing(history.state) is not None:
                reason = self.answer_awaited
            raise Refused(Problem.ILLEGAL, reason)
        return self.play(move, history, shown)

    def red(self, history: History, shown: _Shown) -> TrayMove:
        """Pass for the seat that must answer. Raises Refused."""
        move = self.rules.passing(history.state)
        if move is None:
            raise Refused(Problem.ILLEGAL, "there is nothing to pass on now")
        return self.play(move, history, shown)

    def early_answers(self, history: History, seats: tuple[int, ...]) -> EarlyAnswers:
        """Return what these seats may answer early, and what they have answered."""
        return EarlyAnswers(
            questions={
                seat: history.game.question(asking)
                for seat, asking in self.later(history).items()
                if seat in seats and seat not in self.early
            },
            given={seat: move for seat, move in self.early.items() if seat in seats},
            dropped=tuple(sorted(self.dropped & set(seats))),
        )

    def later(self, history: History) -> Mapping[int, AnyState]:
        """Return the seats that are asked later, in order, each as if it were awaited."""
        return dict(list(self.rules.answerers(history.state).items())[1:])

    def give_early(self, move: AnyMove, history: History) -> Self:
        """Return it with the answer of a seat that will be asked later. Raises Refused."""
        rules, seat = self.rules, move.seat
        asking = self.later(history).get(seat)
        if asking is None:
            raise Refused(Problem.ILLEGAL, "this player isn’t asked now")
        if move != rules.passing(asking) and not rules.plays_card(move):
            raise Refused(Problem.ILLEGAL, "only a card, or passing, can be an early answer")
        if (reason := history.game.check(asking, move)) is not None:
            raise Refused(Problem.ILLEGAL, reason)
        return replace(self, early={**self.early, seat: move}, dropped=self.dropped - {seat})

    def forget(self, seat: int, *, dropped: bool) -> Self:
        """Return it without a seat's early answer. dropped: whether that no longer fits."""
        return replace(
            self,
            early={other: move for other, move in self.early.items() if other != seat},
            dropped=self.dropped | {seat} if dropped else self.dropped,
        )

    def answer(self, history: History) -> Self | TrayMove | None:
        """Return the awaited seat's early answer; without it, if it no longer fits."""
        if not self.early:
            return None
        answerers = self.rules.answerers(history.state)
        for seat, move in self.early.items():
            if seat not in answerers:
                return self.forget(seat, dropped=self.rules.plays_card(move))
        awaited = next(iter(answerers), None)
        if awaited is None or awaited not in self.early:
            return None
        move = self.early[awaited]
        if history.game.check(history.state, move) is not None:
            return self.forget(awaited, dropped=True)
        return self.play_early(move, history)

    @abstractmethod
    def play_early(self, move: AnyMove, history: History) -> TrayMove:
        """Return the move of an early answer whose turn has come."""

    def after_answer(self, play: TrayMove) -> Self:
        """Return it after a move: without that answer, if the move is an early one."""
        if not play.early:
            return replace(self, dropped=frozenset())
        return self.forget(play.move.seat, dropped=False)

    def reset(self) -> Self:
        """Return it without early answers, which are dropped."""
        return replace(self, early={}, dropped=frozenset(self.early))

    def leave(self) -> Self:
        """Return it once the game is left: nobody is asked again in another one."""
        return replace(self.reset(), dropped=frozenset())

    def facts(self, game: Game | None) -> Mapping[str, str]:
        """Return the early answers."""
        early = [[seat, game.move_line(move)] for seat, move in self.early.items()] if game else []
        return {"early": json.dumps(early) if early else ""}

    def restore(self, name: str, text: str, history: History) -> Self:
        """Return it with the early answers."""
        if name != "early":
            raise ValueError("nothing of this name is kept")
        said = codec.read(dict[int, str], json.loads(text))
        early = {seat: history.game.parse_move(line.encode()) for seat, line in said.items()}
        later = self.later(history)
        if not all(seat in later and move.seat == seat for seat, move in early.items()):
            raise ValueError("nobody asks for this answer")
        return replace(self, early=early)


AnySurface: TypeAlias = Surface[Any]
