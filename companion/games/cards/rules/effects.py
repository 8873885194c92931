"""What cards do when they are played on one's own turn."""

from collections.abc import Callable, Mapping

from companion.games.cards.rules.claims import BEER_PLAYERS, used_as
from companion.games.cards.rules.course import CardCourse
from companion.games.cards.rules.deck import KINDS, WEAPONS, Border
from companion.games.cards.rules.events import CardPlayed, Occasion, Regained, Removed, Taken
from companion.games.cards.rules.moves import HAND, Play
from companion.games.cards.rules.settling import ask
from companion.games.cards.rules.titles import Title


def play_card(game: CardCourse, move: Play) -> None:
    """Play a card from the hand; what it asks for stays open, everything else happens at once."""
    seat, card, target, *_ = move
    as_card = used_as(game, card)
    game.gain_cards(seat, -1)
    game.log.append((CardPlayed, seat, card, target))
    if KINDS[card].border is Border.BLUE:
        _put_down(game, seat if target is None else target, card)
        return
    game.count_unseen(card, -1)
    game.lay(card)
    _EFFECTS[as_card](game, move)


def _put_down(game: CardCourse, seat: int, card: Title) -> None:
    if card in WEAPONS:
        for old in game.in_play[seat]:
            if old in WEAPONS:
                game.lift(seat, old)
                game.lay(old)
                game.log.append((Removed, seat, old))
    game.put_down(seat, card)


def _bang(game: CardCourse, move: Play) -> None:
    assert move.target is not None
    game.bangs += 1
    ask(game, move.card, Title.BANG, move.seat, (move.target,))


def _beer(game: CardCourse, move: Play) -> None:
    if len(game.living) < BEER_PLAYERS:
        game.log.append((Regained, move.seat, 0, move.card))
    else:
        game.regain_life(move.seat, move.card)


def _saloon(game: CardCourse, move: Play) -> None:
    for seat in (move.seat, *game.others(move.seat)):
        game.regain_life(seat, move.card)


def _draw(game: CardCourse, move: Play) -> None:
    game.draw(move.seat, KINDS[move.card].draws, Occasion.CARD)


def _general_store(game: CardCourse, move: Play) -> None:
    for seat in (move.seat, *game.others(move.seat)):
        game.draw(seat, 1, Occasion.STORE)


def _panic(game: CardCourse, move: Play) -> None:
    seat, _, target, take, _ = move
    assert target is not None
    assert take is not None
    if take == HAND:
        game.take_from_hand(seat, target, 1)
        return
    game.pick_up(target, Title(take))
    game.gain_cards(seat, 1)
    game.log.append((Taken, seat, target, take, 1))


def _cat_balou(game: CardCourse, move: Play) -> None:
    _, _, target, take, _ = move
    assert target is not None
    assert take is not None
    game.log.append((Removed, target, take))
    if take == HAND:
        game.gain_cards(target, -1)
        game.lay(None)
        return
    title = Title(take)
    game.lift(target, title)
    game.lay(title)


def _ask_target(game: CardCourse, move: Play) -> None:
    assert move.target is not None
    ask(game, move.card, move.card, move.seat, (move.target,))


def _ask_others(game: CardCourse, move: Play) -> None:
    ask(game, move.card, move.card, move.seat, game.others(move.seat))


_EFFECTS: Mapping[Title, Callable[[CardCourse, Play], None]] = {
    Title.BANG: _bang,
    Title.BEER: _beer,
    Title.SALOON: _saloon,
    Title.STAGECOACH: _draw,
    Title.WELLS_FARGO: _draw,
    Title.GENERAL_STORE: _general_store,
    Title.PANIC: _panic,
    Title.CAT_BALOU: _cat_balou,
    Title.GATLING: _ask_others,
    Title.INDIANS: _ask_others,
    Title.DUEL: _ask_target,
}
"""What each brown card does, once it lies on the pile."""
