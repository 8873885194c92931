"""The rules of a tournament: who plays at which table, who has a bye, and which games count.

A tournament is a value. Each change returns the next one, or raises Refused.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import NamedTuple

from companion.base import codec
from companion.base.names import check_name, key_of
from companion.base.refused import Problem, Refused
from companion.club.hall.results import check_result
from companion.club.hall.scoring import SCHEMES, GameScore, PlayedSeat, Ranked, points, standings

BEST_SIZE = 5
"""How many players a table gets if there are enough tables."""

SIZES = range(3, 9)
"""How many players a table can have."""

MOST_PLAYERS = 400
"""The most players of a tournament."""

MOST_ROUNDS = 60
"""The most rounds of a tournament."""

_SWAPS = 40
"""How many exchanges per player are tried to seat people together who haven't met."""


@codec.growing
class Entrant(NamedTuple):
    """A player of the tournament."""

    id: int
    """Their number in the tournament."""
    name: str
    """Their name, which they also use at the tables."""
    active: bool = True
    """Whether they are drawn for the next round."""


@codec.growing
class TableGame(NamedTuple):
    """A finished game, as a table told it."""

    table_id: str
    """The table's own number."""
    table: str
    """The table's name."""
    number: int
    """The number of the game at that table."""
    side: str
    """The side that won."""
    seats: tuple[PlayedSeat, ...]
    """The players."""


@codec.growing
class DrawnTable(NamedTuple):
    """A table of a round."""

    table: str
    """The table's name."""
    seats: tuple[int, ...]
    """The numbers of the entrants, clockwise."""
    table_id: str = ""
    """The table's own number when it was drawn; empty if it was not known."""
    after: int = 0
    """The number of its last game then: only later ones count."""
    game: TableGame | None = None
    """The game that counts; None while none does. The organiser entered it if its number is 0."""


@codec.growing
class TournamentRound(NamedTuple):
    """A round."""

    closed: bool
    """Whether its games are fixed."""
    byes: tuple[int, ...]
    """The entrants who don't play in it."""
    tables: tuple[DrawnTable, ...]
    """The tables."""


@codec.growing
@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament."""

    name: str
    """What it is called."""
    scheme: str = next(iter(SCHEMES))
    """How games are scored: a name in SCHEMES."""
    least: int = 4
    """The fewest players at a table."""
    most: int = 8
    """The most players at a table."""
    entrants: tuple[Entrant, ...] = ()
    """The players, in the order in which they were entered."""
    rounds: tuple[TournamentRound, ...] = ()
    """The rounds."""

    @property
    def open_round(self) -> TournamentRound | None:
        """The round that is played now; None between rounds."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None

    @property
    def names(self) -> Mapping[int, str]:
        """The entrants' names by number."""
        return {entrant.id: entrant.name for entrant in self.entrants}


def create(name: str, scheme: str, least: int, most: int) -> Tournament:
    """Return a new tournament without players."""
    if scheme not in SCHEMES:
        raise Refused(Problem.ILLEGAL, "there is no such way to score games")
    if not (least in SIZES and most in SIZES and least <= most):
        raise Refused(
            Problem.ILLEGAL,
            "a table has %(least)s to %(most)s players",
            least=SIZES.start,
            most=SIZES.stop - 1,
        )
    return Tournament(_title(name), scheme, least, most)


def _title(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > 60 or not name.isprintable():
        raise Refused(Problem.ILLEGAL, "choose a name of 1 to %(most)s characters", most=60)
    return name


def add_players(tournament: Tournament, names: Iterable[str]) -> Tournament:
    """Return the tournament with more players. Nobody is entered if one of them can't be."""
    entrants = list(tournament.entrants)
    taken = {key_of(entrant.name) for entrant in entrants}
    for name in names:
        if len(entrants) >= MOST_PLAYERS:
            raise Refused(
                Problem.ILLEGAL, "a tournament has at most %(most)s players", most=MOST_PLAYERS
            )
        shown = _free_name(name, taken)
        taken.add(key_of(shown))
        entrants.append(Entrant(len(entrants) + 1, shown))
    return replace(tournament, entrants=tuple(entrants))


def set_active(tournament: Tournament, number: int, active: bool) -> Tournament:
    """Return the tournament with a player who sits out from the next round on, or is back."""
    return _with_entrant(tournament, number, lambda each: each._replace(active=active))


def rename_player(tournament: Tournament, number: int, name: str) -> Tournament:
    """Return the tournament with a player who is called something else."""
    others = {key_of(each.name) for each in tournament.entrants if each.id != number}
    return _with_entrant(
        tournament, number, lambda each: each._replace(name=_free_name(name, others))
    )


def _free_name(name: str, taken: Collection[str]) -> str:
    """Return a name as it is shown. taken: the keys of others. Raises Refused if it is one."""
    shown = check_name(name, ())
    if key_of(shown) in taken:
        raise Refused(Problem.ILLEGAL, "the name %(name)s is taken: choose another one", name=shown)
    return shown


def _with_entrant(
    tournament: Tournament, number: int, change: Callable[[Entrant], Entrant]
) -> Tournament:
    """Return the tournament with a change of a player. Raises Refused if there is none."""
    if number not in tournament.names:
        raise Refused(Problem.STALE, "there is no such player")
    entrants = (
        change(entrant) if entrant.id == number else entrant for entrant in tournament.entrants
    )
    return replace(tournament, entrants=tuple(entrants))


# Drawing a round


class KnownTable(NamedTuple):
    """A table that can be drawn."""

    name: str
    """Its name."""
    id: str = ""
    """Its own number; empty if it isn't known."""
    game: int = 0
    """The number of its last game."""


def draw_round(
    tournament: Tournament, tables: Sequence[KnownTable], chance: Random, *, ranked: bool = False
) -> Tournament:
    """Return the tournament with another round.

    tables: those to play at; ranked: seat players of like rank together, as in a final. Otherwise
    lots decide, and people who met seldom sit together.
    """
    if tournament.open_round is not None:
        raise Refused(Problem.ILLEGAL, "finish this round first")
    if len(tournament.rounds) >= MOST_ROUNDS:
        raise Refused(Problem.ILLEGAL, "a tournament has at most %(most)s rounds", most=MOST_ROUNDS)
    if len({table.name for table in tables}) < len(tables):
        raise Refused(Problem.ILLEGAL, "a table is named twice")
    players = [entrant.id for entrant in tournament.entrants if entrant.active]
    count = table_count(len(players), len(tables), tournament.least, tournament.most)
    if not count:
        raise Refused(
            Problem.ILLEGAL,
            "a round needs a table and at least %(least)s players",
            least=tournament.least,
        )
    byes = _byes(tournament, players, len(players) - count * tournament.most, chance)
    playing = [player for player in players if player not in byes]
    sizes = [len(playing) // count + (number < len(playing) % count) for number in range(count)]
    groups = _by_rank(tournament, playing, sizes) if ranked else _by_lot(tournament, playing, sizes,
                                                                       chance)  # fmt: skip
    for group in groups:
        chance.shuffle(group)
    drawn = tuple(
        DrawnTable(table.name, tuple(group), table.id, table.game)
        for table, group in zip(tables, groups, strict=False)
    )
    round_ = TournamentRound(closed=False, byes=tuple(sorted(byes)), tables=drawn)
    return replace(tournament, rounds=(*tournament.rounds, round_))


def table_count(players: int, tables: int, least: int, most: int) -> int:
    """Return how many tables a round has; 0 if there are too few players.

    As many play as can; then tables are as near to BEST_SIZE as they can be.
    """
    possible = [count for count in range(1, tables + 1) if count * least <= players]
    return max(
        possible,
        key=lambda count: (min(players, count * most), -abs(players / count - BEST_SIZE)),
        default=0,
    )


def _byes(
    tournament: Tournament, players: Sequence[int], count: int, chance: Random
) -> frozenset[int]:
    """Return who sits out: those with the fewest byes, among these the last in the standings."""
    if count <= 0:
        return frozenset()
    had = Counter(player for round_ in tournament.rounds for player in round_.byes)
    places = {line.key: line.place for line in ranking(tournament)}
    lots = {player: chance.random() for player in players}
    order = sorted(players, key=lambda player: (had[player], -places[player], lots[player]))
    return frozenset(order[:count])


def _by_rank(
    tournament: Tournament, players: Sequence[int], sizes: Sequence[int]
) -> list[list[int]]:
    places = {line.key: number for number, line in enumerate(ranking(tournament))}
    order = iter(sorted(players, key=lambda player: places[player]))
    return [[next(order) for _ in range(size)] for size in sizes]


def meetings(tournament: Tournament) -> Counter[tuple[int, int]]:
    """Return how often two entrants sat at a table together, the lower number first."""
    return Counter(
        pair
        for round_ in tournament.rounds
        for table in round_.tables
        for pair in combinations(sorted(table.seats), 2)
    )


def _by_lot(
    tournament: Tournament, players: Sequence[int], sizes: Sequence[int], chance: Random
) -> list[list[int]]:
    """Return groups by lot, with as few repeated meetings as some exchanges can bring about."""
    shuffled = list(players)
    chance.shuffle(shuffled)
    order = iter(shuffled)
    groups = [[next(order) for _ in range(size)] for size in sizes]
    met = meetings(tournament)
    if not met or len(groups) < 2:
        return groups

    def cost(player: int, group: Sequence[int], without: int) -> int:
        # Fewest meetings in all is also fewest squared: each adds 2n+1 to the square of n before.
        return sum(
            met[min(player, other), max(player, other)]
            for other in group
            if other not in (player, without)
        )

    for _ in range(_SWAPS * len(players)):
        one, two = chance.sample(groups, 2)
        first, second = chance.randrange(len(one)), chance.randrange(len(two))
        a, b = one[first], two[second]
        if cost(a, two, b) + cost(b, one, a) <= cost(a, one, a) + cost(b, two, b):
            one[first], two[second] = b, a
    return groups


def swap_players(tournament: Tournament, one: int, two: int) -> Tournament:
    """Return the tournament with two players in each other's places of the open round."""
    round_ = _round_now(tournament)
    places = {*round_.byes, *(player for table in round_.tables for player in table.seats)}
    if one == two or not {one, two} <= places:
        raise Refused(Problem.ILLEGAL, "choose two players of this round")
    other = {one: two, two: one}
    tables = tuple(
        table._replace(seats=tuple(other.get(player, player) for player in table.seats))
        for table in round_.tables
    )
    for before, after in zip(round_.tables, tables, strict=True):
        if before.game is not None and before.seats != after.seats:
            raise Refused(Problem.ILLEGAL, "%(table)s has finished its game", table=before.table)
    byes = tuple(sorted(other.get(player, player) for player in round_.byes))
    return _with_round(tournament, round_._replace(tables=tables, byes=byes))


def cancel_round(tournament: Tournament) -> Tournament:
    """Return the tournament without the open round."""
    _round_now(tournament)
    return replace(tournament, rounds=tournament.rounds[:-1])


# What counts


def count_games(tournament: Tournament, games: Iterable[TableGame]) -> Tournament:
    """Return the tournament with the games of the open round that tables told of.

    A game counts if it was played at the table that was drawn, after the draw, by exactly the
    players who were drawn; the first one does. What the organiser entered stays.
    """
    round_ = tournament.open_round
    if round_ is None:
        return tournament
    by_table: dict[str, list[TableGame]] = {}
    for game in games:
        by_table.setdefault(game.table, []).append(game)
    names = tournament.names
    tables = tuple(
        table
        if table.game is not None and not table.game.number
        else table._replace(game=_game_of(table, names, by_table.get(table.table, ())))
        for table in round_.tables
    )
    return _with_round(tournament, round_._replace(tables=tables))


def _game_of(
    table: DrawnTable, names: Mapping[int, str], games: Iterable[TableGame]
) -> TableGame | None:
    """Return the game that counts, its players in the order of the draw."""
    wanted = [key_of(names[player]) for player in table.seats]
    found = [
        game
        for game in games
        if (game.table_id != table.table_id or game.number > table.after)
        and sorted(key_of(seat.name) for seat in game.seats) == sorted(wanted)
    ]
    if not found:
        return None
    first = min(found, key=lambda game: game.number)
    seats = {key_of(seat.name): seat for seat in first.seats}
    return first._replace(seats=tuple(seats[key] for key in wanted))


def enter_result(
    tournament: Tournament, table: str, side: str, seats: Mapping[int, tuple[str, bool, bool, bool]]
) -> Tournament:
    """Return the tournament with a result that the organiser entered for a table.

    seats: of each player the role, whether they won, whether they survived, and whether they were
    the last to be eliminated; empty: without a result that was entered before. Raises Refused,
    also where no game can end so.
    """
    round_ = _round_now(tournament)
    found = next((each for each in round_.tables if each.table == table), None)
    if found is None:
        raise Refused(Problem.STALE, "there is no such table in this round")
    game = None
    if seats:
        if set(seats) != set(found.seats):
            raise Refused(Problem.ILLEGAL, "the result needs a line for each player")
        ends = [seats[player] for player in found.seats]
        living = [seat for seat, (_, _, alive, _) in enumerate(ends) if alive]
        check_result(side, [role for role, *_ in ends], living)
        names = tournament.names
        game = TableGame(
            found.table_id,
            table,
            0,
            side,
            tuple(PlayedSeat(names[player], *seats[player]) for player in found.seats),
        )
    tables = tuple(each._replace(game=game) if each is found else each for each in round_.tables)
    return _with_round(tournament, round_._replace(tables=tables))


def close_round(tournament: Tournament) -> Tournament:
    """Return the tournament after the open round, whose games don't change any more."""
    round_ = _round_now(tournament)
    for table in round_.tables:
        if table.game is None:
            raise Refused(
                Problem.ILLEGAL,
                "%(table)s has no result yet: wait for it, or enter it by hand",
                table=table.table,
            )
    return _with_round(tournament, round_._replace(closed=True))


def _round_now(tournament: Tournament) -> TournamentRound:
    """Return the open round. Raises Refused if there is none."""
    round_ = tournament.open_round
    if round_ is None:
        raise Refused(Problem.ILLEGAL, "no round is being played")
    return round_


def _with_round(tournament: Tournament, last: TournamentRound) -> Tournament:
    return replace(tournament, rounds=(*tournament.rounds[:-1], last))


def scores(tournament: Tournament) -> Mapping[int, Sequence[GameScore]]:
    """Return what each entrant's games brought them, by number."""
    scheme = SCHEMES[tournament.scheme]
    found: dict[int, list[GameScore]] = {entrant.id: [] for entrant in tournament.entrants}
    for round_ in tournament.rounds:
        for table in round_.tables:
            if table.game is not None:
                seats = table.game.seats
                brought = points(scheme, table.game.side, seats)
                for player, each, seat in zip(table.seats, brought, seats, strict=True):
                    found[player].append(GameScore(each, seat))
    return found


def ranking(tournament: Tournament) -> list[Ranked[int]]:
    """Return the standings. Those who played less than half of the rounds come last."""
    return standings(scores(tournament), len(tournament.rounds) // 2)
