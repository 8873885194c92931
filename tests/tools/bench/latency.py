"""Latency: from the press of a button to the new state painted, in a real browser.

    python -m tests.tools.bench.latency [--presses N] [--rounds N] [--drawn N] [--scrolled]

Prints a Markdown table. The table runs in this process, with its simulated camera, once its pages
are compiled, as the service does after its start. Each round begins a game in the lobby, and then
presses green; the edge comes at a mock pin. Eight phones and the table page are open in Chromium,
each in a context of its own. A page says when it was painted: a MutationObserver sees the new
version, the next animation frame draws it, and a task behind that frame takes the time. What no
screen shows is laid later, and is not in it; with --scrolled all phones show the end of their
pages. Both clocks are this machine's.
Then the same with 60 spectators, who read their streams in another process. With --drawn 1 one
phone and the table page are drawn here and the other seven only read, as phones have processors of
their own. Presses follow each other while the table page still plays what the last one did.

Pages draw in step with a screen of 60 frames a second, as they do on every real one: something on
each of them always moves. Without it, Chromium without a screen draws a page at once where nothing
moves, but waits for the next frame where something does, so that a page with moving pictures would
seem up to 17 ms slower than it is to anybody who looks at it.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from browser import Screens, chromium
from playwright.sync_api import Page

from companion.app.build import RunningTable, start_table
from companion.settings import Settings
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.surface.dice.state import TrayStatus
from tests.tools.bench.machine import machine
from tests.tools.bench.table import PLAYERS, Screen, join, settle_doubts
from web.templating import compile_templates

SPECTATORS = 60
DRAWING_S = 0.3
PAINTED = """
() => {
  const dot = document.createElement("div");
  dot.style.cssText = "position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px";
  document.documentElement.append(dot);
  dot.animate({ opacity: [0.5, 1] }, { duration: 1000, iterations: Infinity });
  window.painted = {};
  const behind = new MessageChannel();
  const waiting = [];
  behind.port1.onmessage = () => {
    const version = waiting.shift();
    window.painted[version] ??= performance.timeOrigin + performance.now();
  };
  new MutationObserver(() => {
    const version = document.querySelector("[data-version]").dataset.version;
    requestAnimationFrame(() => { waiting.push(version); behind.port2.postMessage(0); });
  }).observe(document.querySelector("main"), {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"],
  });
}
"""
WAIT = "version => new Promise(done => { const look = () => window.painted[version] ? " \
    "done(window.painted[version]) : setTimeout(look, 5); look(); })"  # fmt: skip


def opened(running: RunningTable, screens: Screens, drawn: int, scrolled: bool) -> list[Page]:
    """Open eight phones, `drawn` of them in the browser, and the table page in the lobby."""
    url = running.server.url
    cookies = [join(running, f"Player{number}") for number in range(PLAYERS)]
    pages = []
    for kept in cookies[drawn:]:
        Screen(url, "seat", kept).start()
    for kept in cookies[:drawn]:
        page = screens.phone(f"{url}static/icon.svg")
        pairs = [pair.partition("=") for pair in kept.split("; ")]
        page.context.add_cookies(
            [{"name": name, "value": value, "url": url} for name, _, value in pairs]
        )
        page.goto(f"{url}seat")
        pages.append(page)
    pages.append(screens.television(f"{url}table"))
    for page in pages:
        page.wait_for_selector("[data-version]")
        page.evaluate(PAINTED)
        if scrolled:
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
    return pages


def start(running: RunningTable, pages: list[Page]) -> list[float]:
    """Begin a game; return how long each page took, in ms."""
    table = running.table
    # Pages are at rest before it.
    time.sleep(1)
    pressed = time.time() * 1000
    table.do(rounds.start_game, Press(table.view().people[0].id, table.view().version))
    time.sleep(DRAWING_S)
    return [page.evaluate(WAIT, table.view().version) - pressed for page in pages]


def presses(
    running: RunningTable, pages: list[Page], pin: int, count: int
) -> Iterator[list[float]]:
    """Press green `count` times; yield how long each page took each time, in ms.

    An undo lays the same reading before everybody again. Pages are asked for their times once they
    have had time to draw, since asking takes the processor that they draw with.
    """
    table = running.table
    host = table.view().people[0].id
    for _ in range(count):
        settle_doubts(running, host)
        time.sleep(0.3)
        wire = running.controls.pins.factory.pin(pin)
        pressed = time.time() * 1000
        wire.drive_low()
        wire.drive_high()
        version = table.view().version
        time.sleep(DRAWING_S)
        yield [page.evaluate(WAIT, version) - pressed for page in pages]
        table.do(moves.undo, Press(host, version))
        time.sleep(DRAWING_S)
        for page in pages:
            page.evaluate(WAIT, table.view().version)


def round_of(
    count: int, spectators: int, drawn: int, scrolled: bool
) -> tuple[list[float], list[list[float]]]:
    """Start everything; return the times of Start, and of each press, at each page."""
    with chromium() as browser, tempfile.TemporaryDirectory() as data, ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="simulated", data=Path(data))
        running = start_table(settings, stack, seed=1)
        compile_templates(running.app)
        screens = Screens(browser)
        stack.callback(screens.close)
        pages = opened(running, screens, drawn, scrolled)
        if spectators:
            command = [sys.executable, "-m", "tests.tools.bench.load", "--watch"]
            watching = subprocess.Popen(
                [*command, f"{running.server.port}", "--spectators", f"{spectators}"],
                stdout=subprocess.PIPE,
            )
            stack.callback(watching.wait)
            stack.callback(watching.kill)
            assert watching.stdout is not None
            watching.stdout.readline()
        started = start(running, pages)
        assert running.watching.simulated is not None
        running.watching.simulated.throw([])
        while running.table.view().tray.status not in (TrayStatus.READY, TrayStatus.UNSURE):
            time.sleep(0.1)
        return started, list(presses(running, pages, settings.pins.green, count))


def percentile(values: list[float], which: int) -> float:
    return statistics.quantiles(values, n=100)[which - 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--drawn", type=int, default=PLAYERS, help="phones in the browser")
    parser.add_argument("--scrolled", action="store_true", help="phones show the end of their page")
    arguments = parser.parse_args()
    print(f"\nPress to painted, ms, {machine()}, load before {os.getloadavg()[0]:.1f}\n")
    print("| spectators | page | median | p99 | p99 of each round |\n|---|---|---|---|---|")
    for spectators in (0, SPECTATORS):
        rounds = [
            round_of(arguments.presses, spectators, arguments.drawn, arguments.scrolled)
            for _ in range(arguments.rounds)
        ]
        for name, of in (
            ("each of them", lambda times: times),
            ("the last of them", lambda times: [max(times)]),
            ("the table page", lambda times: times[-1:]),
        ):
            each = [[time for times in one for time in of(times)] for _, one in rounds]
            every = [time for one in each for time in one]
            worst = ", ".join(f"{percentile(one, 99):.0f}" for one in each)
            print(
                f"| {spectators} | {name} | {percentile(every, 50):.0f} "
                f"| {percentile(every, 99):.0f} | {worst} |",
                flush=True,
            )
        starts = [time for times, _ in rounds for time in times]
        listed = ", ".join(f"{time:.0f}" for time in starts)
        median = statistics.median(starts)
        print(f"| {spectators} | *Start*, each of them | {median:.0f} | | {listed} |", flush=True)


if __name__ == "__main__":
    main()
