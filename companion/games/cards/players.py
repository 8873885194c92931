"""Random players of the card game: they choose among all legal moves.

They claim to play cards as often as the deck holds them, whatever their hands hold: a game is
played by what everybody can see.
"""

from collections.abc import Sequence
from math import floor
from random import Random
from typing import TypeVar

from companion.games.cards.rules import claims, moves
from companion.games.cards.rules.course import CardCourse
from companion.games.cards.rules.deck import CARDS, KINDS, TARGETED
from companion.games.cards.rules.rules import make, start
from companion.games.cards.rules.state import CardSetup, CardState, TurnPhase
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.events import TurnBegan
from companion.games.common.played import Played

_T = TypeVar("_T")

_REGAINS = 0.2
"""The probability to trade two cards for a life point when that is possible."""

_TRIES = 6
"""How many cards a player looks at to find one to play; without one, the turn ends."""

_PLAY = moves.CardAction.PLAY
_ENDS = tuple(moves.End(seat) for seat in range(7))
_PASSES = tuple(moves.Pass(seat) for seat in range(7))

_new = tuple.__new__
"""Creates the most common moves in half the time of `Play(...)`."""

_DECK: Sequence[Title] = [kind.title for kind in KINDS.values() for _ in kind.signs]
_SIGNS: Sequence[Sign] = [sign for kind in KINDS.values() for sign in kind.signs]


def play_game(setup: CardSetup, chance: Random) -> Played[CardState, moves.CardMove]:
    """Play a card game with random players; the same `chance` gives the same game."""
    game, made, turns = CardCourse.of(start(setup)), [], 1
    while game.result is None:
        before = game.turn
        move = random_move(game, chance)
        make(game, move)
        made.append(move)
        if game.turn != before:
            turns += sum(kind is TurnBegan for kind, *_ in game.log)
    return Played(game.ended(), made, turns)


def random_move(state: CardState, chance: Random) -> moves.CardMove:
    """Return a random legal move; the same `chance` gives the same move.

    Raises ValueError if the game is over.
    """
    seat = state.awaited
    if seat is None:
        raise ValueError("the game is over")
    trader = claims.regainer(state)
    if trader is not None and chance.random() < _REGAINS:
        return moves.Regain(trader)
    if state.open:
        return _answer(state, seat, chance)
    if state.phase is TurnPhase.DRAW:
        return _draw(state, seat, chance)
    return _play(state, seat, chance)


def _one_of(options: Sequence[_T], chance: Random) -> _T:
    # A third of the time that `chance.choice` takes. `int` would take four times that of `floor`.
    return options[floor(chance.random() * len(options))]


def _answer(state: CardState, seat: int, chance: Random) -> moves.CardMove:
    options: list[moves.CardMove] = [
        _new(moves.Play, (seat, title, None, None, _PLAY)) for title in claims.answers(state)
    ]
    if claims.may_flip(state):
        options.append(moves.Flip(seat, _signs(state, chance)))
    assert state.open is not None
    if state.open.needed:
        options.append(_PASSES[seat])
    return options[floor(chance.random() * len(options))]


def _signs(state: CardState, chance: Random) -> tuple[Sign, ...]:
    while True:
        signs = tuple([_one_of(_SIGNS, chance) for _ in range(claims.flips(state))])
        if not claims.flipped_too_often(state, signs):
            return signs


def _draw(state: CardState, seat: int, chance: Random) -> moves.Draw:
    if not claims.shows_second(state):
        return moves.Draw(seat, _one_of(claims.sources(state), chance))
    while True:
        sign = _one_of(_SIGNS, chance)
        if claims.may_be_shown(state, sign):
            return moves.Draw(seat, shown=sign)


def _play(state: CardState, seat: int, chance: Random) -> moves.Play | moves.End:
    random = chance.random
    for _ in range(_TRIES if state.hands[seat] else 0):
        title = _DECK[floor(random() * CARDS)]
        if not claims.may_claim(state, title):
            continue
        target = take = None
        if title in TARGETED:
            found = claims.targets(state, title)
            if not found:
                continue
            target = found[floor(random() * len(found))]
            if KINDS[title].takes:
                take = _one_of(claims.takes(state, target), chance)
        return _new(moves.Play, (seat, title, target, take, _PLAY))
    return _ENDS[seat]
