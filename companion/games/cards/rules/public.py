"""What everybody may see of a game, as JSON values for programs: an allow-list of fields."""

from collections.abc import Mapping
from typing import Any

from companion.games.cards.rules import events
from companion.games.cards.rules.titles import Sign
from companion.games.cards.rules.views import CardView
from companion.games.common.endings import Result
from companion.games.common.events import Eliminated, GameEnded, TurnBegan

EVENTS: Mapping[type[Any], tuple[str, tuple[str, ...]]] = {
    TurnBegan: ("turn_began", ("seat",)),
    events.Drawn: ("drawn", ("seat", "count", "occasion", "card")),
    events.DrawnFromPile: ("drawn_from_pile", ("seat", "card")),
    events.SecondShown: ("second_shown", ("seat", "sign")),
    events.CardPlayed: ("card_played", ("seat", "card", "target")),
    events.CardAnswered: ("card_answered", ("seat", "card")),
    events.CardFlipped: ("card_flipped", ("seat", "signs", "card", "success")),
    events.Cancelled: ("cancelled", ("seat", "card")),
    events.Hurt: ("life_lost", ("seat", "count", "card")),
    events.Regained: ("life_gained", ("seat", "count", "card")),
    events.Taken: ("taken", ("seat", "source", "take", "count")),
    events.Removed: ("removed", ("seat", "take")),
    events.Discarded: ("discarded", ("seat", "count", "occasion")),
    events.DynamitePassed: ("dynamite_passed", ("seat", "target")),
    events.JailServed: ("jail_served", ("seat",)),
    events.Counted: ("counted", ("seat", "count", "before")),
    events.Shuffled: ("shuffled", ("count",)),
    events.Inherited: ("inherited", ("seat", "source", "count")),
    Eliminated: ("eliminated", ("seat", "role")),
    GameEnded: ("game_ended", ("result",)),
}
"""The name of each kind of event, and its public fields; the same names as in the dice game."""


def player_entries(view: CardView) -> list[dict[str, Any]]:
    """Return the players by seat, with the cards in play before each."""
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
    """Return deck, pile and the open card, and what the awaited seat can choose from."""
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


def event_entry(event: events.CardEvent) -> dict[str, Any]:
    """Return an event: its `kind`, and its fields, signs by their names in records."""
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
