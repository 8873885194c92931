"""Cards: from the moment a card lies still until every page shows what was laid.

    python -m tests.tools.bench.laid [--cards N] [--seed N]

Prints a Markdown table. The table runs in this process and reads the frames of its drawn tray. Five
play; one phone and the table page are drawn in Chromium, the other phones only read. Cards that
need no answer are laid on the first turn, each onto a new pile of a few cards, and undone. A page
says when it was painted as in `tests.tools.bench.latency`. The time begins when the card has
stopped.
"""

import argparse
import itertools
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from browser import Screens, chromium
from playwright.sync_api import Page
from waiting import wait_until

from companion.app.build import RunningTable, start_table
from companion.settings import Settings
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.surface.cards.state import PileStatus
from tests.tools.bench.latency import PAINTED, WAIT, percentile
from tests.tools.bench.machine import machine
from tests.tools.bench.table import Screen, join

PLAYERS = 5
TITLES = ("stagecoach", "mustang", "wells_fargo", "scope", "general_store", "barrel")
"""Titles that are played without a target, and answered by nobody."""
BETWEEN_S = 1.0
"""Seconds for which everything lies still before the next card."""


class Stopped:
    """When the last card stopped, seen by a thread that looks all the time."""

    def __init__(self, running: RunningTable) -> None:
        """Begin to look."""
        assert running.watching.cards is not None
        self._cards, self._running = running.watching.cards, True
        self.at = 0.0
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._running = False
        self._thread.join()

    def _look(self) -> None:
        before = True
        while self._running:
            still = self._cards.at_rest
            if still and not before:
                self.at = time.time()
            before = still
            time.sleep(0.002)


def opened(running: RunningTable, screens: Screens) -> list[Page]:
    """Begin a game of cards, and open its phones and the table page; return what is drawn."""
    url, table = running.server.url, running.table
    cookies = [join(running, f"Player{number}") for number in range(PLAYERS)]
    table.do(rounds.start_game, Press(table.view().people[0].id, table.view().version))
    for kept in cookies[1:]:
        Screen(url, "seat", kept).start()
    phone = screens.phone(f"{url}static/icon.svg")
    pairs = [pair.partition("=") for pair in cookies[0].split("; ")]
    phone.context.add_cookies(
        [{"name": name, "value": value, "url": url} for name, _, value in pairs]
    )
    phone.goto(f"{url}seat")
    pages = [phone, screens.television(f"{url}table")]
    for page in pages:
        page.wait_for_selector("[data-version]")
        page.evaluate(PAINTED)
    return pages


def laid(
    running: RunningTable, pages: list[Page], count: int
) -> Iterator[tuple[float, list[float]]]:
    """Lay `count` cards; yield seconds from rest to the table's move, and to each page."""
    table, cards = running.table, running.watching.cards
    assert cards is not None
    host = table.view().people[0].id
    stopped = Stopped(running)
    for title in itertools.islice(itertools.cycle(TITLES), count):
        wait_until(lambda: table.view().pile.status is PileStatus.WAITING, pages[0])
        pages[0].wait_for_timeout(BETWEEN_S * 1000)
        before = table.view().version
        cards.play(title)
        while table.view().version == before:
            pages[0].wait_for_timeout(2)
        moved, version = time.time(), table.view().version
        pages[0].wait_for_timeout(500)
        painted = [page.evaluate(WAIT, str(version)) / 1000 - stopped.at for page in pages]
        yield moved - stopped.at, painted
        table.do(moves.undo, Press(host, version))
        cards.take_off()
    stopped.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    with chromium() as browser, tempfile.TemporaryDirectory() as data, ExitStack() as stack:
        settings = Settings(
            host="127.0.0.1", port=0, camera="simulated", data=Path(data), game="cards"
        )
        running = start_table(settings, stack, seed=arguments.seed)
        screens = Screens(browser)
        stack.callback(screens.close)
        times = list(laid(running, opened(running, screens), arguments.cards))
    print(f"\nFrom rest to every page, ms, {machine()}, load before {load:.1f}\n")
    print("| until | median | 95 % | worst |\n|---|---|---|---|")
    for name, values in (
        ("the table has the move", [moved for moved, _ in times]),
        ("the phone is painted", [painted[0] for _, painted in times]),
        ("the table page is painted", [painted[1] for _, painted in times]),
    ):
        each = [1000 * value for value in values]
        print(
            f"| {name} | {percentile(each, 50):.0f} | {percentile(each, 95):.0f}"
            f" | {max(each):.0f} |"
        )


if __name__ == "__main__":
    main()
