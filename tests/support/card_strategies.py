"""Shared hypothesis strategies of the card game: games dealt and played by random players."""

import random
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st
from strategies import GAMES, chances

from companion.games.cards.players import random_move
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.deck import CARDS
from companion.games.cards.rules.moves import (
    HAND,
    CardAction,
    CardMove,
    Draw,
    DrawSource,
    End,
    Flip,
    Pass,
    Play,
    Regain,
)
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


class CardGamePlayed(NamedTuple):
    """A game: states[0], and then a state for each move."""

    moves: tuple[CardMove, ...]
    states: tuple[CardState, ...]


def play_on(state: CardState, chance: random.Random, most: int = MOST) -> CardGamePlayed:
    """Let random players play from `state` to the end, or for `most` moves."""
    moves: list[CardMove] = []
    states = [state]
    while not states[-1].result and len(moves) < most:
        moves.append(random_move(states[-1], chance))
        states.append(apply(states[-1], moves[-1]))
    return CardGamePlayed(tuple(moves), tuple(states))


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
def numbered_game(number: int) -> CardGamePlayed:
    """A whole game, which is played once."""
    chance = random.Random(number)
    setup = deal(chance.randint(4, 7), chance)
    return play_on(opening(setup, chance.choice(OPENINGS), chance), chance)


games = st.sampled_from(range(GAMES)).map(numbered_game)


@st.composite
def moments(draw: st.DrawFn) -> CardState:
    """A state in which somebody must decide."""
    return draw(st.sampled_from(draw(games).states[:-1]))


def any_move(state: CardState, chance: random.Random) -> CardMove:
    """A move of any kind that was made without looking at the rules."""
    seat = state.awaited if chance.random() < 0.9 else chance.choice(SEATS)
    assert seat is not None
    signs = list(SIGNS.values())
    take = chance.choice((None, HAND, *Title))
    source = chance.choice((None, *DrawSource, *SEATS))
    shown = chance.choice((None, *signs))
    made: dict[CardAction, CardMove] = {
        CardAction.FLIP: Flip(seat, tuple(chance.choices(signs, k=chance.choice((0, 1, 1, 2, 3))))),
        CardAction.DRAW: Draw(seat, source, shown if source is None else None),
        CardAction.PLAY: Play(
            seat, chance.choice(list(Title)), chance.choice((None, None, *SEATS)), take
        ),
        CardAction.PASS: Pass(seat),
        CardAction.REGAIN: Regain(seat),
        CardAction.END: End(seat),
    }
    return made[chance.choice(list(CardAction))]
