"""The Pi's speaker is told what happens once, in the table's language, and nothing while muted."""

import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from random import Random

import pytest
from page_scenes import STEPS as PAGE_STEPS
from scenes import each_scene, options
from sites import Site
from stand_ins import played_unseen
from table_scenes import Steps, Told, table_words
from twins import Noted
from waiting import wait_until

from companion.app.sound import build_announcer
from companion.base.worker import Supervisor, WorkerThread
from companion.games.cards.rules.moves import HAND, Play
from companion.games.cards.rules.titles import Title
from companion.games.common.endings import Side
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.rulesets import Edition
from companion.games.dice.terms import edition_terms
from companion.games.registry import GAMES
from companion.settings import Settings, SoundSettings
from companion.table.changes import Press
from companion.table.controls.announcer import Announcer
from companion.table.journal.journal import Journal
from companion.table.rounds import mute
from companion.table.surface.cards.state import PileVerdict
from companion.table.table import Table
from web.play.narration import PagesNarration

pytestmark = pytest.mark.processes

D, G = Face.DYNAMITE, Face.GATLING


class Heard:
    """A table with its announcer, which follows when it is asked to."""

    def __init__(self, folder: Path, language: str = "", **options) -> None:
        self.site = Site(folder, **options)
        self.noted = Noted()
        self.language = language
        self.announcer = self.announced()

    def announced(self) -> Announcer:
        narration = PagesNarration(self.language)
        return Announcer(self.site.table, narration, self.noted)

    def now(self) -> list[str]:
        self.announcer.catch_up(WorkerThread(self.announcer))
        return self.noted.taken()


STEPS: Steps = {
    word: lambda heard, *given, step=step, **phone: step(heard.site, *given, **phone)
    for word, step in PAGE_STEPS.items()
} | {"restart": lambda heard: setattr(heard, "announcer", heard.announced())}
TOLD: Told = {"heard": lambda heard: ", ".join(heard.now()) or "-"}
"""What is heard since one listened last: each line of a scene goes on from the one before it."""


@each_scene(__file__, "announcer.txt")
def test_what_is_heard_is_what_its_scene_tells(ruling, tmp_path):
    folders = map("table-{}".format, count())

    def opened(text):
        """Open a table, whose settings may name a ruleset and a language."""
        given = {"speaks": [""], "in": ["base"], **options(text)[1]}
        (language,), (ruleset,) = given["speaks"], given["in"]
        return lambda: Heard(tmp_path / next(folders), language, ruleset=ruleset)

    ruling.check(table_words(opened, STEPS, {}, TOLD))


def test_muting_outlasts_a_restart_and_refuses_no_press(tmp_path):
    site = Site(tmp_path).start()
    before = site.now
    site.phones[1].post("/sound/mute", yes=1)
    assert site.view.choices.muted
    assert site.now == before
    assert site.stranger.post("/sound/mute", yes=0).status_code == 403
    assert site.host.post("/sound/mute", yes=2).status_code == 400
    site.journal.close()
    table = Table(Journal(tmp_path), GAMES, site.view.selection)
    assert table.view().choices.muted
    table.do(mute, Press(table.view().people[0].id), False)
    assert not table.view().choices.muted


def test_a_whole_game_is_heard_and_only_the_fallen_show_their_roles(tmp_path):
    table = Heard(tmp_path)
    table.site.start()
    said: list[str] = []
    while table.site.view.standing.outcome is None:
        if table.site.view.rolling:
            table.site.roll(D, D, D, G, G)
        else:
            # The Indians came, or somebody drinks.
            state = table.site.table.scene.history.state
            move = random_move(state, Random(1))
            table.site.table.do(played_unseen, Press(None), move)
        said += table.now()
        fallen = [player.name for player in table.site.view.game.players if not player.alive]
        roles = [text for text in said if re.search("Outlaw|Renegade|Sheriff|Deputy", text)]
        out = [text for text in roles if " is out: " in text]
        assert len(out) == len(fallen)
        assert len(roles) == len(out) + (table.site.view.standing.outcome is not None)
    assert said[-2] == "victory"
    side = table.site.view.standing.outcome.side
    assert said[-1] == f"en: {edition_terms(Edition.BASE, 'en').story.ends[Side(side)]}"


def program(folder: Path, name: str) -> None:
    """A program that notes the names of the files that it is given."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "$@" >> "{folder}/{name}.log"\n')
    path.chmod(0o755)


@pytest.fixture
def wired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Site]]:
    """Start tables with a loudspeaker, which has only the programs in `tmp_path / "bin"`."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with ExitStack() as stack:

        def start(**sound: object) -> Site:
            site = Site(Path(tempfile.mkdtemp(dir=tmp_path)))
            settings = Settings(data=tmp_path, sound=SoundSettings(**sound))
            build_announcer(settings, site.table, Supervisor(stack))
            return site.start()

        yield start


def test_without_programs_the_table_goes_on_and_the_log_says_so(wired, tmp_path, caplog):
    site = wired(effects=True, announcer=True)
    assert site.view.standing is not None
    assert caplog.messages == [
        "speaker: nothing here plays sounds: sudo apt install alsa-utils; the game goes on "
        "without it"
    ]
    caplog.clear()
    program(tmp_path / "bin", "aplay")
    wired(announcer=True)
    assert caplog.messages == [
        "announcer: nothing here speaks: sudo apt install espeak-ng; the game goes on without it"
    ]


def test_switched_off_no_program_is_run(wired, tmp_path):
    program(tmp_path / "bin", "aplay")
    before = set(threading.enumerate())
    wired()
    assert {thread.name for thread in set(threading.enumerate()) - before} == set()


def test_a_game_is_heard_by_the_program_that_plays(wired, tmp_path):
    program(tmp_path / "bin", "aplay")
    wired(effects=True, device="plughw:CARD=Headphones")
    log = tmp_path / "bin" / "aplay.log"
    wait_until(log.exists)
    wait_until(lambda: "--quiet --device plughw:CARD=Headphones /" in log.read_text())


def test_each_card_that_is_read_and_no_move_is_heard_once(card_evenings):
    evening, noted = card_evenings(), Noted()
    announcer = Announcer(evening.table, PagesNarration("en"), noted)

    def heard() -> list[str]:
        announcer.catch_up(WorkerThread(announcer))
        return noted.taken()

    evening.lay(Title.BEER)
    assert heard() == ["card", "en: Ann plays Beer."]
    evening.lay(Title.CAT_BALOU)
    assert heard() == ["card"]
    assert heard() == []
    evening.lay(Title.BEER)
    assert heard() == ["card"]
    evening.tap(Play(0, Title.CAT_BALOU, 1, HAND))
    assert heard()[:2] == ["card", "en: Ann plays Cat Balou on Ben."]
    evening.lay(Title.MISSED)
    assert heard() == ["card"]
    evening.undo()
    assert "card" not in heard()
    evening.ignore()
    evening.ignore()
    assert heard() == []
    evening.see(PileVerdict.GONE, [Title.BARREL])
    assert heard() == ["card"]
