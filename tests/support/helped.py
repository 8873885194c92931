"""A table whose service systemd waits for, as far as the table can see."""

import html
import json
from collections.abc import Mapping
from pathlib import Path

from sites import Site

from companion.setup.machine.helper import HelperPlaces, RootHelper


class Helped:
    """A table for which root does something, as its host asks on the page of the Pi."""

    shown = "/machine"
    """Where the host looks and presses."""

    def __init__(self, folder: Path, running: Path | None = None) -> None:
        """running: see `HelperPlaces`."""
        self.site = Site(folder / "data")
        self.places = HelperPlaces(
            folder / "asked/request", folder / "status.json", folder / "waits", running
        )
        self.places.request.parent.mkdir()
        self.places.waits.symlink_to("anything")
        self.helper = RootHelper(self.places)
        self.said = ""
        """The last answer to a press."""

    def press(self, path: str, **fields: object) -> int:
        """Let the host press; return the status of the answer."""
        answer = self.site.host.post(f"{self.shown}/{path}", **fields)
        self.said = html.unescape(answer.text)
        return answer.status_code

    def page(self) -> str:
        return html.unescape(self.site.host.open(self.shown).text)

    @property
    def request(self) -> Mapping[str, str] | None:
        """What root is asked for; None: nothing."""
        path = self.places.request
        return json.loads(path.read_text()) if path.exists() else None

    def tell(self, **said: object) -> None:
        """Say what root says, once it has taken the request."""
        self.places.status.write_text(json.dumps(said))
        self.places.request.unlink(missing_ok=True)
