"""`bang-companion play`: let random players or stand-ins play games to their end."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion import __version__
from companion.app.commands.arguments import whole_number
from companion.app.commands.errors import CommandError

if TYPE_CHECKING:
    from companion.games.common.tallies import Tallies
    from companion.games.game import Game, Selection

SUMMARY = "let random players or stand-ins play games to their end"
DESCRIPTION = (
    "Let random players play games to their end, with dice thrown or cards shown at random, and "
    "print a JSON line for each. The same seed gives the same games. With --minds, stand-ins play, "
    "and the last line says how many seats each level played and won, in all and by role, with the "
    "interval that holds the share of wins 19 times in 20. They move on by a seat from game to "
    "game. In the card game, stand-ins hold the hands that they are dealt, and --hands dealt deals "
    "them to random players as well; without either, random players claim to hold any card."
)
EXAMPLE = "bang-companion play --players 4 --games 500 --minds strong,sensible,strong,sensible"

HANDS = ("dealt", "claimed")
"""Whether players hold cards, or claim to hold what they play."""

_T = TypeVar("_T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the game, how many games, and the folder for records."""
    from companion.games.common.players import numbers
    from companion.games.registry import LIST

    usual, first = next(iter(LIST.items()))
    rulesets = ", ".join(f"{id} ({numbers(rules.players)})" for id, rules in first.rulesets.items())
    parser.add_argument(
        "--game", default=usual, metavar="G", help=f"{' or '.join(LIST)}; default: {usual}"
    )
    parser.add_argument(
        "--players", type=whole_number, default=4, metavar="K", help="how many; default: 4"
    )
    parser.add_argument(
        "--ruleset",
        default="base",
        metavar="R",
        help=f"{rulesets}; the card game has base alone, for 4 to 7 players; default: base",
    )
    parser.add_argument(
        "--house-rule",
        dest="house_rules",
        action="append",
        default=[],
        metavar="NAME",
        help=f"change a ruling: {', '.join(first.house_rules)}; can be given several times",
    )
    parser.add_argument(
        "--games", type=whole_number, default=1, metavar="N", help="how many; default: 1"
    )
    parser.add_argument(
        "--minds",
        metavar="LEVELS",
        help="who plays: random, sensible or strong, one for all or one a seat, with commas",
    )
    parser.add_argument(
        "--hands",
        choices=HANDS,
        help="whether players of the card game hold cards; default: dealt with --minds, claimed "
        "otherwise",
    )
    parser.add_argument(
        "--seed", type=whole_number, default=1, metavar="S", help="any whole number; default: 1"
    )
    parser.add_argument("--records", type=Path, metavar="DIR", help="folder for the records")


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print a line for each."""
    import random
    import time

    from companion.app.progress import Progress
    from companion.app.results import print_result
    from companion.games.game import RecordOrigin
    from companion.games.registry import LIST
    from companion.table.dealing import deal

    games, folder = arguments.games, arguments.records
    if games < 0:
        raise CommandError(f"--games: {games} games can't be played; give 0 or more")
    game = _look_up("--game", arguments.game, LIST).load()
    assert game.play is not None
    selection = _selection(arguments, game)
    minds = _minds(arguments.minds, arguments.players) if arguments.minds is not None else []
    tallies: Tallies = {}
    players = minds or ["random"] * arguments.players * (arguments.hands == "dealt")
    other = [] if arguments.game == next(iter(LIST)) else [arguments.game]
    named = "-".join(
        [*other, selection.ruleset.id, str(arguments.players), *dict.fromkeys(players)]
    )
    if folder is not None:
        _make(folder)
    names = [f"Player {seat + 1}" for seat in range(arguments.players)]
    chance = random.Random(arguments.seed)
    begun = time.perf_counter()
    with Progress(games) as progress:
        for number in range(games):
            setup = deal(selection, names, chance)
            levels = players[number % len(names) :] + players[: number % len(names)]
            played = game.play(setup, levels, chance)
            outcome = game.standing(played.end).outcome
            assert outcome is not None
            if minds:
                from companion.games.common.roles import Role
                from companion.games.common.tallies import add_game

                roles = [Role(role) for role in game.roles(played.end)]
                tallies = add_game(tallies, levels, roles, outcome.winners)
            if folder is not None:
                header = game.header_line(setup, RecordOrigin(__version__, ""))
                lines = [header, *map(game.move_line, played.moves)]
                name = f"{named}-seed-{arguments.seed}-{number:05}.jsonl"
                _write(game, folder / name, "".join(f"{line}\n" for line in lines))
            entry = {
                "game": number,
                "players": len(names),
                "actions": len(played.moves),
                "turns": played.turns,
                "side": outcome.side,
            }
            print_result(entry)
            progress.step()
    seconds = round(time.perf_counter() - begun, 3)
    last: dict[str, object] = {"games": games, "seconds": seconds}
    if minds:
        from companion.games.common.tallies import summary

        last["minds"] = summary(tallies)
    print_result(last)
    return 0


def _selection(arguments: argparse.Namespace, game: "Game") -> "Selection":
    """Return the rules to play by. Raises CommandError for options that the game can't follow."""
    from companion.games.common.players import numbers

    ruleset = _look_up("--ruleset", arguments.ruleset, game.rulesets)
    if arguments.house_rules and not game.house_rules:
        raise CommandError(f"--house-rule: {game.title} has no house rules")
    for name in arguments.house_rules:
        _look_up("--house-rule", name, dict.fromkeys(game.house_rules))
    if arguments.hands is not None and not game.deals_hands:
        raise CommandError(f"--hands: {game.title} has no hands")
    if arguments.hands == "claimed" and arguments.minds is not None:
        raise CommandError("--hands: stand-ins hold the cards that they are dealt")
    if arguments.players not in ruleset.players:
        named = ruleset.id if len(game.rulesets) > 1 else game.title
        raise CommandError(f"--players: {named} is for {numbers(ruleset.players)}")
    try:
        return game.select(ruleset.id, arguments.house_rules)
    except ValueError as error:
        raise CommandError(f"--house-rule: {error}") from None


def _minds(said: str, players: int) -> list[str]:
    """Return the level of each seat in the first game."""
    from companion.table.stand_ins import LEVELS

    levels = said.split(",")
    for level in levels:
        _look_up("--minds", level, dict.fromkeys(LEVELS))
    if len(levels) not in (1, players):
        raise CommandError(f"--minds: give one level or {players}, not {len(levels)}")
    return levels * (players if len(levels) == 1 else 1)


def _look_up(where: str, name: str, known: Mapping[str, _T]) -> _T:
    if name not in known:
        raise CommandError(f"{where}: {name[:40]!r} is not one of {', '.join(known)}")
    return known[name]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "a file, not a folder" if folder.exists() else error.strerror
        raise CommandError(f"--records: {folder}: {reason}; name a folder") from None


def _write(game: "Game", path: Path, text: str) -> None:
    """Write a record completely or not at all; keep one of the same game.

    Raises CommandError instead of replacing another game.
    """
    from companion.app.interrupts import delay_signals

    try:
        if not game.same(path.read_text(encoding="utf-8"), text):
            raise CommandError(f"{path}: another game is kept here")
    except (FileNotFoundError, UnicodeDecodeError):
        part = path.with_suffix(".part")
        with delay_signals():
            part.write_text(text, encoding="utf-8")
            part.replace(path)
