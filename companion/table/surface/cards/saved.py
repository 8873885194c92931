"""What is saved of the pile: the cards that wait or are owed."""

import json

from companion.base import codec
from companion.games.game import CardRules
from companion.table.surface.cards.state import PileState


def to_json(known: PileState) -> str:
    """Return what `from_json` reads; empty if no card waits and none is owed."""
    kept = {name: value for name, value in codec.write(known).items() if value}
    return json.dumps(kept) if kept else ""


def from_json(text: str, rules: CardRules) -> PileState:
    """Return the pile as it was, until a camera watches it. Raises ValueError or TypeError."""
    said = json.loads(text)
    if isinstance(said, dict):
        # Earlier versions didn't save who owed a card, and what else the last one could have been.
        said.pop("counted", None)
        if "due" in said:
            said["owed"] = [{"seat": None, "card": card} for card in said.pop("due")]
    known = codec.read(PileState, said)
    cards = [*known.laid, *(given.card for given in known.given)]
    titles = {*(owed.card for owed in known.owed), *known.may_be_shown}
    titles |= {title for card in cards for title in card.likely}
    if not titles <= {*rules.titles(), None}:
        raise ValueError("no title")
    if not {card.sign for card in cards} <= {*rules.signs(), None}:
        raise ValueError("no card")
    return known
