"""Where each card is while a move changes it.

Each event of the public game moves the cards that it tells of. As in the public game, the pile is
shuffled as soon as the deck is empty.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.cards.dealt.luck import RandomChoices
from companion.games.cards.dealt.state import Cards, DealtState, Offer, OfferKind, PlayingCard
from companion.games.cards.rules import events
from companion.games.cards.rules.deck import KINDS, Border
from companion.games.cards.rules.moves import HAND, Take
from companion.games.cards.rules.state import CardState
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.events import TurnBegan

_CHOSEN = (events.Occasion.TURN, events.Occasion.ABILITY)
"""Who discards on these occasions chooses the cards; on others, all of them go."""


class DealtCourse:
    """The cards of a game while a move changes where they are."""

    def __init__(self, state: DealtState, discards: Cards = ()) -> None:
        """Begin with the cards of `state`, which stays as it is.

        discards: the cards that the player chose to discard with this move.
        """
        self.deck, self.pile = list(state.deck), list(state.pile)
        self.hands = list(map(list, state.hands))
        self.in_play = list(map(list, state.in_play))
        self._chance = RandomChoices(state.luck)
        self._discards = list(discards)
        self._store: list[tuple[int, PlayingCard]] = []
        """Who gets a card from the General Store, with the cards in the order they came."""
        self._looked: Offer | None = None

    def follow(self, log: Sequence[tuple[Any, ...]], public: CardState) -> None:
        """Move the cards as the events of a move say. public: the game after them."""
        for place, (kind, *fields) in enumerate(log):
            if kind is TurnBegan:
                self._discard_idle_jail(fields[0], log[place:])
            elif kind is events.Drawn:
                self._draw(public, *fields)
            elif kind in _FOLLOW:
                _FOLLOW[kind](self, *fields)

    def offer(self) -> Offer | None:
        """Return the cards that were offered on the way, if there is anything to choose."""
        if self._store:
            seats, cards = zip(*self._store, strict=True)
            return Offer(OfferKind.STORE, seats, cards)
        return self._looked

    def state(self, public: CardState, **fields: Any) -> DealtState:
        """Return the state with the cards where they are now."""
        return DealtState(
            public=public,
            deck=tuple(self.deck),
            pile=tuple(self.pile),
            hands=tuple(map(tuple, self.hands)),
            in_play=tuple(map(tuple, self.in_play)),
            luck=self._chance.luck,
            **fields,
        )

    def turn_up(self, count: int) -> Cards:
        """Take cards from the deck, as many as there are; the first one was on top."""
        cards: list[PlayingCard] = []
        while self.deck and len(cards) < count:
            cards.append(self.deck.pop())
            self._shuffle_if_empty()
        return tuple(cards)

    # Cards between deck, pile and hands

    def _shuffle_if_empty(self) -> None:
        if not self.deck and self.pile:
            self._chance.shuffle(self.pile)
            self.deck, self.pile = self.pile, []

    def _lay(self, card: PlayingCard) -> None:
        self.pile.append(card)
        self._shuffle_if_empty()

    def _lay_all(self, cards: list[PlayingCard]) -> None:
        while cards:
            self._lay(cards.pop(0))

    def _from_hand(self, seat: int, title: Title) -> PlayingCard:
        """Remove the first card with this title from a hand."""
        hand = self.hands[seat]
        return hand.pop([card.title for card in hand].index(title))

    def _lift(self, seat: int, title: Title) -> PlayingCard:
        in_play = self.in_play[seat]
        return in_play.pop([card.title for card in in_play].index(title))

    # Events

    def _draw(self, public: CardState, seat: int, count: int, occasion: events.Occasion) -> None:
        drawn = self.turn_up(count)
        if occasion is events.Occasion.STORE:
            self._store += [(seat, card) for card in drawn]
            return
        self.hands[seat] += drawn
        looks = public.setup.abilities[seat].looks_further
        if looks and occasion is events.Occasion.TURN and self.deck:
            self._looked = Offer(OfferKind.LOOK, (seat,), (*drawn, self.deck[-1]))

    def draw_from_pile(self, seat: int, _: object) -> None:
        """Draw the top card of the pile."""
        self.hands[seat].append(self.pile.pop())

    def show_second(self, seat: int, _: Sign) -> None:
        """Draw a card that everybody sees."""
        self.hands[seat] += self.turn_up(1)

    def play(self, seat: int, title: Title, target: int | None) -> None:
        """Lay a card on the pile, or in front of a player."""
        card = self._from_hand(seat, title)
        if KINDS[title].border is Border.BLUE:
            self.in_play[seat if target is None else target].append(card)
            return
        self._lay(card)

    def answer(self, seat: int, title: Title) -> None:
        """Lay an answer on the pile."""
        self._lay(self._from_hand(seat, title))

    def flip(self, seat: int, signs: Sequence[Sign], title: Title, success: bool) -> None:
        """Flip cards, and lay them on the pile in the order of the signs."""
        cards = self.turn_up(len(signs))
        for card in sorted(cards, key=lambda card: signs.index(card.sign)):
            self._lay(card)
        if title is Title.JAIL or (title is Title.DYNAMITE and success):
            self._lay(self._lift(seat, title))

    def take(self, seat: int, source: int, take: Take, count: int) -> None:
        """Move a card in play, or random cards of a hand, into another hand."""
        if take == HAND:
            hand = self.hands[source]
            self.hands[seat] += [self._chance.pull(hand) for _ in range(count)]
        else:
            self.hands[seat].append(self._lift(source, Title(take)))

    def remove(self, seat: int, take: Take) -> None:
        """Lay a card in play, or a random card of a hand, on the pile."""
        hand = self.hands[seat]
        self._lay(self._chance.pull(hand) if take == HAND else self._lift(seat, Title(take)))

    def discard(self, seat: int, _: int, occasion: events.Occasion) -> None:
        """Lay the chosen cards on the pile, or all cards of a player."""
        if occasion not in _CHOSEN:
            self._lay_all(self.in_play[seat])
            self._lay_all(self.hands[seat])
            return
        for card in self._discards:
            self.hands[seat].remove(card)
            self._lay(card)

    def pass_dynamite(self, seat: int, target: int) -> None:
        """Move the Dynamite to the next player."""
        self.in_play[target].append(self._lift(seat, Title.DYNAMITE))

    def inherit(self, seat: int, source: int, _: int) -> None:
        """Move all cards of a player into another hand."""
        for cards in (self.in_play[source], self.hands[source]):
            self.hands[seat] += cards
            cards.clear()

    def _discard_idle_jail(self, seat: int, log: Sequence[tuple[Any, ...]]) -> None:
        """Lay the Jail of a turn that begins on the pile, if there is no card to flip for it.

        No event tells of that, only of the turn that is over by it.
        """
        if (events.JailServed, seat) in log:
            self._lay(self._lift(seat, Title.JAIL))


_FOLLOW: Mapping[type[Any], Callable[..., None]] = {
    events.DrawnFromPile: DealtCourse.draw_from_pile,
    events.SecondShown: DealtCourse.show_second,
    events.CardPlayed: DealtCourse.play,
    events.CardAnswered: DealtCourse.answer,
    events.CardFlipped: DealtCourse.flip,
    events.Taken: DealtCourse.take,
    events.Removed: DealtCourse.remove,
    events.Discarded: DealtCourse.discard,
    events.DynamitePassed: DealtCourse.pass_dynamite,
    events.Inherited: DealtCourse.inherit,
}
"""How cards follow each kind of event; others move none."""
