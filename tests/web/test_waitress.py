"""What `web.serving` relies on inside waitress, as it was when it was tested: waitress.txt.

It overrides and calls methods that are no public interface of waitress, and a release may change
those without a word. Then a test below fails and says what to read again.
"""

import hashlib
import inspect
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from scenes import Ruling, rulings

from web.serving import connections

CHECKS = rulings(Path(__file__).with_name("waitress.txt"))
RELIED_ON = {line.split()[0] for check in CHECKS for _, line in check.lines}


def digest(function: Any) -> str:
    source = inspect.getsource(getattr(function, "fget", function))
    return hashlib.sha256(source.encode()).hexdigest()[:12]


def changes(checks: Iterable[Ruling]) -> Iterator[str]:
    """What became of that which was relied on, wherever it isn't what was tested."""
    for check, lines in checks:
        for name, tested in (line.split() for _, line in lines):
            try:
                now = digest(resolve_name(f"waitress.{name}"))
            except AttributeError:
                yield f"{name} is gone. Check again: {check}"
            else:
                if now != tested:
                    yield f"{name} changed. Check again: {check}. Then write {now} there"


def test_waitress_is_what_our_connections_were_written_for():
    now = list(changes(CHECKS))
    assert not now, "\n".join([f"waitress {version('waitress')}:", *now])


def test_a_part_of_waitress_that_changed_is_named_with_what_to_check():
    gone = Ruling("A", [(1, "channel.HTTPChannel.nothing 0")])
    gone_line, changed = changes([gone, Ruling("B", [(1, "wasyncore.loop 0")])])
    assert gone_line == "channel.HTTPChannel.nothing is gone. Check again: A"
    assert changed.startswith("wasyncore.loop changed. Check again: B. Then write 9c04")


def overridden(ours: type, name: str) -> str:
    """Return the method of waitress that a method of ours overrides, or nothing."""
    for base in ours.__mro__[1:]:
        if base.__module__.startswith("waitress.") and name in vars(base):
            return f"{base.__module__.removeprefix('waitress.')}.{base.__name__}.{name}"
    return ""


def test_every_method_that_we_override_is_compared():
    methods = {
        overridden(ours, name)
        for ours in vars(connections).values()
        if inspect.isclass(ours) and ours.__module__ == connections.__name__
        for name, value in vars(ours).items()
        if inspect.isfunction(value) and name != "__init__"
    } - {""}
    assert {"channel.HTTPChannel._flush_some", "task.Task.finish"} <= methods <= RELIED_ON
