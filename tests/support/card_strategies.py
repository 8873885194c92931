"""Shared hypothesis strategies of the card game: games dealt and played by random players."""

import random
from dataclasses import replace
from functools import cache

from hypothesis import strategies as st
from strategies import GAMES, Played, chances, play

from companion.games.cards.players import random_move
from companion.games.cards.rules import moves
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.deck import CARDS
from companion.games.cards.rules.rules import apply, start
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.state import CardPlayer, CardSetup, CardState
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.common.roles import ROLES

SEATS = range(-1, 8)
"""Every seat there may be, and one beyond at each end."""

BASE = RULESETS["base"]
MOST = 3000
"""More moves than any random game has."""


def deal(players: int, chance: random.Random) -> CardSetup:
    roles = chance.sample(ROLES[players], players)
    characters = map(CHARACTERS.__getitem__, chance.sample(BASE.characters, players))
    names = (f"Player {seat}" for seat in range(players))
    return CardSetup(BASE, tuple(map(CardPlayer, names, roles, characters)))


def play_on(
    state: CardState, chance: random.Random, most: int = MOST
) -> Played[CardState, moves.CardMove]:
    """Let random players play from `state` to the end, or for `most` moves."""

    def choose(now: CardState) -> moves.CardMove | None:
        return None if now.result else random_move(now, chance)

    return play(state, choose, apply, most)


OPENINGS = ("fresh", "dry")


def opening(setup: CardSetup, kind: str, chance: random.Random) -> CardState:
    """Before the first move: a fresh game, or one in which few cards are left to draw.

    dry: the deck has a few cards and hands hold the others, so that it is shuffled often, and may
    run out.
    """
    state = start(setup)
    if kind == "fresh":
        return state
    deck = chance.randint(2, 4)
    hands = list(state.hands)
    for _ in range(CARDS - deck - sum(hands)):
        hands[chance.randrange(len(hands))] += 1
    return replace(state, deck=deck, hands=tuple(hands))


setups = st.builds(deal, st.integers(4, 7), chances)
openings = st.builds(opening, setups, st.sampled_from(OPENINGS), chances)


@cache
def numbered_game(number: int) -> Played[CardState, moves.CardMove]:
    """A whole game, which is played once."""
    chance = random.Random(number)
    setup = deal(chance.randint(4, 7), chance)
    return play_on(opening(setup, chance.choice(OPENINGS), chance), chance)


games = st.sampled_from(range(GAMES)).map(numbered_game)


@st.composite
def moments(draw: st.DrawFn) -> CardState:
    """A state in which somebody must decide."""
    return draw(st.sampled_from(draw(games).states[:-1]))


def any_move(state: CardState, chance: random.Random) -> moves.CardMove:
    """A move of any kind that was made without looking at the rules."""
    seat = state.awaited if chance.random() < 0.9 else chance.choice(SEATS)
    assert seat is not None
    signs = list(SIGNS.values())
    take = chance.choice((None, moves.HAND, *Title))
    source = chance.choice((None, *moves.DrawSource, *SEATS))
    shown = chance.choice((None, *signs))
    made: dict[moves.CardAction, moves.CardMove] = {
        moves.CardAction.FLIP: moves.Flip(
            seat, tuple(chance.choices(signs, k=chance.choice((0, 1, 1, 2, 3))))
        ),
        moves.CardAction.DRAW: moves.Draw(seat, source, shown if source is None else None),
        moves.CardAction.PLAY: moves.Play(
            seat, chance.choice(list(Title)), chance.choice((None, None, *SEATS)), take
        ),
        moves.CardAction.PASS: moves.Pass(seat),
        moves.CardAction.REGAIN: moves.Regain(seat),
        moves.CardAction.COUNT: moves.Count(seat, chance.randrange(-1, CARDS + 2)),
        moves.CardAction.END: moves.End(seat),
    }
    return made[chance.choice(list(moves.CardAction))]
