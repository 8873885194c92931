"""What everybody may see of a game, as JSON values for programs: an allow-list of fields."""

from collections.abc import Mapping
from typing import Any

from companion.games.cards.rules.events import (
    Cancelled,
    CardAnswered,
    CardEvent,
    CardFlipped,
    CardPlayed,
    Discarded,
    Drawn,
    DrawnFromPile,
    DynamitePassed,
    Hurt,
    Inherited,
    JailServed,
    Regained,
    Removed,
    SecondShown,
    Shuffled,
    Taken,
)
from companion.games.cards.rules.titles import Sign
from companion.games.cards.rules.views import CardView
from companion.games.common.endings import Result
from companion.games.common.events import Eliminated, GameEnded, TurnBegan

EVENTS: Mapping[type[Any], tuple[str, tuple[str, ...]]] = {
    TurnBegan: ("turn_began", ("seat",)),
    Drawn: ("drawn", ("seat", "count", "occasion")),
    DrawnFromPile: ("drawn_from_pile", ("seat", "card")),
    SecondShown: ("second_shown", ("seat", "sign")),
    CardPlayed: ("card_played", ("seat", "card", "target")),
    CardAnswered: ("card_answered", ("seat", "card")),
    CardFlipped: ("card_flipped", ("seat", "signs", "card", "success")),
    Cancelled: ("cancelled", ("seat", "card")),
    Hurt: ("life_lost", ("seat", "count", "card")),
    Regained: ("life_gained", ("seat", "count", "card")),
    Taken: ("taken", ("seat", "source", "take", "count")),
    Removed: ("removed", ("seat", "take")),
    Discarded: ("discarded", ("seat", "count", "occasion")),
    DynamitePassed: ("dynamite_passed", ("seat", "target")),
    JailServed: ("jail_served", ("seat",)),
    Shuffled: ("shuffled", ("count",)),
    Inherited: ("inherited", ("seat", "source", "count")),
    Eliminated: ("eliminated", ("seat", "role")),
    GameEnded: ("game_ended", ("result",)),
}
"""The name of each kind of event, and its public fields; the same names as in the dice game."""


def player_entries(view: CardView) -> list[dict[str, Any]]:
    """Return the players by seat."""
    return [
        {
            "life": player.life,
            "max_life": player.max_life,
            "hand": player.hand,
            "in_play": player.in_play,
            "alive": player.alive,
            "character": player.character,
            "role": player.role,
        }
        for player in view.players
    ]


def board_entry(view: CardView) -> dict[str, Any]:
    """Return what lies on the table, and what the awaited seat can choose from."""
    opened = view.open
    return {
        "phase": view.phase,
        "bangs": view.bangs,
        "deck": view.deck,
        "discard": view.discard,
        "top": _entry(view.top),
        "regain": view.regain,
        "open": None
        if opened is None
        else {
            "card": opened.card,
            "by": opened.by,
            "on": opened.on,
            "needed": opened.needed,
            "barrels": opened.barrels,
        },
        "actions": view.awaits.actions if view.awaits else (),
    }


def event_entry(event: CardEvent) -> dict[str, Any]:
    """Return an event: its `kind`, and its fields."""
    kind, fields = EVENTS[type(event)]
    return {"kind": kind, **{field: _entry(getattr(event, field)) for field in fields}}


def _entry(value: Any) -> Any:
    match value:
        case Sign():
            return str(value)
        case Result():
            return value._asdict()
        case tuple():
            return [_entry(item) for item in value]
    return value
