"""An evening: people at a table, whose phones press on pages that are up to date."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from people import claim_seat, join
from stand_ins import Die, dice_game, reading

from companion.base.refused import Problem, Refused
from companion.games.game import Selection
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press, claim_of, person_of
from companion.table.history import History
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from companion.table.table import Table

HOST = 0
"""In the place of a person: whose phone it is that leads the table."""

PLAIN = ("arrow", "beer", "gatling", "arrow", "beer")


def dice(*faces: str, y: float = 100.0) -> list[Die]:
    """Dice in a row."""
    return [Die(face, 100.0 * place, y) for place, face in enumerate(faces, start=1)]


def refusal(act: Callable[..., object], *arguments: Any, **named: Any) -> Problem:
    """Why something is refused."""
    with pytest.raises(Refused) as caught:
        act(*arguments, **named)
    return caught.value.problem


class Evening:
    """A table with `people`, P0 and so on; the first `phones` of them hold phones."""

    camera: CameraStatus | None = CameraStatus("test")
    called: Sequence[str] = [f"P{number}" for number in range(8)]
    games = GAMES

    def __init__(
        self,
        folder: Path,
        people: int = 4,
        phones: int | None = None,
        selection: Selection | None = None,
        **options: Any,
    ) -> None:
        """selection: the game, by default that with dice; options: of the table."""
        self.folder, self.options = folder, options
        self.selection = selection or dice_game()
        self.open()
        self.tokens: list[str] = []
        if not self.table.scene.people:
            phones = people if phones is None else min(phones, people)
            code = self.table.scene.code
            self.tokens = [join(self.table, name, code) for name in self.called[:phones]]
            for name in self.called[phones:people]:
                self.do(seats.add_person, name)

    def open(self) -> None:
        """Open the table on what was saved."""
        self.journal = Journal(self.folder)
        options = {"chance": random.Random(7)} | self.options
        self.table = Table(self.journal, self.games, self.selection, **options)
        if self.camera:
            self.table.watch(self.camera)

    def close(self) -> None:
        """Close the table."""
        self.journal.close()

    def reopen(self) -> None:
        """Restart the table, as after a power cut."""
        self.close()
        self.open()

    # Looking

    @property
    def view(self) -> Any:
        """What the table's own page shows."""
        return self.table.view()

    @property
    def history(self) -> History:
        """The game with all its moments."""
        assert self.table.scene.history is not None
        return self.table.scene.history

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.history.state

    @property
    def version(self) -> int:
        return self.view.version

    @property
    def game(self) -> Any:
        return self.view.game

    @property
    def turn(self) -> int:
        return self.game.turn

    @property
    def status(self) -> Any:
        """What is said of the dice."""
        return self.view.tray.status

    @property
    def host(self) -> int | None:
        return next((person.id for person in self.view.people if person.host), None)

    @property
    def names(self) -> list[str]:
        return [person.name for person in self.view.people]

    def holder(self, token: str) -> int | None:
        return person_of(self.table.scene, token)

    def person(self, seat: int) -> int:
        return self.view.people[seat].id

    # What happens

    def start(self, **chosen: str) -> "Evening":
        """Choose how games are dealt, and start one."""
        self.choose(**chosen)
        self.do(rounds.start_game)
        return self

    def choose(self, **chosen: str) -> None:
        """Choose how games are dealt."""
        for option, value in chosen.items():
            self.do(rounds.choose, option, value)

    def press(self, by: int | None = HOST) -> Press:
        """A press on a page that is up to date; by: a person, None without a seat."""
        return Press(self.host if by == HOST else by, self.version, self.view.reading)

    def do(self, change: Any, *said: Any, by: int | None = HOST, **named: Any) -> None:
        self.table.do(change, self.press(by), *said, **named)

    def refused(self, change: Any, *said: Any, by: int | None = HOST, **named: Any) -> Problem:
        """Why a press is refused."""
        return refusal(self.do, change, *said, by=by, **named)

    def undo(self) -> None:
        """Undo the last move."""
        self.do(moves.undo)

    def see(self, verdict: Any, *seen: Die) -> None:
        """Let the camera see dice."""
        self.table.see(reading(verdict, seen))

    def roll(self, *faces: str, y: float = 100.0) -> None:
        """Throw what the camera reads, and accept it."""
        self.see("ok", *dice(*faces, y=y))
        self.table.press_green()
        assert self.view.notice == ""

    def correct(self, number: int, face: str) -> None:
        """Say what a die shows."""
        self.do(rolling.mark, number, TrayMark(face))

    def claim(self, person: int, before: str = "") -> tuple[str, int]:
        """Ask for a seat on a new phone; return its secret and the number of the question."""
        token = claim_seat(self.table, person, self.table.scene.code, before)
        return token, claim_of(self.table.scene, token).number
