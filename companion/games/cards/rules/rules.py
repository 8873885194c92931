"""The rules: `start` begins a game, `apply` makes a move and everything that follows from it.

A move does its own part, then `_carry_on` goes on until somebody must decide: it lets players pass
who have no choice, settles cards, and takes turns through their phases.

Simulations of thousands of games change one course with `make` instead of calling `apply`, which
returns a new state for each move and checks it first.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.cards.rules import claims, deck, events, moves
from companion.games.cards.rules.check import check
from companion.games.cards.rules.course import CardCourse
from companion.games.cards.rules.effects import play_card
from companion.games.cards.rules.hits import eliminate, hit, save
from companion.games.cards.rules.settling import begin_turn, next_target, refill, settle
from companion.games.cards.rules.state import CardSetup, CardState, OpenCard, TurnPhase
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.events import TurnBegan
from companion.games.common.frozen import with_item
from companion.games.common.refusals import IllegalMove

TURN_CARDS = 2
"""How many cards a player draws at the start of a turn."""


def start(setup: CardSetup) -> CardState:
    """Return the state before the first decision."""
    seats = tuple(range(len(setup.players)))
    dealt = CardState(
        setup=setup,
        turn=setup.sheriff,
        phase=TurnPhase.START,
        bangs=0,
        deck=deck.CARDS - sum(setup.max_life),
        pile=(),
        life=setup.max_life,
        hands=setup.max_life,
        in_play=((),) * len(seats),
        living=seats,
        unseen=deck.COPIES,
        shown=(),
        open=None,
        result=None,
        log=(),
    )
    course = CardCourse.of(dealt)
    course.log.append((TurnBegan, setup.sheriff))
    _carry_on(course)
    return course.ended()


def apply(state: CardState, move: moves.CardMove) -> CardState:
    """Return the card game after `move` and all that follows from it. Raises IllegalMove."""
    refusal = check(state, move)
    if refusal:
        raise IllegalMove(refusal)
    course = CardCourse.of(state)
    make(course, move)
    return course.ended()


def make(course: CardCourse, move: moves.CardMove) -> None:
    """Make a legal move in place. Nothing checks it: an illegal one makes a game that can't be."""
    course.log.clear()
    _MOVES[move.action](course, move)
    _carry_on(course)


# Moves


def _flip(game: CardCourse, move: moves.Flip) -> None:
    card, signs = game.open, move.signs
    assert card is not None
    _turn_up(game, signs)
    _AFTER_FLIP.get(card.card, _after_barrel)(game, card, signs)


def _turn_up(game: CardCourse, signs: tuple[Sign, ...]) -> None:
    # If the deck is shuffled between two cards, nobody says which came first: neither counts.
    counted = len(signs) == 1 or game.deck > 1
    for sign in signs:
        if counted:
            game.show(sign)
        else:
            game.leave_deck()
    for sign in signs:
        game.lay(sign)


def _after_barrel(game: CardCourse, card: OpenCard, signs: tuple[Sign, ...]) -> None:
    success = deck.is_heart(signs[0])
    game.log.append((events.CardFlipped, card.on, signs, Title.BARREL, success))
    card = card._replace(barrels=card.barrels - 1)
    if success:
        _answered(game, card)
    else:
        game.open = card


def _answered(game: CardCourse, card: OpenCard) -> None:
    """Count an answer to a shot or to Indians!."""
    needed = card.needed - 1
    if needed:
        game.open = card._replace(needed=needed)
    else:
        game.log.append((events.Cancelled, card.on, card.card))
        next_target(game, card)


def _after_dynamite(game: CardCourse, card: OpenCard, signs: tuple[Sign, ...]) -> None:
    exploded = bool(signs) and deck.explodes(signs[0])
    if signs:
        game.log.append((events.CardFlipped, card.on, signs, card.card, exploded))
    game.lift(card.on, card.card)
    if exploded:
        game.lay(card.card)
        _hit(game, card, deck.DYNAMITE_POINTS)
        return
    to = game.left_of(card.on)
    game.in_play = with_item(game.in_play, to, (*game.in_play[to], card.card))
    game.log.append((events.DynamitePassed, card.on, to))
    settle(game)


def _after_jail(game: CardCourse, card: OpenCard, signs: tuple[Sign, ...]) -> None:
    free = bool(signs) and deck.is_heart(signs[0])
    if signs:
        game.log.append((events.CardFlipped, card.on, signs, card.card, free))
    game.lift(card.on, card.card)
    game.lay(card.card)
    settle(game)
    if not free:
        game.log.append((events.JailServed, card.on))
        begin_turn(game, game.left_of(card.on))


_AFTER_FLIP: Mapping[Title, Callable[[CardCourse, OpenCard, tuple[Sign, ...]], None]] = {
    Title.DYNAMITE: _after_dynamite,
    Title.JAIL: _after_jail,
}
"""What a flip does at the start of a turn, in this order; without a sign, no card was left."""


def _draw(game: CardCourse, move: moves.Draw) -> None:
    seat, source, shown, _ = move
    if shown is not None:
        game.draw(seat, 1, events.Occasion.TURN)
        game.log.append((events.SecondShown, seat, shown))
        game.show(shown)
        game.gain_cards(seat, 1)
        if deck.is_red(shown):
            game.draw(seat, 1, events.Occasion.ABILITY)
    elif isinstance(source, int):
        game.take_from_hand(seat, source, 1)
        game.draw(seat, TURN_CARDS - 1, events.Occasion.TURN)
    elif source is moves.DrawSource.DISCARD:
        _draw_from_pile(game, seat)
        game.draw(seat, TURN_CARDS - 1, events.Occasion.TURN)
    else:
        game.draw(seat, TURN_CARDS, events.Occasion.TURN)
    _end_drawing(game)


def _draw_from_pile(game: CardCourse, seat: int) -> None:
    card = game.pile[-1]
    game.pile = game.pile[:-1]
    if isinstance(card, Title):
        game.count_unseen(card, 1)
    game.gain_cards(seat, 1)
    game.log.append((events.DrawnFromPile, seat, card))


def _end_drawing(game: CardCourse) -> None:
    game.phase = TurnPhase.PLAY
    refill(game)


def _play(game: CardCourse, move: moves.Play) -> None:
    if game.open is None:
        play_card(game, move)
        if game.open is None:
            settle(game)
    else:
        _answer(game, game.open, move)


def _answer(game: CardCourse, card: OpenCard, move: moves.Play) -> None:
    seat, answer, *_ = move
    game.gain_cards(seat, -1)
    game.count_unseen(answer, -1)
    game.lay(answer)
    game.log.append((events.CardAnswered, seat, answer))
    if card.points:
        game.regain_life(seat, answer)
        _save(game, card)
    elif card.rival is not None:
        game.open = card._replace(on=card.rival, rival=seat)
    else:
        _answered(game, card._replace(barrels=0))


def _pass(game: CardCourse, move: moves.Pass) -> None:
    assert game.open is not None
    _decline(game, game.open)


def _regain(game: CardCourse, move: moves.Regain) -> None:
    seat, card = move.seat, game.open
    game.discard_hand(seat, claims.REGAIN_CARDS, events.Occasion.ABILITY)
    game.regain_life(seat, None)
    if card is None:
        refill(game)
    elif card.points and card.on == seat:
        _save(game, card)


def _count(game: CardCourse, move: moves.Count) -> None:
    seat, hand, _ = move
    before = game.hands[seat]
    game.log.append((events.Counted, seat, hand, before))
    game.gain_cards(seat, hand - before)
    game.deck += max(0, before - hand)
    for _ in range(hand - before):
        game.leave_deck()
    if game.open is None:
        refill(game)


def _end(game: CardCourse, move: moves.End) -> None:
    seat = move.seat
    game.discard_hand(seat, max(0, game.hands[seat] - game.life[seat]), events.Occasion.TURN)
    refill(game)
    begin_turn(game, game.left_of(seat))


_MOVES: Mapping[moves.CardAction, Callable[[CardCourse, Any], None]] = {
    moves.CardAction.FLIP: _flip,
    moves.CardAction.DRAW: _draw,
    moves.CardAction.PLAY: _play,
    moves.CardAction.PASS: _pass,
    moves.CardAction.REGAIN: _regain,
    moves.CardAction.COUNT: _count,
    moves.CardAction.END: _end,
}


# What follows


def _carry_on(game: CardCourse) -> None:
    """Go on until somebody must decide, or the game is over."""
    while not game.result:
        if game.open is not None:
            if _has_choice(game, game.open):
                return
            _decline(game, game.open)
        elif game.phase is TurnPhase.START:
            _begin_phase(game)
        elif game.phase is TurnPhase.PLAY or claims.shows_second(game) or claims.sources(game):
            return
        else:
            game.draw(game.turn, TURN_CARDS, events.Occasion.TURN)
            _end_drawing(game)


def _has_choice(game: CardCourse, card: OpenCard) -> bool:
    """Return whether the awaited seat can do anything but pass, by what is public."""
    if claims.may_flip(game) or claims.answers(game):
        return True
    return card.points > 0 and claims.regainer(game) == card.on


def _begin_phase(game: CardCourse) -> None:
    """Begin the next part of a turn: the flip for the Dynamite, the flip for the Jail, the draw."""
    seat = game.turn
    for card in _AFTER_FLIP:
        if card in game.in_play[seat]:
            game.open = OpenCard(card, None, seat, 0)
            return
    game.phase = TurnPhase.DRAW


def _decline(game: CardCourse, card: OpenCard) -> None:
    """Go on without an answer of the awaited seat."""
    if card.points:
        eliminate(game, card)
        next_target(game, card)
    elif card.answer is None:
        _AFTER_FLIP[card.card](game, card, ())
    else:
        _hit(game, card, 1)


def _hit(game: CardCourse, card: OpenCard, points: int) -> None:
    hit(game, card, points)
    _unless_dying(game, card)


def _save(game: CardCourse, card: OpenCard) -> None:
    save(game, card)
    _unless_dying(game, card)


def _unless_dying(game: CardCourse, card: OpenCard) -> None:
    if game.life[card.on] > 0:
        next_target(game, card)
