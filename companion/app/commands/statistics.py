"""`bang-companion statistics`: work the statistics out anew from the records."""

import argparse
from pathlib import Path

from companion.app.commands.errors import CommandError

SUMMARY = "work the statistics of all games out anew from their records"
DESCRIPTION = (
    "Work the statistics of all games out anew from the records in the data folder, and print how "
    "many count as JSON. Names each record that doesn't count, with its first wrong line, and then "
    "exits with status 2. The table may run meanwhile."
)
EXAMPLE = "bang-companion statistics --data ~/.local/share/bang-companion"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: where the records are."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (TOML); default: none"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the games")


def run(arguments: argparse.Namespace) -> int:
    """Make the database anew."""
    import sys
    import time

    from companion.app.progress import Progress
    from companion.app.results import print_result
    from companion.memory.statistics import players
    from companion.memory.statistics.database import FILE, Database, StatisticsError
    from companion.memory.statistics.queries import overview
    from companion.memory.statistics.sources import records
    from companion.settings import ConfigError, load

    try:
        folder = load(arguments.config, data=arguments.data).data
    except ConfigError as error:
        raise CommandError(str(error)) from None
    if not folder.is_dir():
        raise CommandError(f"{folder}: no such folder; name the table's data folder with --data")
    try:
        names = players.load(folder)
    except (players.PlayersError, OSError) as error:
        raise CommandError(f"{folder / players.FILE}: {error}") from None
    begun = time.perf_counter()
    database = Database(folder / FILE)
    try:
        found = records(folder)
        with Progress(len(found)) as progress:
            database.update(found, names, anew=True, step=lambda done, _: progress.reach(done))
        with database.reading() as base:
            all_games = overview(base)
        wrong = database.wrong_records()
    except StatisticsError as error:
        raise CommandError(str(error)) from None
    print_result(
        {
            "games": all_games.games,
            "stopped": all_games.stopped,
            "evenings": all_games.evenings,
            "players": sum(not line.level for line in all_games.players) + all_games.unlisted,
            "seconds": round(time.perf_counter() - begun, 3),
        }
    )
    for each in wrong:
        what = f"the same game as {each.what}, counted once" if each.copy else each.what
        print(f"{folder / each.where}: {what}", file=sys.stderr)
    return CommandError.status if any(not each.copy for each in wrong) else 0
