"""Counts the tuned numbers of `vision`: `python -m tests.tools.tuned [FOLDER]`.

The rule: each number in what a module's constants are set to (names in capitals, with or without an
underscore before), calls and tables included, but 0, 1 and -1. Numbers within functions and
default arguments don't count, and neither do `training` and `simulate`, which read nothing. Prints
a line for each file, the most first, and the sum.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

LEFT_OUT = {"training", "simulate"}
PLAIN = {0, 1}
"""Numbers that nobody tunes."""


def tuned_numbers(source: str) -> int:
    """Return how many tuned numbers the constants of a module hold."""
    return sum(
        isinstance(each, ast.Constant)
        and type(each.value) in (int, float)
        and each.value not in PLAIN
        for statement in ast.parse(source).body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None
        if all(name.isupper() for name in _names(statement))
        for each in ast.walk(statement.value)
    )


def _names(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    every = (each for target in targets for each in ast.walk(target))
    return [each.id for each in every if isinstance(each, ast.Name)]


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "vision")
    found = {
        str(path.relative_to(folder)): tuned_numbers(path.read_text("utf-8"))
        for path in folder.rglob("*.py")
        if not LEFT_OUT & set(path.relative_to(folder).parts)
    }
    for name, count in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])):
        if count:
            print(f"{count:4} {name}")
    print(f"{sum(found.values()):4} in all")


if __name__ == "__main__":
    main()
