"""Stand-ins at the table: seats that it plays itself, for who left or to fill up."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dealt_table import Attended
from evening import dice
from most_pips import MOST_PIPS
from people import join
from stand_ins import Die
from waiting import wait_until

from companion.base.refused import Refused
from companion.games.dice.minds.levels import MINDS
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import DICE, Face
from companion.games.dice.rules.moves import Roll, Stop
from companion.games.game import Selection
from companion.table import moves, rounds, seats, stand_ins
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, NewsKind, Phase, SimulatedTray
from companion.table.stand_ins import LEVELS
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Place, TrayStatus
from companion.table.table import Table
from companion.table.views import role_at


class StandInTable(Attended):
    """A table with its stand-ins' thread; `throws`: it throws the dice."""

    def __init__(self, folder: Path, *, throws: bool = True, people: int = 1) -> None:
        self.throws, self.chance = throws, random.Random(4)
        self.dice: list[Die] = []
        super().__init__(folder, people, chance=random.Random(5))

    def open(self) -> None:
        tray = SimulatedTray(self.toss) if self.throws else None
        self.camera = CameraStatus("simulated" if tray else "test", tray=tray)
        super().open()
        self.worker.start()

    def toss(self, kept: list[Place]) -> None:
        """Throw all dice but those at the places given; they come to rest 100 pixels apart."""
        lying, self.dice = self.dice, []
        for number in range(DICE):
            stays = lying and any(place.near(_place(lying[number])) for place in kept)
            self.dice.append(lying[number] if stays else self.cast(number))
        self.see("moving")
        self.see("ok", *self.dice)

    def cast(self, number: int) -> Die:
        x, y = 100.0 * number + self.chance.uniform(0, 50), self.chance.uniform(0, 300)
        return Die(self.chance.choice(tuple(Face)), x, y)

    def fill(self, *levels: str) -> None:
        for level in levels:
            self.do(stand_ins.add, level)

    def play_own(self) -> bool:
        """Decide for the host, who throws once a turn; return whether the game goes on."""
        if self.view.phase is not Phase.PLAYING:
            return False
        if self.history.standing.awaited == 0:
            move = random_move(self.state, self.chance)
            if not isinstance(move, Roll | Stop):
                self.do(moves.move, move)
            elif self.state.rolls:
                self.do(rolling.stop)
            else:
                rolling.throw_dice(self.table.scene, self.press())
                self.do(rolling.accept)
        return True


def _place(die: Die) -> Place:
    return Place(die.x, die.y, die.size)


@pytest.fixture
def sat(tmp_path: Path) -> Iterator[Callable[..., StandInTable]]:
    made: list[StandInTable] = []

    def sit(**options: Any) -> StandInTable:
        made.append(StandInTable(tmp_path / str(len(made)), **options))
        return made[-1]

    yield sit
    for table in made:
        table.close()


def test_levels_are_those_of_the_minds():
    assert tuple(MINDS) == LEVELS


def test_one_person_plays_a_whole_game_against_stand_ins(sat):
    table = sat()
    table.fill("strong", "sensible", "random")
    levels = [person.stand_in for person in table.view.people]
    assert levels == ["", "strong", "sensible", "random"]
    table.start()
    wait_until(lambda: not table.play_own())
    history = table.table.scene.history
    assert history.standing.outcome is not None
    played = {moment.move.seat for moment in history.moments if moment.move is not None}
    assert len(played) > 1


def test_nobody_sees_the_role_of_a_stand_in(sat):
    table = sat(throws=False)
    table.fill("sensible", "sensible", "sensible")
    table.start()
    host = table.host
    assert table.table.view(host).decides == (0,)
    assert table.table.view(host).passed_around == ()
    for seat in (1, 2, 3):
        with pytest.raises(Refused):
            role_at(table.table.scene, host, seat)


def test_people_throw_the_dice_that_a_stand_in_asks_for(sat):
    """And after a restart it asks for the same dice."""
    table = sat(throws=False)
    table.fill("strong", "strong", "strong")
    while True:
        table.start()
        history = table.table.scene.history
        players = history.state.setup.players
        if history.standing.turn and "sid_ketchum" not in [each.character.id for each in players]:
            break
        table.do(rounds.new_game)
    table.see("moving")
    table.see("ok", *dice("arrow", "arrow", "arrow", "beer", "beer"))
    assert table.view.wish == ()
    table.table.press_green()
    wait_until(lambda: table.view.wish)
    wish = table.view.wish
    assert set(wish) >= {0, 1, 2}
    table.reopen()
    wait_until(lambda: table.view.wish)
    assert table.view.wish == wish
    # Without a camera, these dice are entered and no others.
    table.table.watch(CameraStatus())
    wait_until(lambda: table.view.wish)
    for entered, die in enumerate(wish):
        shown = table.view.tray
        assert shown.status is (TrayStatus.INCOMPLETE if entered else TrayStatus.EMPTY)
        unknown = [n for n, one in enumerate(shown.dice) if one.face is None]
        assert unknown == list(wish[entered:])
        table.correct(die, "gatling")
    tray = table.view.tray
    assert tray.status is TrayStatus.READY
    assert [die.thrown for die in tray.dice] == [n in wish for n in range(5)]
    assert [person.stand_in for person in table.view.people] == ["", *["strong"] * 3]


def test_a_stand_in_plays_on_for_who_left_until_they_are_back(sat):
    table = sat(people=4, throws=False)
    table.start()
    people = table.view.people
    away = people[2].id
    with pytest.raises(Refused):
        table.do(stand_ins.assign, away, "strong")
    table.do(seats.leave, by=away)
    assert table.table.view(people[0].id).passed_around == (2,)
    table.do(stand_ins.assign, away, "strong")
    assert table.table.view(people[0].id).passed_around == ()
    assert table.view.people[2].stand_in == "strong"
    assert table.view.news.latest[-1].kind is NewsKind.STAND_IN
    table.do(stand_ins.assign, away, "")
    assert table.table.view(people[0].id).passed_around == (2,)
    table.do(stand_ins.assign, away, "random")
    _, number = table.claim(away)
    table.do(seats.answer_claim, number, yes=True)
    assert table.view.people[2].stand_in == ""
    assert table.table.scene.stand_ins.levels == {}


def test_a_stand_in_that_is_removed_leaves_nothing(sat):
    table = sat()
    table.fill("strong")
    person = table.view.people[1]
    assert person.name == stand_ins.NAMES[0]
    table.do(seats.remove_person, person.id)
    assert table.table.scene.stand_ins.levels == {}


@pytest.mark.parametrize("option", [("roles", "cards"), ("characters", "choice")])
def test_stand_ins_cannot_hold_cards(sat, option):
    table = sat()
    table.fill("strong", "strong", "strong")
    table.do(rounds.choose, *option)
    with pytest.raises(Refused):
        table.start()


def test_what_is_no_stand_in_is_refused(sat, tmp_path):
    table = sat()
    for level in ("", "genius"):
        with pytest.raises(Refused):
            table.fill(level)
    with pytest.raises(Refused):
        table.do(stand_ins.assign, table.host, "")
    pips = Selection(MOST_PIPS, MOST_PIPS.rulesets["one-throw"])
    other = Table(Journal(tmp_path / "other"), {MOST_PIPS.record_name: MOST_PIPS}, pips)
    join(other, "P0", "")
    with pytest.raises(Refused):
        other.do(stand_ins.add, Press(1, other.view().version), "strong")
