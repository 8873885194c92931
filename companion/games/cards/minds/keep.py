"""What cards in hand are worth, to choose those to keep, to take and to discard."""

from collections.abc import Iterable, Mapping

from companion.games.cards.dealt.state import Cards, PlayingCard
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.rules.claims import BEER_PLAYERS
from companion.games.cards.rules.deck import OWN, UNLIMITED, WEAPONS
from companion.games.cards.rules.titles import Title

_WORTH: Mapping[Title, float] = {
    Title.MISSED: 3.0,
    Title.BEER: 3.4,
    Title.BANG: 2.4,
    Title.WELLS_FARGO: 4.0,
    Title.STAGECOACH: 3.2,
    Title.GATLING: 2.6,
    Title.INDIANS: 2.0,
    Title.DUEL: 1.8,
    Title.PANIC: 2.5,
    Title.CAT_BALOU: 2.4,
    Title.BARREL: 3.2,
    Title.MUSTANG: 3.0,
    Title.SCOPE: 2.0,
    Title.JAIL: 2.0,
    Title.SALOON: 1.6,
    Title.GENERAL_STORE: 1.2,
    Title.VOLCANIC: 2.2,
    Title.SCHOFIELD: 1.8,
    Title.REMINGTON: 2.0,
    Title.REV_CARABINE: 2.2,
    Title.WINCHESTER: 2.3,
    Title.DYNAMITE: 0.6,
}
"""What the first card of a title is worth; 2 is an average card."""

_COPY = 0.75
"""What each more card of a title in the same hand is worth, of the one before."""

AVERAGE = 2.3
"""What an unknown card is worth."""


def worth_of(known: SeatKnowledge, card: PlayingCard, hand: Iterable[PlayingCard]) -> float:
    """Return what a card is worth to a seat that holds `hand` beside it."""
    assert known.seat is not None
    title, in_play = card.title, known.game.in_play[known.seat]
    if title is Title.BEER and len(known.game.living) < BEER_PLAYERS:
        return 0.2
    if title in OWN and title in in_play:
        return 0.1
    worth = _WORTH[title]
    if title in WEAPONS and title is not UNLIMITED:
        reach = max([WEAPONS[own] for own in in_play if own in WEAPONS], default=1)
        worth = worth if WEAPONS[title] > reach else 0.3
    same = sum(other.title is title for other in hand)
    return worth * _COPY**same


def worst(known: SeatKnowledge, count: int) -> Cards:
    """Return the cards of a seat's hand that it can spare most easily, the worst first."""
    left, found = list(known.hand), []
    for _ in range(count):
        card = min(left, key=lambda one: _worth_within(known, one, left))
        left.remove(card)
        found.append(card)
    return tuple(found)


def best(known: SeatKnowledge, cards: Cards) -> PlayingCard:
    """Return the card that is worth most beside a seat's hand."""
    return max(cards, key=lambda card: worth_of(known, card, known.hand))


def least(known: SeatKnowledge, cards: Cards) -> PlayingCard:
    """Return the card that is worth least, of some of which a seat keeps all others."""
    hand = [card for card in known.hand if card not in cards]
    return min(cards, key=lambda card: _worth_within(known, card, [*hand, *cards]))


def _worth_within(known: SeatKnowledge, card: PlayingCard, hand: list[PlayingCard]) -> float:
    """Return what a card of a hand is worth to it."""
    others = list(hand)
    others.remove(card)
    return worth_of(known, card, others)
