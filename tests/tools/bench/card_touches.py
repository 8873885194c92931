"""Touches with cards: `python -m tests.tools.bench.card_touches [--games 40] [--players 4,5,6,7]`.

Stand-ins decide for all players, and each decision counts the touches that its page needs, or the
press of a button. What the table does by itself costs none. Four ways to play are counted:

- with a camera: a card that is laid, read surely, costs none, whom it is for one tap, which also
  says that it is the last one of a turn. Hands are never late, which `late_hands` counts, and
  stand-ins play by what they hold.
- by hand: a card with whom it is for is one tap, and one more says which card is taken where there
  are several; a flipped card is tapped by its suit, a spade for the Dynamite also by its rank.
- dealt: a card with whom it is for is one tap, each discard one. An answer needs no open hand, and
  a phone ends the turn of an open hand that can play nothing. A hand opens by itself on a phone
  that was touched in the last two minutes, and by a tap otherwise. So decisions take time: people
  think for a median of `--thinks` seconds, and read each move for two.
- dealt and covered: a tap opens the hand, which stays open while its player goes on.

Prints Markdown.
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
from companion.games.cards.laid import LAID_CARD_RULES
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.match import DealtStep, play_steps
from companion.games.cards.rules.deck import needs_rank
from companion.games.cards.rules.moves import Draw, End, Flip, Pass, Play
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Sign
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
    print(f"\nTouches a turn with cards, {arguments.games} games each, {machine()}\n")
    print("| players | turns | way | touches a turn | of these |\n|---|---|---|---|---|")
    for players in map(int, arguments.players.split(",")):
        ways: dict[str, Counter[str]] = {}
        turns = 0
        for number in range(arguments.games):
            chance = random.Random(f"{players} {number}")
            setup = deal(CARD_GAME.select("base"), NAMES[:players], chance)
            steps = play_steps(setup, [MINDS[arguments.level]] * players, chance)  # type: ignore[arg-type]
            found = {
                "camera": with_real_cards(steps, watched=True),
                "by hand": with_real_cards(steps, watched=False),
                "dealt": opening_themselves(steps, arguments.thinks, random.Random(number)),
                "dealt, covered": opened_by_taps(steps),
            }
            for way, touches in found.items():
                ways.setdefault(way, Counter()).update(touches)
            turns += sum(
                isinstance(event, TurnBegan) for step in steps[1:] for event in step.state.events
            )
        for way, touches in ways.items():
            each = ", ".join(f"{kind} {count / turns:.2f}" for kind, count in touches.most_common())
            print(f"| {players} | {turns} | {way} | **{touches.total() / turns:.2f}** | {each} |")


# Real cards


def with_real_cards(steps: Sequence[DealtStep], *, watched: bool) -> Counter[str]:
    """Return the touches by what they do. watched: whether a camera reads the cards."""
    touches: Counter[str] = Counter()
    said_last = False
    for before, step in pairwise(steps):
        state, after = before.state.public, step.state.public
        match step.state.made:
            case None:
                continue
            case Play() as play:
                touches += (
                    taps_by_hand(state, play) if not watched else taps_with_camera(state, play)
                )
                if state.open is None:
                    said_last = watched and may_say_last(state, play)
            case Flip() | Draw(shown=Sign()) as shown:
                touches["suit"] += 0 if watched else suits_and_ranks(state, shown)
            case End() as end:
                touches[str(end.action)] += not said_last or LAID_CARD_RULES.excess(state) > 0
            case move:
                touches[str(move.action)] += 1
        said_last = said_last and not LAID_CARD_RULES.gains(after)
    return +touches


def taps_with_camera(state: CardState, play: Play) -> Counter[str]:
    """Return the touches that a card needs which lies in the tray."""
    return Counter(target=len(LAID_CARD_RULES.moves(state, play.card)) > 1)


def taps_by_hand(state: CardState, play: Play) -> Counter[str]:
    """Return the touches that say which card was played, and whom it is for."""
    moves = LAID_CARD_RULES.moves(state, play.card)
    return Counter({"title": 1, "which card": sum(one.target == play.target for one in moves) > 1})


def may_say_last(state: CardState, play: Play) -> bool:
    """Whether the tap that says whom a card is for can say that it ends the turn, too."""
    seat = play.seat
    chosen = play.take is None and len(LAID_CARD_RULES.moves(state, play.card)) > 1
    return chosen and state.hands[seat] - 1 <= state.life[seat]


def suits_and_ranks(state: CardState, move: Flip | Draw) -> int:
    """Return how many taps say what was flipped or shown."""
    signs = move.signs if isinstance(move, Flip) else (move.shown,)
    asks = state.open and state.open.card
    return sum(1 + needs_rank(Sign("", sign.suit), asks) for sign in signs if sign)


# Dealt hands


def opening_themselves(
    steps: Sequence[DealtStep], thinks_s: float, chance: random.Random
) -> Counter[str]:
    """Return the touches by what they do if hands open by themselves on phones that are held."""
    touches: Counter[str] = Counter()
    touched: dict[int, float] = {}
    now = 0.0
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
    return +touches


def opened_by_taps(steps: Sequence[DealtStep]) -> Counter[str]:
    """Return the touches by what they do if each hand is opened by a tap."""
    touches: Counter[str] = Counter()
    is_open = False
    for before, step in pairwise(steps):
        assert step.move is not None
        touches[str(step.move.action)] += taps(before.state, step.move)
        touches["open"] += not is_open and needs_hand(before.state, step.move)
        is_open = stays_open(before.state, step.move, step.state)
    return +touches


def is_unasked(state: DealtState, move: DealtMove) -> bool:
    """Whether the table makes a decision itself."""
    return move == forced_move(state) or (isinstance(move, Pass) and can_only_pass(state))


def is_all(state: DealtState, move: DealtMove) -> bool:
    """Whether an open hand can do nothing else than end the turn, so that its phone does so."""
    spare = plays(state.public, state.hands[move.seat]) or trading(state) == move.seat
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
