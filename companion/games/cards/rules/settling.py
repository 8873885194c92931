"""Settling a card: its targets one after the other, then the end of the game, Suzy and the turn."""

from companion.games.cards.rules.course import CardCourse
from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.events import Occasion
from companion.games.cards.rules.state import OpenCard, TurnPhase
from companion.games.cards.rules.titles import Title
from companion.games.common.endings import result_of
from companion.games.common.events import GameEnded, TurnBegan


def ask(game: CardCourse, card: Title, as_card: Title, by: int, seats: tuple[int, ...]) -> None:
    """Ask the first of these seats for its answer to a card; the others follow.

    as_card: what `card` acts as.
    """
    seat, kind, setup = seats[0], KINDS[as_card], game.setup
    needed, barrels, answer = 1, 0, kind.answered_by
    if answer is Title.MISSED:
        barrels = setup.abilities[seat].barrels + (Title.BARREL in game.in_play[seat])
    if as_card is Title.BANG:
        needed = setup.abilities[by].missed_needed
    rival = by if kind.by_turns else None
    game.open = OpenCard(card, by, seat, needed, barrels, answer, seats[1:], rival)


def next_target(game: CardCourse, card: OpenCard) -> None:
    """Go on to the next player whom a card hits, or settle it."""
    if card.waiting:
        assert card.by is not None
        # Only BANG!, which is on a single player, may be played as another title.
        ask(game, card.card, card.card, card.by, card.waiting)
    else:
        settle(game)


def settle(game: CardCourse) -> None:
    """Finish a card that is settled with all its targets."""
    game.open = None
    if len(game.living) < len(game.setup.roles):
        game.result = result_of(game.setup.roles, game.living)
    if game.result:
        game.log.append((GameEnded, game.result))
        return
    refill(game)
    if game.turn not in game.living:
        begin_turn(game, game.left_of(game.turn))


def refill(game: CardCourse) -> None:
    """Let a player who never has an empty hand draw a card, if theirs is empty."""
    seat = game.setup.drawer
    if seat is not None and not game.hands[seat] and seat in game.living:
        game.draw(seat, 1, Occasion.ABILITY)


def begin_turn(game: CardCourse, seat: int) -> None:
    """Begin the turn of a living player."""
    game.turn, game.phase, game.bangs = seat, TurnPhase.START, 0
    game.log.append((TurnBegan, seat))
