"""What Home Assistant is told: keys that its discovery knows, and templates that make sense."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from jinja2.sandbox import SandboxedEnvironment
from published import CardEvening
from random_games import KINDS, RandomGame

from companion.app.publishing import presses
from companion.club.publishing.home_assistant import MUTE, NEXT_GAME, SEATS, UNMUTE, announcements
from companion.club.publishing.messages import TableName, encode, state_message
from companion.club.publishing.topics import Topics
from companion.table import seats
from companion.table.scene import Phase

TOPICS = Topics("bang", "corner")
TABLE = TableName("k3", "corner", "0.3.0")

SHARED = {
    "availability_topic", "device", "entity_category", "icon", "json_attributes_template",
    "json_attributes_topic", "name", "origin", "payload_available", "payload_not_available", "qos",
    "unique_id",
}  # fmt: skip
"""Keys that every entity may have: `MQTT_ENTITY_COMMON_SCHEMA` of Home Assistant."""

KEYS: Mapping[str, set[str]] = {
    "sensor": SHARED | {"device_class", "options", "state_class", "state_topic", "value_template"},
    "binary_sensor": SHARED | {"device_class", "state_topic", "value_template"},
    "button": SHARED | {"command_topic", "payload_press"},
}
"""By component, the keys of `PLATFORM_SCHEMA_MODERN` that we use, from
homeassistant/components/mqtt/{sensor,binary_sensor,button}.py."""

NEEDED: Mapping[str, set[str]] = {
    "sensor": {"state_topic"},
    "binary_sensor": {"state_topic"},
    "button": {"command_topic"},
}
"""By component, the keys that it requires there."""

DEVICE = {"identifiers", "manufacturer", "model", "name", "sw_version"}
"""Keys of a device: `MQTT_ENTITY_DEVICE_INFO_SCHEMA`."""


def announced(*, buttons: bool = True) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """By the key of an entity, its component and its configuration."""
    found = {}
    for one in announcements(TOPICS, "homeassistant", buttons=buttons):
        prefix, component, _, key, last = one.topic.split("/")
        assert (prefix, last, one.retain) == ("homeassistant", "config", True)
        found[key] = component, json.loads(one.payload) if one.payload else {}
    return found


def test_every_entity_has_the_keys_of_its_component():
    for component, config in announced().values():
        assert NEEDED[component] <= config.keys() <= KEYS[component]
        assert set(config["device"]) == DEVICE
        assert config["origin"].keys() == {"name", "sw_version"}
        assert config["availability_topic"] == TOPICS.availability


def test_every_entity_is_one_of_the_table_and_has_a_name_of_its_own():
    configs = [config for _, config in announced().values()]
    assert len({config["unique_id"] for config in configs}) == len(configs)
    assert len({config["name"] for config in configs}) == len(configs)
    (device,) = {json.dumps(config["device"]) for config in configs}
    other = announcements(Topics("bang", "bar"), "homeassistant", buttons=True)
    assert json.loads(other[0].payload)["device"] != json.loads(device)


def rendered(key: str, state: Mapping[str, Any], of: str = "value_template") -> str:
    environment = SandboxedEnvironment()
    template = environment.from_string(announced()[key][1][of])
    return template.render(value_json=json.loads(encode(state)))


@pytest.mark.parametrize("kind", KINDS)
def test_the_entities_show_a_game_from_its_start_to_its_end(kind):
    game = RandomGame(kind, 2)
    state = state_message(game.view(), TABLE)
    players = state["game"]["players"]
    assert rendered("phase", state) == "playing"
    assert rendered("turn", state) == players[state["game"]["turn"]]["name"]
    assert rendered("side", state) == rendered("winners", state) == "None"
    for seat in range(SEATS):
        told = rendered(f"life_{seat + 1}", state)
        more = json.loads(rendered(f"life_{seat + 1}", state, "json_attributes_template"))
        assert told == (str(players[seat]["life"]) if seat < len(players) else "None")
        assert more.get("name") == (players[seat]["name"] if seat < len(players) else None)
    assert [rendered(key, state) for key in ("camera", "troubles")] == ["OFF", "OFF"]
    for step in game.steps():
        game.make(step)
    state = state_message(game.view(), TABLE)
    outcome = state["game"]["outcome"]
    assert (rendered("turn", state), rendered("awaited", state)) == ("None", "None")
    assert rendered("side", state) == outcome["side"]
    winners = [state["game"]["players"][seat]["name"] for seat in outcome["winners"]]
    assert rendered("winners", state) == ", ".join(winners)


def test_the_entities_show_an_empty_table_and_what_is_wrong():
    state = state_message(RandomGame("dice", 1).view(), TABLE)
    lobby = {**state, "phase": "lobby", "game": None}
    for key in ("turn", "awaited", "side", "winners", "life_1"):
        assert rendered(key, lobby) == "None"
    health = {**state["health"], "troubles": {"light": "gone"}}
    health["camera"] = {"name": "usb:0", "works": False, "fault": "unplugged"}
    wrong = {**state, "health": health}
    assert [rendered(key, wrong) for key in ("camera", "troubles")] == ["ON", "ON"]
    dice = {"status": "unsure", "seen": 2, "dice": [{"face": "beer"}, {"face": None}]}
    assert rendered("dice", {**state, "dice": dice}) == "beer, ?"


def test_options_are_all_that_a_sensor_can_say():
    assert set(announced()["phase"][1]["options"]) == {phase.value for phase in Phase}


def test_buttons_are_announced_only_if_the_table_allows_them():
    shown = {key for key, (component, _) in announced().items() if component == "button"}
    assert shown == {"mute", "unmute", "next_game"}
    hidden = announced(buttons=False)
    assert all(hidden[key] == ("button", {}) for key in shown)
    assert announcements(TOPICS, "", buttons=True) == ()


def test_buttons_mute_the_table_and_deal_the_next_game_and_do_nothing_else(tmp_path):
    evening = CardEvening(tmp_path)
    table, pressed = evening.table, presses(evening.table)
    assert pressed.keys() == {MUTE, UNMUTE, NEXT_GAME}
    pressed[MUTE]()
    assert table.view().choices.muted
    pressed[UNMUTE]()
    assert not table.view().choices.muted
    pressed[NEXT_GAME]()
    assert table.view().phase is Phase.LOBBY
    evening.start_game()
    pressed[NEXT_GAME]()
    assert table.view().game_number == 1
    evening.finish_game()
    pressed[NEXT_GAME]()
    assert (table.view().game_number, table.view().phase) == (2, Phase.PLAYING)


def test_buttons_do_nothing_at_a_table_without_anybody(tmp_path):
    evening = CardEvening(tmp_path)
    for person in (4, 3, 2):
        evening.do(seats.remove_person, person)
    evening.do(seats.leave)
    pressed: Mapping[bytes, Callable[[], None]] = presses(evening.table)
    for press in pressed.values():
        press()
    assert evening.table.view().phase is Phase.LOBBY
