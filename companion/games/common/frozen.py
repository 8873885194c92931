"""Change values that never change: each function returns a new one."""

from typing import TypeVar

_T = TypeVar("_T")


def with_item(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    """Return `values` with another value at `index`."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)
