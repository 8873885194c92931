"""Save the cards that wait in the tray, as JSON, across restarts."""

import json
from typing import Any

from companion.table.game import CardRules
from companion.table.pile.observation import LaidCard
from companion.table.pile.state import PileState


def pile_to_json(known: PileState) -> str:
    """Return what `pile_from_json` reads; empty if no card waits and none is due."""
    kept: dict[str, Any] = {
        "laid": [_card_json(card) for card in known.laid],
        "due": list(known.due),
        "shown": list(known.may_be_shown),
        "counted": _card_json(known.counted) if known.counted else None,
        "drawing": known.drawing,
        "held": known.held,
        "lifting": known.lifting,
    }
    kept = {name: value for name, value in kept.items() if value}
    return json.dumps(kept) if kept else ""


def pile_from_json(text: str, rules: CardRules) -> PileState:
    """Return the pile as it was, until a camera watches it. Raises ValueError or TypeError."""
    kept = json.loads(text)
    titles = {*rules.titles(), None}
    due = tuple(kept.get("due", ()))
    if not {*due} <= titles:
        raise ValueError("no title")
    shown = tuple(kept.get("shown", ()))
    if None in shown or not {*shown} <= titles:
        raise ValueError("no title")
    counted = kept.get("counted")
    return PileState(
        laid=tuple(_card(rules, *card) for card in kept.get("laid", ())),
        due=due,
        may_be_shown=shown,
        counted=_card(rules, *counted) if counted else None,
        drawing=_flag(kept.get("drawing", False)),
        held=_flag(kept.get("held", False)),
        lifting=_flag(kept.get("lifting", False)),
    )


def _card_json(card: LaidCard) -> list[object]:
    flags = [card.new, card.named, *([card.early] if card.early else [])]
    return [list(card.likely), card.sure, card.sign, card.sign_sure, *flags]


def _card(
    rules: CardRules,
    likely: list[str],
    sure: object,
    sign: str | None,
    sign_sure: object,
    new: object,
    named: object,
    early: object = False,
) -> LaidCard:
    if not {*likely} <= {*rules.titles()} or sign not in {*rules.signs(), None}:
        raise ValueError("no card")
    return LaidCard(
        tuple(likely),
        _flag(sure),
        sign,
        _flag(sign_sure),
        _flag(new),
        _flag(named),
        early=_flag(early),
    )


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("no flag")
    return value
