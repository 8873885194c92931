"""Stand-ins at the table: seats that it plays itself, for who left or to fill up."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from most_pips import MOST_PIPS
from people import claim_seat, join
from stand_ins import Die, dice_game, reading, twin
from strategies import Played, chances, games
from waiting import wait_until

from companion.base.refused import Refused
from companion.games.dice.minds.levels import MINDS
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import DICE, Face
from companion.games.dice.rules.moves import Action, Roll, Stop
from companion.games.dice.stand_ins import decide
from companion.games.game import Selection
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats, stand_ins
from companion.table.changes import Press, claim_of
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, NewsKind, Phase, SimulatedTray
from companion.table.stand_ins import LEVELS, StandIns
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Mark, Place, Status
from companion.table.table import Table
from companion.table.views import role_at


class StandInTable:
    """A table with its stand-ins' thread; the first person is the host. `throws`: it throws."""

    def __init__(self, folder: Path, *, throws: bool = True, people: int = 1) -> None:
        self.folder, self.throws = folder, throws
        self.chance = random.Random(4)
        self.dice: list[Die] = []
        self.open()
        self.tokens = [
            join(self.table, f"P{number}", self.table.scene.code) for number in range(people)
        ]

    def open(self) -> None:
        self.journal = Journal(self.folder)
        self.table = Table(self.journal, GAMES, dice_game(), chance=random.Random(5))
        tray = SimulatedTray(self.toss) if self.throws else None
        self.table.watch(CameraStatus("simulated" if tray else "test", tray=tray))
        self.worker = StandIns(self.table, pause=0)
        self.table.follow(lambda *_: self.worker.wake())
        self.worker.start()

    def close(self) -> None:
        self.worker.stop()
        self.journal.close()

    def reopen(self) -> None:
        self.close()
        self.open()

    def toss(self, kept: list[Place]) -> None:
        """Throw all dice but those at the places given; they come to rest 100 pixels apart."""
        lying, self.dice = self.dice, []
        for number in range(DICE):
            stays = lying and any(place.near(_place(lying[number])) for place in kept)
            self.dice.append(lying[number] if stays else self.cast(number))
        self.table.see(reading("moving"))
        self.table.see(reading("ok", self.dice))

    def cast(self, number: int) -> Die:
        x, y = 100.0 * number + self.chance.uniform(0, 50), self.chance.uniform(0, 300)
        return Die(self.chance.choice(tuple(Face)), x, y)

    @property
    def press(self) -> Press:
        view = self.table.view()
        host = next(person.id for person in view.people if person.host)
        return Press(host, view.version, view.reading)

    def fill(self, *levels: str) -> None:
        for level in levels:
            self.table.do(stand_ins.add, self.press, level)

    def begin(self) -> None:
        self.table.do(rounds.start_game, self.press)

    def play_own(self) -> bool:
        """Make one decision of the host, if it is theirs; return whether the game goes on."""
        scene = self.table.scene
        if scene.phase is not Phase.PLAYING:
            return False
        assert scene.history is not None
        if scene.history.standing.awaited != 0:
            return True
        state = scene.history.state
        move = random_move(state, self.chance)
        if isinstance(move, Roll):
            if state.rolls:
                move = Stop(0)
            else:
                rolling.throw_dice(self.table.scene, self.press)
                self.table.do(rolling.accept, self.press)
        if isinstance(move, Stop):
            if state.actions == (Action.ROLL, Action.STOP):
                self.table.do(rolling.stop, self.press)
        elif not isinstance(move, Roll):
            self.table.do(moves.move, self.press, move)
        return True


def _place(die: Die) -> Place:
    return Place(die.x, die.y, die.size)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[list[StandInTable]]:
    made: list[StandInTable] = []
    yield made
    for table in made:
        table.close()


def sat(tables: list[StandInTable], folder: Path, **options: object) -> StandInTable:
    tables.append(StandInTable(folder / str(len(tables)), **options))  # type: ignore[arg-type]
    return tables[-1]


def test_levels_are_those_of_the_minds() -> None:
    assert tuple(MINDS) == LEVELS


def test_one_person_plays_a_whole_game_against_stand_ins(
    tables: list[StandInTable], tmp_path: Path
) -> None:
    table = sat(tables, tmp_path)
    table.fill("strong", "sensible", "random")
    assert [person.stand_in for person in table.table.view().people] == [
        "", "strong", "sensible", "random",
    ]  # fmt: skip
    table.begin()
    wait_until(lambda: not table.play_own())
    history = table.table.scene.history
    assert history is not None
    assert history.standing.outcome is not None
    played = {moment.move.seat for moment in history.moments if moment.move is not None}
    assert len(played) > 1


def test_nobody_sees_the_role_of_a_stand_in(tables: list[StandInTable], tmp_path: Path) -> None:
    table = sat(tables, tmp_path, throws=False)
    table.fill("sensible", "sensible", "sensible")
    table.begin()
    host = table.press.person
    assert table.table.view(host).decides == (0,)
    assert table.table.view(host).passed_around == ()
    for seat in (1, 2, 3):
        with pytest.raises(Refused):
            role_at(table.table.scene, host, seat)


def test_people_throw_the_dice_that_a_stand_in_asks_for(
    tables: list[StandInTable], tmp_path: Path
) -> None:
    """And after a restart it asks for the same dice."""
    table = sat(tables, tmp_path, throws=False)
    table.fill("strong", "strong", "strong")
    while True:
        table.begin()
        history = table.table.scene.history
        assert history is not None
        if history.standing.turn and "sid_ketchum" not in [
            player.character.id for player in history.state.setup.players
        ]:
            break
        table.table.do(rounds.new_game, table.press)
    dice = [
        Die(face, 60.0 * n) for n, face in enumerate(("arrow", "arrow", "arrow", "beer", "beer"))
    ]
    table.table.see(reading("moving"))
    table.table.see(reading("ok", dice))
    assert table.table.view().wish == ()
    table.table.press_green()
    wait_until(lambda: table.table.view().wish)
    wish = table.table.view().wish
    assert set(wish) >= {0, 1, 2}
    table.reopen()
    wait_until(lambda: table.table.view().wish)
    assert table.table.view().wish == wish
    # Without a camera, these dice are entered and no others.
    table.table.watch(CameraStatus())
    wait_until(lambda: table.table.view().wish)
    for entered, die in enumerate(wish):
        shown = table.table.view().tray
        assert shown.status is (Status.INCOMPLETE if entered else Status.EMPTY)
        unknown = [n for n, one in enumerate(shown.dice) if one.face is None]
        assert unknown == list(wish[entered:])
        view = table.table.view()
        press = Press(table.press.person, view.version, view.reading)
        table.table.do(rolling.mark, press, die, Mark("gatling"))
    tray = table.table.view().tray
    assert tray.status is Status.READY
    assert [die.thrown for die in tray.dice] == [n in wish for n in range(5)]
    assert [person.stand_in for person in table.table.view().people] == ["", *["strong"] * 3]


def test_a_stand_in_plays_on_for_who_left_until_they_are_back(
    tables: list[StandInTable], tmp_path: Path
) -> None:
    table = sat(tables, tmp_path, people=4, throws=False)
    table.begin()
    people = table.table.view().people
    away = people[2].id
    with pytest.raises(Refused):
        table.table.do(stand_ins.assign, table.press, away, "strong")
    table.table.do(seats.leave, Press(away, table.press.version))
    assert table.table.view(people[0].id).passed_around == (2,)
    table.table.do(stand_ins.assign, table.press, away, "strong")
    assert table.table.view(people[0].id).passed_around == ()
    assert table.table.view().people[2].stand_in == "strong"
    assert table.table.view().news.latest[-1].kind is NewsKind.STAND_IN
    table.table.do(stand_ins.assign, table.press, away, "")
    assert table.table.view(people[0].id).passed_around == (2,)
    table.table.do(stand_ins.assign, table.press, away, "random")
    token = claim_seat(table.table, away, table.table.scene.code)
    claim = claim_of(table.table.scene, token)
    assert claim is not None
    table.table.do(seats.answer_claim, table.press, claim.number, yes=True)
    assert table.table.view().people[2].stand_in == ""
    assert table.table.scene.stand_ins.levels == {}


def test_a_stand_in_that_is_removed_leaves_nothing(
    tables: list[StandInTable], tmp_path: Path
) -> None:
    table = sat(tables, tmp_path)
    table.fill("strong")
    person = table.table.view().people[1]
    assert person.name == stand_ins.NAMES[0]
    table.table.do(seats.remove_person, table.press, person.id)
    assert table.table.scene.stand_ins.levels == {}


@pytest.mark.parametrize("option", [("roles", "cards"), ("characters", "choice")])
def test_stand_ins_cannot_hold_cards(
    tables: list[StandInTable], tmp_path: Path, option: tuple[str, str]
) -> None:
    table = sat(tables, tmp_path)
    table.fill("strong", "strong", "strong")
    table.table.do(rounds.choose, table.press, *option)
    with pytest.raises(Refused):
        table.begin()


def test_what_is_no_stand_in_is_refused(tables: list[StandInTable], tmp_path: Path) -> None:
    table = sat(tables, tmp_path)
    for level in ("", "genius"):
        with pytest.raises(Refused):
            table.fill(level)
    with pytest.raises(Refused):
        table.table.do(stand_ins.assign, table.press, table.press.person, "")
    other = Table(
        Journal(tmp_path / "other"),
        {MOST_PIPS.record_name: MOST_PIPS},
        Selection(MOST_PIPS, MOST_PIPS.rulesets["one-throw"]),
    )
    join(other, "P0", "")
    with pytest.raises(Refused):
        other.do(stand_ins.add, Press(1, other.view().version), "strong")
    other.journal.close()


@pytest.mark.tables
@given(games, chances)
def test_a_twin_table_decides_the_same(played: Played, chance: random.Random) -> None:
    """Roles that the seat can't know reach no page through its decisions."""
    number = chance.randrange(len(played.moves))
    seat, seed = played.moves[number].seat, chance.random()
    states, made = played.states[: number + 1], played.moves[:number]
    other = twin(states[-1], seat, chance).setup
    twins = [replace(state, setup=other) for state in states]
    for level in LEVELS:
        first, second = (decide(level, game, made, random.Random(seed)) for game in (states, twins))
        assert first == second
