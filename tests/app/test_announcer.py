"""The Pi's speaker is told what happens once, in the table's language, and nothing while muted."""

import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from sites import Site
from stand_ins import played_unseen
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
from companion.table.table import Table
from web.play.narration import PagesNarration

pytestmark = pytest.mark.processes

A, D, G, B = Face.ARROW, Face.DYNAMITE, Face.GATLING, Face.BEER


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


@pytest.fixture
def table(tmp_path: Path):
    return Heard(tmp_path)


def test_a_turn_is_heard_once_and_in_order(table):
    assert table.now() == []
    table.site.start()
    assert table.now() == ["silence", "deal", "turn", "en: It is Ann’s turn."]
    table.site.throw(D, D, D, G, G)
    assert table.now() == ["dice"]
    assert table.now() == []
    table.site.table.press_green()
    assert table.now() == [
        "dynamite", "en: Ann’s dynamite explodes.", "hit", "turn", "en: It is Bob’s turn.",
    ]  # fmt: skip
    assert table.now() == []


def test_what_happens_between_two_looks_is_heard_too(table):
    table.site.start()
    table.now()
    table.site.roll(A, A, G, G, B)
    table.site.table.press_red()
    assert table.now() == ["arrow", "beer", "turn", "en: It is Bob’s turn."]


def test_an_undo_ends_what_is_heard(table):
    table.site.start()
    table.site.roll(A, A, G, G, D)
    table.now()
    assert table.site.host.post("/game/undo").status_code == 204
    assert table.now() == ["silence", "undo"]


def test_a_table_that_starts_again_repeats_nothing(table):
    table.site.start()
    table.site.roll(A, A, G, G, D)
    table.announcer = table.announced()
    assert table.now() == []
    table.site.table.press_red()
    assert table.now() == ["turn", "en: It is Bob’s turn."]


def test_muted_it_is_silent_and_afterwards_goes_on_with_what_is_new(table):
    table.site.start()
    table.now()
    phone = table.site.phones[2]
    assert phone.post("/sound/mute", yes=1).status_code == 204
    table.site.roll(D, D, D, G, G)
    assert table.now() == ["silence"]
    assert phone.post("/sound/mute", yes=0).status_code == 204
    assert table.now() == []
    table.site.roll(D, D, D, G, G)
    assert table.now()[0] == "dynamite"


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"language": "fr"}, "fr: À Ann de jouer."),
        ({"ruleset": "base-fr"}, "fr: À Ann de jouer."),
        ({"ruleset": "base-fr", "language": "en"}, "en: It is Ann’s turn."),
    ],
)
def test_the_announcer_speaks_the_language_of_the_table(tmp_path, options, said):
    table = Heard(tmp_path, **options)
    table.site.start()
    assert table.now()[-1] == said


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


def test_a_card_that_waits_for_a_tap_is_heard_when_it_is_read(card_evenings):
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
    evening.tap(Play(0, Title.CAT_BALOU, 1, HAND))
    assert heard()[0] == "card"
