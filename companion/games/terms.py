"""Read what players read of a game, its names and sentences, from tables in TOML."""

import tomllib
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

from companion.base import codec

_T = TypeVar("_T")


def read_terms(kind: type[_T], *files: Path) -> _T:
    """Return the terms in files, of which each replaces texts of those before.

    Raises ValueError, which names the place, if a text is missing or has an unknown name.
    """
    return codec.read(kind, reduce(_replace_texts, [_load(file) for file in files]))


def _load(file: Path) -> Mapping[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def _replace_texts(known: Mapping[str, Any], own: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return tables with the entries of others in their places."""
    return {**known, **{
        name: _replace_texts(known[name], value) if isinstance(known.get(name), dict) else value
        for name, value in own.items()
    }}  # fmt: skip
