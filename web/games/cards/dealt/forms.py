"""Parse decisions of players who hold their hands from the form fields that phones send."""

from werkzeug.exceptions import BadRequest

from companion.games.cards.dealt.moves import Choose, DealtAction, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.state import DECK, Cards, PlayingCard
from companion.games.cards.rules.moves import Draw, Pass, Play
from web.forms import Form, field
from web.games.cards import forms

_CARDS = {f"{card.title}-{card.sign}": card for card in DECK}
"""All cards by their names in forms."""


def name_of(card: PlayingCard) -> str:
    """Return the name of a card in forms."""
    return f"{card.title}-{card.sign}"


def move(form: Form) -> DealtMove:
    """Return the decision in a form. The table checks whether it is legal."""
    action = form.get("action")
    if action not in tuple(DealtAction):
        made = forms.move(form)
        if isinstance(made, Play | Pass | Draw):
            return made
        raise BadRequest("action: nothing that is decided with a hand")
    seat = field(form, "seat")
    match DealtAction(action):
        case DealtAction.TURN_UP:
            return TurnUp(seat)
        case DealtAction.CHOOSE:
            return Choose(seat, _card(form.get("card", "")))
        case DealtAction.TRADE:
            return Trade(seat, _cards(form))
        case DealtAction.END_TURN:
            return EndTurn(seat, _cards(form))


def _cards(form: Form) -> Cards:
    return tuple([_card(name) for name in form.getlist("card")])


def _card(name: str) -> PlayingCard:
    if name not in _CARDS:
        raise BadRequest("card: there is none of this name")
    return _CARDS[name]
