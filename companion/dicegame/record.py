"""The game record: UTF-8 JSON Lines, a header and an action a line.

`parse_*` reads one line, `*_line` writes one, `replay` plays a whole record again. Reading is
strict: whatever the format does not name is an error with the number of its line.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.faces import DICE, Face
from companion.dicegame.house import HouseRule
from companion.dicegame.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.dicegame.roles import Role
from companion.dicegame.rules import IllegalMove, apply, start
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.state import Player, Setup, SetupError, State
from companion.dicegame.views import View

_T = TypeVar("_T")

NAME = "bang-dice"
VERSION, VERSION_WITH_HOUSE_RULES = 1, 2


class FormatError(ValueError):
    """A line that is not in the form of a record; its text says what is wrong."""


class RecordError(ValueError):
    """A record that breaks the format or the rules at `line` (counted from 1)."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def replay(lines: Iterable[bytes]) -> Iterator[State]:
    """Yield the state after each line of a record: the start, then one for each action.

    lines: as a file opened in binary mode gives them, split at line feeds alone.
    Raises RecordError at the first line that is wrong; an unfinished game is none.
    """
    state = None
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            state = apply(state, parse_move(line)) if state else start(parse_header(line))
        except (FormatError, IllegalMove) as error:
            raise RecordError(number, str(error)) from None
        yield state
    if not number:
        raise RecordError(1, "the record is empty")


def parse_header(line: bytes) -> Setup:
    """Read the first line. Raises FormatError."""
    keys = {"record", "version", "ruleset", "players"}
    header = _keys(_load(line), keys, {"house_rules"})
    if header["record"] != NAME:
        raise FormatError(f'this is no record: "record" is not "{NAME}"')
    version = _integer(header, "version")
    if version not in (VERSION, VERSION_WITH_HOUSE_RULES):
        raise FormatError(
            f"version {version} is not known, only {VERSION} and {VERSION_WITH_HOUSE_RULES}"
        )
    if version == VERSION_WITH_HOUSE_RULES:
        keys.add("house_rules")
    _keys(header, keys)
    house_rules = _house_rules(header) if "house_rules" in keys else frozenset()
    ruleset = _choice(header, "ruleset", RULESETS)
    if not isinstance(header["players"], list):
        raise FormatError('"players" is not a list')
    players = []
    for index, entry in enumerate(header["players"]):
        try:
            player = _keys(entry, {"name", "role", "character"})
            if not isinstance(player["name"], str):
                raise FormatError('"name" is not a string')
            role = _choice(player, "role", {role.value: role for role in Role})
            character = _choice(player, "character", CHARACTERS)
        except FormatError as error:
            raise FormatError(f"player {index}: {error}") from None
        players.append(Player(player["name"], role, character))
    try:
        return Setup(ruleset, tuple(players), house_rules)
    except SetupError as error:
        raise FormatError(str(error)) from None


def header_line(setup: Setup) -> str:
    """Return the first line of the record of a game, without its end."""
    house_rules = sorted(setup.house_rules)
    return _dump(
        {
            "record": NAME,
            "version": VERSION_WITH_HOUSE_RULES if house_rules else VERSION,
            "ruleset": setup.ruleset.id,
            **({"house_rules": house_rules} if house_rules else {}),
            "players": [
                {"name": player.name, "role": player.role, "character": player.character.id}
                for player in setup.players
            ],
        }
    )


def parse_move(line: bytes) -> Move:
    """Read one action. Raises FormatError; whether the move is legal is another question."""
    entry = _load(line)
    if not isinstance(entry, dict):
        raise FormatError("an action is an object")
    if "action" not in entry:
        raise FormatError('the key "action" is missing')
    action = _choice(entry, "action", {action.value: action for action in Action})
    keys = {"action", "seat"}
    match action:
        case Action.STOP:
            return Stop(_integer(_keys(entry, keys), "seat"))
        case Action.HEAL:
            _keys(entry, keys | {"target"})
            return Heal(_integer(entry, "seat"), _integer(entry, "target"))
        case Action.ROLL:
            _keys(entry, keys | {"dice"}, {"rerolled"})
            thrown = _integers(entry, "rerolled") if "rerolled" in entry else None
            return Roll(_integer(entry, "seat"), _dice(entry), thrown)
        case Action.SHOOT:
            _keys(entry, keys | {"shots"})
            return Shoot(_integer(entry, "seat"), _shots(entry))
        case Action.TAKE_ARROWS:
            _keys(entry, keys | {"count"})
            return TakeArrows(_integer(entry, "seat"), _integer(entry, "count"))
        case Action.DISCARD_ARROWS:
            _keys(entry, keys | {"count"})
            return DiscardArrows(_integer(entry, "seat"), _integer(entry, "count"))
        case Action.BEER:
            _keys(entry, keys | {"targets"})
            return Beer(_integer(entry, "seat"), _integers(entry, "targets"))
        case Action.DISCARD_FROM:
            _keys(entry, keys | {"targets"})
            return DiscardFrom(_integer(entry, "seat"), _integers(entry, "targets"))


def move_line(move: Move) -> str:
    """Return the line of one action, without its end."""
    entry: dict[str, Any] = {"action": move.action, "seat": move.seat}
    match move:
        case Heal():
            entry["target"] = move.target
        case Roll():
            entry["dice"] = move.dice
            if move.rerolled is not None:
                entry["rerolled"] = move.rerolled
        case Shoot():
            entry["shots"] = [_shot_entry(shot) for shot in move.shots]
        case TakeArrows() | DiscardArrows():
            entry["count"] = move.arrows
        case Beer() | DiscardFrom():
            entry["targets"] = move.targets
    return _dump(entry)


def view_line(view: View) -> str:
    """Return a state, as its viewer may see it, in the form that `replay` prints."""
    return _dump(
        {
            "turn": view.turn,
            "rolls": view.rolls,
            "dice": view.dice,
            "pile": view.pile,
            "players": [
                {
                    "life": player.life,
                    "max_life": player.max_life,
                    "arrows": player.arrows,
                    "alive": player.alive,
                    "character": player.character,
                    "role": player.role,
                }
                for player in view.players
            ],
            "awaits": None
            if view.awaited_seat is None
            else {"seat": view.awaited_seat, "actions": view.actions},
            "result": None
            if view.result is None
            else {"side": view.result.side, "winners": view.result.winners},
        }
    )


def _shot_entry(shot: Shot) -> dict[str, Any]:
    entry: dict[str, Any] = {"die": shot.die, "target": shot.target}
    if shot.used_as is not None:
        entry["as"] = shot.used_as
    if shot.beer is not None:
        entry["beer"] = shot.beer
    return entry


def _dump(entry: Mapping[str, Any]) -> str:
    line = json.dumps(entry, ensure_ascii=False)
    # Half a surrogate pair, which a name may hold, exists in JSON only escaped.
    return line.encode("utf-8", "backslashreplace").decode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        raise FormatError("the same key stands twice")
    return entry


def _no_constant(name: str) -> None:
    raise FormatError(f"{name} is no JSON")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def _load(line: bytes) -> Any:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"byte {error.start + 1} is not UTF-8") from None
    text = text.strip(" \t\r\n")
    if not text:
        raise FormatError("the line is blank")
    try:
        return _decoder.decode(text)
    except FormatError:
        raise
    except json.JSONDecodeError as error:
        raise FormatError(f"this is no JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise FormatError("this is nested too deep") from None
    except ValueError:
        raise FormatError("a number has too many digits") from None


def _quote(text: str) -> str:
    return json.dumps(text if len(text) <= 40 else text[:40] + "...")


def _keys(entry: Any, required: set[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise FormatError("an object is expected")
    for key in sorted(required - entry.keys()):
        raise FormatError(f'the key "{key}" is missing')
    for key in sorted(entry.keys() - required - set(optional)):
        raise FormatError(f"the key {_quote(key)} is unknown")
    return entry


def _integer(entry: Mapping[str, Any], key: str) -> int:
    value = entry[key]
    if type(value) is not int:
        raise FormatError(f'"{key}" is not an integer')
    return value


def _integers(entry: Mapping[str, Any], key: str) -> tuple[int, ...]:
    values = entry[key]
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise FormatError(f'"{key}" is not a list of integers')
    return tuple(values)


def _choice(entry: Mapping[str, Any], key: str, known: Mapping[str, _T]) -> _T:
    value = entry[key]
    if not isinstance(value, str):
        raise FormatError(f'"{key}" is not a string')
    if value not in known:
        raise FormatError(f'"{key}" is {_quote(value)}, not one of {", ".join(known)}')
    return known[value]


def _house_rules(header: Mapping[str, Any]) -> frozenset[HouseRule]:
    names = header["house_rules"]
    if not isinstance(names, list) or not names:
        raise FormatError('"house_rules" is not a list of at least one')
    known = {rule.value: rule for rule in HouseRule}
    rules = [_choice({"house_rules": name}, "house_rules", known) for name in names]
    if len(set(rules)) < len(rules):
        raise FormatError("the same house rule stands twice")
    return frozenset(rules)


_FACES = {face.value: face for face in Face}


def _dice(entry: Mapping[str, Any]) -> tuple[Face, ...]:
    dice = entry["dice"]
    if not isinstance(dice, list) or len(dice) != DICE:
        raise FormatError(f'"dice" is not a list of {DICE} faces')
    return tuple(_choice({"dice": face}, "dice", _FACES) for face in dice)


def _shots(entry: Mapping[str, Any]) -> tuple[Shot, ...]:
    shots = entry["shots"]
    if not isinstance(shots, list):
        raise FormatError('"shots" is not a list')
    return tuple(_shot(shot) for shot in shots)


def _shot(entry: Any) -> Shot:
    _keys(entry, {"die", "target"}, {"as", "beer"})
    return Shot(
        die=_integer(entry, "die"),
        target=None if entry["target"] is None else _integer(entry, "target"),
        used_as=_choice(entry, "as", _FACES) if "as" in entry else None,
        beer=_integer(entry, "beer") if "beer" in entry else None,
    )
