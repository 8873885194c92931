"""What a journal keeps of a scene: its people, its game, and everything else as named texts."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from companion.games.game import Selection
from companion.table.dealing import Dealing, DealOptions
from companion.table.history import restore_sound
from companion.table.journal.saved import Saved
from companion.table.scene import (
    Bid,
    Claim,
    Guest,
    News,
    NewsKind,
    Scene,
    Trouble,
    select,
    surface_of,
)

LASTING = (Trouble.DAMAGE, Trouble.OLDER, Trouble.LOST)
"""Troubles that are shown until the next game, even after restarts."""

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
    names = ("version", "people", "game", "code", "last_game")
    fields = [name for name in names if getattr(before, name) != getattr(after, name)]
    if len(before.lines) != len(after.lines):
        fields.append("lines")
    return fields + [k for k, text in after.facts.items() if before.facts.get(k) != text]


def restore_scene(scene: Scene, was: Saved) -> tuple[Scene, Sequence[str]]:
    """Return the scene with everything valid that was saved, and the names of what is not.

    scene: with its people.
    """
    senseless: list[str] = []
    if was.game:
        history, sound = restore_sound(was.game, was.lines, scene.games)
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
        "rules": _rules_json(scene.selection) if scene.selection != scene.usual else "",
        "language": scene.language,
        "options": _options_json(scene.options),
        "dealing": scene.dealing.to_json() if scene.dealing else "",
        "sheriff": str(scene.sheriff),
        "claims": json.dumps([_claim_json(claim) for claim in scene.claims])
        if scene.claims
        else "",
        "bid": json.dumps([scene.bid.person, list(scene.bid.votes.items())]) if scene.bid else "",
        "queue": json.dumps(scene.queue) if scene.queue else "",
        "left": json.dumps(sorted(scene.left)) if scene.left else "",
        "stand-ins": json.dumps(list(scene.stand_ins.items())) if scene.stand_ins else "",
        "seats": json.dumps(scene.seat_news) if scene.seat_news else "",
        "guesses": json.dumps(list(guesses.items())) if guesses else "",
        **dict.fromkeys(_OF_TRAY, ""),
        **scene.surface.facts(scene.history.game if scene.history else None),
        "told": json.dumps(told) if told else "",
        "muted": "yes" if scene.muted else "",
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


def _claim_json(claim: Claim) -> Sequence[object]:
    fields = [claim.number, claim.person, claim.token, claim.mark]
    return [*fields, claim.address] if claim.address else fields


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
    game = scene.games[chosen["game"]]
    selection = game.select(chosen["ruleset"], chosen["house_rules"])
    return replace(scene, selection=selection) if scene.history else select(scene, selection)


def _with_language(scene: Scene, text: str) -> Scene:
    _check(bool(re.fullmatch("[a-z]{2}", text)))
    return replace(scene, language=text)


def _with_options(scene: Scene, text: str) -> Scene:
    return replace(scene, options=DealOptions.from_json(text))


def _with_dealing(scene: Scene, text: str) -> Scene:
    selection, count = scene.selection, len(scene.people)
    dealing = Dealing.from_json(text, selection.game.deck(selection.ruleset, count))
    _check(len(dealing.roles) == count and scene.history is None)
    return replace(scene, dealing=dealing)


def _with_sheriff(scene: Scene, text: str) -> Scene:
    return replace(scene, sheriff=int(text))


def _with_claims(scene: Scene, text: str) -> Scene:
    claims = tuple(Claim(*claim) for claim in json.loads(text))
    for claim in claims:
        _check_person(scene, claim.person)
        _check(type(claim.number) is int and isinstance(claim.mark, str))
        _check(isinstance(claim.address, str))
        _check(bool(re.fullmatch("[0-9a-f]{64}", claim.token)))
    return replace(scene, claims=claims)


def _with_bid(scene: Scene, text: str) -> Scene:
    person, votes = json.loads(text)
    for each, vote in ((person, True), *votes):
        _check_person(scene, each)
        _check(isinstance(vote, bool))
    return replace(scene, bid=Bid(person, dict(votes)))


def _with_queue(scene: Scene, text: str) -> Scene:
    queue = tuple(Guest(*guest) for guest in json.loads(text))
    for guest in queue:
        _check(type(guest.id) is int and isinstance(guest.name, str))
        _check(bool(re.fullmatch("[0-9a-f]{64}", guest.token)))
    return replace(scene, queue=queue)


def _with_left(scene: Scene, text: str) -> Scene:
    left = json.loads(text)
    for person in left:
        _check_person(scene, person)
    return replace(scene, left=frozenset(left))


def _with_stand_ins(scene: Scene, text: str) -> Scene:
    stand_ins = dict(json.loads(text))
    phoneless = {person.id for person in scene.people if person.token is None}
    _check(stand_ins.keys() <= phoneless)
    _check(all(isinstance(level, str) for level in stand_ins.values()))
    return replace(scene, stand_ins=stand_ins)


def _with_seat_news(scene: Scene, text: str) -> Scene:
    news = tuple(News(NewsKind(kind), name) for kind, name in json.loads(text))
    _check(all(isinstance(told.name, str) for told in news))
    return replace(scene, seat_news=news)


def _with_guesses(scene: Scene, text: str) -> Scene:
    _check(scene.history is not None)
    assert scene.history is not None
    count = len(scene.people)
    guesses = dict(json.loads(text))
    for seat, side in guesses.items():
        _check(type(seat) is int and 0 <= seat < count)
        _check(side in scene.history.game.sides(count))
    # If the game lost its last moves, some eliminated players may be back.
    alive = scene.history.standing.alive
    guesses = {seat: side for seat, side in guesses.items() if not alive[seat]}
    return replace(scene, history=replace(scene.history, guesses=guesses))


def _with_tray(name: str, scene: Scene, text: str) -> Scene:
    if scene.history is None:
        raise ValueError("no game")
    return replace(scene, surface=scene.surface.restore(name, text, scene.history))


def _with_told(scene: Scene, text: str) -> Scene:
    told = {Trouble(trouble): str(reason) for trouble, reason in json.loads(text).items()}
    return replace(scene, troubles={**scene.troubles, **told})


def _with_muted(scene: Scene, text: str) -> Scene:
    _check(text == "yes")
    return replace(scene, muted=True)


def _check_person(scene: Scene, number: int) -> None:
    _check(any(person.id == number for person in scene.people))


def _check(sound: bool) -> None:
    if not sound:
        raise ValueError


_READERS: Mapping[str, Callable[[Scene, str], Scene]] = {
    "rules": _with_rules,
    "language": _with_language,
    "options": _with_options,
    "dealing": _with_dealing,
    "sheriff": _with_sheriff,
    "claims": _with_claims,
    "bid": _with_bid,
    "queue": _with_queue,
    "left": _with_left,
    "stand-ins": _with_stand_ins,
    "seats": _with_seat_news,
    "guesses": _with_guesses,
    **{name: partial(_with_tray, name) for name in _OF_TRAY},
    "told": _with_told,
    "muted": _with_muted,
}
"""How each fact is read."""
