"""Parse decisions of the card game from the form fields that phones send."""

from enum import StrEnum
from typing import TypeVar

from werkzeug.exceptions import BadRequest

from companion.games.cards.rules import moves
from companion.games.cards.rules.titles import SAID_SIGNS, Sign, Title
from web.forms import Form, field, number

_Named = TypeVar("_Named", bound=StrEnum)


def move(form: Form) -> moves.CardMove:
    """Return the decision with cards in a form. The table checks whether it is legal."""
    seat = field(form, "seat")
    match form.get("action"):
        case moves.CardAction.PLAY:
            target = field(form, "target") if "target" in form else None
            return moves.Play(seat, _parse(Title, form, "card"), target, _take(form))
        case moves.CardAction.FLIP:
            return moves.Flip(seat, flipped_signs(form))
        case moves.CardAction.DRAW:
            shown = _sign(form, "shown") if "shown" in form else None
            return moves.Draw(seat, _source(form), shown)
        case moves.CardAction.PASS:
            return moves.Pass(seat)
        case moves.CardAction.REGAIN:
            return moves.Regain(seat)
        case moves.CardAction.COUNT:
            return moves.Count(seat, field(form, "hand"))
        case moves.CardAction.END:
            return moves.End(seat)
    raise BadRequest("action: nothing that is decided on a phone")


def flipped_signs(form: Form) -> tuple[Sign, ...]:
    """Return the flipped cards in `sign-0`, `sign-1`, in that order."""
    names = sorted(name for name in form if name.startswith("sign-"))
    return tuple(_sign(form, name) for name in names)


def _parse(kind: type[_Named], form: Form, name: str) -> _Named:
    try:
        return kind(form.get(name, ""))
    except ValueError:
        raise BadRequest(f"{name}: there is none of this name") from None


def _take(form: Form) -> moves.Take | None:
    if form.get("take") in (None, moves.HAND):
        return moves.HAND if "take" in form else None
    return _parse(Title, form, "take")


def _sign(form: Form, name: str) -> Sign:
    sign = SAID_SIGNS.get(form.get(name, ""))
    if sign is None:
        raise BadRequest(f"{name}: rank and suit, or the suit alone, are needed, such as 10S")
    return sign


def _source(form: Form) -> moves.DrawSource | int | None:
    source = form.get("source")
    if source is None or source in tuple(moves.DrawSource):
        return moves.DrawSource(source) if source else None
    return number(source, "source")
