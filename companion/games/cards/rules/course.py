"""A game while moves change it, and how cards and life points move in it.

A move copies the state once, changes the copy, and freezes it by giving it the class of a state.
"""

from bisect import bisect
from typing import Any

from companion.games.cards.rules import events
from companion.games.cards.rules.deck import COPIES
from companion.games.cards.rules.moves import HAND
from companion.games.cards.rules.state import CardSetup, CardState, Laid, OpenCard, TurnPhase
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.endings import Result
from companion.games.common.frozen import with_item

_new = object.__new__


class CardCourse(CardState):
    """A state while moves change it."""

    __slots__ = ()
    # Python sets attributes 1.4 times as fast where neither of the two is overridden.
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__

    # The fields of a state, which can be set here.
    setup: CardSetup
    turn: int
    phase: TurnPhase
    bangs: int
    deck: int
    pile: tuple[Laid, ...]
    life: tuple[int, ...]
    hands: tuple[int, ...]
    in_play: tuple[tuple[Title, ...], ...]
    living: tuple[int, ...]
    unseen: dict[Title, int]
    shown: tuple[Sign, ...]
    open: OpenCard | None
    result: Result | None
    log: list[tuple[Any, ...]]

    @staticmethod
    def of(state: CardState) -> "CardCourse":
        """Begin a course where `state` stands, which stays as it is."""
        course = _new(CardCourse)
        course.setup = state.setup
        course.turn = state.turn
        course.phase = state.phase
        course.bangs = state.bangs
        course.deck = state.deck
        course.pile = state.pile
        course.life = state.life
        course.hands = state.hands
        course.in_play = state.in_play
        course.living = state.living
        # Changed in place, unlike the others: no other state has this one.
        course.unseen = dict(state.unseen)
        course.shown = state.shown
        course.open = state.open
        course.result = state.result
        course.log = []
        return course

    def ended(self) -> CardState:
        """Return where the course stands, as a state that never changes, and end the course."""
        self.log = tuple(self.log)  # type: ignore[assignment]
        self.__class__ = CardState  # type: ignore[assignment]
        return self

    def left_of(self, seat: int) -> int:
        """Return the next living player on the left of `seat`."""
        living = self.living
        return living[bisect(living, seat) % len(living)]

    def others(self, seat: int) -> tuple[int, ...]:
        """Return the living players but `seat`, clockwise from its left."""
        living = self.living
        return tuple([one for one in living if one > seat] + [one for one in living if one < seat])

    # Deck and pile

    def lay(self, card: Laid) -> None:
        """Put a card onto the pile."""
        self.pile += (card,)
        if not self.deck:
            self._shuffle()

    def lay_unnamed(self, count: int) -> None:
        """Put cards onto the pile that nobody names."""
        for _ in range(count):
            self.lay(None)

    def leave_deck(self) -> None:
        """Take the top card from the deck, which isn't empty."""
        self.deck -= 1
        if not self.deck:
            self._shuffle()

    def _shuffle(self) -> None:
        """Make the pile the new deck, which is empty; without a pile, it stays so."""
        if self.pile:
            self.deck, self.pile, self.shown = len(self.pile), (), ()
            self.unseen = _unseen(self.in_play)
            self.log.append((events.Shuffled, self.deck))

    def show(self, sign: Sign) -> None:
        """Take the top card from the deck, which everybody sees."""
        self.shown += (sign,)
        self.leave_deck()

    # Hands

    def gain_cards(self, seat: int, count: int) -> None:
        """Change the number of cards in a hand."""
        self.hands = with_item(self.hands, seat, self.hands[seat] + count)

    def draw(self, seat: int, count: int, occasion: events.Occasion) -> None:
        """Draw cards from the deck, as many as there are."""
        drawn = 0
        if self.deck > count:
            self.deck -= count
            drawn = count
        while drawn < count and self.deck:
            self.leave_deck()
            drawn += 1
        if drawn:
            self.gain_cards(seat, drawn)
            self.log.append((events.Drawn, seat, drawn, occasion))

    def discard_hand(self, seat: int, count: int, occasion: events.Occasion) -> None:
        """Put cards of a hand onto the pile, unnamed."""
        if count:
            self.gain_cards(seat, -count)
            self.lay_unnamed(count)
            self.log.append((events.Discarded, seat, count, occasion))

    def discard_all(self, seat: int, occasion: events.Occasion) -> None:
        """Put all cards of a player onto the pile: those in play in their order, then the hand."""
        in_play = self.in_play[seat]
        for title in in_play:
            self.lift(seat, title)
            self.lay(title)
        count = self.hands[seat]
        self.lay_unnamed(count)
        self.gain_cards(seat, -count)
        if in_play or count:
            self.log.append((events.Discarded, seat, len(in_play) + count, occasion))

    def take_from_hand(self, seat: int, source: int, count: int) -> None:
        """Take random cards from another player's hand, as many as there are."""
        count = min(count, self.hands[source])
        if count:
            self.gain_cards(source, -count)
            self.gain_cards(seat, count)
            self.log.append((events.Taken, seat, source, HAND, count))

    # Cards in play, and what is known of titles

    def count_unseen(self, title: Title, change: int) -> None:
        """Change how many copies of a title nobody sees."""
        self.unseen[title] += change

    def put_down(self, seat: int, title: Title) -> None:
        """Lay a card that came from a hand in front of a player."""
        self.in_play = with_item(self.in_play, seat, (*self.in_play[seat], title))
        self.count_unseen(title, -1)

    def lift(self, seat: int, title: Title) -> None:
        """Remove a card in front of a player, to lie on the pile or in front of another."""
        left = tuple([card for card in self.in_play[seat] if card is not title])
        self.in_play = with_item(self.in_play, seat, left)

    def pick_up(self, seat: int, title: Title) -> None:
        """Remove a card in front of a player, to go into a hand."""
        self.lift(seat, title)
        self.count_unseen(title, 1)

    # Life points

    def lose_life(self, seat: int, count: int, card: Title) -> None:
        """Take life points from a player."""
        self.life = with_item(self.life, seat, self.life[seat] - count)
        self.log.append((events.Hurt, seat, count, card))

    def regain_life(self, seat: int, card: Title | None) -> None:
        """Give a player a life point, unless they have all of them."""
        life = self.life[seat]
        gained = int(life < self.setup.max_life[seat])
        if gained:
            self.life = with_item(self.life, seat, life + 1)
        self.log.append((events.Regained, seat, gained, card))


def _unseen(in_play: tuple[tuple[Title, ...], ...]) -> dict[Title, int]:
    """Return how many copies of each title aren't in play."""
    unseen = dict(COPIES)
    for titles in in_play:
        for title in titles:
            unseen[title] -= 1
    return unseen
