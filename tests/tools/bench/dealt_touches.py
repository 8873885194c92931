"""Touches with dealt hands: `python -m tests.tools.bench.dealt_touches [--games 40]`.

Stand-ins decide for all players, and each decision counts the taps that its page needs: to
open the hand, for a card, for whom it is, for each card that is discarded. What the table does by
itself costs none. `tests/web/test_dealt_pages.py` holds that the pages need just these. Prints
Markdown.
"""

import argparse
import random
from collections import Counter
from itertools import pairwise

from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade
from companion.games.cards.dealt.options import can_only_pass, forced_move, plays
from companion.games.cards.dealt.state import DealtState, OfferKind
from companion.games.cards.game import CARD_GAME
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.match import play_steps
from companion.games.cards.rules.claims import takes
from companion.games.cards.rules.deck import KINDS
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
    print("| players | turns | touches a turn | of these |\n|---|---|---|---|")
    for players in map(int, arguments.players.split(",")):
        touches: Counter[str] = Counter()
        turns = 0
        for number in range(arguments.games):
            is_open = False
            chance = random.Random(f"{players} {number}")
            setup = deal(CARD_GAME.select("base"), NAMES[:players], chance)
            steps = play_steps(setup, [MINDS[arguments.level]] * players, chance)  # type: ignore[arg-type]
            for before, step in pairwise(steps):
                assert step.move is not None
                touches[str(step.move.action)] += taps(before.state, step.move, is_open)
                is_open = stays_open(before.state, step.move, step.state)
                turns += sum(isinstance(event, TurnBegan) for event in step.state.events)
        each = ", ".join(f"{kind} {count / turns:.2f}" for kind, count in touches.most_common())
        print(f"| {players} | {turns} | **{touches.total() / turns:.2f}** | {each} |", flush=True)


def taps(state: DealtState, move: DealtMove, is_open: bool) -> int:
    """How often a player taps for a decision. is_open: whether their hand is, in its sheet."""
    if move == forced_move(state) or (isinstance(move, Pass) and can_only_pass(state)):
        return 0
    opens = 0 if is_open else 1
    match move:
        case Play(seat=seat, card=card):
            ways = [
                way
                for target in plays(state.public, state.hands[seat])[card]
                for way in (takes(state.public, target) if KINDS[card].takes else (None,))
            ]
            return opens + 1 + (len(ways) > 1)
        case Choose():
            assert state.offer is not None
            return 2 if state.offer.kind is OfferKind.LOOK else 1
        case EndTurn(cards=cards) if len(cards) == 1:
            return 2
        case EndTurn(cards=cards) | Trade(cards=cards) if cards:
            return 1 + len(cards) + 1
    return 1


def stays_open(state: DealtState, move: DealtMove, after: DealtState) -> bool:
    """Whether a hand is open after a decision: its player goes on with their turn."""
    game = after.public
    plays_on = after.offer is None and not game.open and game.phase is TurnPhase.PLAY
    return isinstance(move, Play) and not state.public.open and plays_on


if __name__ == "__main__":
    main()
