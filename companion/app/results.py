"""Prints what commands found: JSON lines for programs, the same in words on a terminal."""

import json
import sys
from collections.abc import Iterator, Mapping


def print_result(entry: Mapping[str, object], sentence: str = "") -> None:
    """Print a result on standard output.

    sentence: says it on a terminal; empty: the names and values of the entry do.
    """
    if sys.stdout.isatty():
        print(sentence or "\n".join(_lines("", entry)), flush=True)
    else:
        print(json.dumps(entry), flush=True)


def print_json(line: str) -> None:
    """Print a result that is JSON already. A program gets it as it is."""
    if sys.stdout.isatty():
        print_result(json.loads(line))
    else:
        print(line)


def _lines(indent: str, entry: Mapping[str, object], title: str = "") -> Iterator[str]:
    """Yield a line with what is simple in an entry, and further in a line for each part."""
    simple = (_words(name, value) for name, value in entry.items() if not _has_parts(value))
    if told := ", ".join(filter(None, simple)):
        yield f"{indent}{title}{told}"
    for name, value in entry.items():
        for part, inner in _parts(value):
            yield from _lines(f"{indent}  ", inner, f"{f'{_plain(name)} {part}'.rstrip()}: ")


def _has_parts(value: object) -> bool:
    return next(_parts(value), None) is not None


def _parts(value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield what is an entry itself in a value, with its name or number there."""
    if isinstance(value, Mapping):
        inner = {name: each for name, each in value.items() if isinstance(each, Mapping)}
        # Either all of it are entries with names, or it is one.
        yield from inner.items() if inner and len(inner) == len(value) else [("", value)]
    elif isinstance(value, list):
        yield from ((str(n), each) for n, each in enumerate(value) if isinstance(each, Mapping))


def _words(name: str, value: object) -> str:
    """Return a simple value with its name; empty if there is none."""
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return _plain(name) if value else f"not {_plain(name)}"
    return f"{_plain(name)} {' '.join(map(str, value)) if isinstance(value, list) else value}"


def _plain(name: str) -> str:
    return name.replace("_", " ")
