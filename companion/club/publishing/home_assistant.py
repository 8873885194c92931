"""Announces the table to Home Assistant by MQTT discovery.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery has the keys. One message announces
one entity, which every version of Home Assistant understands.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion import __version__
from companion.club.publishing.messages import encode
from companion.club.publishing.progress import Outgoing
from companion.club.publishing.topics import OFFLINE, ONLINE, Topics

MUTE, UNMUTE, NEXT_GAME = b"mute", b"unmute", b"next_game"
"""What buttons send to the topic `press`."""

SEATS = 8
"""So many players a game has at most: each has an entity for their life points."""

_NAMES = "value_json.game.players"

_PLAYING = "value_json.game and value_json.game.awaited is not none"

_SENSORS: Mapping[str, Mapping[str, Any]] = {
    "turn": {
        "name": "Turn",
        "icon": "mdi:account-arrow-right",
        "value_template": (
            f"{{{{ {_NAMES}[value_json.game.turn].name if {_PLAYING} else none }}}}"
        ),
    },
    "awaited": {
        "name": "Waiting for",
        "icon": "mdi:account-clock",
        "value_template": (
            f"{{{{ {_NAMES}[value_json.game.awaited].name if {_PLAYING} else none }}}}"
        ),
    },
    "phase": {
        "name": "Phase",
        "icon": "mdi:progress-clock",
        "device_class": "enum",
        "options": ["lobby", "dealing", "playing", "over"],
        "value_template": "{{ value_json.phase }}",
    },
    "dice": {
        "name": "Dice",
        "icon": "mdi:dice-multiple",
        "value_template": (
            "{{ value_json.dice.dice | map(attribute='face') | map('default', '?', true)"
            " | join(', ') if value_json.dice.dice else none }}"
        ),
    },
    "side": {
        "name": "Winning side",
        "icon": "mdi:trophy",
        "value_template": (
            "{{ value_json.game.outcome.side"
            " if value_json.game and value_json.game.outcome else none }}"
        ),
    },
    "winners": {
        "name": "Winners",
        "icon": "mdi:trophy-variant",
        "value_template": (
            "{% if value_json.game and value_json.game.outcome %}"
            "{% set names = value_json.game.players | map(attribute='name') | list %}"
            "{% for seat in value_json.game.outcome.winners %}"
            "{{ names[seat] }}{{ ', ' if not loop.last }}{% endfor %}"
            "{% else %}None{% endif %}"
        ),
    },
    "signal": {
        "name": "Dice reader",
        "icon": "mdi:dice-5",
        "device_class": "enum",
        "options": ["off", "waiting", "certain", "uncertain", "illegal"],
        "entity_category": "diagnostic",
        "value_template": "{{ value_json.health.reader.signal }}",
    },
}
"""The sensors, each with its keys of discovery."""

_PROBLEMS: Mapping[str, Mapping[str, Any]] = {
    "camera": {
        "name": "Camera",
        "value_template": ("{{ 'ON' if value_json.health.camera.fault else 'OFF' }}"),
    },
    "troubles": {
        "name": "Troubles",
        "value_template": "{{ 'ON' if value_json.health.troubles else 'OFF' }}",
    },
}
"""The binary sensors, which are on when something is wrong."""

_BUTTONS: Mapping[str, Mapping[str, Any]] = {
    "mute": {"name": "Mute", "icon": "mdi:volume-off", "payload_press": MUTE.decode()},
    "unmute": {"name": "Unmute", "icon": "mdi:volume-high", "payload_press": UNMUTE.decode()},
    "next_game": {
        "name": "Next game",
        "icon": "mdi:cards-playing",
        "payload_press": NEXT_GAME.decode(),
    },
}


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
    for key, config in _SENSORS.items():
        yield "sensor", key, _config(topics, node, key, config)
    for seat in range(SEATS):
        key = f"life_{seat + 1}"
        yield "sensor", key, _config(topics, node, key, _life(topics, seat))
    for key, config in _PROBLEMS.items():
        problem = {"device_class": "problem", "entity_category": "diagnostic", **config}
        yield "binary_sensor", key, _config(topics, node, key, problem)
    for key, config in _BUTTONS.items():
        # An empty message removes what was announced before.
        announced = {"command_topic": topics.press, "qos": 1, **config}
        yield "button", key, _config(topics, node, key, announced) if buttons else b""


def _life(topics: Topics, seat: int) -> Mapping[str, Any]:
    player = f"{_NAMES}[{seat}]"
    there = f"value_json.game and value_json.game.players | count > {seat}"
    return {
        "name": f"Seat {seat + 1}",
        "icon": "mdi:heart",
        "state_class": "measurement",
        "value_template": f"{{{{ {player}.life if {there} else none }}}}",
        "json_attributes_topic": topics.state,
        "json_attributes_template": f"{{{{ ({player} if {there} else {{}}) | tojson }}}}",
    }


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
