"""The whole table within this process, as the service starts it, without a camera or with one."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from process import read

from companion.app.build import RunningTable, start_table
from companion.settings import Settings


@contextmanager
def running_table(data: Path, **settings: Any) -> Iterator[RunningTable]:
    """Run the table of a data folder; settings: other than that nobody else can reach it."""
    own = {"host": "127.0.0.1", "port": 0, "camera": "none", "data": data} | settings
    with ExitStack() as stack:
        yield start_table(Settings(**own), stack, seed=1)


def page_of(running: RunningTable, path: str = "table") -> str:
    """What stands on a page that everybody may read."""
    return read(f"{running.server.url}{path}")
