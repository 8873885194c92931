"""The words of scenes with dealt hands; how a text of scenes is read: scenes.py.

A scene stands as in card_scenes.py, with cards by title or sign that seats `hold`, and that lie on
`top` of the deck; all others lie anywhere. A decision is a title with whom it is for and what it
takes, `pass`, `end` with the cards that are discarded, `turn-up`, `choose` from what is offered,
`draw` from somewhere, or `trade` with the seat and two cards. What a stand-in decides is a fact:
`strong bang 0`.
"""

import random
from collections.abc import Callable, Sequence

import pytest
from card_scenes import move_of
from card_scenes import scene as public_scene
from dealt_hands import hold, names
from pile_scenes import told
from scenes import Words, numbers, options
from scenes import told as told_events

from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import can_only_pass, check, forced_move
from companion.games.cards.dealt.rules import make
from companion.games.cards.dealt.state import Cards, DealtState, PlayingCard
from companion.games.cards.dealt.views import hand, question
from companion.games.cards.minds.keep import worst
from companion.games.cards.minds.known import knowledge
from companion.games.cards.minds.levels import MINDS
from companion.games.common.beliefs import no_memory
from companion.games.common.refusals import IllegalMove


def scene(text: str) -> list[DealtState]:
    _, given = options(text)
    held = (word.partition(":") for word in given.get("hold", ()))
    hands = {int(seat): cards.replace("+", " ") for seat, _, cards in held}
    (game,) = public_scene(text)
    return [hold(game, hands, " ".join(given.get("top", ())))]


def picked(cards: Cards, words: Sequence[str]) -> tuple[PlayingCard, ...]:
    """Cards by title or sign, the same one twice if it is named twice."""
    return tuple(
        next(card for card in cards if word in (card.title, str(card.sign))) for word in words
    )


def decision(state: DealtState, text: str) -> DealtMove:
    """What somebody decides, who is awaited unless they trade."""
    word, *given = text.split()
    seat = state.decider
    assert seat is not None
    match word:
        case "end":
            return EndTurn(seat, picked(state.hands[seat], given))
        case "turn-up":
            return TurnUp(seat)
        case "choose":
            assert state.offer is not None
            return Choose(seat, *picked(state.offer.cards, given))
        case "trade":
            return Trade(int(given[0]), picked(state.hands[int(given[0])], given[1:]))
        case _:
            return move_of(state.public, text)


def refused(state: DealtState, text: str) -> str:
    move = decision(state, text)
    with pytest.raises(IllegalMove):
        make(state, move)
    return str(check(state, move))


def offered(state: DealtState, words: Sequence[str]) -> bool:
    """What is offered: its kind and the cards; nothing if nothing is."""
    return list(words) == ([state.offer.kind, *names(state.offer.cards)] if state.offer else [])


def trades(state: DealtState, words: Sequence[str]) -> bool:
    """Whether a seat may trade cards for a life point now, as its player and everybody know."""
    asked, seat = question(state), int(words[0])
    return asked is not None and asked.regain == seat and hand(state, seat).trades


def chosen(level: str) -> Callable[[DealtState, list[str]], bool]:
    """What a stand-in of a level, who remembers nothing, decides in the place of the awaited."""

    def decides(state: DealtState, words: list[str]) -> bool:
        known = knowledge(state, state.decider)
        made = MINDS[level](known, no_memory(len(state.hands)), random.Random(1))
        assert check(state, made) is None
        return made == decision(state, " ".join(words))

    return decides


FACTS: dict[str, Callable[[DealtState, list[str]], bool]] = {
    "hand": lambda state, words: names(state.hands[int(words[0])]) == words[1:],
    "in-play": lambda state, words: names(state.in_play[int(words[0])]) == words[1:],
    "pile": lambda state, words: names(state.pile) == words,
    "top": lambda state, words: names(state.deck[::-1][: len(words)]) == words,
    "life": lambda state, words: state.public.life == numbers(words),
    "turn": lambda state, words: [state.public.turn] == [*numbers(words)],
    "settled": lambda state, words: state.public.open is None,
    "tells": lambda state, words: told_events(state.events) == " ".join(words),
    "made": lambda state, words: (told(state.made) if state.made else "") == " ".join(words),
    "offers": offered,
    "decides": lambda state, words: [state.decider] == [*numbers(words)],
    "forced": lambda state, words: forced_move(state) == TurnUp(int(words[0])),
    "forced-no": lambda state, words: forced_move(state) is None,
    "ends": lambda state, words: forced_move(state) == EndTurn(int(words[0])),
    "only-pass": lambda state, words: can_only_pass(state),
    "may-answer": lambda state, words: not can_only_pass(state),
    "trades": trades,
    "trades-no": lambda state, words: not hand(state, int(words[0])).trades,
    "worst": lambda state, words: (
        {card.title for card in worst(knowledge(state, 0), 2)} == set(words)
    ),
    **{level: chosen(level) for level in MINDS},
}

DEALT_WORDS = Words(scene, lambda state, text: make(state, decision(state, text)), refused, FACTS)
