"""What the statistics tell, asked of their database.

Nothing here comes from a game that is still running. Of games that were stopped before their end,
only what was public counts: who played, what was thrown, who shot at whom.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from companion.common.roles import Role
from companion.statistics.database import COUNTS, UncountedRecord
from companion.statistics.fairness import FairnessTest, examine
from companion.statistics.rating import Rating

EVENING = timedelta(hours=6)
"""Games that begin within this time of the one before belong to the same evening."""

GAMES_A_PAGE = 50
"""How many games the list shows at once."""

MOST_PLAYERS = 200
"""How many players are listed."""

MOST_POINTS = 60
"""How many points a curve has at most."""

_SUMS = ", ".join(f"sum({count})" for count in COUNTS)


def _evenings(base: sqlite3.Connection, games: str = "game") -> int:
    """Return on how many evenings the games of a table of them were played."""
    found: int = base.execute(
        f"""
        SELECT coalesce(sum(begins), 0) FROM (
            SELECT julianday(date) - lag(julianday(date), 1, 0) OVER (ORDER BY date, name)
                > {EVENING.total_seconds() / 86400} AS begins
            FROM {games} WHERE date <> '')
        """
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
    """A player over all games."""

    name: str
    """What they are called; of a stand-in, empty."""
    level: str
    """How well a stand-in plays; empty for people."""
    wins: Wins
    """How often they won."""
    rating: Rating
    """How well they play, as far as their games tell."""


class SideWins(NamedTuple):
    """Which side won games of a number of players."""

    players: int
    """How many players."""
    games: int
    """How many games."""
    sides: Mapping[str, int]
    """How many of them each side won."""


class CardGames(NamedTuple):
    """All card games together. Their records have no date, but the notes beside them do."""

    games: int
    """How many were played to their end."""
    stopped: int
    """How many were stopped before."""
    evenings: int
    """On how many evenings."""
    first: str
    """When the first with a date began; empty without one."""
    sides: tuple[SideWins, ...]
    """Which sides won, by number of players."""
    players: tuple[Wins, ...]
    """How often each player won, most games first."""
    roles: tuple[Wins, ...]
    """How often each role won."""
    characters: tuple[Wins, ...]
    """How often each character won, most often first."""
    places: tuple[Wins, ...]
    """How often players won by their place after the Sheriff, whose place is 0."""


class Overview(NamedTuple):
    """All games together."""

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
    cards: CardGames
    """The card games, which count for nothing else here."""


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


class PlayerCardGames(NamedTuple):
    """One player over all card games."""

    wins: Wins
    """How often they won."""
    roles: tuple[Wins, ...]
    """How often they won in each role."""
    characters: tuple[Wins, ...]
    """How often they won with each character, the most played first."""
    against: tuple[MutualShots, ...]
    """At whom they aimed BANG!s, most often first."""


class PlayerPage(NamedTuple):
    """One player over all games."""

    line: PlayerLine
    """All games together."""
    given: tuple[str, ...]
    """The names that they gave."""
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
    cards: PlayerCardGames | None = None
    """Their card games; None without one."""


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

    name: str
    """The name of its record."""
    date: str
    """When it began; empty if unknown."""
    ruleset: str
    """The ruleset's id."""
    side: str
    """The side that won; empty if it was stopped."""
    turns: int
    """How many turns began."""
    dice: str | None
    """The set of dice; None if unknown, or if cards were played."""
    cards: bool
    """Whether it is a card game."""
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


_NUMBERS = (
    "SELECT count(nullif(side, '')), count(*) - count(nullif(side, '')), min(nullif(date, ''))"
    " FROM {games}"
)
"""How many games were played to their end and stopped before, and when the first began."""


def overview(base: sqlite3.Connection) -> Overview:
    """Return all games together."""
    games, stopped, first = base.execute(_NUMBERS.format(games="game")).fetchone()
    usual = _usual(base)
    players = _players(base, usual)
    return Overview(
        games=games,
        stopped=stopped,
        evenings=_evenings(base),
        first=first or "",
        thrown=sum(filter(None, base.execute(f"SELECT {_SUMS} FROM game").fetchone())),
        players=tuple(players[:MOST_PLAYERS]),
        unlisted=len(players[MOST_PLAYERS:]),
        sides=tuple(_sides(base)),
        roles=_by_role(_wins(base, "role", usual)),
        characters=tuple(sorted(_wins(base, "character", usual), key=lambda one: -one.share)),
        places=tuple(sorted(_wins(base, "place", usual), key=lambda one: int(one.name))),
        cards=_card_games(base),
    )


def _card_games(base: sqlite3.Connection) -> CardGames:
    games, stopped, first = base.execute(_NUMBERS.format(games="card_game")).fetchone()
    usual = _usual(base, _CARDS)
    players = [one for one in _wins(base, "called", usual, of=_CARDS) if one.name]
    characters = _wins(base, "character", usual, of=_CARDS)
    places = _wins(base, "place", usual, of=_CARDS)
    return CardGames(
        games=games,
        stopped=stopped,
        evenings=_evenings(base, "card_game"),
        first=first or "",
        sides=tuple(_sides(base, "card_game")),
        players=tuple(players[:MOST_PLAYERS]),
        roles=_by_role(_wins(base, "role", usual, of=_CARDS)),
        characters=tuple(sorted(characters, key=lambda one: -one.share)),
        places=tuple(sorted(places, key=lambda one: int(one.name))),
    )


class _Seats(NamedTuple):
    """The table that holds who played a game, and the column that tells players apart."""

    table: str
    player: str


_DICE = _Seats("seat", "player")
_CARDS = _Seats("card_seat", "called")


_Usual = Mapping[tuple[int, str], float]
"""How often each role wins at each number of players."""


def _usual(base: sqlite3.Connection, of: _Seats = _DICE) -> _Usual:
    rows = base.execute(
        f"SELECT players, role, avg(won) FROM {of.table} WHERE over GROUP BY players, role"
    )
    return {(players, role): wins for players, role, wins in rows}


def _wins(
    base: sqlite3.Connection,
    what: str,
    usual: _Usual,
    player: int | str | None = None,
    of: _Seats = _DICE,
) -> tuple[Wins, ...]:
    """Return how often each value of a column won, the most frequent first; of one player alone."""
    whose = "" if player is None else f"AND {of.player} = :player"
    found: dict[str, Wins] = {}
    # Joining the usual wins in SQL would take three times as long.
    for value, players, role, seats, won in base.execute(
        f"SELECT {what}, players, role, count(*), sum(won) FROM {of.table} WHERE over {whose}"
        f" GROUP BY {what}, players, role",
        {"player": player},
    ):
        name = str(value)
        before = found.get(name, Wins(name, 0, 0))
        expected = before.expected + seats * usual[players, role]
        found[name] = Wins(name, before.games + seats, before.won + won, expected)
    return tuple(sorted(found.values(), key=lambda one: (-one.games, one.name)))


def _by_role(found: Sequence[Wins]) -> tuple[Wins, ...]:
    """Return the wins of roles in the usual order of the roles."""
    return tuple(sorted(found, key=lambda one: list(Role).index(Role(one.name))))


def _players(base: sqlite3.Connection, usual: _Usual) -> Sequence[PlayerLine]:
    """Return all players: those with finished games by rank, then the others."""
    wins = {one.name: one for one in _wins(base, "player", usual)}
    lines = [
        _player_line(row, wins.get(str(row["id"]), Wins("", 0, 0)))
        for row in base.execute("SELECT * FROM player")
    ]
    return sorted(
        lines,
        key=lambda line: (not line.wins.games, -line.rating.proven, line.level, line.name),
    )


def _player_line(row: sqlite3.Row, wins: Wins) -> PlayerLine:
    rating = Rating() if row["mean"] is None else Rating(row["mean"], row["doubt"])
    return PlayerLine("" if row["level"] else row["name"], row["level"], wins, rating)


def _sides(base: sqlite3.Connection, table: str = "game") -> Iterator[SideWins]:
    found: dict[int, dict[str, int]] = {}
    for players, side, games in base.execute(
        f"SELECT players, side, count(*) FROM {table} WHERE side <> '' GROUP BY players, side"
    ):
        found.setdefault(players, {})[side] = games
    for players, sides in sorted(found.items()):
        yield SideWins(players, sum(sides.values()), sides)


def names_of(base: sqlite3.Connection) -> tuple[str, ...]:
    """Return what all people are called, sorted."""
    rows = base.execute("SELECT name FROM player WHERE level = '' ORDER BY name COLLATE NOCASE")
    return tuple(name for (name,) in rows)


def given_by(base: sqlite3.Connection, player: str) -> tuple[str, ...]:
    """Return the names that a player gave; none if there is no such player."""
    rows = base.execute(
        "SELECT DISTINCT seat.name FROM player JOIN seat ON player = id"
        " WHERE player.level = '' AND player.name = ? ORDER BY 1",
        (player,),
    )
    return tuple(name for (name,) in rows)


def both_played(base: sqlite3.Connection, one: str, other: str) -> tuple[str, str] | None:
    """Return the name and date of the first game that both players played in; None without one."""
    found = base.execute(
        """
        SELECT name, date FROM (
            SELECT game.name, date FROM game
            JOIN seat AS a ON a.game = game.id JOIN player AS one ON one.id = a.player
            JOIN seat AS b ON b.game = game.id JOIN player AS other ON other.id = b.player
            WHERE one.level = '' AND other.level = '' AND one.name = :one AND other.name = :other
            UNION ALL SELECT card_game.name, date FROM card_game
            JOIN card_seat AS a ON a.game = card_game.id AND a.called = :one
            JOIN card_seat AS b ON b.game = card_game.id AND b.called = :other)
        ORDER BY date, name LIMIT 1
        """,
        {"one": one, "other": other},
    ).fetchone()
    return (found[0], found[1]) if found else None


def player_page(base: sqlite3.Connection, player: str, level: str = "") -> PlayerPage | None:
    """Return a player over all games; None if there is no such player.

    level: how well a stand-in plays, whose name it then is.
    """
    found = base.execute(
        "SELECT * FROM player WHERE name = ? AND level = ?", (player, level)
    ).fetchone()
    cards = _card_player(base, player) if player and not level else None
    if found is None:
        return _of_cards_alone(player, cards) if cards else None
    number, usual = found["id"], _usual(base)
    roles = _wins(base, "role", usual, number)
    wins = _together(player, roles)
    thrown = base.execute(f"SELECT {_SUMS} FROM seat WHERE player = ?", (number,)).fetchone()
    return PlayerPage(
        line=_player_line(found, wins),
        given=given_by(base, player) if not level else (),
        roles=_by_role(roles),
        characters=_wins(base, "character", usual, number),
        against=tuple(_against(base, number)),
        course=_course(base, number),
        thrown=tuple(thrown),
        luck=examined(tuple(thrown), ()),
        cards=cards,
    )


def _together(name: str, wins: Sequence[Wins]) -> Wins:
    return Wins(
        name,
        sum(one.games for one in wins),
        sum(one.won for one in wins),
        sum(one.expected for one in wins),
    )


def _card_player(base: sqlite3.Connection, player: str) -> PlayerCardGames | None:
    """Return a player over all card games; None if they played none to its end."""
    usual = _usual(base, _CARDS)
    roles = _wins(base, "role", usual, player, _CARDS)
    if not roles:
        return None
    return PlayerCardGames(
        _together(player, roles),
        _by_role(roles),
        _wins(base, "character", usual, player, _CARDS),
        tuple(_against_with_cards(base, player)),
    )


def _of_cards_alone(player: str, cards: PlayerCardGames) -> PlayerPage:
    """Return the page of a player who never played with dice."""
    nothing = (0,) * len(COUNTS)
    line = PlayerLine(player, "", Wins(player, 0, 0), Rating())
    luck = examined(nothing, ())
    return PlayerPage(
        line=line,
        given=(),
        roles=(),
        characters=(),
        against=(),
        course=(),
        thrown=nothing,
        luck=luck,
        cards=cards,
    )


def _against_with_cards(base: sqlite3.Connection, player: str) -> Iterator[MutualShots]:
    """Yield whom a player met over cards and shot at, most often first."""
    rows = base.execute(
        """
        SELECT other.called, count(*) AS games,
            coalesce(sum((SELECT shots FROM card_shot WHERE game = own.game
                AND shooter = own.seat AND target = other.seat)), 0) AS fired,
            coalesce(sum((SELECT shots FROM card_shot WHERE game = own.game
                AND shooter = other.seat AND target = own.seat)), 0) AS taken
        FROM card_seat AS own JOIN card_seat AS other
            ON other.game = own.game AND other.seat <> own.seat
        WHERE own.called = :player AND other.called <> ''
        GROUP BY other.called ORDER BY fired * 1.0 / games DESC, other.called
        """,
        {"player": player},
    )
    for name, games, fired, taken in rows:
        yield MutualShots(name, "", games, fired, taken)


def _against(base: sqlite3.Connection, player: int) -> Iterator[MutualShots]:
    """Yield whom a player met and shot, most often shot first."""
    rows = base.execute(
        """
        WITH own AS (SELECT game, seat FROM seat WHERE player = :player),
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
        {"player": player},
    )
    for name, level, games, fired, taken in rows:
        yield MutualShots("" if level else name, level, games, fired, taken)


def _course(base: sqlite3.Connection, player: int) -> tuple[RatingPoint, ...]:
    rows = base.execute(
        "SELECT date, mean, doubt FROM seat JOIN game ON id = game"
        " WHERE player = ? AND mean IS NOT NULL ORDER BY date, game.name",
        (player,),
    ).fetchall()
    last, steps = len(rows) - 1, min(len(rows), MOST_POINTS) - 1
    places = (
        [round(last * step / steps) for step in range(steps + 1)] if steps > 0 else range(last + 1)
    )
    return tuple(_point(rows, place) for place in places)


def _point(rows: Sequence[sqlite3.Row], place: int) -> RatingPoint:
    date, mean, doubt = rows[place]
    return RatingPoint(place + 1, date, Rating(mean, doubt))


def dice_sets(base: sqlite3.Connection) -> tuple[DiceLine, ...]:
    """Return the sets of dice, the most thrown first."""
    readings: dict[str | None, dict[tuple[str, str], int]] = {}
    for dice, face, seen, count in base.execute(
        "SELECT game.dice, face, seen, sum(reading.dice) FROM reading JOIN game ON id = game"
        " GROUP BY game.dice, face, seen"
    ):
        readings.setdefault(dice, {})[face, seen] = count
    lines = [
        DiceLine(
            dice, games, examined(tuple(counts), tuple(sorted(readings.get(dice, {}).items())))
        )
        for dice, games, *counts in base.execute(
            f"SELECT dice, count(*), {_SUMS} FROM game GROUP BY dice"
        )
    ]
    return tuple(sorted(lines, key=lambda line: (-line.test.thrown, line.dice or "")))


@lru_cache(maxsize=256)
def examined(
    counts: tuple[int | None, ...], readings: tuple[tuple[tuple[str, str], int], ...]
) -> FairnessTest:
    """Return the test of these throws, which takes 20 ms and never changes."""
    return examine([count or 0 for count in counts], dict(readings))


def games_page(base: sqlite3.Connection, before: str = "") -> GamesPage:
    """Return the latest games, or those before the one that an earlier page named as `older`."""
    limit = "" if not before else "WHERE (date, name) < (:date, :name)"
    date, _, name = before.partition(" ")
    rows = base.execute(
        f"SELECT id, name, date, ruleset, side, turns, dice, 0 AS cards FROM game {limit}"
        " UNION ALL"
        f" SELECT id, name, date, 'base', side, turns, NULL, 1 FROM card_game {limit}"
        f" ORDER BY date DESC, name DESC LIMIT {GAMES_A_PAGE + 1}",
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
        tuple(
            UncountedRecord(row["name"], row["line"], row["what"], row["status"] == "copy")
            for row in base.execute(
                "SELECT * FROM file WHERE status IN ('wrong', 'copy') ORDER BY name LIMIT 100"
            )
        ),
    )


def same_evening(date: str, later: str) -> bool:
    """Return whether a game belongs to the evening of one that began later."""
    if not date or not later:
        return date == later
    return _utc(later) - _utc(date) <= EVENING


def _utc(date: str) -> datetime:
    """Return the moment of a date: of a day alone, its begin."""
    return datetime.fromisoformat(date).replace(tzinfo=UTC)


_SEATS = """
SELECT seat.*, player.name AS called FROM seat LEFT JOIN player ON player.id = player
WHERE game = ? ORDER BY seat
"""

_CARD_SEATS = """
SELECT name, '' AS level, role, character, won, nullif(called, '') AS called FROM card_seat
WHERE game = ? ORDER BY seat
"""


def _game_line(base: sqlite3.Connection, row: sqlite3.Row) -> GameLine:
    seats = base.execute(_CARD_SEATS if row["cards"] else _SEATS, (row["id"],))
    return GameLine(
        name=row["name"],
        date=row["date"],
        ruleset=row["ruleset"],
        side=row["side"],
        turns=row["turns"],
        dice=row["dice"],
        cards=bool(row["cards"]),
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
    """Yield a row for each player of each game, with all that is known, for other programs."""
    faces = ", ".join(f"seat.{count}" for count in COUNTS)
    yield from (
        dict(zip(row.keys(), row, strict=True))
        for row in base.execute(
            "SELECT game.name AS game, date, ruleset, game.dice AS dice, side, turns, seat,"
            " coalesce(player.name, seat.name) AS player, seat.level AS stand_in, role, character,"
            f" won, alive, round(seat.mean, 3) AS rating, round(seat.doubt, 3) AS doubt, {faces}"
            " FROM game JOIN seat ON game = game.id LEFT JOIN player ON player.id = player"
            " ORDER BY date, game.name, seat"
        )
    )


def every_player(base: sqlite3.Connection) -> Iterator[Mapping[str, object]]:
    """Yield a row for each player, for other programs."""
    for line in _players(base, _usual(base)):
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
