"""Turn values into JSON and back, and settings into values: each field is named once, in its class.

What a value looks like follows from its type. A dataclass or a named tuple is an object by the
names of its fields, or a list in their order if it is decorated as a `row`. A mapping is an object
or, unless its keys are texts, a list of pairs; other collections are lists. `Annotated` narrows a
type down: by a pattern for the whole text, or by the values that there are.

Reading is strict about types: what doesn't fit raises MisfitError, which names its place.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

_T = TypeVar("_T")

Json = Any
Read = Callable[[str, Json], Any]
"""Returns the value that JSON says; takes its place and the JSON. Raises MisfitError."""

_WORDS = {int: "a whole number", bool: "true or false", str: "text in quotes", Path: "a folder"}
_ROWS: set[type] = set()
_GROWING: set[type] = set()
_NAMED: set[type] = set()


class MisfitError(ValueError):
    """A value can't be used: `place: what is wrong`."""

    def __init__(self, key: str, reason: str) -> None:
        """key: the place, such as `mqtt.port`; empty: the whole. reason: for pages, a `Message`."""
        super().__init__(f"{key}: {reason}" if key else reason)
        self.key, self.reason = key, reason


def row(kind: type[_T]) -> type[_T]:
    """Save values of this class as lists. The last field is left out where it has its default."""
    _ROWS.add(kind)
    return kind


def growing(kind: type[_T]) -> type[_T]:
    """Read values of this class without keys that are unknown: later versions may add some."""
    _GROWING.add(kind)
    return kind


def by_name(kind: type[_T]) -> type[_T]:
    """Read members of this enumeration by their names in small letters, not by their values."""
    _NAMED.add(kind)
    return kind


def json_name(name: str | None) -> Mapping[str, str | None]:
    """Return the metadata of a dataclass's field that is saved by another name; None: not saved."""
    return {"json name": name}


def write(value: Any) -> Json:
    """Return a value as JSON, as `read` takes it. An empty mapping is a list."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        if value and all(isinstance(key, str) for key in value):
            return {key: write(each) for key, each in value.items()}
        value = tuple(value.items())
    if isinstance(value, frozenset):
        return sorted(value)
    kind: Any = type(value)
    if not (known := _fields(kind)):
        return list(map(write, value))
    said = {name: write(getattr(value, field.name)) for name, field in known.items()}
    if kind not in _ROWS:
        return said
    name, last = [*known.items()][-1]
    if getattr(value, last.name) == last.default:
        del said[name]
    return list(said.values())


def read(kind: type[_T], value: Json) -> _T:
    """Return the value of this type that JSON, or a settings file, says. Raises MisfitError."""
    hashable: Any = kind
    found: _T = _reader(hashable)("", value)
    return found


def read_fields(kind: Any, value: Mapping[str, Json]) -> Mapping[str, Any]:
    """Return those fields of a class that JSON says. Raises MisfitError."""
    known = _fields(kind)
    for name in value:
        if name not in known and kind not in _GROWING:
            raise MisfitError(name, f"no such key; there are {', '.join(known)}")
    given = ((field, name) for name, field in known.items() if name in value)
    return {field.name: field.read(name, value[name]) for field, name in given}


class _Field(NamedTuple):
    name: str
    read: Read
    default: Any
    """Or what makes it; MISSING if there is none."""


@cache
def _fields(kind: Any) -> Mapping[str, _Field]:
    """Return the fields of a class by their names in JSON; none if it has none."""
    named = {}
    if is_dataclass(kind):
        for each in fields(kind):
            default = each.default_factory if each.default is MISSING else each.default
            named[each.name] = each.metadata.get("json name", each.name), default
    for name in getattr(kind, "_fields", ()):
        named[name] = name, kind._field_defaults.get(name, MISSING)
    types = get_type_hints(kind, include_extras=True) if named else {}
    return {
        saved: _Field(name, _reader(types[name]), default)
        for name, (saved, default) in named.items()
        if saved is not None
    }


def _misfit(key: str, value: Json, what: str) -> MisfitError:
    return MisfitError(key, f"{value!r} is not {what}")


@cache
def _reader(kind: Any) -> Read:
    """Return what reads values of a type."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda _, value: value
    if origin is Annotated:
        return _narrow(_reader(parts[0]), parts[1])
    if origin in (Union, UnionType):
        inner = _reader(next(part for part in parts if part is not NoneType))
        return lambda key, value: None if value is None else inner(key, value)
    if origin in (tuple, frozenset):
        return _list_reader(origin, parts)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(*parts)
    if issubclass(kind, Enum):
        members = {str(e.name).lower() if kind in _NAMED else e.value: e for e in kind}
        return _narrow(lambda _, value: members[value], [*members])
    return _record_reader(kind) if _fields(kind) else _scalar_reader(kind)


def _scalar_reader(kind: type) -> Read:
    def read(key: str, value: Json) -> Any:
        if kind is Path and isinstance(value, str | Path) and str(value):
            return Path(value).expanduser()
        if kind is float and type(value) is int:
            return float(value)
        if type(value) is not kind:
            raise _misfit(key, value, _WORDS.get(kind, "a number"))
        return value

    return read


def _narrow(inner: Read, allowed: "Collection[Any] | re.Pattern[str]") -> Read:
    def read(key: str, value: Json) -> Any:
        if isinstance(allowed, re.Pattern):
            if not allowed.fullmatch(inner(key, value)):
                raise _misfit(key, value, f"like {allowed.pattern}")
        elif value not in allowed:
            known = allowed if isinstance(allowed, range) else ", ".join(map(str, allowed))
            raise _misfit(key, value, f"one of {known}")
        return inner(key, value)

    return read


def _list_reader(whole: type, parts: tuple[Any, ...]) -> Read:
    any_number = whole is frozenset or parts[-1] is Ellipsis
    readers = [_reader(part) for part in parts if part is not Ellipsis]

    def read(key: str, value: Json) -> Any:
        if not isinstance(value, list | tuple):
            raise _misfit(key, value, "a list")
        if any_number:
            return whole(readers[0](key, entry) for entry in value)
        if len(value) != len(readers):
            raise _misfit(key, value, f"a list of {len(readers)}")
        return tuple(read(key, entry) for read, entry in zip(readers, value, strict=True))

    return read


def _mapping_reader(names: type, kind: Any) -> Read:
    name_of, each = _reader(names), _reader(kind)
    pairs_of = _list_reader(tuple, (tuple[Any, Any], ...))

    def read(key: str, value: Json) -> Any:
        if issubclass(names, str) and not isinstance(value, dict):
            raise _misfit(key, value, "an object")
        pairs = value.items() if isinstance(value, dict) else pairs_of(key, value)
        return {name_of(key, name): each(key, entry) for name, entry in pairs}

    return read


def _record_reader(kind: Any) -> Read:
    known = _fields(kind)
    needed = [name for name, field in known.items() if field.default is MISSING]

    def read(key: str, value: Json) -> Any:
        if kind in _ROWS and isinstance(value, list) and len(value) <= len(known):
            value = dict(zip(known, value, strict=False))
        if not isinstance(value, dict):
            raise _misfit(key, value, f"a [{key}] section" if key else "what is saved")
        try:
            for name in needed:
                if name not in value:
                    raise MisfitError(name, "is missing")
            return kind(**read_fields(kind, value))
        except MisfitError as error:
            whole = ".".join(part for part in (key, error.key) if part)
            raise MisfitError(whole, error.reason) from None
        except ValueError as error:
            raise MisfitError("", f"{key}.{error}" if key else str(error)) from None

    return read
