"""What the statistics tell, asked of their database. Each kind of game is counted apart.

Nothing here comes from a game that is still running. Of games that were stopped before their end,
only what was public counts: who played, what was thrown, who shot at whom.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games.common.roles import Role
from companion.memory.statistics.database import COUNTS, UncountedRecord, uncounted_records
from companion.memory.statistics.evenings import EVENING, same_evening
from companion.memory.statistics.fairness import FairnessTest, examine
from companion.memory.statistics.highlights import Highlights, highlights, highlights_of
from companion.memory.statistics.rating import Rating
from companion.memory.statistics.summary import RATED, SUMMARIES

GAMES_A_PAGE = 50
"""How many games the list shows at once."""

MOST_PLAYERS = 200
"""How many players are listed."""

MOST_POINTS = 60
"""How many points a curve has at most."""

_SUMS = ", ".join(f"sum({count})" for count in COUNTS)


def _evenings(base: sqlite3.Connection, kind: str) -> int:
    """Return on how many evenings games of a kind were played."""
    found: int = base.execute(
        f"""
        SELECT coalesce(sum(begins), 0) FROM (
            SELECT julianday(date) - lag(julianday(date), 1, 0) OVER (ORDER BY date, name)
                > {EVENING.total_seconds() / 86400} AS begins
            FROM game WHERE kind = ? AND date <> '')
        """,
        (kind,),
    ).fetchone()[0]
    return found


class Wins(NamedTuple):
    """How often something won."""

    name: str
    """What: a role, a character, a side or a place."""
    games: int
    """How many games, or seats, there were."""
    won: int
    """How many of them won."""
    expected: float = 0.0
    """How many of them would have won as often as their roles usually do."""

    @property
    def share(self) -> float:
        """The share of wins."""
        return self.won / self.games if self.games else 0.0


class PlayerLine(NamedTuple):
    """A player over all games of a kind."""

    name: str
    """What they are called; of a stand-in, empty."""
    level: str
    """How well a stand-in plays; empty for people."""
    wins: Wins
    """How often they won."""
    rating: Rating
    """How well they play, as far as their games tell; as at first in games that aren't rated."""


class SideWins(NamedTuple):
    """Which side won games of a number of players."""

    players: int
    """How many players."""
    games: int
    """How many games."""
    sides: Mapping[str, int]
    """How many of them each side won."""


class Overview(NamedTuple):
    """All games of a kind together."""

    games: int
    """How many were played to their end."""
    stopped: int
    """How many were stopped before."""
    evenings: int
    """On how many evenings."""
    first: str
    """When the first with a date began; empty without one."""
    thrown: int
    """How many dice were thrown."""
    players: tuple[PlayerLine, ...]
    """The players by rank."""
    unlisted: int
    """How many players there are beyond these."""
    sides: tuple[SideWins, ...]
    """Which sides won, by number of players."""
    roles: tuple[Wins, ...]
    """How often each role won."""
    characters: tuple[Wins, ...]
    """How often each character won, most often first."""
    places: tuple[Wins, ...]
    """How often players won by their place after the first player, whose place is 0."""


class MutualShots(NamedTuple):
    """Two players' shots at each other."""

    name: str
    """The other player; of a stand-in, empty."""
    level: str
    """How well a stand-in plays; empty for people."""
    games: int
    """How many games both played."""
    fired: int
    """How often the player shot at the other."""
    taken: int
    """How often the other shot at the player."""


class RatingPoint(NamedTuple):
    """A player's rating after a game."""

    game: int
    """Which of the player's games it was, counted from 1."""
    date: str
    """When it began; empty if unknown."""
    rating: Rating
    """The rating."""


class PlayerPage(NamedTuple):
    """One player over all games of a kind."""

    line: PlayerLine
    """All games together."""
    given: tuple[str, ...]
    """The names that they gave; of a stand-in, none."""
    roles: tuple[Wins, ...]
    """How often they won in each role."""
    characters: tuple[Wins, ...]
    """How often they won with each character, the most played first."""
    against: tuple[MutualShots, ...]
    """Whom they shot, most often first."""
    course: tuple[RatingPoint, ...]
    """How their rating went, at most MOST_POINTS points."""
    thrown: tuple[int, ...]
    """How often each face came up."""
    luck: FairnessTest
    """The same as a test, as if the dice were theirs."""


class DiceLine(NamedTuple):
    """A set of dice."""

    dice: str | None
    """Its name, as notes have it; None if unknown."""
    games: int
    """How many games were played with it."""
    test: FairnessTest
    """Whether it is fair."""


class GameLine(NamedTuple):
    """A game in the list."""

    kind: str
    """Which game it is, by the name in its records."""
    name: str
    """The name of its record."""
    date: str
    """When it began; empty if unknown."""
    side: str
    """The side that won; empty if it was stopped."""
    turns: int
    """How many turns began."""
    seats: tuple["SeatLine", ...]
    """The players, by seat."""


class SeatLine(NamedTuple):
    """A player of a game in the list."""

    name: str
    """What they are called; as the record has it, if they were deleted or a stand-in played."""
    level: str
    """How well a stand-in played; empty for people."""
    role: str
    """Their role; empty if the game was stopped."""
    character: str
    """The character's id."""
    won: bool
    """Whether they won."""


class Evening(NamedTuple):
    """Games of one evening."""

    date: str
    """When the first of them in the list began; empty for games without a date."""
    games: tuple[GameLine, ...]
    """The games, latest first."""


class GamesPage(NamedTuple):
    """A part of the list of games."""

    evenings: tuple[Evening, ...]
    """The games by evening, latest first."""
    older: str
    """What to ask for to see older games; empty if there are none."""
    wrong: tuple[UncountedRecord, ...]
    """Records that don't count."""


class AllGames(NamedTuple):
    """What the first page shows."""

    people: Highlights
    """What players tell each other, whatever they played."""
    dice: tuple[DiceLine, ...]
    """Sets of dice that don't look fair."""
    kinds: Mapping[str, Overview]
    """All games together, by kind."""


def all_games(base: sqlite3.Connection) -> AllGames:
    """Return what the first page shows."""
    return AllGames(
        people=highlights(base),
        dice=tuple(line for line in dice_sets(base) if line.test.looks_unfair),
        kinds={kind: overview(base, kind) for kind in SUMMARIES},
    )


def overview(base: sqlite3.Connection, kind: str = RATED) -> Overview:
    """Return all games of a kind together."""
    games, stopped, first, *thrown = base.execute(
        "SELECT count(nullif(side, '')), count(*) - count(nullif(side, '')),"
        f" min(nullif(date, '')), {_SUMS} FROM game WHERE kind = ?",
        (kind,),
    ).fetchone()
    usual = _usual(base, kind)
    players = _players(base, kind, usual)
    return Overview(
        games=games,
        stopped=stopped,
        evenings=_evenings(base, kind),
        first=first or "",
        thrown=sum(filter(None, thrown)),
        players=tuple(players[:MOST_PLAYERS]),
        unlisted=len(players[MOST_PLAYERS:]),
        sides=tuple(_sides(base, kind)),
        roles=_by_role(_wins(base, kind, "role", usual)),
        characters=tuple(sorted(_wins(base, kind, "character", usual), key=lambda one: -one.share)),
        places=tuple(sorted(_wins(base, kind, "place", usual), key=lambda one: int(one.name))),
    )


_Usual = Mapping[tuple[int, str], float]
"""How often each role wins at each number of players."""


def _usual(base: sqlite3.Connection, kind: str) -> _Usual:
    rows = base.execute(
        "SELECT players, role, avg(won) FROM seat WHERE over AND kind = ? GROUP BY players, role",
        (kind,),
    )
    return {(players, role): wins for players, role, wins in rows}


def _wins(
    base: sqlite3.Connection, kind: str, what: str, usual: _Usual, player: int | None = None
) -> tuple[Wins, ...]:
    """Return how often each value of a column won, the most frequent first; of one player alone."""
    if not usual:
        # No game of this kind was finished: all seats would be looked through for nothing.
        return ()
    whose = "" if player is None else "AND player = :player"
    found: dict[str, Wins] = {}
    # Joining the usual wins in SQL would take three times as long.
    for value, players, role, seats, won in base.execute(
        f"SELECT {what}, players, role, count(*), sum(won) FROM seat"
        f" WHERE over AND kind = :kind {whose} GROUP BY {what}, players, role",
        {"kind": kind, "player": player},
    ):
        name = str(value)
        before = found.get(name, Wins(name, 0, 0))
        expected = before.expected + seats * usual[players, role]
        found[name] = Wins(name, before.games + seats, before.won + won, expected)
    return tuple(sorted(found.values(), key=lambda one: (-one.games, one.name)))


def _by_role(found: Sequence[Wins]) -> tuple[Wins, ...]:
    """Return the wins of roles in the usual order of the roles; others come last."""
    order = {str(role): place for place, role in enumerate(Role)}
    return tuple(sorted(found, key=lambda one: order.get(one.name, len(order))))


def _players(base: sqlite3.Connection, kind: str, usual: _Usual) -> Sequence[PlayerLine]:
    """Return all players of a kind of game: those with finished games by rank, then the others."""
    wins = {one.name: one for one in _wins(base, kind, "player", usual)}
    lines = [
        _player_line(row, kind, wins.get(str(row["id"]), Wins("", 0, 0)))
        for row in base.execute(
            "SELECT * FROM player WHERE id IN (SELECT player FROM seat WHERE kind = ?)", (kind,)
        )
    ]
    return sorted(
        lines,
        key=lambda line: (
            not line.wins.games,
            -line.rating.proven,
            -line.wins.games,
            line.level,
            line.name,
        ),
    )


def _player_line(row: sqlite3.Row, kind: str, wins: Wins) -> PlayerLine:
    unrated = kind != RATED or row["mean"] is None
    rating = Rating() if unrated else Rating(row["mean"], row["doubt"])
    return PlayerLine("" if row["level"] else row["name"], row["level"], wins, rating)


def _sides(base: sqlite3.Connection, kind: str) -> Iterator[SideWins]:
    found: dict[int, dict[str, int]] = {}
    for players, side, games in base.execute(
        "SELECT players, side, count(*) FROM game WHERE kind = ? AND side <> ''"
        " GROUP BY players, side",
        (kind,),
    ):
        found.setdefault(players, {})[side] = games
    for players, sides in sorted(found.items()):
        yield SideWins(players, sum(sides.values()), sides)


def player_names(base: sqlite3.Connection) -> tuple[str, ...]:
    """Return what all people who played rated games are called, sorted."""
    rows = base.execute(
        "SELECT name FROM player WHERE level = ''"
        " AND id IN (SELECT player FROM seat WHERE kind = ?) ORDER BY name COLLATE NOCASE",
        (RATED,),
    )
    return tuple(name for (name,) in rows)


def names_of_player(base: sqlite3.Connection, player: str, kind: str = RATED) -> tuple[str, ...]:
    """Return the names that a player gave in a kind of game; none if there is no such player."""
    rows = base.execute(
        "SELECT DISTINCT seat.name FROM player JOIN seat ON player = id"
        " WHERE player.level = '' AND player.name = ? AND kind = ? ORDER BY 1",
        (player, kind),
    )
    return tuple(name for (name,) in rows)


def both_played(base: sqlite3.Connection, one: str, other: str) -> tuple[str, str] | None:
    """Return the name and date of the first game that both players played in; None without one."""
    found = base.execute(
        """
        SELECT game.name, date FROM game
        JOIN seat AS a ON a.game = game.id JOIN player AS one ON one.id = a.player
        JOIN seat AS b ON b.game = game.id JOIN player AS other ON other.id = b.player
        WHERE one.level = '' AND other.level = '' AND one.name = ? AND other.name = ?
        ORDER BY date, game.name LIMIT 1
        """,
        (one, other),
    ).fetchone()
    return (found[0], found[1]) if found else None


class PlayerGames(NamedTuple):
    """What the page of a player shows."""

    own: Highlights
    """What is worth telling of them, whatever they played; nothing of stand-ins."""
    kinds: Mapping[str, PlayerPage]
    """All their games, by kind."""


def player_games(base: sqlite3.Connection, player: str, level: str = "") -> PlayerGames | None:
    """Return what the page of a player shows; None if there is no such player.

    Somebody who played no rated game counts once they finished one of another kind.

    level: how well a stand-in plays, whose name it then is.
    """
    found = base.execute(
        "SELECT * FROM player WHERE name = ? AND level = ?"
        " AND id IN (SELECT player FROM seat WHERE kind = ? OR over)",
        (player, level, RATED),
    ).fetchone()
    if not found:
        return None
    kinds = {kind: _player_page(base, kind, found) for kind in SUMMARIES}
    return PlayerGames(highlights_of(base, "" if level else player), kinds)


def _player_page(base: sqlite3.Connection, kind: str, found: sqlite3.Row) -> PlayerPage:
    number, name, usual = found["id"], found["name"], _usual(base, kind)
    roles = _wins(base, kind, "role", usual, number)
    sums = f"SELECT {_SUMS} FROM seat WHERE player = ? AND kind = ?"
    thrown = tuple(count or 0 for count in base.execute(sums, (number, kind)).fetchone())
    return PlayerPage(
        line=_player_line(found, kind, _together(name, roles)),
        given=names_of_player(base, name, kind) if not found["level"] else (),
        roles=_by_role(roles),
        characters=_wins(base, kind, "character", usual, number),
        against=tuple(_against(base, kind, number)),
        course=_course(base, kind, number),
        thrown=thrown,
        luck=fairness_test(thrown, ()),
    )


def _together(name: str, wins: Sequence[Wins]) -> Wins:
    return Wins(
        name,
        sum(one.games for one in wins),
        sum(one.won for one in wins),
        sum(one.expected for one in wins),
    )


def _against(base: sqlite3.Connection, kind: str, player: int) -> Iterator[MutualShots]:
    """Yield whom a player met and shot, most often shot first."""
    rows = base.execute(
        """
        WITH own AS (SELECT game, seat FROM seat WHERE player = :player AND kind = :kind),
        met AS (
            SELECT other.player, count(*) AS games,
                sum((SELECT shots FROM shot WHERE game = own.game AND shooter = own.seat
                    AND target = other.seat)) AS fired,
                sum((SELECT shots FROM shot WHERE game = own.game AND shooter = other.seat
                    AND target = own.seat)) AS taken
            FROM own JOIN seat AS other ON other.game = own.game AND other.seat <> own.seat
            WHERE other.player IS NOT NULL GROUP BY other.player)
        SELECT name, level, games, coalesce(fired, 0), coalesce(taken, 0)
        FROM met JOIN player ON id = met.player
        ORDER BY coalesce(fired, 0) * 1.0 / games DESC, name
        """,
        {"player": player, "kind": kind},
    )
    for name, level, games, fired, taken in rows:
        yield MutualShots("" if level else name, level, games, fired, taken)


def _course(base: sqlite3.Connection, kind: str, player: int) -> tuple[RatingPoint, ...]:
    rows = base.execute(
        "SELECT date, mean, doubt FROM seat JOIN game ON id = game"
        " WHERE player = ? AND seat.kind = ? AND mean IS NOT NULL ORDER BY date, game.name",
        (player, kind),
    ).fetchall()
    last, steps = len(rows) - 1, min(len(rows), MOST_POINTS) - 1
    places = (
        [round(last * step / steps) for step in range(steps + 1)] if steps > 0 else range(last + 1)
    )
    return tuple(
        RatingPoint(place + 1, date, Rating(mean, doubt))
        for place, (date, mean, doubt) in ((place, rows[place]) for place in places)
    )


def dice_sets(base: sqlite3.Connection) -> tuple[DiceLine, ...]:
    """Return the sets of dice, the most thrown first."""
    readings: dict[str | None, dict[tuple[str, str], int]] = {}
    for dice, face, seen, count in base.execute(
        "SELECT game.dice, face, seen, sum(reading.dice) FROM reading JOIN game ON id = game"
        " WHERE kind = ? GROUP BY game.dice, face, seen",
        (RATED,),
    ):
        readings.setdefault(dice, {})[face, seen] = count
    lines = [
        DiceLine(
            dice, games, fairness_test(tuple(counts), tuple(sorted(readings.get(dice, {}).items())))
        )
        for dice, games, *counts in base.execute(
            f"SELECT dice, count(*), {_SUMS} FROM game WHERE kind = ? GROUP BY dice", (RATED,)
        )
    ]
    return tuple(sorted(lines, key=lambda line: (-line.test.thrown, line.dice or "")))


@lru_cache(maxsize=256)
def fairness_test(
    counts: tuple[int | None, ...], readings: tuple[tuple[tuple[str, str], int], ...]
) -> FairnessTest:
    """Return the test of these throws, which takes 20 ms and never changes."""
    return examine([count or 0 for count in counts], dict(readings))


def games_page(base: sqlite3.Connection, before: str = "") -> GamesPage:
    """Return the latest games, or those before the one that an earlier page named as `older`."""
    limit = "" if not before else "WHERE (date, name) < (:date, :name)"
    date, _, name = before.partition(" ")
    rows = base.execute(
        f"SELECT * FROM game {limit} ORDER BY date DESC, name DESC LIMIT {GAMES_A_PAGE + 1}",
        {"date": date, "name": name},
    ).fetchall()
    shown, more = rows[:GAMES_A_PAGE], rows[GAMES_A_PAGE:]
    evenings: list[list[GameLine]] = []
    for row in shown:
        if not evenings or not same_evening(row["date"], evenings[-1][-1].date):
            evenings.append([])
        evenings[-1].append(_game_line(base, row))
    return GamesPage(
        tuple(Evening(games[-1].date, tuple(games)) for games in evenings),
        f"{shown[-1]['date']} {shown[-1]['name']}" if more else "",
        uncounted_records(base, 100),
    )


def _game_line(base: sqlite3.Connection, row: sqlite3.Row) -> GameLine:
    seats = base.execute(
        "SELECT seat.*, player.name AS called FROM seat LEFT JOIN player ON player.id = player"
        " WHERE game = ? ORDER BY seat",
        (row["id"],),
    )
    return GameLine(
        kind=row["kind"],
        name=row["name"],
        date=row["date"],
        side=row["side"],
        turns=row["turns"],
        seats=tuple(
            SeatLine(
                seat["name"] if seat["level"] or seat["called"] is None else seat["called"],
                seat["level"],
                seat["role"],
                seat["character"],
                bool(seat["won"]),
            )
            for seat in seats
        ),
    )


def every_seat(base: sqlite3.Connection) -> Iterator[Mapping[str, object]]:
    """Yield a row for each player of each rated game, with all that is known."""
    faces = ", ".join(f"seat.{count}" for count in COUNTS)
    rows = base.execute(
        "SELECT game.name AS game, date, ruleset, game.dice AS dice, side, turns, seat,"
        " coalesce(player.name, seat.name) AS player, seat.level AS stand_in, role, character,"
        f" won, alive, round(seat.mean, 3) AS rating, round(seat.doubt, 3) AS doubt, {faces}"
        " FROM game JOIN seat ON game = game.id LEFT JOIN player ON player.id = player"
        " WHERE game.kind = ? ORDER BY date, game.name, seat",
        (RATED,),
    )
    yield from map(dict, rows)


def every_player(base: sqlite3.Connection) -> Iterator[Mapping[str, object]]:
    """Yield a row for each player of rated games, for other programs."""
    for line in _players(base, RATED, _usual(base, RATED)):
        yield {
            "player": line.name or line.level,
            "stand_in": line.level,
            "games": line.wins.games,
            "won": line.wins.won,
            "expected": round(line.wins.expected, 2),
            "rating": round(line.rating.mean, 3),
            "doubt": round(line.rating.doubt, 3),
        }


def every_set(base: sqlite3.Connection) -> Iterator[Mapping[str, object]]:
    """Yield a row for each face of each set of dice, for other programs."""
    for line in dice_sets(base):
        for face in line.test.faces:
            yield {
                "dice": "" if line.dice is None else line.dice,
                "games": line.games,
                "face": face.face,
                "count": face.times,
                "expected": round(face.expected, 2),
                "share": round(face.share, 5),
                "low": round(face.low, 5),
                "high": round(face.high, 5),
                "chance": round(line.test.chance, 4),
            }
