"""An evening with cards: a table whose players are dealt what a test says, and a watched pile."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evening import refusal
from people import join
from stand_ins import Dealer

from companion.base.refused import Problem
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.state import CardState
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.history import History
from companion.table.journal.journal import Journal
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import (
    PILE_MOVING,
    Pile,
    PileObservation,
    PileStatus,
    PileVerdict,
)
from companion.table.table import Table
from companion.table.views import TableView

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus")

CALM = ("kit_carlson", "rose_doolan", "bart_cassidy", "el_gringo", "suzy_lafayette")
"""Characters whose abilities ask nothing."""


class CardEvening:
    """A table with four to seven people, of whom some have phones."""

    def __init__(
        self,
        folder: Path,
        roles: str = "srood",
        characters: Sequence[str] = CALM,
        *,
        phones: int = 1,
        chance: random.Random | None = None,
    ) -> None:
        """roles: by their first letters, clockwise; phones: the first seats have one.

        chance: deals at random instead, to as many players.
        """
        self.chance = chance
        self.folder, self.pictures = folder, 0
        self.selection = CARD_GAME.select("base")
        self.roles, self.characters, self.phones = roles, tuple(characters), phones
        self.open()
        if not self.table.scene.people:
            self.sit(NAMES[: len(roles)])

    @classmethod
    def again(cls, folder: Path) -> "CardEvening":
        """Return an evening that was interrupted, whose host alone has a phone."""
        return cls(folder)

    def sit(self, names: Sequence[str]) -> None:
        """Let these people sit down."""
        for name in names[: self.phones]:
            join(self.table, name, self.table.scene.code)
        for name in names[self.phones :]:
            self.do(seats.add_person, name)

    def open(self) -> None:
        """Open the table on what was saved."""
        self.journal = Journal(self.folder)
        chance = self.chance or Dealer(self.roles, self.characters)
        self.table = Table(self.journal, GAMES, self.selection, chance=chance)

    def start(self, *, watched: bool = True) -> "CardEvening":
        """Start the game; watched: a camera watches the cards."""
        self.do(rounds.start_game)
        if watched:
            self.see(PileVerdict.NONE)
        return self

    def reopen(self) -> None:
        """Restart the table, as after a power cut."""
        self.journal.close()
        self.open()

    def close(self) -> None:
        """End the evening."""
        self.journal.close()

    # Looking

    @property
    def view(self) -> TableView:
        """What the host's phone sees."""
        return self.table.view(1)

    @property
    def pile(self) -> Pile:
        """The pile as everybody sees it."""
        return self.view.pile

    @property
    def status(self) -> PileStatus:
        """What the pile waits for."""
        return self.pile.status

    @property
    def last_move(self) -> CardMove | None:
        """The last move of the game; None before the first."""
        move: CardMove | None = self.history.moments[-1].move
        return move

    @property
    def owed(self) -> tuple[str | None, ...]:
        """The cards still to be laid that count as no move, without those who owe them."""
        return tuple(each.card for each in self.pile.owed)

    @property
    def state(self) -> CardState:
        """The state of the game."""
        state: CardState = self.history.state
        return state

    @property
    def history(self) -> History:
        """The game with all its moments."""
        assert self.table.scene.history is not None
        return self.table.scene.history

    @property
    def press(self) -> Press:
        """A press of the host on an up-to-date page."""
        return self.press_of(1)

    def press_of(self, person: int) -> Press:
        """Return a press of a person on an up-to-date page."""
        scene = self.table.scene
        return Press(person, scene.version, scene.reading)

    @property
    def lines(self) -> list[str]:
        """The record so far."""
        return self.history.record.splitlines()

    # What happens

    def do(self, change: Any, *said: Any, person: int = 1, **named: Any) -> None:
        """Press on an up-to-date page."""
        self.table.do(change, self.press_of(person), *said, **named)

    def refused(self, change: Any, *said: Any, person: int = 1, **named: Any) -> Problem:
        """Return why a press is refused."""
        return refusal(self.do, change, *said, person=person, **named)

    def see(self, verdict: PileVerdict, likely: Sequence[str] = (), sign: str = "") -> None:
        """Let something move, and the camera read what lies there then; `sign?`: an unsure one."""
        self.table.see(PILE_MOVING)
        self.pictures += 1
        seen = PileObservation(
            verdict,
            tuple(likely),
            sign.rstrip("?") or None,
            bool(sign) and not sign.endswith("?"),
            self.pictures,
        )
        self.table.see(seen)

    def lay(self, *titles: str, sign: str = "") -> None:
        """Lay cards in the tray, one after the other, whose titles are read without doubt."""
        for title in titles:
            self.see(PileVerdict.OK, [title], sign)

    def flip(self, *signs: str) -> None:
        """Flip cards onto the pile; only their signs are read."""
        for sign in signs:
            self.see(PileVerdict.UNSURE, [], sign)

    def tap(self, *made: CardMove, person: int = 0) -> None:
        """Decide on the phone of the seat, the host's if it has none, or that of `person`."""
        for move in made:
            own = move.seat + 1 if move.seat < self.phones else 1
            self.table.do(moves.move, self.press_of(person or own), move)

    def name(self, title: str) -> None:
        """Say which card was laid."""
        self.do(laying.name_title, title)

    def name_sign(self, sign: str) -> None:
        """Say suit and rank of the card that was flipped."""
        self.do(laying.name_sign, sign)

    def ignore(self) -> None:
        """Put aside what the camera claims to see."""
        self.do(laying.ignore)

    def ignore_owed(self) -> None:
        """Put aside that cards are still to be laid."""
        while self.owed:
            self.ignore()

    def lay_aside(self) -> None:
        """Say that the card that was laid was owed."""
        self.do(laying.count_as_owed)

    def draw(self) -> None:
        """Say that the next card is flipped."""
        self.do(laying.draw)

    def undo(self) -> None:
        """Undo the last move."""
        self.do(moves.undo)
