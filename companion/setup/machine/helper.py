"""What root does for the table, whose own service is confined.

The table leaves a request in a file, systemd starts a unit that has this one job, and root says in
another file how far it is and how it ended: see `systemd/bang-companion-*.path`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.base.whole_file import read_whole, write_whole
from companion.base.worker import Worker, WorkerThread
from companion.table.scene import Trouble
from companion.table.table import Table

_WANTED = Path("/etc/systemd/system/multi-user.target.wants")
_PROGRAM = Path("/opt/bang-companion")


class HelperPlaces(NamedTuple):
    """Where the table and root leave things for each other."""

    request: Path
    """What systemd waits for, in the folder of the service, in memory."""
    status: Path
    """Where root says how far it is (`step`), or how it ended (`fault`, empty if well)."""
    waits: Path
    """Is there where systemd waits for a request."""
    running: Path | None = None
    """Is there while root is at work, where `status` outlasts a power cut."""


def places_of(name: str, folder: Path) -> HelperPlaces:
    """Return the places of a helper. folder: that of the service."""
    waits, own = _WANTED / f"bang-companion-{name}.path", Path(f"/run/bang-companion-{name}")
    if name == "update":
        return HelperPlaces(folder / name, _PROGRAM / f"{name}.json", waits, own)
    return HelperPlaces(folder / name, own / "status.json", waits)


class RootHelper:
    """One unit that root runs for the table. Any thread may call."""

    def __init__(self, places: HelperPlaces | None) -> None:
        """places: None if no service runs the table."""
        self.places = places
        self.listeners = Listeners()
        """Told whenever a page is to show something else."""

    @property
    def works(self) -> bool:
        """Whether systemd waits for requests; an update may put the unit there meanwhile."""
        return self.places is not None and self.places.waits.is_symlink()

    @property
    def status(self) -> Mapping[str, Any]:
        """What root says; empty if nothing."""
        return read_json(self.places.status) if self.places else {}

    @property
    def is_running(self) -> bool:
        """Whether root is at work, or is asked to be."""
        if self.places is None:
            return False
        if self.places.request.exists():
            return True
        return (
            self.places.running.is_dir() if self.places.running else bool(self.status.get("step"))
        )

    def ask(self, asked: Mapping[str, str]) -> None:
        """Leave a request. Raises Refused."""
        assert self.places is not None, "who asks has looked whether it works"
        with refuse_faults():
            write_whole(self.places.request, json.dumps(asked).encode())
        self.listeners.tell()


def read_json(path: Path) -> Mapping[str, Any]:
    """Return what a file says; empty if it can't be read."""
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads(read_whole(path))
        return found if isinstance(found, dict) else {}
    return {}


@contextmanager
def refuse_faults() -> Iterator[None]:
    """Say by Refused that a file can't be read or written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Problem.FAILED, "the disk refuses: %(error)s", error=reason) from error


class HelperFollower(Worker):
    """Tells everybody what root does to the table, and those who listen how far it is."""

    def __init__(
        self, name: str, helper: RootHelper, table: Table, notice: Callable[[], str]
    ) -> None:
        """notice: returns what everybody is to read now; empty for nothing."""
        super().__init__(name, every_s=1.0)
        self._helper, self._table, self._notice = helper, table, notice
        self._seen: tuple[str, bool, Mapping[str, Any]] = "", False, {}

    def catch_up(self, thread: WorkerThread) -> bool:
        """Tell what is new."""
        now = self._notice(), self._helper.is_running, self._helper.status
        if now != self._seen:
            if now[0] != self._seen[0]:
                self._table.report(Trouble.POWER, now[0])
            self._seen = now
            self._helper.listeners.tell()
        return False
