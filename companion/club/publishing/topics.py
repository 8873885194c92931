"""The topics of tables on a broker: `PREFIX/NAME/state` and others, below the prefix of a club."""

import re
from typing import NamedTuple
from unicodedata import category

KEPT_RESULTS = 20
"""How many results of each table the broker keeps: the next one replaces the oldest."""

ONLINE, OFFLINE = "online", "offline"
"""The payloads of `availability`, as Home Assistant expects them."""

_NAME = re.compile(r"[\w .-]{1,40}")
_PREFIX = re.compile(r"[\w.-]{1,40}(/[\w.-]{1,40}){0,3}")


def may_name(text: str) -> bool:
    """Return whether a table may be called so: nothing in it separates topics or stands for any."""
    return _NAME.fullmatch(_marks_as_letters(text)) is not None


def may_begin(text: str) -> bool:
    """Return whether topics of a broker's tables may begin so."""
    return _PREFIX.fullmatch(_marks_as_letters(text)) is not None


def _marks_as_letters(text: str) -> str:
    # To a regular expression, the vowels of Hindi, Thai or Tamil are no part of a word.
    return "".join("m" if category(letter)[0] == "M" else letter for letter in text)


EVENT = "event"
"""The topic of events, below a table's own."""


def result_slot(game: int) -> str:
    """Return the topic of a game's result, below a table's own."""
    return f"result/{game % KEPT_RESULTS}"


class Topics(NamedTuple):
    """The topics of one table; as names, `+`, those of all."""

    prefix: str
    """What all of them begin with, such as `bang-companion`."""
    name: str
    """The table's name."""

    @property
    def base(self) -> str:
        """What the table's own topics begin with."""
        return f"{self.prefix}/{self.name}"

    @property
    def state(self) -> str:
        """The state of the table; retained."""
        return f"{self.base}/state"

    @property
    def event(self) -> str:
        """Events, as they happen."""
        return f"{self.base}/{EVENT}"

    @property
    def availability(self) -> str:
        """Whether the table is there: `ONLINE` or `OFFLINE`; retained."""
        return f"{self.base}/availability"

    @property
    def owner(self) -> str:
        """What tables of this name say to each other, so that only one publishes."""
        return f"{self.base}/owner"

    @property
    def press(self) -> str:
        """Presses of buttons elsewhere, where the settings allow them."""
        return f"{self.base}/press"

    def result(self, game: int) -> str:
        """Return where the result of a game is kept; retained until another takes its place."""
        return f"{self.base}/{result_slot(game)}"

    @property
    def results(self) -> str:
        """A filter for all results."""
        return f"{self.base}/result/+"


class Parsed(NamedTuple):
    """A topic, taken apart."""

    name: str
    """The table's name."""
    kind: str
    """`state`, `event`, `availability`, `owner`, `press` or `result`."""


def parse(prefix: str, topic: str) -> Parsed | None:
    """Return what a topic below a prefix is about; None if it isn't a table's."""
    if not topic.startswith(f"{prefix}/"):
        return None
    match topic.removeprefix(f"{prefix}/").split("/"):
        case [name, ("state" | "event" | "availability" | "owner" | "press") as kind] if name:
            return Parsed(name, kind)
        case [name, "result", slot] if name and slot.isdecimal():
            return Parsed(name, "result")
    return None
