"""Touches with dealt hands: `python -m tests.tools.bench.dealt_touches [--games 40]`.

Stand-ins decide for all players, and each decision counts the taps that its page needs: for a
card or for whom it is, and for each card that is discarded. What the table does by itself costs
none. Two ways to hold a hand are counted: it opens by itself when its player decides, if they chose
so, or they open it, and it stays open while they go on with their turn. Prints Markdown.
"""

import argparse
import random
from collections import Counter
from itertools import pairwise

from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade
from companion.games.cards.dealt.options import can_only_pass, forced_move
from companion.games.cards.dealt.state import DealtState, OfferKind
from companion.games.cards.game import CARD_GAME
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.match import play_steps
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.state import TurnPhase
from companion.games.common.events import TurnBegan
from companion.table.dealing import deal
from tests.tools.bench.machine import machine
from tests.tools.bench.minds import NAMES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--players", default="4,5,6,7")
    parser.add_argument("--level", default="strong", help="how all players decide")
    arguments = parser.parse_args()
    print(f"\nTouches a turn with dealt hands, {arguments.games} games each, {machine()}\n")
    print("| players | turns | touches a turn | of these | if hands are opened by a tap |")
    print("|---|---|---|---|---|")
    for players in map(int, arguments.players.split(",")):
        touches: Counter[str] = Counter()
        turns = opened = 0
        for number in range(arguments.games):
            is_open = False
            chance = random.Random(f"{players} {number}")
            setup = deal(CARD_GAME.select("base"), NAMES[:players], chance)
            steps = play_steps(setup, [MINDS[arguments.level]] * players, chance)  # type: ignore[arg-type]
            for before, step in pairwise(steps):
                assert step.move is not None
                touches[str(step.move.action)] += taps(before.state, step.move)
                opened += not is_open and needs_hand(before.state, step.move)
                is_open = stays_open(before.state, step.move, step.state)
                turns += sum(isinstance(event, TurnBegan) for event in step.state.events)
        each = ", ".join(f"{kind} {count / turns:.2f}" for kind, count in touches.most_common())
        total = touches.total()
        print(
            f"| {players} | {turns} | **{total / turns:.2f}** | {each} "
            f"| {(total + opened) / turns:.2f} |",
            flush=True,
        )


def is_unasked(state: DealtState, move: DealtMove) -> bool:
    """Whether the table makes a decision itself."""
    return move == forced_move(state) or (isinstance(move, Pass) and can_only_pass(state))


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
    return isinstance(move, Play)


def stays_open(state: DealtState, move: DealtMove, after: DealtState) -> bool:
    """Whether a hand is open after a decision: its player goes on with their turn."""
    game = after.public
    plays_on = after.offer is None and not game.open and game.phase is TurnPhase.PLAY
    return isinstance(move, Play) and not state.public.open and plays_on


if __name__ == "__main__":
    main()
