"""Tournaments: points, draws, byes, standings, what counts, and their signed documents."""

import json
from dataclasses import replace
from random import Random

import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.base.refused import Refused
from companion.club.hall.documents import Revision, SharedTournament, decode, encode, key_from
from companion.club.hall.scoring import DOLLARS, WINS, GameScore, PlayedSeat, points, standings
from companion.club.hall.tournament import (
    DrawnTable,
    KnownTable,
    TableGame,
    Tournament,
    add_players,
    close_round,
    count_games,
    create,
    draw_round,
    enter_result,
    meetings,
    ranking,
    rename_player,
    set_active,
    swap_players,
    table_count,
)
from companion.club.publishing.reading import NewerMessageError, UnreadableMessageError
from companion.games.common.roles import ROLES, Role

KEY = key_from("buffalo", "club")
S, D, O, R = Role  # noqa: E741 (the letters of roles, as everywhere in the tests)


def seats(*ends: str) -> list[PlayedSeat]:
    """Players by role letter; capital: won, followed by `x`: eliminated, by `xx`: as the last."""
    roles = dict(zip("sdor", Role, strict=True))
    return [
        PlayedSeat(
            str(n), roles[end[0].lower()], end[0].isupper(), "x" not in end, end.endswith("xx")
        )
        for n, end in enumerate(ends)
    ]


def cup(players: int, least: int = 4, most: int = 8, scheme: str = "dollars") -> Tournament:
    return add_players(create("Cup", scheme, least, most), [f"P{n}" for n in range(1, players + 1)])


def places(count: int) -> list[KnownTable]:
    return [KnownTable(f"Table {n}", f"id{n}", 10) for n in range(1, count + 1)]


def game(table, names, number=11, side="law", table_id=None) -> TableGame:
    """A game in which the law won and only the Sheriff survived."""
    dealt = zip(names, ROLES[len(names)], strict=True)
    ends = [PlayedSeat(name, role, role in (S, D), role is S) for name, role in dealt]
    return TableGame(table_id or table.table_id, table.table, number, side, tuple(ends))


def played(found: Tournament) -> Tournament:
    """The open round after a game at each of its tables."""
    names = found.names
    games = [game(table, [names[p] for p in table.seats]) for table in found.open_round.tables]
    return close_round(count_games(found, games))


# Points


@pytest.mark.parametrize("case", cases("club/hall.txt", "What a game is worth in dollars"))
def test_dollars_are_paid_by_side_and_survival(case):
    game, worth, *_ = case
    side, _, ends = game.partition(": ")
    assert points(DOLLARS, side, seats(*ends.split())) == tuple(map(int, worth.split()))


def test_the_simple_scheme_counts_wins_and_survival():
    assert points(WINS, "law", seats("S", "Dx", "ox", "r")) == (4, 3, 0, 1)


def test_a_role_that_nobody_knows_is_worth_nothing_in_dollars():
    strange = [PlayedSeat("Ann", "mayor", True, True), *seats("sx")]
    assert points(DOLLARS, "town", strange) == (0, 0)


def test_standings_rank_by_average_then_victories_by_role_then_survival():
    def won(role, worth, alive=True):
        return GameScore(worth, PlayedSeat("", role, True, alive))

    lost = GameScore(0, PlayedSeat("", O, False, False))
    lines = standings(
        {
            1: [won(O, 1000), lost],
            2: [won(S, 1000), lost],
            3: [won(R, 1000), lost],
            4: [won(O, 1000, alive=False), lost],
            5: [won(O, 600)],
            6: [won(O, 1000), lost],
        }
    )
    assert [(line.place, line.key, line.average) for line in lines] == [
        (1, 5, 600), (2, 2, 500), (3, 3, 500), (4, 1, 500), (4, 6, 500), (6, 4, 500),
    ]  # fmt: skip


def test_who_played_too_few_games_comes_last():
    win = GameScore(5000, PlayedSeat("", S, True, True))
    loss = GameScore(0, PlayedSeat("", S, False, False))
    lines = standings({1: [win], 2: [win, loss]}, least=2)
    assert [(line.key, line.counts) for line in lines] == [(2, True), (1, False)]


def test_an_average_is_rounded_half_up():
    halves = [GameScore(3, seats("s")[0]), GameScore(2, seats("s")[0])]
    assert standings({1: halves, 2: []})[0].average == 3


# Draws


def anything(table) -> TableGame:
    """A game that every second player won."""
    ends = tuple(PlayedSeat("", S, player % 2 == 0, True) for player in table.seats)
    return TableGame("", table.table, 0, "law", ends)


@given(
    players=st.integers(3, 60),
    tables=st.integers(1, 12),
    sizes=st.tuples(st.integers(3, 8), st.integers(3, 8)).map(sorted),
    rounds=st.integers(1, 4),
    seed=st.integers(0, 99),
    ranked=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_every_round_seats_everybody_once_or_gives_a_bye(
    players, tables, sizes, rounds, seed, ranked
):
    least, most = sizes
    found, chance = cup(players, least, most), Random(seed)
    if not table_count(players, tables, least, most):
        with pytest.raises(Refused):
            draw_round(found, places(tables), chance)
        return
    for _ in range(rounds):
        found = draw_round(found, places(tables), chance, ranked=ranked)
        round_ = found.open_round
        seated = [player for table in round_.tables for player in table.seats]
        assert sorted([*seated, *round_.byes]) == list(range(1, players + 1))
        sizes_now = [len(table.seats) for table in round_.tables]
        assert least <= min(sizes_now) <= max(sizes_now) <= most
        assert max(sizes_now) - min(sizes_now) <= 1
        # Nobody sits out who could play.
        assert len(round_.byes) == max(0, players - min(tables, players // least) * most)
        finished = tuple(table._replace(game=anything(table)) for table in round_.tables)
        last = round_._replace(tables=finished)
        found = close_round(replace(found, rounds=(*found.rounds[:-1], last)))
    byes = [sum(p in round_.byes for round_ in found.rounds) for p in range(1, players + 1)]
    assert max(byes) - min(byes) <= 1


def test_the_same_chance_draws_the_same():
    one, two = (draw_round(cup(17), places(3), Random(5)) for _ in range(2))
    assert one == two
    assert draw_round(cup(17), places(3), Random(6)) != one


def test_people_who_met_sit_apart_where_that_is_possible():
    # Sixteen players at four tables of four can meet nobody twice in two rounds.
    found = draw_round(cup(16, 4, 4), places(4), Random(1))
    found = draw_round(played(found), places(4), Random(2))
    assert max(meetings(found).values()) == 1


def test_a_final_seats_the_first_of_the_standings_together():
    found = played(draw_round(cup(8, 4, 4), places(2), Random(3)))
    best = {line.key for line in ranking(found)[:4]}
    found = draw_round(found, places(2), Random(4), ranked=True)
    assert set(found.open_round.tables[0].seats) == best


def test_tables_are_as_near_to_five_as_they_can_be():
    assert table_count(10, 9, 4, 8) == 2
    assert table_count(10, 1, 4, 8) == 1
    assert table_count(8, 9, 4, 8) in (1, 2)
    assert table_count(3, 9, 4, 8) == 0
    assert table_count(23, 9, 4, 8) in (4, 5)


def test_who_sits_out_is_not_drawn_until_they_are_back():
    found = set_active(cup(5), 2, False)
    found = played(draw_round(found, places(1), Random(1)))
    assert 2 not in found.rounds[0].tables[0].seats
    assert found.rounds[0].byes == ()
    found = draw_round(set_active(found, 2, True), places(1), Random(1))
    assert 2 in found.open_round.tables[0].seats


def test_places_can_be_exchanged_until_a_game_is_over():
    found = draw_round(cup(9, 4, 4), places(2), Random(1))
    (one, *_), (two, *_) = (table.seats for table in found.open_round.tables)
    (bye,) = found.open_round.byes
    found = swap_players(found, one, two)
    assert found.open_round.tables[0].seats[0] == two
    found = swap_players(found, two, bye)
    assert found.open_round.byes == (two,)
    table = found.open_round.tables[0]
    found = count_games(found, [game(table, [found.names[p] for p in table.seats])])
    with pytest.raises(Refused, match="Table 1 has finished its game"):
        swap_players(found, bye, two)
    with pytest.raises(Refused, match="choose two players"):
        swap_players(found, one, one)


# What counts


@pytest.fixture
def open_round() -> Tournament:
    return draw_round(cup(4), places(1), Random(1))


@pytest.fixture
def table(open_round: Tournament) -> DrawnTable:
    return open_round.open_round.tables[0]


@pytest.fixture
def names(open_round: Tournament, table: DrawnTable) -> list[str]:
    return [open_round.names[player] for player in table.seats]


def counts(found: Tournament, *games: TableGame) -> TableGame | None:
    return count_games(found, games).open_round.tables[0].game


def test_a_game_of_the_drawn_players_at_their_table_counts(open_round, table, names):
    found = game(table, [name.upper() for name in reversed(names)])
    counted_game = counts(open_round, found)
    # In the order of the draw, so that a player who is renamed later keeps their points.
    assert [seat.name for seat in counted_game.seats] == [name.upper() for name in names]
    renamed = rename_player(count_games(open_round, [found]), table.seats[0], "Zoe")
    assert ranking(renamed)[0].games == 1


def test_other_games_do_not_count(open_round, table, names):
    for other in (
        game(table, names, number=10),
        game(table, [*names[:-1], "Zoe"]),
        game(table, [*names, "Zoe"]),
        game(table, [names[0], *names[:-1]]),
        game(table._replace(table="Table 2"), names),
    ):
        assert counts(open_round, other) is None, other


def test_the_first_game_after_the_draw_counts(open_round, table, names):
    games = [game(table, names, number=number) for number in (13, 12, 9)]
    assert counts(open_round, *games).number == 12
    # Another table took over the name, and counts its games from 1.
    assert counts(open_round, game(table, names, number=1, table_id="new")).number == 1


def test_what_the_organiser_enters_comes_before_what_a_table_tells(open_round, table, names):
    told = game(table, names)
    ended = [("sheriff", False, False, False), ("outlaw", True, True, False),
             ("outlaw", True, False, False), ("renegade", False, False, False)]  # fmt: skip
    ends = dict(zip(table.seats, ended, strict=True))
    found = enter_result(open_round, "Table 1", "outlaws", ends)
    assert counts(found, told).side == "outlaws"
    found = enter_result(found, "Table 1", "", {})
    assert counts(found, told).side == "law"
    with pytest.raises(Refused, match="a line for each player"):
        enter_result(open_round, "Table 1", "law", {table.seats[0]: ("sheriff", True, True)})


def test_a_round_closes_once_all_its_tables_have_results(open_round):
    with pytest.raises(Refused, match="Table 1 has no result yet"):
        close_round(open_round)
    found = played(open_round)
    (table,) = found.rounds[0].tables
    # A result that is taken back after that changes nothing.
    assert count_games(found, []) == found
    with pytest.raises(Refused, match="no round is being played"):
        close_round(found)
    assert ranking(found)[0].total == 3000
    assert table.game is not None


def test_a_bye_is_no_game():
    found = played(draw_round(cup(5, 4, 4), places(1), Random(1)))
    (bye,) = found.rounds[0].byes
    line = next(line for line in ranking(found) if line.key == bye)
    assert (line.games, line.average) == (0, 0)


# Entering


def test_names_are_entered_once_in_any_spelling():
    found = cup(2)
    with pytest.raises(Refused, match="the name p1 is taken"):
        add_players(found, ["Zoe", "p1"])
    with pytest.raises(Refused, match="the name zoe is taken"):
        add_players(found, ["Zoe", "zoe"])
    with pytest.raises(Refused):
        add_players(found, [" "])
    assert [entrant.name for entrant in add_players(found, ["  Zoe  B "]).entrants][-1] == "Zoe B"


@pytest.mark.parametrize(
    ("name", "scheme", "least", "most"),
    [("", "wins", 4, 8), ("Cup", "luck", 4, 8), ("Cup", "wins", 5, 4), ("Cup", "wins", 2, 9),
     ("C" * 61, "wins", 4, 8), ("C\x00", "wins", 4, 8)],
)  # fmt: skip
def test_a_tournament_that_can_not_be_is_not_founded(name, scheme, least, most):
    with pytest.raises(Refused):
        create(name, scheme, least, most)


def test_a_draw_that_can_not_be_is_refused():
    with pytest.raises(Refused, match="at least 4 players"):
        draw_round(cup(3), places(1), Random(1))
    with pytest.raises(Refused, match="at least 4 players"):
        draw_round(cup(9), [], Random(1))
    with pytest.raises(Refused, match="named twice"):
        draw_round(cup(9), [*places(1), *places(1)], Random(1))
    with pytest.raises(Refused, match="finish this round"):
        draw_round(draw_round(cup(9), places(1), Random(1)), places(1), Random(1))


# Documents


@given(st.integers(4, 30), st.integers(0, 3), st.booleans(), st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_a_document_holds_the_whole_tournament(players, rounds, open_at_the_end, seed):
    found = cup(players)
    for _ in range(rounds):
        found = played(draw_round(found, places(9), Random(seed)))
    if open_at_the_end:
        found = draw_round(found, places(9), Random(seed))
    shared = SharedTournament(Revision(7, "hall"), found)
    assert decode(encode(shared, KEY), KEY) == shared
    assert decode(encode(shared, KEY), None) == shared


def test_a_removed_tournament_is_a_document_too():
    shared = SharedTournament(Revision(8, "hall"), None)
    assert decode(encode(shared, KEY), KEY) == shared


def changed(change) -> bytes:
    found = draw_round(cup(9, 4, 4), places(2), Random(1))
    content = json.loads(encode(SharedTournament(Revision(3, "h"), found), KEY))
    change(content)
    return json.dumps(content).encode()


REFUSED = [
    (lambda c: c.update(revision=4), "another password"),
    (lambda c: c["tournament"]["entrants"][0].update(name="Eve"), "another password"),
    (lambda c: c.update(signature="é"), "another password"),
    (lambda c: c.update(schema=True), "schema"),
    (lambda c: c.update(more=1), "more"),
    (lambda c: c.pop("hall"), "hall"),
    (lambda c: c["tournament"].update(least=1), "least"),
]
CONTRADICTIONS = [
    lambda c: c["tournament"]["rounds"][0]["byes"].append(99),
    lambda c: c["tournament"]["rounds"][0]["tables"][0]["seats"].append(
        c["tournament"]["rounds"][0]["byes"][0]
    ),
    lambda c: c["tournament"]["entrants"].pop(0),
    lambda c: c["tournament"]["rounds"].append(c["tournament"]["rounds"][0]),
]
NO_DOCUMENTS = (b"", b"[]", b"null", b"\xff", b"[" * 9999, b"1e999", b"{}")


def test_what_is_no_document_of_this_hall_is_refused():
    for change, why in REFUSED:
        with pytest.raises(UnreadableMessageError, match=why):
            decode(changed(change), KEY)
    # Without a password, too.
    for payload in (*map(changed, CONTRADICTIONS), *NO_DOCUMENTS):
        with pytest.raises(UnreadableMessageError):
            decode(payload, None)
    with pytest.raises(NewerMessageError, match="schema 2"):
        decode(changed(lambda c: c.update(schema=2)), KEY)


def test_another_password_or_club_makes_another_key():
    assert len({KEY, key_from("buffalo", "other"), key_from("bison", "club")}) == 3
