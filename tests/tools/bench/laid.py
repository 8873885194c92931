"""Cards: from the moment a card lies still until every page shows what was laid.

    python -m tests.tools.bench.laid [--cards N] [--seed N]

Prints a Markdown table. The table runs in this process and reads the frames of its drawn tray. Five
play; one phone and the table page are drawn in Chromium, the other phones only read. Cards that
need no answer are laid on the first turn, two at a time, and undone: the second one while the
television still plays the first. The phone says when it was painted as in
`tests.tools.bench.latency`, the television when the name of the card was. The light is gpiozero's
simulated one, and blinks when its green goes on; a sound begins when the program that plays it has
started. The time begins when the card lies there.
"""

import argparse
import itertools
import math
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from browser import Screens, chromium
from gpiozero.pins.mock import MockPWMPin
from playwright.sync_api import Page
from waiting import wait_until

from companion.app.build import RunningTable, start_table
from companion.camera.simulated_cards import SimulatedCards
from companion.settings import PinNumbers, Settings, SoundSettings
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.surface.cards.state import PileStatus
from tests.tools.bench.latency import PAINTED, WAIT, percentile
from tests.tools.bench.machine import machine
from tests.tools.bench.table import Screen, join

PLAYERS = 5
PAIRS = (("stagecoach", "mustang"), ("wells_fargo", "scope"), ("stagecoach", "barrel"))
"""Titles that are played without a target, and answered by nobody. The first of two is played for
two seconds."""
NAMED = """
name => {
  let named;
  const behind = new MessageChannel();
  behind.port1.onmessage = () => named ??= performance.timeOrigin + performance.now();
  const seen = new MutationObserver(() => {
    const told = [document.querySelector("#told li"), document.querySelector(".guide")];
    if (told.some(each => each?.textContent.toLowerCase().includes(name)))
      requestAnimationFrame(() => behind.port2.postMessage(0));
  });
  const all = { subtree: true, childList: true, characterData: true };
  seen.observe(document.querySelector("main"), all);
  window.named = new Promise(done => {
    const wait = () => named ? done(named) : setTimeout(wait, 5);
    wait();
  }).finally(() => seen.disconnect());
}
"""
"""Lets a television tell, as `named`, when it has painted the name of a card."""
UNTIL = (
    "the table has the move",
    "the phone is painted",
    "the television names the card",
    "the light blinks",
    "a sound begins",
)
PLAYER = "#!/bin/sh\ndate +%s.%N >> '{}'\n"
"""A program that notes when it plays."""
IDLE = "() => !document.querySelector('#stage').dataset.kind"
BETWEEN_S, LONG_S = 1.0, 5.0
"""Seconds for which everything lies still before the next card; for which the light is watched."""


def lay(cards: SimulatedCards, title: str) -> float:
    """Lay a card, at rest, and return when it lay there."""
    with cards.lock:
        cards.tray.stack([next(card for card in cards.tray.stock if card[0] == title)])
        return time.time()


class Confirmed:
    """When the light has turned green and a sound began, from now on; seconds since 1970."""

    def __init__(self, green: MockPWMPin, played: Path) -> None:
        self._green, self._played = green, played
        self._before = len(self._heard())
        self._turned = math.nan
        self._watching = threading.Thread(target=self._watch, daemon=True)
        self._watching.start()

    def seconds(self, rest: float) -> list[float]:
        """Return how long after `rest` the light turned green and a sound began."""
        self._watching.join(LONG_S)
        return [self._turned - rest, self._heard()[self._before] - rest]

    def _heard(self) -> list[float]:
        return [float(line) for line in self._played.read_text().split()]

    def _watch(self) -> None:
        for lit in (False, True):
            while (self._green.state > 0) is not lit:
                time.sleep(0.002)
        self._turned = time.time()


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


def moves_of(running: RunningTable) -> int:
    """Return how many moves the game has, its beginning included."""
    history = running.table.scene.history
    assert history is not None
    return len(history.moments)


def laid(
    running: RunningTable, pages: list[Page], played: Path, count: int
) -> Iterator[list[list[float]]]:
    """Lay `count` pairs; yield for both cards seconds from rest until each of UNTIL.

    played: the file in which PLAYER notes.
    """
    table, cards = running.table, running.watching.cards
    green = running.controls.pins.factory.pin(PinNumbers().light_green)
    assert cards is not None
    host = table.view().people[0].id
    phone, television = pages
    for pair in itertools.islice(itertools.cycle(PAIRS), count):
        wait_until(lambda: table.view().pile.status is PileStatus.WAITING, phone)
        television.wait_for_function(IDLE)
        phone.wait_for_timeout(BETWEEN_S * 1000)
        seconds = []
        for title in pair:
            made = moves_of(running)
            television.evaluate(NAMED, title.replace("_", " "))
            confirmed = Confirmed(green, played)
            rest = lay(cards, title)
            while moves_of(running) == made:
                phone.wait_for_timeout(2)
            moved, version = time.time(), str(table.view().version)
            phone_s, named_s = phone.evaluate(WAIT, version), television.evaluate("window.named")
            pages_s = [each / 1000 - rest for each in (phone_s, named_s)]
            seconds.append([moved - rest, *pages_s, *confirmed.seconds(rest)])
        yield seconds
        for _ in pair:
            table.do(moves.undo, Press(host, table.view().version))
            cards.take_off()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=int, default=20, help="pairs of cards")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    with chromium() as browser, tempfile.TemporaryDirectory() as data, ExitStack() as stack:
        played, player = Path(data) / "played", Path(data) / "aplay"
        played.touch()
        player.write_text(PLAYER.format(played))
        player.chmod(0o755)
        os.environ["PATH"] = f"{data}:{os.environ['PATH']}"
        settings = Settings(
            host="127.0.0.1",
            port=0,
            camera="simulated",
            data=Path(data),
            game="cards",
            sound=SoundSettings(effects=True),
        )
        running = start_table(settings, stack, seed=arguments.seed)
        screens = Screens(browser)
        stack.callback(screens.close)
        times = list(laid(running, opened(running, screens), played, arguments.cards))
    print(f"\nFrom rest to every page, ms, {machine()}, load before {load:.1f}\n")
    print("| until | median | 95 % | worst |\n|---|---|---|---|")
    for card, which in enumerate(("", ", while it plays another")):
        for nth, name in enumerate(UNTIL):
            each = [1000 * pair[card][nth] for pair in times]
            print(
                f"| {name}{which} | {percentile(each, 50):.0f} | {percentile(each, 95):.0f}"
                f" | {max(each):.0f} |"
            )


if __name__ == "__main__":
    main()
