"""`bang-companion play`: let random players or stand-ins play games to their end."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion import __version__
from companion.app.commands.arguments import whole_number
from companion.app.commands.errors import CommandError

if TYPE_CHECKING:
    from random import Random

    from companion.chance.played import Played
    from companion.dicegame.moves import Move
    from companion.dicegame.state import Setup, State
    from companion.minds.match import Tallies
    from companion.table.game import Selection

SUMMARY = "let random players or stand-ins play games to their end"
DESCRIPTION = (
    "Let random players play games to their end, with dice thrown or cards shown at random, and "
    "print a JSON line for each. The same seed gives the same games. With --minds, stand-ins play, "
    "and the last line says how many seats each level played and won, in all and by role, with the "
    "interval that holds the share of wins 19 times in 20. They move on by a seat from game to "
    "game. Stand-ins play only the dice game."
)
EXAMPLE = "bang-companion play --players 4 --games 500 --minds strong,sensible,strong,sensible"

_T = TypeVar("_T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the game, how many games, and the folder for records."""
    from companion.dicegame.house import HouseRule
    from companion.dicegame.rulesets import RULESETS

    rulesets = ", ".join(f"{ruleset.id} ({ruleset.numbers})" for ruleset in RULESETS.values())
    parser.add_argument(
        "--game", default="dice", metavar="G", help=f"{' or '.join(_GAMES)}; default: dice"
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
        help=f"change a ruling: {', '.join(HouseRule)}; can be given several times",
    )
    parser.add_argument(
        "--games", type=whole_number, default=1, metavar="N", help="how many; default: 1"
    )
    parser.add_argument(
        "--minds",
        metavar="LEVELS",
        help="who plays the dice game: random, sensible or strong, one for all or one a seat, with "
        "commas; the card game is played at random",
    )
    parser.add_argument(
        "--seed", type=whole_number, default=1, metavar="S", help="any whole number; default: 1"
    )
    parser.add_argument("--records", type=Path, metavar="DIR", help="folder for the records")


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print a line for each."""
    import json
    import random
    import time

    from companion.app.progress import Progress
    from companion.table.dealing import deal

    games, folder = arguments.games, arguments.records
    if games < 0:
        raise CommandError(f"--games: {games} games can't be played; give 0 or more")
    played_by = _GAMES[_known("--game", arguments.game, {name: name for name in _GAMES})](arguments)
    if folder is not None:
        _make(folder)
    names = [f"Player {seat + 1}" for seat in range(arguments.players)]
    chance = random.Random(arguments.seed)
    begun = time.perf_counter()
    with Progress(games) as progress:
        for number in range(games):
            setup = deal(played_by.selection, names, chance)
            played = played_by.play(number, setup, chance)
            if folder is not None:
                lines = [played_by.header(setup), *map(played_by.line, played.moves)]
                name = f"{played_by.name}-seed-{arguments.seed}-{number:05}.jsonl"
                _write(folder / name, "".join(f"{line}\n" for line in lines))
            entry = {
                "game": number,
                "players": len(names),
                "actions": len(played.moves),
                "turns": played.turns,
                "side": played.end.result.side,
            }
            print(json.dumps(entry))
            progress.step()
    seconds = round(time.perf_counter() - begun, 3)
    print(json.dumps({"games": games, "seconds": seconds, **played_by.summary()}))
    return 0


class _GamePlayer(NamedTuple):
    """How one game is played and recorded."""

    selection: "Selection"
    """The game and its ruleset."""
    name: str
    """How the names of records begin."""
    play: "Callable[[int, Any, Random], Played[Any, Any]]"
    """Plays the game with this number to its end, from its setup."""
    header: Callable[[Any], str]
    """Returns the header of a record from the setup."""
    line: Callable[[Any], str]
    """Returns the line of a move."""
    summary: Callable[[], Mapping[str, object]]
    """Returns what the last line says beside the number of games and their time."""


def _dice(arguments: argparse.Namespace) -> _GamePlayer:
    from companion.chance.dice_players import play_game
    from companion.dicegame.house import HouseRule
    from companion.dicegame.record import Origin, header_line, move_line
    from companion.dicegame.rulesets import RULESETS
    from companion.games.dice import DICE_GAME

    ruleset = _known("--ruleset", arguments.ruleset, RULESETS)
    known = {rule.value: rule for rule in HouseRule}
    house_rules = frozenset(_known("--house-rule", name, known) for name in arguments.house_rules)
    if arguments.players not in ruleset.players:
        raise CommandError(f"--players: {ruleset.id} is for {ruleset.numbers}")
    minds = _minds(arguments.minds, arguments.players) if arguments.minds is not None else []
    tallies: Tallies = {}
    try:
        selection = DICE_GAME.select(ruleset.id, house_rules)
    except ValueError as error:
        raise CommandError(f"--house-rule: {error}") from None

    def play(number: int, setup: "Setup", chance: "Random") -> "Played[State, Move]":
        nonlocal tallies
        if not minds:
            return play_game(setup, chance)
        levels = minds[number % len(minds) :] + minds[: number % len(minds)]
        played, tallies = _match(setup, levels, chance, tallies)
        return played

    def summary() -> Mapping[str, object]:
        if not minds:
            return {}
        from companion.minds import match

        return {"minds": match.summary(tallies)}

    who = "".join(f"-{level}" for level in dict.fromkeys(minds))
    return _GamePlayer(
        selection,
        f"{ruleset.id}-{arguments.players}{who}",
        play,
        lambda setup: header_line(setup, Origin(__version__)),
        move_line,
        summary,
    )


def _cards(arguments: argparse.Namespace) -> _GamePlayer:
    from companion.cardgame.record import header_line, move_line
    from companion.cardgame.rulesets import RULESETS
    from companion.chance.card_players import play_game
    from companion.games.cards import CARD_GAME

    ruleset = _known("--ruleset", arguments.ruleset, RULESETS)
    if arguments.house_rules:
        raise CommandError("--house-rule: the card game has no house rules")
    if arguments.minds is not None:
        raise CommandError("--minds: stand-ins play only the dice game; random players play cards")
    if arguments.players not in ruleset.players:
        raise CommandError(f"--players: the card game is for {ruleset.numbers}")
    return _GamePlayer(
        CARD_GAME.select(ruleset.id),
        f"cards-{ruleset.id}-{arguments.players}",
        lambda _, setup, chance: play_game(setup, chance),
        header_line,
        move_line,
        dict,
    )


_GAMES: Mapping[str, Callable[[argparse.Namespace], _GamePlayer]] = {
    "dice": _dice,
    "cards": _cards,
}
"""The games by the names of `--game`; each refuses options that it can't follow."""


def _minds(said: str, players: int) -> list[str]:
    """Return the level of each seat in the first game."""
    from companion.minds.levels import MINDS

    levels = said.split(",")
    for level in levels:
        _known("--minds", level, MINDS)
    if len(levels) not in (1, players):
        raise CommandError(f"--minds: give one level or {players}, not {len(levels)}")
    return levels * (players if len(levels) == 1 else 1)


def _match(
    setup: "Setup", levels: list[str], chance: "Random", tallies: "Tallies"
) -> "tuple[Played[State, Move], Tallies]":
    from companion.minds.levels import MINDS
    from companion.minds.match import counted, play_match

    played = play_match(setup, [MINDS[level] for level in levels], chance)
    assert played.end.result is not None
    return played, counted(tallies, levels, setup.roles, played.end.result.winners)


def _known(where: str, name: str, known: Mapping[str, _T]) -> _T:
    if name not in known:
        raise CommandError(f"{where}: {name[:40]!r} is not one of {', '.join(known)}")
    return known[name]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "a file, not a folder" if folder.exists() else error.strerror
        raise CommandError(f"--records: {folder}: {reason}; name a folder") from None


def _write(path: Path, text: str) -> None:
    """Write a record completely or not at all; keep one of the same game.

    Raises CommandError instead of replacing another game.
    """
    from companion.app.signals import finished_first
    from companion.dicegame.record import same_game

    try:
        if not same_game(path.read_text(encoding="utf-8"), text):
            raise CommandError(f"{path}: another game is kept here")
    except (FileNotFoundError, UnicodeDecodeError):
        part = path.with_suffix(".part")
        with finished_first():
            part.write_text(text, encoding="utf-8")
            part.replace(path)
