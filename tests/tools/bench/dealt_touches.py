"""Touches with dealt hands: `python -m tests.tools.bench.dealt_touches [--games 40]`.

Stand-ins decide for all players, and each decision counts the taps that its page needs: for a
card or for whom it is, and for each card that is discarded. An answer needs no open hand: its page
names the titles. What the table does by itself costs none, nor does a turn's end that the phone
presses, since its open hand can play nothing more.

A hand opens by itself on a phone that was touched in the last two minutes, and by a tap otherwise.
So decisions take time: people think for a median of `--thinks` seconds, and each move is read for
two. The other way to hold a hand is counted beside it: covered until a tap opens it, which it stays
while its player goes on with their turn. Prints Markdown.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade
from companion.games.cards.dealt.options import can_only_pass, forced_move, plays
from companion.games.cards.dealt.state import DealtState, OfferKind
from companion.games.cards.dealt.views import trading
from companion.games.cards.game import CARD_GAME
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.match import DealtStep, play_steps
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.state import TurnPhase
from companion.games.common.events import TurnBegan
from companion.table.dealing import deal
from tests.tools.bench.machine import machine
from tests.tools.bench.minds import NAMES

HELD_S = 120.0
"""Seconds since the last touch for which a hand opens by itself: `open-hand.js` has the same."""
READS_S = 2.0
"""Seconds that everybody takes to read a move."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--players", default="4,5,6,7")
    parser.add_argument("--level", default="strong", help="how all players decide")
    parser.add_argument("--thinks", type=float, default=5.0, help="median seconds a decision")
    arguments = parser.parse_args()
    print(f"\nTouches a turn with dealt hands, {arguments.games} games each, {machine()}\n")
    print("| players | turns | touches a turn | of these | hands that are covered |")
    print("|---|---|---|---|---|")
    for players in map(int, arguments.players.split(",")):
        touches: Counter[str] = Counter()
        turns = covered = 0
        for number in range(arguments.games):
            chance = random.Random(f"{players} {number}")
            setup = deal(CARD_GAME.select("base"), NAMES[:players], chance)
            steps = play_steps(setup, [MINDS[arguments.level]] * players, chance)  # type: ignore[arg-type]
            touches += opening_themselves(steps, arguments.thinks, random.Random(number))
            covered += opened_by_taps(steps)
            turns += sum(
                isinstance(event, TurnBegan) for step in steps[1:] for event in step.state.events
            )
        each = ", ".join(f"{kind} {count / turns:.2f}" for kind, count in touches.most_common())
        print(
            f"| {players} | {turns} | **{touches.total() / turns:.2f}** | {each} "
            f"| {covered / turns:.2f} |",
            flush=True,
        )


def opening_themselves(
    steps: Sequence[DealtStep], thinks_s: float, chance: random.Random
) -> Counter[str]:
    """Return the touches by what they do if hands open by themselves on phones that are held."""
    touches: Counter[str] = Counter()
    now = 0.0
    touched: dict[int, float] = {}
    for before, step in pairwise(steps):
        state, move = before.state, step.move
        assert move is not None
        now += READS_S
        if is_unasked(state, move):
            now += thinks_s * isinstance(move, Pass)
            continue
        now += thinks_s * chance.lognormvariate(0, 0.5)
        held = now - touched.get(move.seat, -HELD_S) < HELD_S
        if held and is_all(state, move):
            continue
        touches["open"] += not held and needs_hand(state, move)
        touches[str(move.action)] += taps(state, move)
        touched[move.seat] = now
    return touches


def opened_by_taps(steps: Sequence[DealtStep]) -> int:
    """Return the number of touches if each hand is opened by a tap."""
    touches, is_open = 0, False
    for before, step in pairwise(steps):
        assert step.move is not None
        touches += taps(before.state, step.move)
        touches += not is_open and needs_hand(before.state, step.move)
        is_open = stays_open(before.state, step.move, step.state)
    return touches


def is_unasked(state: DealtState, move: DealtMove) -> bool:
    """Whether the table makes a decision itself."""
    return move == forced_move(state) or (isinstance(move, Pass) and can_only_pass(state))


def is_all(state: DealtState, move: DealtMove) -> bool:
    """Whether an open hand can do nothing else than end the turn, so that its phone does so."""
    hand = state.hands[move.seat]
    spare = plays(state.public, hand) or trading(state) == move.seat
    return move == EndTurn(move.seat) and not spare


def taps(state: DealtState, move: DealtMove) -> int:
    """How often a player taps for a decision, once their hand is open if it must be."""
    if is_unasked(state, move):
        return 0
    match move:
        case EndTurn(cards=cards) if cards:
            return len(cards)
        case Trade(cards=cards):
            return 1 + len(cards)
    return 1


def needs_hand(state: DealtState, move: DealtMove) -> bool:
    """Whether a player must see their hand for a decision."""
    match move:
        case Choose():
            return state.offer is not None and state.offer.kind is OfferKind.LOOK
        case EndTurn(cards=cards):
            return bool(cards)
    return isinstance(move, Play) and not state.public.open


def stays_open(state: DealtState, move: DealtMove, after: DealtState) -> bool:
    """Whether a hand is open after a decision: its player goes on with their turn."""
    game = after.public
    plays_on = after.offer is None and not game.open and game.phase is TurnPhase.PLAY
    return isinstance(move, Play) and not state.public.open and plays_on


if __name__ == "__main__":
    main()
