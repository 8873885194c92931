"""Games with dealt hands for tests: scenes with the cards that a test names, and whole games."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations

from card_strategies import OPENINGS
from card_strategies import deal as deal_cards
from hypothesis import strategies as st
from strategies import GAMES, Played, play

from companion.games.cards.dealt.luck import LUCK_BITS
from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import may_trade, must_show, plays
from companion.games.cards.dealt.rules import deal, make
from companion.games.cards.dealt.state import DECK, DealtState, PlayingCard
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.moves import Draw, Pass, Play
from companion.games.cards.rules.state import CardSetup, CardState, TurnPhase

MOST = 400
"""As many decisions as a random game makes."""


def hold(game: CardState, hands: Mapping[int, str] | None = None, deck: str = "") -> DealtState:
    """Give real cards to a public game.

    hands: by seat, the first cards of its hand; deck: its cards from the top. Cards are named by
    title or by sign; all others lie anywhere.
    """
    pool = list(DECK)
    random.Random(1).shuffle(pool)

    def pull(name: object) -> PlayingCard:
        named = (card for card in pool if name is None or name in card or str(card.sign) == name)
        card = next(named)
        pool.remove(card)
        return card

    def fill(cards: list[PlayingCard], count: int) -> tuple[PlayingCard, ...]:
        return (*cards, *[pull(None) for _ in range(count - len(cards))])

    top = [pull(name) for name in deck.split()]
    held = {seat: [pull(name) for name in named.split()] for seat, named in (hands or {}).items()}
    in_play = tuple([tuple([pull(title) for title in titles]) for titles in game.in_play])
    pile = [(place, pull(laid)) for place, laid in enumerate(game.pile) if laid]
    unnamed = [(place, pull(None)) for place, laid in enumerate(game.pile) if not laid]
    return DealtState(
        public=game,
        deck=fill(top, game.deck)[::-1],
        pile=tuple([card for _, card in sorted(pile + unnamed)]),
        hands=tuple([fill(held.get(seat, []), count) for seat, count in enumerate(game.hands)]),
        in_play=in_play,
        luck=random.Random(1).getrandbits(LUCK_BITS),
    )


def decide(state: DealtState, *moves: DealtMove) -> DealtState:
    """Make decisions one after the other."""
    for move in moves:
        state = make(state, move)
    return state


def names(cards: tuple[PlayingCard, ...]) -> list[str]:
    """The titles of cards."""
    return [str(card.title) for card in cards]


DealtGame = Played[DealtState, DealtMove]


def opening(setup: CardSetup, kind: str, chance: random.Random) -> DealtState:
    """Before the first decision: a fresh game, or one in which few cards are left to draw."""
    state = deal(setup, chance.getrandbits(LUCK_BITS))
    if kind == "fresh" or state.offer:
        return state
    deck, hands = list(state.deck), list(map(list, state.hands))
    while len(deck) > chance.randint(2, 4):
        hands[chance.randrange(len(hands))].append(deck.pop())
    game = replace(state.public, deck=len(deck), hands=tuple(map(len, hands)))
    return replace(state, public=game, deck=tuple(deck), hands=tuple(map(tuple, hands)))


def legal_moves(state: DealtState) -> Iterator[DealtMove]:
    """Yield each legal decision of the awaited seat, and those to trade two cards."""
    game, offer = state.public, state.offer
    trader, seat = claims.regainer(game), game.awaited
    if trader is not None and may_trade(state):
        yield from (
            Trade(trader, cards) for cards in combinations(state.hands[trader], claims.REGAIN_CARDS)
        )
    if offer is not None:
        yield from (Choose(offer.seats[0], card) for card in dict.fromkeys(offer.cards))
        return
    if seat is None:
        return
    yield from _plays(state, seat)
    if game.open is not None:
        if claims.may_flip(game):
            yield TurnUp(seat)
        if game.open.needed:
            yield Pass(seat)
    elif game.phase is TurnPhase.PLAY:
        hand = state.hands[seat]
        yield from (EndTurn(seat, cards) for cards in combinations(hand, claims.excess(game)))
    elif must_show(game):
        yield TurnUp(seat)
    else:
        yield from (Draw(seat, source) for source in claims.sources(game))


def _plays(state: DealtState, seat: int) -> Iterator[Play]:
    game = state.public
    for title, targets in plays(game, state.hands[seat]).items():
        if not targets:
            yield Play(seat, title)
        for target in targets:
            if KINDS[title].takes:
                yield from (Play(seat, title, target, take) for take in claims.takes(game, target))
            else:
                yield Play(seat, title, target)


def any_legal(state: DealtState, chance: random.Random) -> DealtMove:
    """A legal decision: any kind of them equally likely."""
    kinds: dict[object, list[DealtMove]] = {}
    for number, move in enumerate(legal_moves(state)):
        kinds.setdefault(type(move), []).append(move)
        if number > 500:
            # There are many ways to discard from a large hand.
            break
    return chance.choice(chance.choice(list(kinds.values())))


def play_on(state: DealtState, chance: random.Random, most: int = MOST) -> DealtGame:
    def choose(now: DealtState) -> DealtMove | None:
        return None if now.decider is None else any_legal(now, chance)

    return play(state, choose, make, most)


@cache
def numbered_game(number: int) -> DealtGame:
    """A game of at most so many decisions, which are made once."""
    chance = random.Random(number)
    setup = deal_cards(chance.randint(4, 7), chance)
    return play_on(opening(setup, chance.choice(OPENINGS), chance), chance)


games = st.sampled_from(range(GAMES)).map(numbered_game)


@st.composite
def moments(draw: st.DrawFn) -> DealtState:
    """A state in which somebody must decide."""
    states = draw(games).states
    return draw(st.sampled_from([state for state in states if state.decider is not None]))
