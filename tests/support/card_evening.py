"""An evening with cards: a table whose players are dealt what a test says, and a watched pile."""

import random
from collections.abc import Sequence
from pathlib import Path

from evening import Evening
from stand_ins import Dealer

from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.state import CardState
from companion.table import moves
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import (
    PILE_MOVING,
    Pile,
    PileObservation,
    PileStatus,
    PileVerdict,
)
from companion.table.views import TableView

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus")

CALM = ("kit_carlson", "rose_doolan", "bart_cassidy", "el_gringo", "suzy_lafayette",
        "willy_the_kid", "vulture_sam")  # fmt: skip
"""Characters whose abilities ask nothing."""


class CardEvening(Evening):
    """A table with four to seven people, of whom some have phones."""

    camera = None
    called = NAMES
    state: CardState

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
        self.pictures, self.phones = 0, phones
        dealer = chance or Dealer(roles, characters)
        super().__init__(folder, len(roles), phones, CARD_GAME.select("base"), chance=dealer)

    def start(self, *, watched: bool = True, **chosen: str) -> "CardEvening":
        """Start the game; watched: a camera watches the cards."""
        super().start(**chosen)
        if watched:
            self.see(PileVerdict.NONE)
        return self

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
    def lines(self) -> list[str]:
        """The record so far."""
        return self.history.record.splitlines()

    # What happens

    def see(self, verdict: PileVerdict, likely: Sequence[str] = (), sign: str = "") -> None:  # type: ignore[override]
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

    def tap(self, *made: CardMove) -> None:
        """Decide on the phone of the seat, the host's if it has none."""
        for move in made:
            own = move.seat + 1 if move.seat < self.phones else 1
            self.do(moves.move, move, by=own)

    def tap_last(self, move: CardMove) -> None:
        """Play a card on the phone of the seat, and say that it is the last one of the turn."""
        own = move.seat + 1 if move.seat < self.phones else 1
        self.do(laying.play_last, move, by=own)

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
