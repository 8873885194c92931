"""Whatever is pressed, seen, killed or damaged in any order: what is saved is what is shown."""

import random
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.table import moves, rolling, rounds, seats
from companion.table.changes import Press
from companion.table.journal import BACKUP, FILE, Journal
from companion.table.refused import Refused
from companion.table.scene import CameraStatus, Phase
from companion.table.table import Table
from companion.table.tray.state import Mark
from tests.attacks.flips import content
from tests.support.endless_game import play
from tests.support.stand_ins import Die, dice_game, reading

STEPS = 150
FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")


class Evening:
    """A table to which anything may happen."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)
        self.camera = self.chance.random() < 0.5
        self.open()
        self.tokens = [self.table.join(f"P{n}", self.table.code) for n in range(4)]
        self.damaged = False

    def open(self) -> None:
        self.journal = Journal(self.folder)
        self.table = Table(self.journal, GAMES, dice_game(), chance=self.chance)
        if self.camera:
            self.table.use_camera(CameraStatus("film"))

    @property
    def press(self) -> Press:
        """What a page of somebody at the table would send now."""
        view = self.table.view()
        person = self.chance.choice(view.people).id if view.people else None
        return Press(person, view.version, view.reading)

    def step(self) -> None:
        """Let something happen."""
        with suppress(Refused):
            self.chance.choice(STEPS_BY_NAME)(self)

    def game(self) -> None:
        """Begin a game, or play on as the table's buttons and phones do."""
        host = next(person.id for person in self.table.view().people if person.host)
        press = self.press._replace(person=host)
        match self.table.view().phase:
            case Phase.LOBBY:
                self.table.start_game(press)
            case Phase.OVER:
                self.table.play_again(press)
            case Phase.PLAYING:
                play(self.table, host, self.chance)

    def see(self) -> None:
        """Let the camera say something of the dice."""
        if not self.camera:
            return
        dice = [Die(self.chance.choice(FACES), 100.0 * n, 200.0) for n in range(5)]
        self.table.see(self.chance.choice([reading("moving"), reading("ok", dice)]))

    def say(self) -> None:
        """Say something of the dice, whoever may."""
        die, face = self.chance.randrange(5), self.chance.choice(FACES)
        said = self.chance.choice([Mark(face), Mark(thrown=True), Mark(face, thrown=False)])
        match self.chance.randrange(4):
            case 0:
                self.table.do(rolling.enter_by_hand, self.press)
            case 1:
                self.table.do(rolling.leave_out, self.press, die)
            case _:
                self.table.do(rolling.mark, self.press, die, said)

    def take_back(self) -> None:
        """Undo a move, or leave the game."""
        change = rounds.new_game if self.chance.random() < 0.05 else moves.undo
        self.table.do(change, self.press)

    def guess(self) -> None:
        """Guess who wins."""
        self.table.do(moves.guess, self.press, self.chance.choice(["law", "outlaws", "renegade"]))

    def ask(self) -> None:
        """Ask for a seat or the host's part, or answer."""
        match self.chance.randrange(4):
            case 0:
                self.table.claim_seat(self.chance.randrange(1, 5), self.table.code)
            case 1:
                self.table.do(seats.bid, self.press)
            case 2:
                self.table.do(seats.vote, self.press, self.chance.randrange(1, 5), yes=False)
            case 3:
                for claim in self.table.scene.claims:
                    self.table.do(seats.answer_claim, self.press, claim.number, yes=False)

    def restart(self) -> None:
        """Kill the table and start it again, now and then with a bit turned while it was off."""
        before = self.table.view().version
        copy = self.folder.with_name(f"{self.folder.name}-next")
        shutil.copytree(self.folder, copy)
        self.journal.close()
        shutil.rmtree(self.folder)
        copy.rename(self.folder)
        self.damaged = self.chance.random() < 0.3
        if self.damaged:
            path = self.folder / self.chance.choice([FILE, BACKUP])
            spoilt = bytearray(path.read_bytes().rstrip(b"\0"))
            spoilt[self.chance.randrange(len(spoilt))] ^= 1 << self.chance.randrange(8)
            path.write_bytes(spoilt)
        self.open()
        assert self.table.view().version > before


STEPS_BY_NAME: tuple[Callable[[Evening], None], ...] = (
    *(Evening.game,) * 6,
    *(Evening.see, Evening.say) * 3,
    *(Evening.take_back, Evening.guess, Evening.ask, Evening.restart),
)


@pytest.mark.parametrize("seed", range(6))
def test_after_each_step_what_is_saved_is_what_is_shown(tmp_path, seed):
    evening = Evening(tmp_path / "table", seed)
    version, restarts = 0, 0
    for number in range(STEPS):
        before, table = content(evening.table), evening.table
        evening.step()
        if evening.table is not table:
            restarts += 1
            assert content(evening.table) == before, "a start changes nothing that counts"
        assert evening.table.view().version >= version
        version = evening.table.view().version
        assert [evening.table.person(token) for token in evening.tokens] == [1, 2, 3, 4]
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(evening.folder, copy)
        with closing(Journal(copy)) as journal:
            assert content(Table(journal, GAMES, dice_game())) == content(evening.table), number
        shutil.rmtree(copy)
    assert restarts
    assert evening.table.scene.last_game
    evening.journal.close()
