"""Announces the table to Home Assistant by MQTT discovery.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery has the keys. One message announces
one entity, which every version of Home Assistant understands.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import __version__
from companion.club.publishing.messages import encode
from companion.club.publishing.progress import Outgoing
from companion.club.publishing.topics import OFFLINE, ONLINE, Topics

MUTE, UNMUTE, NEXT_GAME = b"mute", b"unmute", b"next_game"
"""What buttons send to the topic `press`."""

SEATS = 8
"""So many players a game has at most: each has an entity for their life points."""


def announcements(topics: Topics, prefix: str, *, buttons: bool) -> Sequence[Outgoing]:
    """Return the messages that announce a table, with whole topics; none without a prefix.

    buttons: whether its buttons are announced; otherwise they are removed, if they once were.
    """
    if not prefix:
        return ()
    node = f"bang_{hashlib.sha256(topics.base.encode()).hexdigest()[:12]}"
    return [
        Outgoing(f"{prefix}/{component}/{node}/{key}/config", payload, True)
        for component, key, payload in _entities(topics, node, buttons)
    ]


def _entities(topics: Topics, node: str, buttons: bool) -> Iterator[tuple[str, str, bytes]]:
    known = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for key, config in known["sensor"].items():
        yield "sensor", key, _config(topics, node, key, config)
    for seat in range(SEATS):
        life = {
            name: text.replace("NUMBER", str(seat + 1)).replace("SEAT", str(seat))
            for name, text in known["life"].items()
        } | {"json_attributes_topic": topics.state}
        yield "sensor", f"life_{seat + 1}", _config(topics, node, f"life_{seat + 1}", life)
    for key, config in known["binary_sensor"].items():
        yield "binary_sensor", key, _config(topics, node, key, config)
    for key, config in known["button"].items():
        # An empty message removes what was announced before.
        announced = {"command_topic": topics.press, "qos": 1, **config}
        yield "button", key, _config(topics, node, key, announced) if buttons else b""


def _config(topics: Topics, node: str, key: str, config: Mapping[str, Any]) -> bytes:
    own = {} if "command_topic" in config else {"state_topic": topics.state}
    return encode(
        {
            "unique_id": f"{node}_{key}",
            **own,
            **config,
            "availability_topic": topics.availability,
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": {
                "identifiers": [node],
                "name": topics.name,
                "manufacturer": "bang-companion",
                "model": "Table",
                "sw_version": __version__,
            },
            "origin": {"name": "bang-companion", "sw_version": __version__},
        }
    )
