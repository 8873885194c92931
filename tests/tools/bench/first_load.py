"""First load: bytes of each page and how long a slow phone takes, in a real browser.

    python -m tests.tools.bench.first_load [--rounds N]

Prints a Markdown table. Chromium's processor is slowed down six times, and nothing is in its cache;
the table has answered before.
Bytes are those of all answers, headers included, but for the stream; ready is when the page is
loaded and its stylesheet and scripts ran; painted is its first contentful paint.
"""

import argparse
import os
import statistics
import tempfile
from pathlib import Path

from browser import PHONE, Screens, chromium
from playwright.sync_api import Page
from served import Served
from stand_ins import reading

from companion.games.dice.rules.moves import Action
from companion.table import rounds
from companion.table.changes import Press
from tests.tools.bench.machine import machine

SLOWER = 6
MOST_BYTES, MOST_S = 100_000, 1.0

TIMES = """
() => {
  const [page] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return [page.loadEventEnd, paint ? paint.startTime : NaN];
}
"""


def load(page: Page, url: str) -> tuple[int, float, float]:
    """Open a page for the first time; return its bytes, and when it was ready and painted, ms."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[int] = []
    session.on("Network.loadingFinished", lambda said: sizes.append(said["encodedDataLength"]))
    page.goto(url, wait_until="load")
    page.wait_for_function("() => performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
    # What the style sheet asks for may come after the load.
    page.wait_for_timeout(1000)
    ready, painted = page.evaluate(TIMES)
    return sum(sizes), ready, painted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"\nFirst load, {machine()}, load before {os.getloadavg()[0]:.1f}\n")
    print("| page | kB | ready, s: median; worst | painted, s: median |\n|---|---|---|---|")
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        screens = Screens(browser)
        served = Served(Path(folder), screens)
        kept: list[tuple[str, list[tuple[int, float, float]]]] = []

        def measure(name: str, path: str, seat: int | None = None) -> None:
            times = []
            for number in range(arguments.rounds + 1):
                # Not one of `screens`: these look at every request, which takes its time.
                context = browser.new_context(**PHONE)
                if seat is not None:
                    token = served.tokens[seat]
                    context.add_cookies([{"name": "seat", "value": token, "url": served.url}])
                loaded = load(context.new_page(), f"{served.url}{path}")
                context.close()
                if number:
                    times.append(loaded)
            kept.append((name, times))
            size = max(size for size, *_ in times)
            ready = [one[1] / 1000 for one in times]
            painted = statistics.median(one[2] / 1000 for one in times)
            print(
                f"| {name} | {size / 1000:.1f} | {statistics.median(ready):.2f}; "
                f"{max(ready):.2f} | {painted:.2f} |",
                flush=True,
            )

        measure("join", "")
        served.seat(7)
        measure("seat: lobby, host", "seat", 0)
        served.dealer.roles = "soordod"
        served.dealer.characters = ("calamity_janet", "kit_carlson", "bart_cassidy",
            "pedro_ramirez", "el_gringo", "sid_ketchum", "paul_regret")  # fmt: skip
        served.table.do(rounds.start_game, Press(served.person(0), served.view.version))
        served.table.see(reading("unsure", served.dice("12BB1", unsure="..A..")))
        measure("seat: dice to correct", "seat", 0)
        served.table.see(reading("empty"))
        served.throw_and_stop("12BB1")
        assert served.view.question.action is Action.SHOOT
        measure("seat: a question", "seat", 0)
        measure("table", "table")
        measure("story", "story")
        served.end()
    slow = [name for name, times in kept if statistics.median(t[1] for t in times) > MOST_S * 1000]
    large = [name for name, times in kept if max(size for size, *_ in times) > MOST_BYTES]
    print(f"\nToo slow: {', '.join(slow) or 'none'}. Too large: {', '.join(large) or 'none'}.")


if __name__ == "__main__":
    main()
