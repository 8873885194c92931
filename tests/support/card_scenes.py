"""The words of scenes of the card game; how a text of scenes is read: scenes.py.

A scene is a turn in its second phase: players clockwise, as in `card_scenario.game`, and `life`,
`hands` (of all, or seat:count), `in-play` (seat:title+title), `pile` (from below), `deck`, `bangs`,
`turn` and the `shown` signs. A move is `end`, `pass`, `regain`, `flip`, `draw` from somewhere,
`show`, or a title with whom it is for and what it takes; all are named as in records. What a move
`tells` are all events that it causes, each with what it names.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from card_scenario import asked, claims, ended, game, play, refusal
from scenes import Words, by_seat, numbers, options, told

from companion.games.cards.rules.choices import CardQuestion, question
from companion.games.cards.rules.distance import distance, seats_within
from companion.games.cards.rules.state import CardState
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience


def scene(text: str) -> list[CardState]:
    players, given = options(text)
    stands: dict[str, Any] = {
        word: by_seat(given[word]) for word in ("life", "hands", "deck", "bangs", "turn")
        if word in given
    }  # fmt: skip
    laid = (word.partition(":") for word in given.get("in-play", ()))
    stands["in_play"] = {int(seat): titles.replace("+", " ") for seat, _, titles in laid}
    state = game(players, pile=" ".join(given.get("pile", ())), **stands)
    return [replace(state, shown=tuple(SIGNS[sign] for sign in given.get("shown", ())))]


def claims_only(state: CardState, words: list[str]) -> bool:
    """Which titles may be claimed as an answer; none has a target."""
    return claims(state) == dict.fromkeys(words, ())


def away(state: CardState, words: list[str]) -> bool:
    """The distances from the first seat to the others, as seat:distance."""
    seat, *others = words
    return all(distance(state, int(seat), to) == n for to, n in dict(by_seat(others)).items())


def offer(state: CardState) -> CardQuestion:
    """What a page is asked in a state that asks something."""
    found = question(state)
    assert found is not None
    return found


def refuses(state: CardState, words: list[str]) -> bool:
    """Why the title that comes first can't be played now; without a reason: it can."""
    refused = offer(state).refused
    return str(refused.get(Title(words[0]), "")) == " ".join(words[1:])


def known(state: CardState, words: list[str]) -> bool:
    """Whose roles a seat, the table or a record is shown."""
    viewer = int(words[0]) if words[0].isdigit() else Audience(words[0])
    roles = [player.role for player in view(state, viewer).players]
    return [seat for seat, role in enumerate(roles) if role] == [*numbers(words[1:])]


FACTS: dict[str, Callable[[CardState, list[str]], bool]] = {
    "life": lambda state, words: state.life == numbers(words),
    "hands": lambda state, words: state.hands == numbers(words),
    "living": lambda state, words: state.living == numbers(words),
    "deck": lambda state, words: [state.deck] == [*numbers(words)],
    "bangs": lambda state, words: [state.bangs] == [*numbers(words)],
    "turn": lambda state, words: [state.turn] == [*numbers(words)],
    "phase": lambda state, words: [state.phase] == words,
    "pile": lambda state, words: [str(card or "-") for card in state.pile] == words,
    "shown": lambda state, words: [str(sign) for sign in state.shown] == words,
    "in-play": lambda state, words: [*state.in_play[int(words[0])]] == words[1:],
    "asks": lambda state, words: asked(state)[:2] == (int(words[0]), words[1:]),
    "claims": lambda state, words: claims(state)[words[0]] == numbers(words[1:]),
    "claims-no": lambda state, words: claims(state).keys().isdisjoint(map(Title, words)),
    "claims-only": claims_only,
    "settled": lambda state, words: state.open is None and not words,
    "needs": lambda state, words: [state.open.needed] == [*numbers(words)],
    "barrels": lambda state, words: [state.open.barrels] == [*numbers(words)],
    "open": lambda state, words: [state.open.card, str(state.open.on)] == words,
    "away": away,
    "unseen": lambda state, words: state.unseen[Title(words[0])] == int(words[1]),
    "near": lambda state, words: seats_within(state, int(words[0]), 1) == numbers(words[1:]),
    "refuses": refuses,
    "refuses-as-many": lambda state, words: [len(offer(state).refused)] == [*numbers(words)],
    "distances": lambda state, words: offer(state).distances == (by_seat(words) if words else {}),
    "takes": lambda state, words: [*offer(state).takes[int(words[0])]] == words[1:],
    "takes-nothing": lambda state, words: offer(state).takes == {},
    "flips": lambda state, words: [offer(state).flips] == [*numbers(words)],
    "sources": lambda state, words: [*map(str, offer(state).sources)] == words,
    "shows-second": lambda state, words: offer(state).shows_second,
    "spent": lambda state, words: [*map(str, offer(state).spent)] == words,
    "trader": lambda state, words: offer(state).regain == (int(words[0]) if words else None),
    "knows": known,
    "tells": lambda state, words: told(state.events) == " ".join(words),
    "goes-on": lambda state, words: state.result is None and not words,
    "ends": lambda state, words: ended(state) == (words[0], numbers(words[1:])),
}

CARD_WORDS = Words(scene, play, refusal, FACTS)
