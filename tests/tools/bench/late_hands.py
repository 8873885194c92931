"""Card games by hands that are late: what a card counts as, and how often somebody is asked.

    python -m tests.tools.bench.late_hands [--games N] [--late SHARE]

The hands of `real_cards` lay what is owed at once. These don't. Each card that is owed (beyond the
limit, hit by Cat Balou, of an eliminated player) is late with a chance of `--late`, and then lies
there only after one to three more cards or taps of others. Sid Ketchum's two are not: laying them
is how Sid says it. While Gatling or
Indians! ask several players, one of them who isn't awaited throws a card in first with a chance of
one half. Cards are read surely: what is measured is what the table makes of them, not the reader.
People answer every question truly. A game ends with the first card that counts for the wrong seat
or as the wrong thing although nobody was asked, which is what must never happen.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from card_rooms import ToldRoom
from real_cards import Card, RealCards

from companion.games.cards.laid import LAID_CARD_RULES as RULES
from companion.games.cards.rules.claims import answers, flips
from companion.games.cards.rules.events import Occasion
from companion.games.cards.rules.moves import CardMove, Play
from companion.games.cards.rules.state import CardState
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus
from companion.table.surface.cards.surface import CardSurface
from tests.tools.bench.machine import machine


class WrongError(Exception):
    """A card counted as something that it wasn't, and nobody was asked."""


class RefusedError(Exception):
    """The table takes a card for impossible, and says so: some count went wrong before."""


class LateHands(RealCards):
    """People who are late now and then."""

    def __init__(self, room: ToldRoom, chance: random.Random, late: float) -> None:
        self.late = late
        self.waiting: list[tuple[int, Card]] = []
        self.punctual = False
        self.thrown: dict[int, Card] = {}
        super().__init__(room, chance)

    @property
    def moments(self) -> int:
        history = self.room.history
        return len(history.moments)

    def check(self) -> None:
        """Hold what is held against what the companion counts, but for cards thrown in early."""
        held = [len(hand) + (seat in self.surface.early) for seat, hand in enumerate(self.hands)]
        assert held == list(self.room.state.hands)

    @property
    def surface(self) -> CardSurface:
        found = self.room.table.scene.surface
        assert isinstance(found, CardSurface)
        return found

    def decide(self, state: CardState) -> None:
        self.let_late_ones_lie()
        later = list(RULES.answerers(state).items())[1:]
        if later and self.chance.random() < 0.5:
            self.throw_in(later)
        super().decide(self.room.state)

    def discards_later(self) -> bool:
        # Who knows that they will be late doesn't say that they discard now.
        return self.chance.random() < self.late or bool(self.room.pile.owed)

    def throw_in(self, others: Sequence[tuple[int, CardState]]) -> None:
        """Let one of the others lay an answer before it is their turn."""
        found = [
            (seat, title)
            for seat, asking in others
            if seat not in self.surface.early
            for title in answers(asking)
            if self.holds(seat, title)
        ]
        if not found:
            return
        seat, title = self.chance.choice(found)
        self.thrown[seat] = self.take_from_hand(seat, title)
        self.lie(self.thrown[seat])
        if seat in self.surface.early:
            # Nobody else can have laid it.
            return
        if not any(move.seat == seat for move in self.room.pile.others):
            raise WrongError(f"{title} of seat {seat} counted as {self.room.last_move}")
        self.touches["asked whose"] += 1
        self.room.do(laying.say_whose, seat)

    def made(self, move: CardMove, before: CardState) -> None:
        """Follow all moves since; early answers are made by themselves."""
        history = self.room.history
        if self.followed == self.moments or history.moments[self.followed].move != move:
            raise WrongError(f"{move} counted as something else")
        self.carry_out(move)

    def discard(self, seat: int, count: int, occasion: Occasion) -> None:
        self.punctual = occasion is Occasion.ABILITY
        super().discard(seat, count, occasion)
        self.punctual = False

    def flip(self, state: CardState) -> None:
        """Flip cards, and say so; an early answer may follow at once."""
        for _ in range(flips(state)):
            self.flip_one()
        if self.room.pile.status is PileStatus.CHOOSE:
            self.touches["choices"] += 1
            self.room.tap(cast(CardMove, self.room.pile.moves[0]))
        history = self.room.history
        if self.room.pile.status is PileStatus.ILLEGAL:
            raise RefusedError
        if self.followed == self.moments:
            raise WrongError(f"a flip was swallowed after {self.room.last_move}")
        self.made(cast(CardMove, history.moments[self.followed].move), state)

    def put_aside(self, card: Card) -> None:
        if not self.punctual and self.chance.random() < self.late:
            self.waiting.append((self.chance.randint(1, 3), card))
        else:
            self.lie_aside(card)

    def let_late_ones_lie(self, all_of_them: bool = False) -> None:
        there = [card for left, card in self.waiting if left <= 1 or all_of_them]
        self.waiting = [(left - 1, card) for left, card in self.waiting if left > 1]
        self.waiting = [] if all_of_them else self.waiting
        for card in there:
            self.lie_aside(card)

    def lie_aside(self, card: Card) -> None:
        """Lay a card that is no move; say so where that is asked."""
        before = self.moments
        self.lie(card)
        if self.moments != before:
            raise WrongError(f"{card[0]}, laid aside, counted as {self.room.last_move}")
        if self.room.pile.may_be_owed:
            self.touches["asked whether owed"] += 1
            self.room.lay_aside()

    def put(self, card: Card) -> None:
        self.let_late_ones_lie()
        self.lie(card)

    def lie(self, card: Card) -> None:
        super().put(card)

    def lay(self, move: Play, state: CardState) -> None:
        """Lay the card of a move, after what was late: tap what the companion can't know."""
        self.let_late_ones_lie()
        pile = self.room.pile
        self.lie(self.take_from_hand(move.seat, move.card))
        same = [late for late in self.waiting if late[1][0] == move.card]
        if same and self.moments == self.followed and len(self.room.pile.owed) < len(pile.owed):
            # It counted as one of the same title that is late: once that lies there, it is played.
            self.waiting.remove(same[0])
            self.lie(same[0][1])
        if self.moments == self.followed and self.room.pile.status is not PileStatus.CHOOSE:
            raise WrongError(f"{move} was swallowed after {self.room.last_move}: {pile}")
        if self.room.pile.status is PileStatus.CHOOSE:
            asked = self.room.pile.may_be_owed or self.room.pile.others
            self.touches["asked what" if asked else "targets"] += 1
            self.aim(move, state)
        self.made(move, state)

    def shuffle_if_empty(self) -> None:
        """Shuffle all but the cards of answers that are still being given."""
        if self.deck or not (self.pile or self.waiting):
            return
        late, self.waiting = self.waiting, []
        for _, card in late:
            self.lie_aside(card)
        given = [card for seat, card in self.thrown.items() if seat in self.surface.early]
        self.pile = [card for card in self.pile if card not in given]
        super().shuffle_if_empty()
        self.pile += given


def play(seed: int, players: int, late: float) -> tuple[Counter[str], int, str]:
    """Play a game; return its touches, its turns, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        room = ToldRoom(Path(folder), seed, players)
        hands = LateHands(room, random.Random(seed), late)
        wrong = ""
        try:
            hands.play()
        except WrongError as error:
            wrong = str(error)
        except RefusedError:
            hands.touches["refused"] += 1
        room.close()
        return hands.touches, hands.turns, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--late", type=float, default=0.5)
    arguments = parser.parse_args()
    print(f"\nCards laid late, {arguments.games} games for each line, {machine()}\n")
    print(
        "| players | games with a card that counted wrongly | games ended by a refusal "
        "| touches a turn | questions a turn |\n|---|---|---|---|---|"
    )
    for players in (4, 5, 7):
        games = [play(seed, players, arguments.late) for seed in range(arguments.games)]
        turns = sum(turns for _, turns, _ in games)
        touches = sum((touches for touches, *_ in games), Counter[str]())
        asked = sum(n for what, n in touches.items() if what.startswith("asked"))
        wrong = [reason for *_, reason in games if reason]
        print(
            f"| {players} | {len(wrong)} | {touches['refused']} "
            f"| {touches.total() / turns:.2f} | {asked / turns:.2f} |",
            *wrong[:3],
            sep="\n",
            flush=True,
        )


if __name__ == "__main__":
    main()
