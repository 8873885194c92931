"""What a journal keeps of a scene beside its people and its game, each fact as a text."""

import json
from collections.abc import Mapping
from dataclasses import replace

from companion.table.dealing import Dealing, DealOptions
from companion.table.scene import Bid, Claim, Scene


def facts(scene: Scene) -> Mapping[str, str]:
    """Return what a journal must hold of the scene, by name; `restored` reads it."""
    return {
        "options": scene.options.to_json(),
        "dealing": scene.dealing.to_json() if scene.dealing else "",
        "sheriff": str(scene.sheriff),
        "claims": json.dumps([[c.number, c.person, c.token, c.mark] for c in scene.claims]),
        "bid": json.dumps([scene.bid.person, list(scene.bid.votes.items())]) if scene.bid else "",
    }


def restored(scene: Scene, saved: Mapping[str, str]) -> Scene:
    """Return the scene with these facts. Raises ValueError, KeyError or TypeError."""
    if "options" in saved:
        scene = replace(scene, options=DealOptions.from_json(saved["options"]))
    if saved.get("dealing"):
        selection = scene.selection
        deck = selection.game.deck(selection.ruleset, len(scene.people))
        scene = replace(scene, dealing=Dealing.from_json(saved["dealing"], deck))
    if saved.get("bid"):
        person, votes = json.loads(saved["bid"])
        scene = replace(scene, bid=Bid(person, dict(votes)))
    claims = json.loads(saved.get("claims", "[]"))
    return replace(
        scene,
        sheriff=int(saved.get("sheriff", 0)),
        claims=tuple(Claim(*claim) for claim in claims),
    )
