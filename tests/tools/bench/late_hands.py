"""Card games by hands as people have: what a card counts as, and how often somebody is asked.

    python -m tests.tools.bench.late_hands [--games N] [--late SHARE] [--drawn] [--seed N]

The hands of `real_cards` lay what is owed at once, each card alone. These don't:

- Each card that is owed (beyond the limit, hit by Cat Balou, of an eliminated player) is late with
  a chance of `--late`, and then lies there only after one to three more cards or taps of others.
  Sid Ketchum's two are not: laying them is how Sid says it. What is late for as long falls together
  with a chance of one third.
- While Gatling or Indians! ask several players, one of them who isn't awaited throws a card in
  first with a chance of one half, and two throw in together with a chance of a third: they take
  both back, and lay them one by one.
- A blue card is shown too briefly with a chance of a third. Half of those that were seen for a
  moment are told by a tap on the question, perhaps after what others had to lay; the others, and
  those that weren't seen at all, are shown again.
- The pile is pushed with a chance of a twelfth before a decision, while a card waits for a tap, or
  before a blue card is taken back from it. Half the time somebody says that nothing was taken back;
  else they play on.

Without `--drawn`, cards are read surely, but a third of those seen for a moment and a quarter of
pushed ones: what is measured is what the table makes of them, not the reader. With it, they lie in
the drawn tray and are read from its frames; people name what wasn't read surely, and no two fall
together. People answer every question truly. A game ends with the first card that counts for the
wrong seat or as the wrong thing although nobody was asked, which is what must never happen.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from card_rooms import ToldRoom, WatchedRoom
from real_cards import Card, RealCards

from companion.games.cards.laid import LAID_CARD_RULES as RULES
from companion.games.cards.rules.claims import answers, flips
from companion.games.cards.rules.deck import KINDS, Border
from companion.games.cards.rules.events import Occasion
from companion.games.cards.rules.moves import CardMove, Play
from companion.games.cards.rules.state import CardState
from companion.games.cards.rules.titles import Title
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus
from companion.table.surface.cards.surface import CardSurface
from tests.tools.bench.machine import machine

THROWN_IN, TOGETHER, BRIEF, PUSHED = 1 / 2, 1 / 3, 1 / 3, 1 / 12
"""How often hands do what the first lines say, where they can."""


class WrongError(Exception):
    """A card counted as something that it wasn't, and nobody was asked."""


class RefusedError(Exception):
    """The table takes a card for impossible, and says so: some count went wrong before."""


class LateHands(RealCards):
    """People who are late now and then, too quick, and clumsy."""

    def __init__(self, room: ToldRoom, chance: random.Random, late: float) -> None:
        self.late = late
        self.waiting: list[tuple[int, Card]] = []
        self.punctual = False
        self.thrown: dict[int, Card] = {}
        self.taken_up: Card | None = None
        self.together = 0.0 if isinstance(room, WatchedRoom) else TOGETHER
        super().__init__(room, chance)

    @property
    def moments(self) -> int:
        history = self.room.history
        return len(history.moments)

    @property
    def surface(self) -> CardSurface:
        found = self.room.table.scene.surface
        assert isinstance(found, CardSurface)
        return found

    def happens(self, share: float) -> bool:
        return self.chance.random() < share

    def check(self) -> None:
        """Hold what is held against what the companion counts, but for cards thrown in early."""
        held = [len(hand) + (seat in self.surface.early) for seat, hand in enumerate(self.hands)]
        if held != list(self.room.state.hands):
            raise WrongError(f"hands {held} counted as {self.room.state.hands}")

    def decide(self, state: CardState) -> None:
        self.push()
        self.let_late_ones_lie()
        later = list(RULES.answerers(state).items())[1:]
        if later and self.happens(self.together):
            self.throw_in_together(later)
        if later and self.happens(THROWN_IN):
            self.throw_in(later)
        super().decide(self.room.state)

    def discards_later(self) -> bool:
        # Who knows that they will be late doesn't say that they discard now.
        return self.chance.random() < self.late or bool(self.room.pile.owed)

    def made(self, move: CardMove, before: CardState) -> None:
        """Follow all moves since; early answers are made by themselves."""
        history = self.room.history
        if self.followed == self.moments or history.moments[self.followed].move != move:
            raise WrongError(f"{move} counted as something else: {self.room.pile}")
        self.carry_out(move)

    def must_not_count(self, what: str, before: int) -> None:
        """Raise WrongError if a move was made since there were so many."""
        if self.moments != before:
            raise WrongError(f"{what} counted as {self.room.last_move}")

    # Answers before their turn

    def could_answer(self, others: Sequence[tuple[int, CardState]]) -> list[tuple[int, Title]]:
        """Return who of these holds an answer that they haven't given."""
        return [
            (seat, title)
            for seat, asking in others
            if seat not in self.surface.early
            for title in answers(asking)
            if self.holds(seat, title)
        ]

    def throw_in(self, others: Sequence[tuple[int, CardState]]) -> None:
        """Let one of the others lay an answer before it is their turn."""
        found = self.could_answer(others)
        if not found:
            return
        seat, title = self.chance.choice(found)
        self.thrown[seat] = self.take_from_hand(seat, title)
        self.lie(self.thrown[seat])
        self.name_if_unsure(title)
        if seat in self.surface.early:
            # Nobody else can have laid it.
            return
        if not any(move.seat == seat for move in self.room.pile.others):
            raise WrongError(f"{title} of seat {seat} counted as {self.room.last_move}")
        self.touches["asked whose"] += 1
        self.room.do(laying.say_whose, seat)

    def throw_in_together(self, others: Sequence[tuple[int, CardState]]) -> None:
        """Let two of the others lay answers at once, and take them back to lay them singly."""
        cards = dict(self.could_answer(others))
        if len(cards) > 1:
            before = self.moments
            self.room.lay_together()
            self.room.take_up()
            self.must_not_count("two cards", before)

    # Cards that are owed

    def discard(self, seat: int, count: int, occasion: Occasion) -> None:
        self.punctual = occasion is Occasion.ABILITY
        super().discard(seat, count, occasion)
        self.punctual = False

    def put_aside(self, card: Card) -> None:
        if not self.punctual and self.happens(self.late):
            self.waiting.append((self.chance.randint(1, 3), card))
        else:
            self.lie_aside(card)

    def let_late_ones_lie(self) -> None:
        there = [card for left, card in self.waiting if left <= 1]
        self.waiting = [(left - 1, card) for left, card in self.waiting if left > 1]
        if len(there) > 1 and self.happens(self.together):
            self.lie_together(there[:2])
            there = there[2:]
        for card in there:
            self.lie_aside(card)

    def lie_aside(self, card: Card) -> None:
        """Lay a card that is no move; say so where that is asked."""
        before = self.moments
        self.lie(card)
        self.must_not_count(f"{card[0]}, laid aside,", before)
        if self.room.pile.may_be_owed:
            self.touches["asked whether owed"] += 1
            self.room.lay_aside()

    def lie_together(self, cards: Sequence[Card]) -> None:
        """Lay two cards at once that are no moves; say so where that is asked."""
        before = self.moments
        self.laid += len(cards)
        self.pile += cards
        self.room.lay_together()
        self.must_not_count("two cards, laid aside,", before)
        if self.room.pile.status is PileStatus.MANY:
            self.touches["asked whether owed"] += 1
            self.room.ignore()
        self.shuffle_if_empty()

    # Flips and plays

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

    def put(self, card: Card) -> None:
        self.let_late_ones_lie()
        self.lie(card)

    def lie(self, card: Card) -> None:
        super().put(card)

    def name_if_unsure(self, title: str) -> None:
        if self.room.pile.status is PileStatus.UNSURE:
            self.touches["titles"] += 1
            self.room.name(title)

    def lay(self, move: Play, state: CardState) -> None:
        """Lay the card of a move, after what was late: tap what the companion can't know."""
        self.let_late_ones_lie()
        blue = KINDS[move.card].border is Border.BLUE
        if blue and self.happens(BRIEF) and self.show_briefly(move):
            self.made(move, state)
            return
        pile = self.room.pile
        self.lie(self.take_from_hand(move.seat, move.card))
        same = [late for late in self.waiting if late[1][0] == move.card]
        if same and self.moments == self.followed and len(self.room.pile.owed) < len(pile.owed):
            # It counted as one of the same title that is late: once that lies there, it is played.
            self.waiting.remove(same[0])
            self.lie(same[0][1])
        self.name_if_unsure(move.card)
        if self.moments == self.followed and self.room.pile.status is not PileStatus.CHOOSE:
            raise WrongError(f"{move} was swallowed after {self.room.last_move}: {pile}")
        if self.room.pile.status is PileStatus.CHOOSE:
            self.push()
            asked = self.room.pile.may_be_owed or self.room.pile.others
            self.touches["asked what" if asked else "targets"] += 1
            self.aim(move, state)
        self.made(move, state)

    # Blue cards that are shown for a moment, and a pile that is pushed

    def show_briefly(self, move: Play) -> bool:
        """Show a card for too short a time; return whether a tap said that it was played."""
        before, title = self.moments, move.card
        sign = next(sign for each, sign in self.hands[move.seat] if each == title)
        others = self.chance.sample(sorted(KINDS), 2)
        seen = self.chance.choice(((), (title,), tuple(dict.fromkeys((others[0], title, *others)))))
        self.room.show_briefly(title, sign, seen)
        self.must_not_count(f"{title}, shown for a moment,", before)
        self.let_late_ones_lie()
        pile = self.room.pile
        if pile.status is not PileStatus.GONE or move not in pile.moves or self.happens(0.5):
            return False
        self.touches["asked whether played"] += 1
        self.taken_up = self.take_from_hand(move.seat, title)
        self.room.tap(move)
        return True

    def take_back(self) -> Card:
        if self.taken_up is not None:
            # It doesn't lie there: it was shown for a moment alone.
            card, self.taken_up = self.taken_up, None
            return card
        self.push()
        card = super().take_back()
        self.say_that_none_was_laid()
        return card

    def push(self) -> None:
        """Push the pile now and then, and perhaps say that nothing was taken back."""
        if not self.pile or not self.happens(PUSHED):
            return
        before, laid = self.moments, self.surface.state.laid
        self.room.push()
        self.must_not_count("a pile that was pushed", before)
        if len(now := self.surface.state.laid) > len(laid):
            if laid or self.room.pile.status not in (PileStatus.UNSURE, PileStatus.SIGN_UNSURE):
                raise WrongError(f"a pile that was pushed was read as {now[-1]}")
            self.say_that_none_was_laid()
        if self.room.pile.status is PileStatus.MOVED and self.happens(0.5):
            self.touches["asked whether taken back"] += 1
            self.room.ignore()

    def say_that_none_was_laid(self) -> None:
        """Say so where the table asks which card was laid."""
        if self.room.pile.status in (PileStatus.UNSURE, PileStatus.SIGN_UNSURE):
            self.touches["asked which card"] += 1
            self.room.ignore()

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


def play(
    seed: int, players: int, late: float, kind: type[ToldRoom] = ToldRoom
) -> tuple[Counter[str], int, str]:
    """Play a game; return its touches, its turns, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        room = kind(Path(folder), seed, players)
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
    parser.add_argument("--players", default="4,5,7")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--drawn", action="store_true", help="read cards from drawn frames")
    arguments = parser.parse_args()
    print(f"\nCards laid late, {arguments.games} games for each line, {machine()}\n")
    print(
        "| players | games with a card that counted wrongly | games ended by a refusal "
        "| touches a turn | questions a turn |\n|---|---|---|---|---|"
    )
    kind = WatchedRoom if arguments.drawn else ToldRoom
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    for players in map(int, arguments.players.split(",")):
        games = [play(seed, players, arguments.late, kind) for seed in seeds]
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
