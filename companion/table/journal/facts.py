"""What a journal keeps of a scene: its people, its game, and everything else as named texts."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any

from companion.base import codec
from companion.games.game import Selection
from companion.table.dealing import Dealing, DealOptions
from companion.table.history import restore_sound
from companion.table.journal.saved import FIELDS, Saved
from companion.table.scene import (
    Bid,
    Claim,
    Guest,
    News,
    Scene,
    Trouble,
    select,
    surface_of,
)

LASTING = (Trouble.DAMAGE, Trouble.OLDER, Trouble.LOST)
"""Troubles that are shown until the next game, even after restarts."""

_FIELDS: Mapping[str, tuple[str, Any]] = {
    "claims": ("requests.claims", tuple[Claim, ...]),
    "bid": ("requests.bid", Bid),
    "queue": ("requests.queue", tuple[Guest, ...]),
    "left": ("left", frozenset[int]),
    "stand-ins": ("stand_ins.levels", Mapping[int, str]),
    "seats": ("news.all", tuple[News, ...]),
    "survivors": ("last.survivors", Mapping[int, str]),
}
"""The facts that are fields of a scene or of one of its values, which and of what type."""

_GETTERS = {name: attrgetter(field) for name, (field, _) in _FIELDS.items()}

_OF_TRAY = ("tray", "pile", "early")
"""The facts of what lies in the tray, whatever does."""


def saved(scene: Scene) -> Saved:
    """Return what must be saved of a scene; `restore_scene` reads it."""
    history = scene.history
    return Saved(
        version=scene.version,
        code=scene.code,
        game=history.number if history else 0,
        last_game=scene.last_game,
        people=scene.people,
        lines=history.lines if history else (),
        facts=facts(scene),
    )


def changes(before: Saved, after: Saved) -> Sequence[str]:
    """Return what differs between two saves of a table: names of fields, or of facts."""
    fields = [name for name in FIELDS if getattr(before, name) != getattr(after, name)]
    if len(before.lines) != len(after.lines):
        fields.append("lines")
    return fields + [k for k, text in after.facts.items() if before.facts.get(k) != text]


def restore_scene(scene: Scene, was: Saved) -> tuple[Scene, Sequence[str]]:
    """Return the scene with everything valid that was saved, and the names of what is not.

    scene: with its people.
    """
    senseless: list[str] = []
    if was.game:
        history, sound = restore_sound(was.game, was.lines, scene.environment.games)
        if sound < len(was.lines) or history is None:
            senseless.append(f"game {was.game} from line {sound + 1} on")
        if history is not None and len(history.standing.alive) != len(scene.people):
            senseless.append(f"game {was.game} of other players")
            history = None
        surface = surface_of(history.game, scene.surface) if history else scene.surface
        scene = replace(scene, history=history, surface=surface)
    scene, names = with_facts(scene, was.facts)
    return scene, [*senseless, *names]


def facts(scene: Scene) -> Mapping[str, str]:
    """Return what a save contains besides people and games, by name; `with_facts` reads it."""
    guesses = scene.history.guesses if scene.history else {}
    told = {trouble: scene.troubles[trouble] for trouble in LASTING if trouble in scene.troubles}
    return {
        "rules": _rules_json(scene.selection) if scene.selection != scene.environment.usual else "",
        "language": scene.choices.language,
        "options": _options_json(scene.choices.options),
        "dealing": scene.dealing.to_json() if scene.dealing else "",
        "sheriff": str(scene.last.sheriff),
        **{name: _json(read(scene)) for name, read in _GETTERS.items()},
        "guesses": _json(guesses),
        **dict.fromkeys(_OF_TRAY, ""),
        **scene.surface.facts(scene.history.game if scene.history else None),
        "told": _json(told),
        "muted": "yes" if scene.choices.muted else "",
    }


@lru_cache(maxsize=1)
def _options_json(options: DealOptions) -> str:
    """Return the options as JSON, cached because they rarely change in an evening."""
    return options.to_json()


def _rules_json(selection: Selection) -> str:
    return json.dumps(
        {
            "game": selection.game.record_name,
            "ruleset": selection.ruleset.id,
            "house_rules": sorted(selection.house_rules),
        }
    )


def _json(value: object) -> str:
    return json.dumps(codec.write(value)) if value else ""


def with_facts(scene: Scene, saved: Mapping[str, str]) -> tuple[Scene, Sequence[str]]:
    """Return the scene with the facts that make sense, and the names of those that don't.

    scene: with its people and its game.
    """
    senseless = []
    for name, read in _READERS.items():
        try:
            if saved.get(name):
                scene = read(scene, saved[name])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            senseless.append(name)
    return scene, senseless


def _with_rules(scene: Scene, text: str) -> Scene:
    chosen = json.loads(text)
    game = scene.environment.games[chosen["game"]]
    selection = game.select(chosen["ruleset"], chosen["house_rules"])
    return replace(scene, selection=selection) if scene.history else select(scene, selection)


def _with_language(scene: Scene, text: str) -> Scene:
    _check(bool(re.fullmatch("[a-z]{2}", text)))
    return scene.choose(language=text)


def _with_options(scene: Scene, text: str) -> Scene:
    return scene.choose(options=DealOptions.from_json(text))


def _with_dealing(scene: Scene, text: str) -> Scene:
    selection, count = scene.selection, len(scene.people)
    dealing = Dealing.from_json(text, selection.game.deck(selection.ruleset, count))
    _check(len(dealing.roles) == count and scene.history is None)
    return replace(scene, dealing=dealing)


def _with_sheriff(scene: Scene, text: str) -> Scene:
    return replace(scene, last=replace(scene.last, sheriff=int(text)))


def _with_field(field: str, kind: Any, scene: Scene, text: str) -> Scene:
    group, _, name = field.rpartition(".")
    value = codec.read(kind, json.loads(text))
    if group:
        value = replace(getattr(scene, group), **{name: value})
    scene = replace(scene, **{group or name: value})
    bid = scene.requests.bid
    voters = {bid.person, *bid.votes} if bid else set()
    named = {*voters, *scene.left, *(claim.person for claim in scene.requests.claims)}
    _check(named <= {person.id for person in scene.people})
    _check(scene.stand_ins.levels.keys() <= {p.id for p in scene.people if p.token is None})
    return scene


def _with_guesses(scene: Scene, text: str) -> Scene:
    _check(scene.history is not None)
    assert scene.history is not None
    count = len(scene.people)
    guesses = codec.read(dict[int, str], json.loads(text))
    _check(guesses.keys() <= {*range(count)})
    _check({*guesses.values()} <= {*scene.history.game.sides(count)})
    # If the game lost its last moves, some eliminated players may be back.
    alive = scene.history.standing.alive
    guesses = {seat: side for seat, side in guesses.items() if not alive[seat]}
    return replace(scene, history=replace(scene.history, guesses=guesses))


def _with_tray(name: str, scene: Scene, text: str) -> Scene:
    if scene.history is None:
        raise ValueError("no game")
    return replace(scene, surface=scene.surface.restore(name, text, scene.history))


def _with_told(scene: Scene, text: str) -> Scene:
    told = codec.read(dict[Trouble, str], json.loads(text))
    return replace(scene, troubles={**scene.troubles, **told})


def _with_muted(scene: Scene, text: str) -> Scene:
    _check(text == "yes")
    return scene.choose(muted=True)


def _check(sound: bool) -> None:
    if not sound:
        raise ValueError


_READERS: Mapping[str, Callable[[Scene, str], Scene]] = {
    "rules": _with_rules,
    "language": _with_language,
    "options": _with_options,
    "dealing": _with_dealing,
    "sheriff": _with_sheriff,
    **{name: partial(_with_field, *field) for name, field in _FIELDS.items()},
    "guesses": _with_guesses,
    **{name: partial(_with_tray, name) for name in _OF_TRAY},
    "told": _with_told,
    "muted": _with_muted,
}
"""How each fact is read."""
