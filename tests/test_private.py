"""Tests use the product by its public names: what is private may change without asking them."""

import ast
import re
from collections.abc import Iterator

import pytest
from places import TESTS

FILES = sorted(TESTS.rglob("*.py"))

PUBLIC = {"_replace", "_fields", "_asdict", "_make", "_field_defaults", "_exit"}
"""Public in spite of their names: of named tuples, and how a process of `os` ends at once."""

OWN = {"self", "cls", "super()"}
"""Whose private names a class may use. A base class is extended by them: so is gpiozero's Pin."""


CALL = re.compile(r"(?P<owner>[a-z]\w*(?:\(\))?)(?:\.\w+)+(?=\()", re.IGNORECASE)
"""A method that is called, in the text of a program."""

BY_STRING = {"setattr", "getattr", "hasattr", "delattr", "setitem", "patch", "object"}
"""Functions that take a name as a string."""


def is_private(name: str) -> bool:
    return re.match("_[^_]", name) is not None and name not in PUBLIC


def reaches(source: str) -> Iterator[tuple[int, str]]:
    """Where a source uses a private name of something else: the line, and the name."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=owner, attr=name) if is_private(name):
                if ast.unparse(owner) not in OWN:
                    yield node.lineno, ast.unparse(node)
            case ast.ImportFrom(module=module, names=names):
                for part in [*(module or "").split("."), *(alias.name for alias in names)]:
                    if is_private(part):
                        yield node.lineno, f"from {module} import {part}"
            case ast.Import(names=names):
                for alias in names:
                    if any(map(is_private, alias.name.split("."))):
                        yield node.lineno, f"import {alias.name}"
            case ast.Call(func=function, args=arguments) if called(function) in BY_STRING:
                # monkeypatch.setattr(thing, "_name", …), or one string with the way to it.
                for argument in arguments[:2]:
                    name = argument.value if isinstance(argument, ast.Constant) else ""
                    if isinstance(name, str) and any(map(is_private, name.split("."))):
                        yield node.lineno, ast.unparse(node)
            case ast.Constant(value=str(text)):
                # A program that a test runs in a process of its own.
                for call in CALL.finditer(text):
                    if call["owner"] not in OWN and any(map(is_private, call[0].split("."))):
                        yield node.lineno, call[0]


def called(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]


def test_no_test_reaches_into_private_names():
    assert FILES
    found = [
        f"{path.relative_to(TESTS)}:{line}: {name}"
        for path in FILES
        for line, name in reaches(path.read_text("utf-8"))
    ]
    assert not found, "\n".join(found)


PRIVATE = (
    "table._lock", "running.table._lock.acquire", "Table(journal)._lock", "getattr(table, '_lock')",
    "from companion.table.journal.journal import _connected", "import companion._table",
    "from companion._table import Table", "monkeypatch.setattr(journal, '_connected', connect)",
    "monkeypatch.setattr('companion.table.journal.journal._connected', connect)",
    "run('print(table._lock.acquire{})')".format("()"),
)  # fmt: skip
OWN_OR_PUBLIC = (
    "self._lock", "super()._set_pull(value)", "state._replace(turn=1)", "os._exit(0)",
    "table.__class__", "for _ in range(3): pass", "from gettext import gettext as _",
    "monkeypatch.setattr(journal, 'connected', connect)", "run('import os; os._exit(0)')",
    "print('numpy._core failed to import (numpy._core)')",
)  # fmt: skip


@pytest.mark.parametrize("source", PRIVATE)
def test_a_private_name_is_found(source):
    assert len(list(reaches(source))) == 1


@pytest.mark.parametrize("source", OWN_OR_PUBLIC)
def test_what_is_public_or_ones_own_is_left_alone(source):
    assert list(reaches(source)) == []
