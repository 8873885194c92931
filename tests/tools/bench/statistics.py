"""The statistics of many games: how long pages take, and how that grows.

    python -m tests.tools.bench.statistics [--games N] [--pages N]
    python -m tests.tools.bench.statistics --first-start [--games N] [--before FOLDER]

Prints Markdown. Fills a folder with games of 3 to 8 players (a few between sensible stand-ins, the
others at random), then works the statistics out at three sizes. A page's time is from the request
to its last byte, with nothing drawn before: queries, template, compression. Bytes are those of the
page with its style sheet, scripts and library, compressed.

With --first-start: a table starts with that many records and no statistics, and its host presses
meanwhile, and as long again once all are read. --before: a table of another commit, too.
"""

import argparse
import os
import re
import shutil
import statistics
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from flask import Flask
from many_games import fill
from sites import Site

from companion.memory.statistics.database import FILE, Database, StatisticsError
from companion.memory.statistics.keeper import Statistics
from companion.memory.statistics.queries import fairness_test
from tests.tools.bench.load import Play, begin, ms, served
from tests.tools.bench.machine import machine
from tests.tools.bench.table import resident_mb
from web.fragments import DrawnPages
from web.site import EXTENSION

PAGES = ("statistics", "statistics/player?name=Cleo", "statistics/dice", "statistics/games",
         "statistics/games.csv")  # fmt: skip
MOST_S, MOST_BYTES = 1.0, 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=5, help="how often each page is asked for")
    parser.add_argument("--first-start", action="store_true", help="how a table starts with them")
    parser.add_argument("--before", type=Path, help="folder of another commit to start as well")
    arguments = parser.parse_args()
    if arguments.first_start:
        first_starts(arguments.games, arguments.before)
        return
    print(f"\nStatistics of many games, {machine()}\n")
    heads = " | ".join(f"{page.partition('?')[0]}, ms" for page in PAGES)
    print(f"| games | worked out anew, s | one more game, ms | file, MB | {heads} |")
    print("|---" * (len(PAGES) + 4) + "|")
    sizes: dict[str, int] = {}
    slowest = 0.0
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary) / "all"
        fill(whole, arguments.games + 1, sensible=20)
        paths = sorted((whole / "games").iterdir(), key=lambda path: number_of(path.name))
        for games in (arguments.games // 10, arguments.games // 3, arguments.games):
            folder = Path(temporary) / str(games)
            site = Site(folder)
            kept = Statistics(folder, site.table, lambda: "oak")
            (folder / "games").mkdir()
            last = []
            for path in paths:
                if number_of(path.name) <= games:
                    shutil.copy2(path, folder / "games")
                elif number_of(path.name) == games + 1:
                    last.append(path)
            anew = timed(kept)
            for path in last:
                shutil.copy2(path, folder / "games")
            more = timed(kept)
            times = {page: asked(site.app, kept, page, arguments.pages) for page in PAGES}
            sizes = {page: size_of(site.app, page) for page in PAGES[:-1]}
            megabytes = (folder / FILE).stat().st_size / 1e6
            shown = " | ".join(f"{1000 * times[page]:.0f}" for page in PAGES)
            print(
                f"| {games} | {anew:.1f} | {1000 * more:.0f} | {megabytes:.1f} | {shown} |",
                flush=True,
            )
            slowest = max(times[page] for page in PAGES[:-1])
            site.journal.close()
    print("\n| page | kB |\n|---|---|")
    for page, size in sizes.items():
        print(f"| {page.partition('?')[0]} | {size / 1000:.1f} |")
    large = [page for page, size in sizes.items() if size > MOST_BYTES]
    print(f"\nSlower than {MOST_S:.0f} s: {'some' if slowest > MOST_S else 'none'}. "
          f"Larger than {MOST_BYTES // 1000} kB: {', '.join(large) or 'none'}.")  # fmt: skip


def first_starts(games: int, before: Path | None) -> None:
    """Print how tables start with no game, a third of `games` and all, and how presses fare."""
    print(f"\nFirst start, {machine()}, load before {os.getloadavg()[0]:.1f}\n")
    print(
        "| table | games | answers after, s | all are read after, s | MB: the table, the reader "
        "| press meanwhile, ms | afterwards | statistics page meanwhile, ms |"
    )
    print("|---" * 8 + "|")
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary) / "all"
        fill(whole, games)
        paths = sorted((whole / "games").iterdir(), key=lambda path: number_of(path.name))
        for count in (0, games // 3, games):
            for name, source in (*([("before", before)] if before else []), ("now", None)):
                folder = Path(temporary) / f"{name}-{count}"
                (folder / "games").mkdir(parents=True)
                for path in paths:
                    if number_of(path.name) <= count:
                        os.link(path, folder / "games" / path.name)
                print(f"| {name} | {count} | {first_start(folder, count, source)} |", flush=True)


def first_start(folder: Path, count: int, source: Path | None) -> str:
    begun = time.perf_counter()
    with served(folder, source=source) as (process, port):
        play = Play(begin(port))
        answers = time.perf_counter() - begun
        page, mb, reader_mb = [], 0.0, 0.0
        while True:
            play.go_on(1.0)
            asked = time.perf_counter()
            play.phones[-1].open("/statistics")
            page.append(time.perf_counter() - asked)
            mb = max(mb, resident_mb(process.pid))
            reader_mb = max(reader_mb, children_mb(process.pid))
            if rated(folder) == count:
                break
        whole = time.perf_counter() - begun
        meanwhile, play.answered = play.answered, []
        play.go_on(max(20.0, whole / 4))
        return (
            f"{answers:.1f} | {whole:.0f} | {mb:.0f}, {reader_mb:.0f} | {ms(meanwhile)} "
            f"| {ms(play.answered)} | {ms(page)}"
        )


def rated(folder: Path) -> int:
    """How many games were worked out to the end, ratings included."""
    with suppress(StatisticsError), Database(folder / FILE).reading() as base:
        return int(base.execute("SELECT count(*) FROM game WHERE rated").fetchone()[0])
    return 0


def children_mb(pid: int) -> float:
    """The memory of a process's children."""
    found = 0.0
    for task in Path(f"/proc/{pid}/task").iterdir():
        # A child may end meanwhile.
        with suppress(OSError, AssertionError):
            found += sum(map(resident_mb, map(int, (task / "children").read_text().split())))
    return found


def number_of(name: str) -> int:
    return int(name.partition(".")[0].rpartition("-")[2])


def timed(kept: Statistics) -> float:
    begun = time.perf_counter()
    kept.bring_up_to_date()
    return time.perf_counter() - begun


def asked(app: Flask, kept: Statistics, page: str, times: int) -> float:
    """The median time of a page that was not drawn before."""
    found = []
    for _ in range(times):
        parts = app.extensions[EXTENSION]
        app.extensions[EXTENSION] = replace(parts, statistics=kept, drawn_statistics=DrawnPages())
        fairness_test.cache_clear()
        client = app.test_client()
        begun = time.perf_counter()
        answer = client.get(f"/{page}", headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert len(answer.data) > 1000
        found.append(time.perf_counter() - begun)
    return statistics.median(found)


def size_of(app: Flask, page: str) -> int:
    """The bytes of a page with everything that it asks for, compressed."""
    client = app.test_client()
    plain = client.get(f"/{page}").text
    files = set(re.findall(r'(?:href|src)="(/static/[^"#]+)"', plain))
    total = 0
    for path in (f"/{page}", *sorted(files)):
        with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
            total += len(answer.data)
    return total


if __name__ == "__main__":
    main()
