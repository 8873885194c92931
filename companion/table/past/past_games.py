"""The finished games: their stories stay readable while the next game runs, and for good.

The story of each of the last games is a file with the lines that the journal held, so that undone
moves and corrections are still told. Of an older game, the record tells it, which has only what
counts.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, NamedTuple, Protocol

from companion.base import codec
from companion.base.refused import Problem, Refused
from companion.base.whole_file import holds, read_whole, warn_once, write_whole
from companion.games.common.texts import load_json
from companion.games.game import Game
from companion.table.history import History, restore
from companion.table.journal.journal import GAMES, STORIES, Journal
from companion.table.journal.saved import LineKind, Person, as_json, line_from_json, line_json
from companion.table.past.replays import Replay, finished, from_record, replay
from companion.table.scene import News, Phase, Scene, SeatNews
from companion.table.views import TableView, Viewer

MOST = 200
"""How many stories are kept: those of a year. Older games are told by their records."""

LISTED = 20
"""How many games `games` returns."""

FORMAT = 1
"""The format of the files."""

_log = logging.getLogger(__name__)


class FinishedGame(NamedTuple):
    """A game whose roles are all known."""

    name: str
    """Its name, unique across tables."""
    record: str
    """Its record."""


def finished_game(scene: Scene) -> FinishedGame | None:
    """Return the finished game on the table; None while there is none or roles are secret."""
    history = scene.history
    if history is None or history.standing.outcome is None:
        return None
    return FinishedGame(scene.game_name, history.record)


def record_of(scene: Scene) -> str:
    """Return the record of the game on the table. Raises Refused while roles are secret."""
    game = finished_game(scene)
    if game is None:
        raise Refused(Problem.FORBIDDEN, "the record shows all roles: save it after the game")
    return game.record


@codec.growing
@dataclass(frozen=True, slots=True)
class SavedStory:
    """What is kept of a finished game beside its record: what was told of it."""

    number: int
    """The number of the game."""
    people: tuple[tuple[int, str], ...]
    """The players by seat: their numbers and names."""
    lines: tuple[codec.Json, ...]
    """The lines of the game."""
    guesses: Mapping[int, str] = field(default_factory=dict)
    """By seat, which side eliminated players expected to win."""
    seats: tuple[News, ...] = ()
    """The news of seats and phones."""
    format: Annotated[int, (FORMAT,)] = FORMAT
    """The version of this form."""


class GameKeeper(Protocol):
    """Keeps more of each game that leaves the table than its record and its story."""

    def keep(self, record: Path, scene: Scene) -> None:
        """Keep what is to be kept of the game of a scene, whose record this file is."""


class PastGame(NamedTuple):
    """A finished game that has left the table."""

    number: int
    """Its number."""
    players: tuple[str, ...]
    """Its players, by seat."""


class PastGames:
    """The finished games of one table. Any thread may look at them."""

    def __init__(self, journal: Journal, games: Mapping[str, Game], code: str) -> None:
        """Prepare to keep the games of a table, and to read them.

        journal: writes their records; games: by the name in the headers of their records; code: of
        this table, with which the names of its records begin.
        """
        self._journal, self._games, self._code = journal, games, code
        self._folder = journal.path.with_name(STORIES)
        self._records = journal.path.with_name(GAMES)
        self._keepers: list[GameKeeper] = []
        self._scene = lru_cache(maxsize=4)(self._read)
        self._recorded_game = lru_cache(maxsize=4)(self._read_record)
        self._listed: tuple[PastGame, ...] | None = None

    def accompany(self, keeper: GameKeeper) -> None:
        """Have more kept of each game that leaves the table, before it does."""
        self._keepers.append(keeper)

    def keep(self, scene: Scene) -> None:
        """Keep the game of a scene, which leaves the table. Raises JournalError."""
        assert scene.history is not None
        record = self._journal.keep_record(scene.game_name, scene.history.record)
        for keeper in self._keepers:
            keeper.keep(record, scene)
        if scene.history.standing.outcome is not None:
            self._keep_story(scene, scene.history)

    def _keep_story(self, scene: Scene, history: History) -> None:
        """Keep what was told of a finished game. A full disk must not stop the next game."""
        kept = SavedStory(
            number=history.number,
            people=tuple((person.id, person.name) for person in scene.people),
            lines=tuple(map(line_json, history.lines)),
            guesses=history.guesses,
            seats=scene.news.all,
        )
        try:
            write_whole(self._path(history.number), as_json(codec.write(kept)).encode())
            for number in self._numbers()[MOST:]:
                self._path(number).unlink()
        except OSError as error:
            _log.warning("%s: a game's story can't be kept: %s", self._folder, error)
        self.refresh()

    def refresh(self) -> None:
        """Read the games again, because files were changed."""
        self._scene.cache_clear()
        self._recorded_game.cache_clear()
        self._listed = None

    def games(self) -> tuple[PastGame, ...]:
        """Return the last games, latest first."""
        if self._listed is None:
            found = []
            for number in self._numbers()[:LISTED]:
                with suppress(*_SENSELESS):
                    try:
                        kept = self._load(number)
                    except _SENSELESS:
                        kept = self._load_record(number)
                    found.append(PastGame(number, tuple(name for _, name in kept.people)))
            self._listed = tuple(found)
        return self._listed

    def view(self, number: int) -> TableView | None:
        """Return a game at its end, as everybody may see it; None if it isn't kept."""
        scene = self._scene(number)
        return None if scene is None else Viewer().view(scene)

    def replay(self, number: int, now: Scene | None = None) -> Replay | None:
        """Return a finished game to be watched again; None if it isn't kept.

        now: the scene on the table, whose game may be the one.
        """
        on_table = now is not None and now.history is not None and now.history.number == number
        scene = now if on_table else self._scene(number)
        return None if scene is None else finished(scene)

    def find_record(self, name: str) -> Replay | None:
        """Return a finished game by the name of its record, whichever table played it.

        None if there is no such record, or its game isn't over.
        """
        path = self._records / f"{name}.jsonl"
        try:
            # A file of this name may come, change and go, with anybody who copies it there.
            changed = path.stat().st_mtime_ns if path.parent == self._records else None
        except (OSError, ValueError):
            return None
        return None if changed is None else self._recorded_game(path, changed)

    def record(self, number: int) -> str | None:
        """Return the record of a game; None if it isn't kept."""
        scene = self._scene(number)
        return None if scene is None or scene.history is None else scene.history.record

    def _numbers(self) -> Sequence[int]:
        """Return the numbers of all games, latest first."""
        if not self._folder.is_dir():
            return ()
        names = (path.stem for path in self._folder.glob("*.json"))
        return sorted((int(name) for name in names if name.isdecimal()), reverse=True)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.json"

    def _load(self, number: int) -> SavedStory:
        kept = codec.read(SavedStory, load_json(read_whole(self._path(number))))
        if kept.number != number:
            raise ValueError("another game")
        return kept

    def _load_record(self, number: int) -> SavedStory:
        """Return what a game's record tells of it, as `_load` does."""
        text = read_whole(self._records / f"{self._code}-{number}.jsonl").decode()
        header, *moves = text.removesuffix("\n").split("\n")
        names = [player["name"] for player in load_json(header.encode())["players"]]
        lines = ((LineKind.HEADER, header), *((LineKind.MOVE, move) for move in moves))
        return SavedStory(number, tuple(enumerate(names, start=1)), lines)

    def _read(self, number: int) -> Scene | None:
        """Return the scene of a finished game; None if there is none, or it makes no sense."""
        for load in (self._load, self._load_record):
            try:
                kept = load(number)
                lines = [line_from_json(entry) for entry in kept.lines]
                history = restore(number, lines, self._games)
                record = self._records / f"{self._code}-{number}.jsonl"
                if record.is_file() and not holds(record, history.record.encode()):
                    warn_once(_log, self._path(number), f"its record differs: {record.name}")
                return self._build_scene(history, kept)
            except FileNotFoundError:
                continue
            except _SENSELESS as error:
                warn_once(_log, self._path(number), f"can't be understood: {error}")
        return None

    def _read_record(self, path: Path, _changed: int) -> Replay | None:
        try:
            found = from_record(read_whole(path), self._games)
        except _SENSELESS as error:
            warn_once(_log, path, f"can't be understood: {error}")
            return None
        # The roles of a game that was stopped are told to nobody.
        return found if found.scene.phase is Phase.OVER else None

    def _build_scene(self, history: History, kept: SavedStory) -> Scene:
        people = tuple(Person(number, name, None, False) for number, name in kept.people)
        told = replay(replace(history, guesses=kept.guesses), people, self._games).scene
        scene = replace(told, news=SeatNews(all=kept.seats))
        if scene.phase is not Phase.OVER or len(kept.people) != len(history.standing.alive):
            raise ValueError("no finished game")
        return scene


_SENSELESS = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OSError)
"""What a damaged file may lead to."""
