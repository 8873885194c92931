"""Finished games, step by step: the table as spectators saw it after each move."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from companion.games.common.texts import is_text
from companion.games.game import Game
from companion.table.history import (
    History,
    Moment,
    Retitled,
    Undone,
    UnreadableRecordError,
    read_record,
)
from companion.table.journal.saved import Person
from companion.table.scene import Environment, Phase, Scene, surface_of
from companion.table.surface.dice.state import DICE, Tray, TrayDie, TrayStatus
from companion.table.views import TableView, Viewer

MOST_LETTERS = 100
"""The most letters of a name in a record: it is shown on every page."""


@dataclass(frozen=True)
class Replay:
    """A game that can be watched again. Step 0 is its start; each move that counts adds one."""

    scene: Scene
    """The scene at its end, without people's phones."""

    @property
    def history(self) -> History:
        """The game."""
        assert self.scene.history is not None
        return self.scene.history

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.history.moments) - 1

    @cached_property
    def end(self) -> TableView:
        """The last step, with everything that happened, undone or not."""
        return Viewer().view(self.scene)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The first move of each turn."""
        moves = range(1, len(self.history.moments))
        return tuple(step for step in moves if step == 1 or self._begins(step))

    def _begins(self, step: int) -> bool:
        """Return whether a move is the first of its turn."""
        return self.turner(step) != self.turner(step - 1)

    def turn(self, step: int) -> int:
        """Return the number of the turn in which a step was made, from 1."""
        return max(1, sum(begin <= step for begin in self.turns))

    def turner(self, step: int) -> int:
        """Return the seat whose turn it was when a step was made."""
        return self.history.moments[max(0, step - 1)].standing.turn

    def has_picture(self, step: int) -> bool:
        """Return whether a step rolled dice that a camera saw."""
        moment = self.history.moments[step]
        rolled = moment.move is not None and self.history.game.rolled(moment.move)
        return bool(rolled) and any(die.place is not None for die in moment.lying)

    def correction(self, step: int) -> int:
        """Return the entry of the story, from 1, that named the card of a step last; 0 if none."""
        move, game = self.history.moments[step].move, self.history.game
        named = () if move is None else game.named(move)
        entries = enumerate(self.history.story, 1)
        return max(
            (
                number
                for number, entry in entries
                if isinstance(entry, Retitled) and entry.move == step and entry.after in named
            ),
            default=0,
        )

    def view(self, step: int, roles: bool = False) -> TableView:
        """Return the table after a step as spectators saw it, with the dice that it rolled.

        What was undone later is left out. roles: whether all roles are shown, which everybody knows
        by now. Raises IndexError if there is no such step.
        """
        history = self.history
        if not 0 <= step <= self.last:
            raise IndexError(f"there is no step {step}")
        kept = [
            (entry, status)
            for entry, status in zip(history.story, history.statuses, strict=True)
            if status.moves <= step
            and not status.undone
            and not isinstance(entry, Undone | Retitled)
        ]
        then = replace(
            history,
            moments=history.moments[: step + 1],
            story=tuple(entry for entry, _ in kept),
            statuses=tuple(status._replace(again=False) for _, status in kept),
            guesses=history.guesses if step == self.last else {},
            resumed=False,
        )
        view = Viewer().view(replace(self.scene, history=then, latest=step))
        if roles:
            view = replace(view, game=history.game.open_view(then.state))
        return _with_dice(view, history.game, then.moments[-1])


def from_record(record: bytes, games: Mapping[str, Game]) -> Replay:
    """Return the game of a record, over or not, to be watched. Raises UnreadableRecordError.

    games: by the name in the headers of their records.
    """
    found = open_replay(read_record(record.removesuffix(b"\n").split(b"\n"), games), games)
    for person in found.scene.people:
        if len(person.name) > MOST_LETTERS or not is_text(person.name):
            raise UnreadableRecordError(1, "a name that no page can show", None)
    return found


def open_replay(history: History, games: Mapping[str, Game]) -> Replay:
    """Return the game of a record, over or not, to be watched."""
    names = history.game.names(history.game.parse_header(history.moments[0].line.encode()))
    people = tuple(Person(seat + 1, name, None, False) for seat, name in enumerate(names))
    return replay(history, people, games)


def replay(history: History, people: tuple[Person, ...], games: Mapping[str, Game]) -> Replay:
    """Return a game to be watched again. people: who played it, by seat."""
    scene = Scene(
        version=0,
        code="",
        environment=Environment(games, history.selection),
        selection=history.selection,
        people=tuple(Person(person.id, person.name, None, False) for person in people),
        surface=surface_of(history.game),
        history=history,
    )
    return Replay(scene)


def finished(scene: Scene) -> Replay | None:
    """Return the game on the table if it is over; None while its roles are secret."""
    if scene.phase is not Phase.OVER or scene.history is None:
        return None
    return replay(scene.history, scene.people, scene.environment.games)


def _with_dice(view: TableView, game: Game, moment: Moment) -> TableView:
    """Return a view with the dice that a move rolled, or as they lay if it rolled none."""
    faces = None if moment.move is None else game.rolled(moment.move)
    if faces is None or moment.move is None:
        return replace(view, tray=_tray(view.lying, moment, range(0)), rolling=False)
    thrown = game.thrown(moment.move)
    # After a first roll no die was kept.
    again = len(thrown) < DICE
    return replace(
        view,
        tray=_tray(tuple(faces), moment, thrown),
        lying=tuple(faces),
        throwable=tuple(range(DICE)),
        rolling=again,
    )


def _tray(faces: tuple[str, ...], moment: Moment, thrown: "range | tuple[int, ...]") -> Tray:
    said = [die.said for die in moment.lying] if len(moment.lying) == len(faces) else []
    dice = tuple(
        TrayDie(face, thrown=number in thrown, sure=True, said=bool(said) and said[number])
        for number, face in enumerate(faces)
    )
    return Tray(TrayStatus.LYING, dice, len(dice))
