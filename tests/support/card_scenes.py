"""The words of scenes of the card game; how a text of scenes is read: scenes.py.

A scene is a turn in its second phase: players clockwise, as in `game`, and `life`,
`hands` (of all, or seat:count), `in-play` (seat:title+title), `pile` (from below), `deck`, `bangs`,
`turn` and the `shown` signs. A move is `end`, `pass`, `regain`, `flip`, `draw` from somewhere,
`show`, or a title with whom it is for and what it takes; all are named as in records. What a move
`tells` are all events that it causes, each with what it names.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from scenes import Words, by_seat, numbers, options, told

from companion.games.cards.rules import moves
from companion.games.cards.rules.characters import CHARACTERS, CardAbility, CardCharacter
from companion.games.cards.rules.check import check
from companion.games.cards.rules.choices import CardQuestion, question
from companion.games.cards.rules.claims import awaiting
from companion.games.cards.rules.deck import CARDS, COPIES
from companion.games.cards.rules.distance import distance, seats_within
from companion.games.cards.rules.rules import apply, start
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.state import CardPlayer, CardSetup, CardState, Laid, TurnPhase
from companion.games.cards.rules.titles import SAID_SIGNS, SIGNS, Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.games.common.refusals import IllegalMove
from companion.games.common.roles import Role

ROLES = {role[0].upper(): role for role in Role}
CALM = "calm"
"""What players without a character are called: they can do nothing special."""


def deal(players: str) -> CardSetup:
    """Players clockwise, `S O:el_gringo R O`; without a character, no ability."""
    dealt = []
    for seat, word in enumerate(players.split()):
        role, _, name = word.partition(":")
        character = CHARACTERS[name] if name else CardCharacter(f"{CALM}{seat}", 4, CardAbility())
        dealt.append(CardPlayer(f"P{seat}", ROLES[role], character))
    return CardSetup(RULESETS["base"], tuple(dealt))


def game(
    players: str,
    *,
    turn: int = 0,
    life: Mapping[int, int] | None = None,
    hands: Mapping[int, int] | int = 3,
    in_play: Mapping[int, str] | None = None,
    pile: str = "",
    deck: int | None = None,
    bangs: int = 0,
) -> CardState:
    """A turn in its second phase, of players as in `deal`.

    life: by seat, 0 for the eliminated; the others have all their points. hands: by seat (3 for the
    others). in_play: by seat, titles. pile: from below, titles, signs, or `-` for unnamed cards.
    deck: its cards; if given, what is left of the 80 lies unnamed below the pile.
    """
    setup = deal(players)
    seats = range(len(setup.players))
    points = [(life or {}).get(seat, setup.max_life[seat]) for seat in seats]
    living = tuple(seat for seat in seats if points[seat])
    held = [hands if isinstance(hands, int) else hands.get(seat, 3) for seat in seats]
    held = [cards if seat in living else 0 for seat, cards in enumerate(held)]
    laid = tuple(
        tuple(Title(title) for title in (in_play or {}).get(seat, "").split()) for seat in seats
    )
    thrown = tuple(map(_laid, pile.split()))
    left = CARDS - sum(held) - sum(map(len, laid)) - len(thrown)
    if deck is not None:
        thrown = (None,) * (left - deck) + thrown
    seen = [title for titles in laid for title in titles] + [c for c in thrown if c in set(Title)]
    return replace(
        start(setup),
        turn=turn,
        phase=TurnPhase.PLAY,
        bangs=bangs,
        deck=left if deck is None else deck,
        pile=thrown,
        life=tuple(points),
        hands=tuple(held),
        in_play=laid,
        living=living,
        unseen={title: count - seen.count(title) for title, count in COPIES.items()},
        shown=(),
        open=None,
        log=(),
    )


def _laid(word: str) -> Laid:
    if word == "-":
        return None
    return SAID_SIGNS[word] if word in SAID_SIGNS else Title(word)


def move_of(state: CardState, text: str) -> moves.CardMove:
    """The move of the player who is asked, as scenes say it: `bang 1`, `flip 4H`."""
    word, *given = text.split()
    if word == "regain":
        return moves.Regain(*numbers(given))
    if word == "count":
        return moves.Count(*numbers(given))
    seat = state.awaited
    assert seat is not None
    match word:
        case "end":
            return moves.End(seat)
        case "pass":
            return moves.Pass(seat)
        case "flip":
            return moves.Flip(seat, tuple(SAID_SIGNS[sign] for sign in given))
        case "show":
            return moves.Draw(seat, shown=SAID_SIGNS[given[0]])
        case "draw":
            source = given[0] if given else ""
            pile = moves.DrawSource(source) if source and not source.isdigit() else None
            return moves.Draw(seat, int(source) if source.isdigit() else pile)
    take = given[1] if len(given) > 1 else None
    taken = take if take in (None, moves.HAND) else Title(take)
    return moves.Play(seat, Title(word), int(given[0]) if given else None, taken)


def play(state: CardState, *made: str) -> CardState:
    for text in made:
        state = apply(state, move_of(state, text))
        assert_whole(state)
    return state


def assert_whole(state: CardState) -> None:
    """What holds in every state."""
    in_play = sum(map(len, state.in_play))
    assert state.deck + len(state.pile) + sum(state.hands) + in_play == CARDS
    assert state.deck or not state.pile
    for title, copies in COPIES.items():
        seen = state.pile.count(title) + sum(title in titles for titles in state.in_play)
        assert state.unseen[title] == copies - seen >= 0


def refusal(state: CardState, made: str | moves.CardMove) -> str:
    """Why the move is illegal: both who asks and who tries anyway are told the same."""
    made = move_of(state, made) if isinstance(made, str) else made
    with pytest.raises(IllegalMove) as illegal:
        apply(state, made)
    assert illegal.value.refusal == check(state, made)
    return str(illegal.value)


def asked(state: CardState) -> tuple[int, list[str], dict[str, tuple[int, ...]]]:
    """Who is awaited, for which actions, and what they may claim."""
    waiting = awaiting(state)
    assert waiting is not None
    return waiting.seat, list(waiting.actions), dict(waiting.plays)


def claims(state: CardState) -> dict[str, tuple[int, ...]]:
    return asked(state)[2]


def ended(state: CardState) -> tuple[str, tuple[int, ...]]:
    """The side that won and its seats; a game that is over awaits nobody."""
    assert state.result is not None
    assert awaiting(state) is None
    return state.result.side, state.result.winners


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
