"""What everybody may see of a game, as JSON values for programs: an allow-list of fields."""

from collections.abc import Mapping
from typing import Any

from companion.games.common.endings import Result
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.rules import events
from companion.games.dice.rules.moves import Shot
from companion.games.dice.rules.views import View

EVENTS: Mapping[type[Any], tuple[str, tuple[str, ...]]] = {
    TurnBegan: ("turn_began", ("seat",)),
    events.Rolled: ("rolled", ("seat", "dice", "thrown")),
    events.ArrowsTaken: ("arrows_taken", ("seat", "count", "cause")),
    events.ArrowsDiscarded: ("arrows_discarded", ("seat", "count", "cause")),
    events.IndiansAttacked: ("indians_attacked", ()),
    events.DynamiteExploded: ("dynamite_exploded", ("seat",)),
    events.ShotsFired: ("shots_fired", ("seat", "shots")),
    events.GatlingFired: ("gatling_fired", ("seat",)),
    events.LifeLost: ("life_lost", ("seat", "count", "cause")),
    events.LifeGained: ("life_gained", ("seat", "count", "cause")),
    Eliminated: ("eliminated", ("seat", "role")),
    GameEnded: ("game_ended", ("result",)),
}
"""The name of each kind of event, and its public fields."""


def player_entries(view: View) -> list[dict[str, Any]]:
    """Return the players by seat, with the arrows that each holds."""
    return [
        {
            "life": player.life,
            "max_life": player.max_life,
            "arrows": player.arrows,
            "alive": player.alive,
            "character": player.character,
            "role": player.role,
        }
        for player in view.players
    ]


def board_entry(view: View) -> dict[str, Any]:
    """Return the dice and the arrows in the pile, and what the awaited seat can choose from."""
    return {
        "rolls": view.rolls,
        "dice": view.dice,
        "pile": view.pile,
        "actions": view.actions,
    }


def event_entry(event: events.Event) -> dict[str, Any]:
    """Return an event: its `kind`, and its fields, shots by those of records."""
    kind, fields = EVENTS[type(event)]
    return {"kind": kind, **{field: _entry(getattr(event, field)) for field in fields}}


def shot_entry(shot: Shot) -> dict[str, Any]:
    """Return a shot, as in records."""
    entry: dict[str, Any] = {"die": shot.die, "target": shot.target}
    if shot.used_as is not None:
        entry["as"] = shot.used_as
    if shot.beer is not None:
        entry["beer"] = shot.beer
    return entry


def _entry(value: Any) -> Any:
    if isinstance(value, Result):
        return value._asdict()
    if isinstance(value, Shot):
        return shot_entry(value)
    return [_entry(item) for item in value] if isinstance(value, tuple) else value
