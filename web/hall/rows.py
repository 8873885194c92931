"""The hall's tables for other programs, a row each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.club.hall.scoring import SCHEMES, points
from companion.club.hall.store import KeptResult
from companion.club.hall.tournament import Tournament, ranking

Rows = Iterable[Mapping[str, object]]
"""Rows with the same columns."""


def standings(tournament: Tournament) -> Iterator[Mapping[str, object]]:
    """Yield a row for each player, the first place first."""
    names = tournament.names
    for line in ranking(tournament):
        yield {
            "place": line.place,
            "player": names[line.key],
            "average": line.average,
            "points": line.total,
            "games": line.games,
            "wins": line.wins,
            "survived": line.survived,
            "ranked": int(line.counts),
            "byes": sum(line.key in round_.byes for round_ in tournament.rounds),
        }


def rounds(tournament: Tournament) -> Iterator[Mapping[str, object]]:
    """Yield a row for each player of each round; without a table for a bye."""
    names, scheme = tournament.names, SCHEMES[tournament.scheme]
    for number, round_ in enumerate(tournament.rounds, start=1):
        for table in round_.tables:
            game = table.game
            brought: Sequence[object] = (
                points(scheme, game.side, game.seats) if game else [""] * len(table.seats)
            )
            for seat, player in enumerate(table.seats):
                end = game.seats[seat] if game else None
                yield _NOTHING | {
                    "round": number,
                    "table": table.table,
                    "seat": seat + 1,
                    "player": names[player],
                    "role": end.role if end else "",
                    "won": int(end.won) if end else "",
                    "alive": int(end.alive) if end else "",
                    "points": brought[seat],
                    "by_hand": int(not game.number) if game else "",
                }
        for player in round_.byes:
            yield _NOTHING | {"round": number, "player": names[player]}


_NOTHING: dict[str, object] = dict.fromkeys(
    ("round", "table", "seat", "player", "role", "won", "alive", "points", "by_hand"), ""
)
"""The columns of rounds, in their order."""


def results(found: Iterable[KeptResult]) -> Iterator[Mapping[str, object]]:
    """Yield a row for each player of each game, the newest game first."""
    for result in found:
        game = result.game
        for seat, end in enumerate(game.seats):
            yield {
                "time": result.at,
                "table": game.table,
                "game": game.number,
                "kind": result.kind,
                "ruleset": result.ruleset,
                "side": game.side,
                "seat": seat + 1,
                "player": end.name,
                "stand_in": int(end.name in result.stand_ins),
                "role": end.role,
                "won": int(end.won),
                "alive": int(end.alive),
            }
