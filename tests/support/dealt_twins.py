"""Twins with dealt hands: the same deal but for two cards that nobody else can see."""

import random
from typing import NamedTuple

from companion.games.cards.dealt.luck import RandomChoices
from companion.games.cards.dealt.state import DECK, Cards, DealtState, PlayingCard
from companion.games.cards.rules.state import CardSetup

SEEN_SOON = 4
"""So many cards on top of the deck may be looked at, or flipped, before they leave it."""


class Swap(NamedTuple):
    """Two cards that lie at each other's place in the twin."""

    luck: int
    """The luck by which the twin is dealt."""
    one: PlayingCard
    other: PlayingCard
    seats: tuple[int, ...]
    """The seats that hold them; none if both lie in the deck."""

    def is_hidden(self, state: DealtState, twin: DealtState) -> bool:
        """Whether both cards still are where they were dealt."""
        here = list(map(self._places, (state, twin)))
        return None not in here[0] and here[0] == here[1][::-1]

    def _places(self, state: DealtState) -> list[int | None]:
        return [self._place(state, card) for card in (self.one, self.other)]

    def _place(self, state: DealtState, card: PlayingCard) -> int | None:
        if self.seats:
            return next((seat for seat in self.seats if card in state.hands[seat]), None)
        hidden = state.deck[:-SEEN_SOON]
        return hidden.index(card) if card in hidden else None


def swap(setup: CardSetup, luck: int, chance: random.Random) -> Swap:
    """Swap a card each of two hands, or two cards deep in the deck."""
    order, choices = list(DECK), RandomChoices(luck)
    choices.shuffle(order)
    places, top = [], len(order)
    for seat, count in enumerate(setup.max_life):
        places += [(place, seat) for place in range(top - count, top)]
        top -= count
    while True:
        if chance.random() < 0.7:
            (one, first), (other, second) = chance.sample(places, 2)
            seats: tuple[int, ...] = (first, second)
        else:
            one, other = chance.sample(range(top // 2), 2)
            seats = ()
        alike = order[one] == order[other] or len(set(seats)) == 1
        # The two Stagecoaches can't be told apart.
        if not alike and all(order.count(order[place]) == 1 for place in (one, other)):
            break
    order[one], order[other] = order[other], order[one]
    return Swap(luck_of(tuple(order), choices.luck), order[other], order[one], seats)


def luck_of(order: Cards, left: int) -> int:
    """Return the luck that shuffles the deck into this order, with what is left of it then."""
    rest, chosen = list(DECK), []
    for card in order:
        chosen.append((rest.index(card), len(rest)))
        rest.pop(chosen[-1][0])
    luck = left
    for number, count in reversed(chosen):
        luck = luck * count + number
    return luck
