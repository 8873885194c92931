"""How a stand-in answers: shots and attacks, its last breath, and cards that are offered to it."""

from companion.games.cards.dealt.moves import Choose, DealtMove, Trade, TurnUp
from companion.games.cards.dealt.state import Offer, OfferKind
from companion.games.cards.minds.enmity import Enmities
from companion.games.cards.minds.keep import AVERAGE, best, least, worst, worth_of
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import explodes, is_heart
from companion.games.cards.rules.moves import Draw, DrawSource, Pass, Play
from companion.games.cards.rules.titles import Title


def choose(known: SeatKnowledge, offer: Offer) -> Choose:
    """Choose one of the cards that are offered."""
    assert known.seat is not None
    if offer.kind is OfferKind.LOOK:
        return Choose(known.seat, least(known, offer.cards))
    if offer.kind is OfferKind.STORE:
        return Choose(known.seat, best(known, offer.cards))
    assert known.game.open is not None
    if known.game.open.card is Title.DYNAMITE:
        good = [card for card in offer.cards if not explodes(card.sign)]
    else:
        good = [card for card in offer.cards if is_heart(card.sign)]
    return Choose(known.seat, good[0])


def answer(known: SeatKnowledge) -> DealtMove:
    """Answer the card that is open, if that helps: a flip costs nothing, and a life point most."""
    seat, game, card = known.seat, known.game, known.game.open
    assert seat is not None
    assert card is not None
    if card.points:
        return _survive(known, seat)
    if claims.may_flip(game):
        return TurnUp(seat)
    usable = [one for one in known.hand if one.title in known.plays]
    if len(usable) < card.needed:
        return Pass(seat)
    spare = min(usable, key=lambda one: worth_of(known, one, ()))
    return Play(seat, spare.title)


def _survive(known: SeatKnowledge, seat: int) -> DealtMove:
    """Spend Beers, and cards that bring a life point, if there are enough to survive."""
    game, card = known.game, known.game.open
    assert card is not None
    beers = sum(one.title is Title.BEER for one in known.hand) * (Title.BEER in known.plays)
    trades = (len(known.hand) - beers) // claims.REGAIN_CARDS * (seat == game.setup.trader)
    if beers + trades < card.needed:
        return Pass(seat)
    if beers:
        return Play(seat, Title.BEER)
    return Trade(seat, worst(known, claims.REGAIN_CARDS))


def draw(known: SeatKnowledge, enmities: Enmities) -> DealtMove:
    """Choose where the first card of a turn comes from."""
    seat, game = known.seat, known.game
    assert seat is not None
    sources = claims.sources(game)
    if DrawSource.DISCARD in sources:
        top = worth_of(known, known.pile[-1], known.hand)
        return Draw(seat, DrawSource.DISCARD if top > AVERAGE else DrawSource.DECK)
    hands = [one for one in sources if isinstance(one, int)]
    if not hands:
        return TurnUp(seat)
    victim = max(hands, key=lambda one: (enmities[one], -game.hands[one]))
    return Draw(seat, victim if enmities[victim] > 0 else DrawSource.DECK)
