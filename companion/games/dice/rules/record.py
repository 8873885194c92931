"""Read and write game records: UTF-8 JSON Lines, a header and then one action a line.

`parse_*` reads a line, `*_line` writes one, and `replay` replays a whole record. Reading is strict:
anything that the format doesn't mention is an error that names its line. docs/dev/record-format.md
describes the format.

What players corrected in the dice of a roll is written by `with_corrections`, and read by
`parse_corrections`. It changes nothing about how a record is replayed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.common.lines import (
    FormatError,
    choice,
    dump,
    each_player,
    integer,
    integers,
    keys,
    load,
    load_action,
    quote,
    replay_lines,
)
from companion.games.common.players import SetupError
from companion.games.dice.rules import corrections, moves
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.corrections import RecordedCorrection
from companion.games.dice.rules.faces import DICE, Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.public import player_entries, shot_entry
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import Player, Setup, State
from companion.games.dice.rules.views import View

NAME = "bang-dice"
FIRST, WITH_HOUSE_RULES, DATED, CORRECTED, DOUBTFUL = 1, 2, 3, 4, 5
"""The versions of the format, each named after what it added."""


_FACES = {face.value: face for face in Face}
_ROLES = {role.value: role for role in Role}
_ACTIONS = {action.value: action for action in moves.Action}


class Origin(NamedTuple):
    """Where a record comes from."""

    companion: str
    """The version of the program that wrote it."""
    date: str = ""
    """When the game began: a day (`2026-11-22`) or a time in UTC (`2026-11-22T19:30:00Z`).

    Empty if unknown, or if random players played it. A `?` behind it: nobody confirmed it.
    """


def replay(lines: Iterable[bytes]) -> Iterator[State]:
    """Yield the state after each line of a record: after the header, then after each action.

    lines: the lines of a file in binary mode, split only at line feeds. They may end before the
    game does. Raises RecordError at the first line that is wrong.
    """
    version = FIRST

    def begin(line: bytes) -> State:
        nonlocal version
        state = start(parse_header(line))
        version = _header(line)["version"]
        return state

    def go_on(state: State, line: bytes) -> State:
        move = parse_move(line, version)
        if version >= CORRECTED:
            corrections.check_seats(parse_corrections(line), len(state.life))
        return apply(state, move)

    return replay_lines(lines, begin, go_on)


def parse_header(line: bytes) -> Setup:
    """Return the setup from the first line of a record. Raises FormatError."""
    header = _header(line)
    version = header["version"]
    house_rules = _house_rules(header) if "house_rules" in header else frozenset()
    if version >= DATED:
        _origin(header)
    ruleset = choice(header, "ruleset", RULESETS)
    characters = CHARACTERS
    if version >= DATED:
        characters = {name: CHARACTERS[name] for name in ruleset.characters}

    def player(entry: dict[str, Any]) -> Player:
        role = choice(entry, "role", _ROLES)
        return Player(entry["name"], role, choice(entry, "character", characters))

    players = each_player(header, player)
    try:
        return Setup(ruleset, players, house_rules)
    except SetupError as error:
        raise FormatError(str(error)) from None


def parse_version(line: bytes) -> int:
    """Return the version of a record's format, given its first line. Raises FormatError."""
    version: int = _header(line)["version"]
    return version


def parse_origin(line: bytes) -> Origin | None:
    """Return where a record comes from, given its first line; None before version 3.

    Raises FormatError.
    """
    header = _header(line)
    return _origin(header) if header["version"] >= DATED else None


def header_line(setup: Setup, origin: Origin | None = None) -> str:
    """Return the first line of a game's record, without the line feed.

    origin: where the record comes from. Without it, the line has the oldest version of the format
    that can hold the game. Raises FormatError if the origin doesn't fit the format.
    """
    house_rules = sorted(setup.house_rules)
    version = WITH_HOUSE_RULES if house_rules else FIRST
    told: dict[str, Any] = {}
    if origin is not None:
        version = DOUBTFUL if origin.date.endswith(_DOUBT) else DATED
        told = {"companion": origin.companion} | ({"date": origin.date} if origin.date else {})
        _origin({"version": version, **told})
    return dump(
        {
            "record": NAME,
            "version": version,
            **told,
            "ruleset": setup.ruleset.id,
            **({"house_rules": house_rules} if house_rules else {}),
            "players": [
                {"name": player.name, "role": player.role, "character": player.character.id}
                for player in setup.players
            ],
        }
    )


def parse_move(line: bytes, version: int = DOUBTFUL) -> moves.Move:
    """Return the move on a line, legal or not. Raises FormatError.

    version: of the record, which says which keys are known.
    """
    entry, action = load_action(line, _ACTIONS)
    named = {"action", "seat"}
    match action:
        case moves.Action.STOP:
            return moves.Stop(integer(keys(entry, named), "seat"))
        case moves.Action.HEAL:
            keys(entry, named | {"target"})
            return moves.Heal(integer(entry, "seat"), integer(entry, "target"))
        case moves.Action.ROLL:
            more = {"rerolled", corrections.KEY} if version >= CORRECTED else {"rerolled"}
            keys(entry, named | {"dice"}, more)
            corrections.corrections_of(entry)
            thrown = integers(entry, "rerolled") if "rerolled" in entry else None
            return moves.Roll(integer(entry, "seat"), _dice(entry), thrown)
        case moves.Action.SHOOT:
            keys(entry, named | {"shots"})
            return moves.Shoot(integer(entry, "seat"), _shots(entry))
        case moves.Action.TAKE_ARROWS:
            keys(entry, named | {"count"})
            return moves.TakeArrows(integer(entry, "seat"), integer(entry, "count"))
        case moves.Action.DISCARD_ARROWS:
            keys(entry, named | {"count"})
            return moves.DiscardArrows(integer(entry, "seat"), integer(entry, "count"))
        case moves.Action.BEER:
            keys(entry, named | {"targets"})
            return moves.Beer(integer(entry, "seat"), integers(entry, "targets"))
        case moves.Action.DISCARD_FROM:
            keys(entry, named | {"targets"})
            return moves.DiscardFrom(integer(entry, "seat"), integers(entry, "targets"))


def parse_corrections(line: bytes) -> tuple[RecordedCorrection, ...]:
    """Return what players corrected in the dice of a roll; nothing for any other move.

    Raises FormatError.
    """
    entry = load(line)
    return corrections.corrections_of(entry) if isinstance(entry, dict) else ()


def with_corrections(
    lines: Sequence[str], made: Mapping[int, Sequence[RecordedCorrection]]
) -> Sequence[str]:
    """Return the lines of a record with what players corrected in the dice of rolls.

    made: by the number of the roll's line, counted from 0, the header. A record of a version
    before 3 stays as it is, since its header lacks what later versions need.
    """
    header = _header(lines[0].encode())
    if not made or header["version"] < DATED:
        return lines
    written = [dump(header | {"version": max(CORRECTED, header["version"])}), *lines[1:]]
    for number, said in made.items():
        roll = load(lines[number].encode())
        written[number] = dump(roll | {corrections.KEY: corrections.entries(said)})
    return written


def move_line(move: moves.Move) -> str:
    """Return the line of a move, without the line feed."""
    entry: dict[str, Any] = {"action": move.action, "seat": move.seat}
    match move:
        case moves.Heal():
            entry["target"] = move.target
        case moves.Roll():
            entry["dice"] = move.dice
            if move.rerolled is not None:
                entry["rerolled"] = move.rerolled
        case moves.Shoot():
            entry["shots"] = [shot_entry(shot) for shot in move.shots]
        case moves.TakeArrows() | moves.DiscardArrows():
            entry["count"] = move.arrows
        case moves.Beer() | moves.DiscardFrom():
            entry["targets"] = move.targets
    return dump(entry)


def view_line(view: View) -> str:
    """Return a view as the line that `bang-companion replay` prints."""
    return dump(
        {
            "turn": view.turn,
            "rolls": view.rolls,
            "dice": view.dice,
            "pile": view.pile,
            "players": player_entries(view),
            "awaits": None
            if view.awaited_seat is None
            else {"seat": view.awaited_seat, "actions": view.actions},
            "result": view.result and view.result._asdict(),
        }
    )


_KEYS = frozenset({"record", "version", "ruleset", "players"})
_MORE_KEYS: Mapping[int, tuple[frozenset[str], frozenset[str]]] = {
    FIRST: (frozenset(), frozenset()),
    WITH_HOUSE_RULES: (frozenset({"house_rules"}), frozenset()),
    DATED: (frozenset({"companion"}), frozenset({"date", "house_rules"})),
    CORRECTED: (frozenset({"companion"}), frozenset({"date", "house_rules"})),
    DOUBTFUL: (frozenset({"companion"}), frozenset({"date", "house_rules"})),
}
"""By version, the additional keys that a header must have, and those that it may have."""


def _header(line: bytes) -> dict[str, Any]:
    entry = load(line)
    version = entry.get("version") if isinstance(entry, dict) else None
    dated = type(version) is int and version in (DATED, CORRECTED, DOUBTFUL)
    header = keys(entry, _KEYS, {"house_rules", *(("companion", "date") if dated else ())})
    if header["record"] != NAME:
        raise FormatError(f'this is not a record: "record" is not "{NAME}"')
    version = integer(header, "version")
    if version not in _MORE_KEYS:
        *known, last = map(str, _MORE_KEYS)
        raise FormatError(
            f"unknown version {version}: only {', '.join(known)} and {last} are known"
        )
    required, optional = _MORE_KEYS[version]
    return keys(header, _KEYS | required, optional)


_DIGITS = "0123456789"
_VERSION_LETTERS = frozenset(f"{_DIGITS}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-")
_LONGEST_VERSION = 40

_DOUBT = "?"
"""What ISO 8601-2 puts behind a date that is uncertain."""
_DATE_SHAPES = ("0000-00-00", "0000-00-00T00:00:00Z")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _origin(header: Mapping[str, Any]) -> Origin:
    companion, day = header["companion"], header.get("date", "")
    if not isinstance(companion, str):
        raise FormatError('"companion" is not a string')
    if not _is_version(companion):
        raise FormatError(f'"companion" is {quote(companion)}, not a version such as 0.2.0')
    if "date" in header:
        if not isinstance(day, str):
            raise FormatError('"date" is not a string')
        known = day.removesuffix(_DOUBT) if header["version"] >= DOUBTFUL else day
        if not _is_date(known):
            raise FormatError(
                f'"date" is {quote(day)}, not a day such as 2026-11-22 or a time in UTC such as'
                " 2026-11-22T19:30:00Z"
            )
    return Origin(companion, day)


def _is_version(text: str) -> bool:
    known = _VERSION_LETTERS.issuperset(text)
    return known and 1 <= len(text) <= _LONGEST_VERSION and text[0] in _DIGITS


def _is_date(text: str) -> bool:
    # The standard library's dates come with a clock, which the rules must not import.
    if "".join("0" if letter in _DIGITS else letter for letter in text) not in _DATE_SHAPES:
        return False
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
    if year == 0 or not 1 <= month <= 12:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = _DAYS[month - 1] + (month == 2 and leap)
    return 1 <= day <= days and text[11:13] < "24" and text[14:16] < "60" and text[17:19] < "60"


def _house_rules(header: Mapping[str, Any]) -> frozenset[HouseRule]:
    names = header["house_rules"]
    if not isinstance(names, list) or not names:
        raise FormatError('"house_rules" is not a list of at least one rule')
    known = {rule.value: rule for rule in HouseRule}
    rules = [choice({"house_rules": name}, "house_rules", known) for name in names]
    if len(set(rules)) < len(rules):
        raise FormatError("the same house rule appears twice")
    return frozenset(rules)


def _dice(entry: Mapping[str, Any]) -> tuple[Face, ...]:
    dice = entry["dice"]
    if not isinstance(dice, list) or len(dice) != DICE:
        raise FormatError(f'"dice" is not a list of {DICE} faces')
    return tuple(choice({"dice": face}, "dice", _FACES) for face in dice)


def _shots(entry: Mapping[str, Any]) -> tuple[moves.Shot, ...]:
    shots = entry["shots"]
    if not isinstance(shots, list):
        raise FormatError('"shots" is not a list')
    return tuple(_shot(shot) for shot in shots)


def _shot(entry: Any) -> moves.Shot:
    keys(entry, {"die", "target"}, {"as", "beer"})
    return moves.Shot(
        die=integer(entry, "die"),
        target=None if entry["target"] is None else integer(entry, "target"),
        used_as=choice(entry, "as", _FACES) if "as" in entry else None,
        beer=integer(entry, "beer") if "beer" in entry else None,
    )
