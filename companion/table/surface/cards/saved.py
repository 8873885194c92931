"""What is saved of the pile: the cards that wait or are due."""

import json

from companion.base import codec
from companion.games.game import CardRules
from companion.table.surface.cards.state import PileState


def to_json(known: PileState) -> str:
    """Return what `from_json` reads; empty if no card waits and none is due."""
    kept = {name: value for name, value in codec.write(known).items() if value}
    return json.dumps(kept) if kept else ""


def from_json(text: str, rules: CardRules) -> PileState:
    """Return the pile as it was, until a camera watches it. Raises ValueError or TypeError."""
    known = codec.read(PileState, json.loads(text))
    cards = [*known.laid, *((known.counted,) if known.counted else ())]
    titles = {*known.due, *known.may_be_shown, *(title for card in cards for title in card.likely)}
    if not titles <= {*rules.titles(), None}:
        raise ValueError("no title")
    if not {card.sign for card in cards} <= {*rules.signs(), None}:
        raise ValueError("no card")
    return known
