"""How likely the hands of others hold a card, by all cards that a seat can see."""

from collections.abc import Iterator

from companion.games.cards.dealt.state import PlayingCard
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.rules.deck import CARDS, COPIES
from companion.games.cards.rules.titles import Title

_NO_HEART = 0.75
"""How likely a flipped card is no heart."""

_SECOND = 0.7
"""How likely somebody who could have two answers by the number of their cards has them."""


def chance_of_none(known: SeatKnowledge, seat: int, *titles: Title) -> float:
    """Return how likely another hand holds no card of these titles."""
    seen = list(_seen_cards(known))
    left = sum(COPIES[title] - sum(card.title is title for card in seen) for title in titles)
    unseen = max(1, CARDS - len(seen))
    return float((1 - min(left / unseen, 1.0)) ** known.game.hands[seat])


def chance_to_hit(known: SeatKnowledge, seat: int, needed: int = 1) -> float:
    """Return how likely a shot hits another seat, which needs so many Missed! against it."""
    game, ability = known.game, known.game.setup.abilities[seat]
    titles = (Title.MISSED, Title.BANG) if ability.swaps_bang_and_missed else (Title.MISSED,)
    none = chance_of_none(known, seat, *titles)
    barrels = ability.barrels + (Title.BARREL in game.in_play[seat])
    if needed == 1:
        return none * float(_NO_HEART ** (ability.flips * barrels))
    # A second answer is rarer than the first.
    return float(1 - (1 - none) ** needed * _SECOND)


def _seen_cards(known: SeatKnowledge) -> Iterator[PlayingCard]:
    yield from known.hand
    yield from known.pile
    for cards in known.in_play:
        yield from cards
