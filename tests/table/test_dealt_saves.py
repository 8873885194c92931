"""What a kill, or damage to the saved table, leaves of dealt hands: all, or an earlier moment."""

import os
import random
import shutil
import subprocess
import sys
import time
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
from dealt_table import DealtTable
from endless_hands import Found, presses
from places import ROOT, TESTS

from companion.games.cards.dealt.state import DECK
from companion.games.cards.dealt_game import DEALT_GAME
from companion.table.history import History, restore_sound
from companion.table.journal.journal import BACKUP, FILE

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, TESTS / "support")))}

KNOWN = {DEALT_GAME.record_name: DEALT_GAME.opaque}


class Killed(NamedTuple):
    """A folder as a kill leaves it in mid-game, and what was there after each press."""

    folder: Path
    was: list[Found]

    def opened(self, copy: Path, content: bytes, copied: bool) -> tuple[Found, bool]:
        """Start on a copy with other content; return what is there, and whether trouble is told.

        copied: whether the second file is whole; else it is as damaged as the first.
        """
        shutil.copytree(self.folder, copy)
        for name in (FILE,) if copied else (FILE, BACKUP):
            (copy / name).write_bytes(content)
        with closing(DealtTable(copy)) as dealt:
            return Found.at(dealt), bool(dealt.table.view().troubles)

    @property
    def content(self) -> bytes:
        return (self.folder / FILE).read_bytes().rstrip(b"\0")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    folder = tmp_path_factory.mktemp("dealt")
    with closing(DealtTable(folder / "played")) as dealt:
        was = [Found.at(dealt)]
        dealt.table.follow(lambda *_: was.append(Found.at(dealt)))
        list(islice(presses(dealt), 60))
        assert dealt.state.decider is not None
        assert any(found.early for found in was)
        shutil.copytree(folder / "played", folder / "killed")
    return Killed(folder / "killed", was)


@pytest.mark.slow
@pytest.mark.processes
def test_a_killed_table_stands_after_its_last_answered_press(tmp_path: Path) -> None:
    with closing(DealtTable(tmp_path / "calm")) as calm:
        expected = list(islice(presses(calm), 3000))
    chance = random.Random(1)
    for number in range(4):
        folder = tmp_path / str(number)
        command = [sys.executable, TESTS / "support/endless_hands.py", folder]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        assert child.stdout is not None
        first = [child.stdout.readline() for _ in range(chance.randint(1, 40))]
        time.sleep(chance.uniform(0, 0.3))
        child.kill()
        # The last line may be cut off by the kill.
        told = ("".join(first) + child.communicate()[0]).count("\n")
        with closing(DealtTable(folder)) as dealt:
            # One press more may be saved that was not told any more.
            assert Found.at(dealt) in expected[told - 1 : told + 1]


def test_killed_while_it_saves_a_table_finds_hands_and_deck_as_they_were(
    killed: Killed, tmp_path: Path
) -> None:
    chance, whole = random.Random(3), killed.content
    for number in range(40):
        cut = chance.randrange(len(whole) // 2, len(whole))
        found, _ = killed.opened(tmp_path / str(number), whole[:cut], copied=False)
        assert found in killed.was


@pytest.mark.parametrize("copied", [True, False])
def test_a_damaged_line_loses_no_card_without_a_word(
    killed: Killed, tmp_path: Path, copied: bool
) -> None:
    chance = random.Random(4)
    for number in range(40):
        content = bytearray(killed.content)
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        found, told = killed.opened(tmp_path / str(number), bytes(content), copied)
        assert found in killed.was
        assert told or found == killed.was[-1]
        assert not copied or found == killed.was[-1]


def test_a_line_that_fits_no_hand_ends_what_is_read_of_a_game(tmp_path: Path) -> None:
    with closing(DealtTable(tmp_path)) as dealt:
        dealt.begin()
        dealt.make(40)
        lines = dealt.history.lines
        for number, line in enumerate(lines[1:], 1):
            before, _ = restore_sound(1, lines[:number], KNOWN)
            assert before is not None
            for text in spoilt(before, line.body):
                wrong = line._replace(body=text)
                history, sound = restore_sound(1, (*lines[:number], wrong), KNOWN)
                assert sound == number, text
                assert history == before


def spoilt(before: History, text: str) -> list[str]:
    """What no player could do then, as a line, and what is no line at all."""
    state = before.state
    held = [card for hand in state.hands for card in hand]  # type: ignore[attr-defined]
    missing = next(card for card in DECK if card not in held)
    named = f'["{missing.title} {missing.sign}"]'
    return [
        text[:-1],
        text.replace('"seat": ', '"seat": 9').replace('"seat":', '"seat":9'),
        f'{{"action":"end_turn","seat":0,"cards":{named}}}',
        f'{{"action":"trade","seat":0,"cards":{named * 2}}}',
        '{"action":"choose","seat":0,"card":"bang 1X"}',
        '{"action":"flip","seat":0,"signs":["2H"]}',
    ]
