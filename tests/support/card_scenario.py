"""Scenes from the card game in few words, for tests that hold one rule each.

Moves are words, and whoever is awaited makes them: `play(scene, "bang 1", "flip 4H", "missed")`.
"""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from scenes import numbers

from companion.games.cards.rules import moves
from companion.games.cards.rules.characters import CHARACTERS, CardAbility, CardCharacter
from companion.games.cards.rules.check import check
from companion.games.cards.rules.claims import awaiting
from companion.games.cards.rules.deck import CARDS, COPIES
from companion.games.cards.rules.rules import apply, start
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.state import CardPlayer, CardSetup, CardState, Laid, TurnPhase
from companion.games.cards.rules.titles import SIGNS, Title
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
    return SIGNS[word] if word in SIGNS else Title(word)


def move_of(state: CardState, text: str) -> moves.CardMove:
    """Whoever is awaited makes a move, as a scene says it: `bang 1`, `panic 1 hand`, `flip 4H`."""
    word, *given = text.split()
    if word == "regain":
        return moves.Regain(*numbers(given))
    seat = state.awaited
    assert seat is not None
    match word:
        case "end":
            return moves.End(seat)
        case "pass":
            return moves.Pass(seat)
        case "flip":
            return moves.Flip(seat, tuple(SIGNS[sign] for sign in given))
        case "show":
            return moves.Draw(seat, shown=SIGNS[given[0]])
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
