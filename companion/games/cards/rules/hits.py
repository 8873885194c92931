"""Hits: what happens to a player who loses life points, is saved, or is eliminated."""

from companion.games.cards.rules.course import CardCourse
from companion.games.cards.rules.events import Inherited, Occasion
from companion.games.cards.rules.state import OpenCard
from companion.games.cards.rules.titles import Title
from companion.games.common.events import Eliminated
from companion.games.common.frozen import with_item
from companion.games.common.roles import Role

REWARD = 3
"""How many cards the elimination of an Outlaw brings."""


def hit(game: CardCourse, card: OpenCard, points: int) -> None:
    """Hit the player whom `card` is on; without life points left, they are dying."""
    seat = card.on
    game.lose_life(seat, points, card.card)
    life = game.life[seat]
    if life > 0:
        _survive(game, card, points)
        return
    game.open = card._replace(needed=1 - life, barrels=0, answer=Title.BEER, points=points)


def save(game: CardCourse, card: OpenCard) -> None:
    """Work out what a dying player still needs after they regained a life point."""
    life = game.life[card.on]
    if life > 0:
        _survive(game, card, card.points)
    else:
        game.open = card._replace(needed=1 - life)


def _survive(game: CardCourse, card: OpenCard, points: int) -> None:
    """Let a player who was hit and lives use their ability."""
    seat, cause = card.on, card.cause
    ability = game.setup.abilities[seat]
    if ability.draws_when_hurt:
        game.draw(seat, points, Occasion.ABILITY)
    if ability.takes_when_hurt and cause is not None:
        game.take_from_hand(seat, cause, points)


def eliminate(game: CardCourse, card: OpenCard) -> None:
    """Eliminate the dying player whom `card` is on."""
    seat, cause, setup = card.on, card.cause, game.setup
    role = setup.roles[seat]
    game.living = tuple([one for one in game.living if one != seat])
    game.life = with_item(game.life, seat, 0)
    game.log.append((Eliminated, seat, role))
    if setup.heir in game.living:
        assert setup.heir is not None
        _inherit(game, setup.heir, seat)
    else:
        game.discard_all(seat, Occasion.OUT)
    if cause is None:
        return
    if role is Role.OUTLAW:
        game.draw(cause, REWARD, Occasion.REWARD)
    elif role is Role.DEPUTY and cause == setup.sheriff:
        game.discard_all(cause, Occasion.PENALTY)


def _inherit(game: CardCourse, heir: int, seat: int) -> None:
    in_play, hand = game.in_play[seat], game.hands[seat]
    for title in in_play:
        game.pick_up(seat, title)
    game.hands = with_item(game.hands, seat, 0)
    game.gain_cards(heir, len(in_play) + hand)
    if in_play or hand:
        game.log.append((Inherited, heir, seat, len(in_play) + hand))
