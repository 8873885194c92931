"""The lines of records: strict JSON, an object a line.

Reading is strict: anything that a format doesn't mention is an error that names its line.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, TypeVar

from companion.games.common.refusals import IllegalMove

_T = TypeVar("_T")


class FormatError(ValueError):
    """A line is not in the format of a record; the text says what is wrong."""


class RecordError(ValueError):
    """A record breaks the format or the rules at `line`, counted from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def replay_lines(
    lines: Iterable[bytes], start: Callable[[bytes], _T], go_on: Callable[[_T, bytes], _T]
) -> Iterator[_T]:
    """Yield the state after each line of a record: after the header, then after each action.

    lines: the lines of a file in binary mode, split only at line feeds. They may end before the
    game does. start: returns the state after the header; go_on: after another line. Both raise
    FormatError or IllegalMove. Raises RecordError at the first line that is wrong.
    """
    state: _T | None = None
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            state = start(line) if state is None else go_on(state, line)
        except (FormatError, IllegalMove) as error:
            raise RecordError(number, str(error)) from None
        yield state
    if not number:
        raise RecordError(1, "the record is empty")


def dump(entry: Mapping[str, Any]) -> str:
    """Return an object as a line, without the line feed."""
    line = json.dumps(entry, ensure_ascii=False)
    # A name may contain half a surrogate pair, which UTF-8 can't encode but a JSON escape can.
    return line.encode("utf-8", "backslashreplace").decode()


def load(line: bytes) -> Any:
    """Return the JSON on a line. Raises FormatError."""
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
        raise FormatError(f"this is not JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise FormatError("this is nested too deeply") from None
    except ValueError:
        raise FormatError("a number has too many digits") from None


def record_name(line: bytes) -> object:
    """Return which game's record begins with this line; None if it doesn't say.

    Any JSON may stand there: whether it is the name of a game is for the caller to find out.
    """
    try:
        header = load(line)
    except FormatError:
        return None
    return header.get("record") if isinstance(header, dict) else None


def load_action(line: bytes, known: Mapping[str, _T]) -> tuple[dict[str, Any], _T]:
    """Return the object on a line, and which of the `known` actions it is. Raises FormatError."""
    entry = load(line)
    if not isinstance(entry, dict):
        raise FormatError("an action is an object")
    if "action" not in entry:
        raise FormatError('the key "action" is missing')
    return entry, choice(entry, "action", known)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        raise FormatError("the same key appears twice")
    return entry


def _no_constant(name: str) -> None:
    raise FormatError(f"{name} is not JSON")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def quote(text: str) -> str:
    """Return text between quotation marks, shortened if it is long."""
    return json.dumps(text if len(text) <= 40 else text[:40] + "...")


def keys(entry: Any, required: Set[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    """Return an object that has the required keys and no unknown one. Raises FormatError."""
    if not isinstance(entry, dict):
        raise FormatError("expected an object")
    for key in sorted(required - entry.keys()):
        raise FormatError(f'the key "{key}" is missing')
    for key in sorted(entry.keys() - required - set(optional)):
        raise FormatError(f"the key {quote(key)} is unknown")
    return entry


def integer(entry: Mapping[str, Any], key: str) -> int:
    """Return the integer at a key. Raises FormatError."""
    value = entry[key]
    if type(value) is not int:
        raise FormatError(f'"{key}" is not an integer')
    return value


def integers(entry: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """Return the list of integers at a key. Raises FormatError."""
    values = entry[key]
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise FormatError(f'"{key}" is not a list of integers')
    return tuple(values)


def choice(entry: Mapping[str, Any], key: str, known: Mapping[str, _T]) -> _T:
    """Return what the name at a key stands for. Raises FormatError."""
    value = entry[key]
    if not isinstance(value, str):
        raise FormatError(f'"{key}" is not a string')
    if value not in known:
        raise FormatError(f'"{key}" is {quote(value)}, not one of {", ".join(known)}')
    return known[value]


def each_player(header: Mapping[str, Any], read: Callable[[dict[str, Any]], _T]) -> tuple[_T, ...]:
    """Return what `read` makes of each player of a header. Raises FormatError."""
    if not isinstance(header["players"], list):
        raise FormatError('"players" is not a list')
    players = []
    for index, entry in enumerate(header["players"]):
        try:
            player = keys(entry, {"name", "role", "character"})
            if not isinstance(player["name"], str):
                raise FormatError('"name" is not a string')
            players.append(read(player))
        except FormatError as error:
            raise FormatError(f"player {index}: {error}") from None
    return tuple(players)
