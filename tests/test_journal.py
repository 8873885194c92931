"""The saved table: killed at any moment it holds every press that was answered, and no half one."""

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from stand_ins import dice_game

from companion.dicegame.record import replay
from companion.games import GAMES
from companion.table.journal import FILE, Journal, JournalError, Kind, Line, Person
from companion.table.table import Table

ENDLESS = Path(__file__).with_name("support") / "endless_game.py"
KILLS = 8


def test_killed_again_and_again_no_answered_press_is_lost(tmp_path):
    chance = random.Random(3)
    answered = 0
    for kill in range(KILLS):
        player = subprocess.Popen(
            [sys.executable, ENDLESS, tmp_path, str(kill)], stdout=subprocess.PIPE, text=True
        )
        first = int(player.stdout.readline())
        versions = [int(player.stdout.readline()) for _ in range(chance.randrange(40))]
        # Somewhere within a later press.
        time.sleep(chance.uniform(0, 0.02))
        player.kill()
        versions += [int(line) for line in player.communicate()[0].split("\n")[:-1]]
        with closing(Journal(tmp_path)) as journal:
            table = Table(journal, GAMES, dice_game())
            view = table.view()
            last = versions[-1] if versions else first
            # The press on its way may or may not have been saved; every one before it was.
            assert view.version in (last, last + 1)
            assert first > answered
            answered = view.version
            if view.game:
                record = table.scene.history.record.encode()
                states = list(replay(record.splitlines()))
                assert states[-1] == table.scene.history.state
        base = sqlite3.connect(tmp_path / FILE)
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        base.close()
    assert answered > 10 * KILLS


def test_what_is_saved_is_loaded(tmp_path):
    people = (Person(2, "Bob", None, False), Person(1, "Ann", "0" * 64, True))
    lines = (Line(Kind.HEADER, "{}"), Line(Kind.MOVE, "[1]", "[null]"), Line(Kind.UNDO, "1"))
    at = "2026-11-22T19:30:00Z"
    with closing(Journal(tmp_path, now=lambda: at)) as journal:
        assert journal.load().people == ()
        journal.save(7, code="ABCD", game=3, people=people, lines=lines)
        journal.save(8, code="ABCD", game=3)
        assert journal.next_game() == 4
    with closing(Journal(tmp_path)) as journal:
        saved = journal.load()
    assert (saved.version, saved.code, saved.game) == (8, "ABCD", 3)
    assert saved.people == people
    assert saved.lines == tuple(line._replace(at=at) for line in lines)
    assert saved.facts == {"last": "3"}


def test_a_change_that_fails_leaves_nothing_behind(tmp_path):
    twice = (Person(1, "Ann", None, True), Person(1, "Bob", None, False))
    with closing(Journal(tmp_path)) as journal:
        journal.save(1, code="ABCD", game=1, lines=(Line(Kind.HEADER, "{}"),))
        with pytest.raises(JournalError, match="can't be written"):
            journal.save(2, code="ZZZZ", game=1, people=twice, lines=(Line(Kind.MOVE, "1"),))
        saved = journal.load()
    assert (saved.version, saved.code, len(saved.lines)) == (1, "ABCD", 1)
