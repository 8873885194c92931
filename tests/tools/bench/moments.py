"""Moments: what the main thread of the table page does while something is played, in a browser.

    python -m tests.tools.bench.moments [--rounds N] [--slower RATE ...]

Prints a Markdown table: for each kind of event, the processor time that the page's main thread
takes from the press until all has been played, how much of it a page that plays nothing does
without, its longest task, and the same time with sound on. Then, by kind, the layers that the
compositor draws for each frame at most, and their pixels as a multiple of the screen's.
Eight players, 1280 x 720; Chromium's processor is slowed down RATE times, as its own tools do it.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from browser import Screens, chromium
from playwright.sync_api import Browser, Page
from served import Served

from companion.games.dice.rules.moves import Shoot, Shot
from companion.table import moves
from companion.table.changes import Press
from tests.tools.bench.machine import machine

ROLES = "sroooddr"
CATEGORIES = ["disabled-by-default-devtools.timeline", "__metadata"]
STILL = 'Object.defineProperty(document, "hidden", { get: () => true });'
"""Lets a page play nothing: it runs before the page's own scripts."""

PLAYED_S = 2.6
"""In which every step has been played."""


class Cost(NamedTuple):
    """What one event costs."""

    total: float
    """Processor time of all tasks of the main thread, ms."""
    longest: float
    """The longest one, ms."""


def cost(browser: Browser, page: Page, act: Callable[[], None]) -> Cost:
    """Return what the main thread of `page` does for `act`."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    act()
    time.sleep(PLAYED_S)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event["tdur"] / 1000
        for event in events
        if event["name"] == "RunTask"
        and "tdur" in event
        and (event["pid"], event["tid"]) in threads
    ]
    return Cost(sum(tasks), max(tasks, default=0.0))


def press(served: Served) -> Press:
    return Press(served.person(0), served.view.version)


def shoot(served: Served, *targets: int) -> None:
    shots = tuple(Shot(die, target) for die, target in enumerate(targets))
    served.table.do(moves.move, press(served), Shoot(served.view.game.turn, shots))


def prepared(served: Served) -> dict[str, Callable[[], None]]:
    """Return how each kind of event is caused; each leaves the table where an undo leads back."""

    def shots() -> None:
        shoot(served, 1, 7, 1, 7)

    return {
        "two arrows": lambda: served.roll("AADBB"),
        "four shots": shots,
        "Gatling at seven": lambda: served.throw_and_stop("GGGDD"),
        "dynamite": lambda: served.roll("DDDBB"),
        "a death": lambda: shoot(served, 1, 1, 1, 1),
        "Indians": lambda: served.roll("AAADD"),
    }


def ready(served: Served, kind: str) -> None:
    """Bring the table to where `kind` can happen."""
    if kind == "four shots":
        served.throw_and_stop("1111D")
    elif kind == "a death":
        served.throw_and_stop("1111D")
        shoot(served, 1, 1, 1, 1)
        while served.view.game.turn:
            served.throw_and_stop("GGDDA")
        served.throw_and_stop("1111D")
    elif kind == "Indians":
        while served.view.game.pile > 2:
            served.throw_and_stop("AADDG")


def measure(
    kind: str, slower: int, rounds: int, *, still: bool = False, heard: bool = False
) -> list[Cost]:
    """Return what an event costs, each time that it is caused and undone again.

    still: the page plays nothing; heard: with sound on.
    """
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        screens = Screens(browser)
        served = Served(Path(folder), screens)
        served.deal(ROLES, "lucky_duke")
        ready(served, kind)
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        if still:
            context.add_init_script(STILL)
        page = context.new_page()
        page.goto(f"{served.url}table")
        if heard:
            page.locator("#sound summary").click()
            page.locator("#sound [name=on]").check()
            page.wait_for_selector("#sound [data-loaded]")
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        costs = []
        for _ in range(rounds + 1):
            costs.append(cost(browser, page, prepared(served)[kind]))
            served.table.do(moves.undo, press(served))
            if served.view.lying and served.view.rolling:
                # The stop is undone, and the roll before it.
                served.table.do(moves.undo, press(served))
            time.sleep(PLAYED_S)
        context.close()
        served.end()
    # The first one also compiles the scripts.
    return costs[1:]


def layers(kind: str) -> tuple[int, float]:
    """Return how many layers are drawn at most while an event is played, and how many screens."""
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        screens = Screens(browser)
        served = Served(Path(folder), screens)
        served.deal(ROLES, "lucky_duke")
        ready(served, kind)
        page = screens.television(f"{served.url}table")
        drawn: list[list[float]] = []

        def changed(event: dict[str, list[dict[str, float]]]) -> None:
            found = [layer for layer in event.get("layers", []) if layer["drawsContent"]]
            drawn.append([layer["width"] * layer["height"] for layer in found])

        session = page.context.new_cdp_session(page)
        session.on("LayerTree.layerTreeDidChange", changed)
        session.send("LayerTree.enable")
        prepared(served)[kind]()
        page.wait_for_timeout(1000 * PLAYED_S)
        size = page.viewport_size
        assert size is not None
        served.end()
    screen = size["width"] * size["height"]
    return max(map(len, drawn), default=0), max(map(sum, drawn), default=0) / screen


KINDS = ("two arrows", "four shots", "Gatling at seven", "dynamite", "a death", "Indians")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slower", type=int, nargs="*", default=[4, 6])
    arguments = parser.parse_args()
    print(f"\nMoments, {machine()}, load before {os.getloadavg()[0]:.1f}\n")
    print("| slower | event | main thread, ms | of these played | longest task, ms | heard, ms |")
    print("|---|---|---|---|---|---|")
    for slower in arguments.slower:
        for kind in KINDS:
            played = measure(kind, slower, arguments.rounds)
            plain = measure(kind, slower, arguments.rounds, still=True)
            heard = measure(kind, slower, arguments.rounds, heard=True)
            total, without, loud = (
                statistics.median(cost.total for cost in costs) for costs in (played, plain, heard)
            )
            longest = statistics.median(cost.longest for cost in played)
            print(
                f"| {slower} | {kind} | {total:.0f} | {total - without:.0f} | {longest:.0f} "
                f"| {loud:.0f} |",
                flush=True,
            )
    print("\n| event | layers at most | pixels, screens |\n|---|---|---|")
    for kind in KINDS:
        count, drawn = layers(kind)
        print(f"| {kind} | {count} | {drawn:.1f} |", flush=True)


if __name__ == "__main__":
    main()
