"""What a kill, or damage to the saved table, leaves of a card game: all, or an earlier moment.

Hands, cards that wait or are owed, and early answers are saved with the press that changes them.
"""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from card_evening import CardEvening
from dealt_hands import any_legal
from dealt_table import DealtTable, answerers
from pile_scenes import STEPS
from table_scenes import Played

from companion.games.cards.dealt.state import DECK
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules.moves import Pass
from companion.table import moves, rounds
from companion.table.history import History, restore_sound
from companion.table.journal.journal import BACKUP, FILE

BEGUN = "tap beer"
"""The Sheriff's first turn."""

SITUATIONS = {
    # One BANG! was hard to read.
    "duel": (
        BEGUN,
        "lay duel, tap duel 2, lay bang, see unsure bang duel, name bang, lay bang, red",
    ),
    # One answers early, one answers, and the others take it.
    "gatling": (BEGUN, "lay gatling, early 3 missed from 0, lay missed, red, lay missed, red"),
    # Ben, who has one life point left, plays their last Beer, and the next time they don't.
    "beer": (
        ", ".join([BEGUN, *["tap duel 1, tap pass"] * 3]),
        "lay bang, tap bang 1, red, lay beer, undo, red, see many",
    ),
}
"""What leads to each, and what happens then, in the words of scenes."""


def play_cards(evening: CardEvening, situation: str) -> Iterator[None]:
    """Play a situation again and again, a step at a time."""
    evening.start(watched=False)
    begin, steps = SITUATIONS[situation]
    game = Played(lambda: evening, STEPS, [*begin.split(", "), "see none"])
    begun = len(evening.lines) - 1
    while True:
        for step in steps.split(", "):
            yield game.do(step)
        yield evening.do(moves.go_back, begun)


def play_hands(dealt: DealtTable) -> Iterator[None]:
    """Begin a game in which many answer, and press for ever."""
    dealt.begin()
    dealt.ask_all()
    chance = random.Random(8)
    while True:
        yield press(dealt, chance)


def press(dealt: DealtTable, chance: random.Random) -> None:
    """Make a decision, take one back, or answer early."""
    if dealt.state.decider is None:
        dealt.do(rounds.play_again)
        return
    later = answerers(dealt.state)[1:]
    if later and chance.random() < 0.5:
        dealt.answer_early(Pass(chance.choice(later)))
    elif dealt.history.undoable and chance.random() < 0.2:
        dealt.undo()
    else:
        dealt.decide(any_legal(dealt.state, chance))


def found(table: CardEvening | DealtTable) -> list[object]:
    """What a restart must find: hands, deck, luck, early answers, cards that wait or are owed."""
    scene: Any = table.table.scene
    moments = scene.history.moments if scene.history else ()
    made = [(moment.kind, moment.move, moment.state, moment.line) for moment in moments]
    pile = getattr(scene.surface, "state", None)
    waiting = [[card.likely for card in pile.laid], pile.owed] if pile else []
    return [made, getattr(scene.surface, "early", {}), waiting]


KNOWN = {DEALT_GAME.record_name: DEALT_GAME.opaque}


class Kind(NamedTuple):
    """A table, and what happens there for ever."""

    open: Callable[[Path], Any]
    steps: Callable[[Any], Iterator[None]]


CARDS = {name: Kind(CardEvening, partial(play_cards, situation=name)) for name in SITUATIONS}
KINDS = {"dealt": Kind(DealtTable, play_hands), **CARDS}
PRESSES, TRIES = 60, 12


class Killed(NamedTuple):
    """A folder as a kill leaves it in mid-game, and what was there after each press."""

    kind: Kind
    folder: Path
    was: list[object]

    def opened(self, copy: Path, content: bytes, copied: bool) -> tuple[object, bool]:
        """Start on a copy with other content; return what is there, and whether trouble is told.

        copied: whether the second file is whole; else it is as damaged as the first.
        """
        shutil.copytree(self.folder, copy)
        for name in (FILE,) if copied else (FILE, BACKUP):
            (copy / name).write_bytes(content)
        with closing(self.kind.open(copy)) as table:
            return found(table), bool(table.table.view().troubles)

    @property
    def content(self) -> bytes:
        return (self.folder / FILE).read_bytes().rstrip(b"\0")


@pytest.fixture(scope="module", params=KINDS)
def killed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Killed:
    kind, folder = KINDS[request.param], tmp_path_factory.mktemp("torn")
    with closing(kind.open(folder / "played")) as table:
        was = [found(table)]
        table.table.follow(lambda *_: was.append(found(table)))
        list(islice(kind.steps(table), PRESSES))
        shutil.copytree(folder / "played", folder / "killed")
    assert len(was) > PRESSES
    return Killed(kind, folder / "killed", was)


def test_killed_while_it_saves_a_table_finds_what_was_there_after_some_press(killed, tmp_path):
    chance, whole = random.Random(3), killed.content
    for number in range(TRIES):
        cut = chance.randrange(len(whole) // 2, len(whole))
        there, _ = killed.opened(tmp_path / str(number), whole[:cut], copied=False)
        assert there in killed.was


@pytest.mark.parametrize("copied", [True, False])
def test_a_damaged_line_loses_no_card_without_a_word(killed, tmp_path, copied):
    chance = random.Random(4)
    for number in range(TRIES):
        content = bytearray(killed.content)
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        there, told = killed.opened(tmp_path / str(number), bytes(content), copied)
        assert there in killed.was
        assert told or there == killed.was[-1]
        assert not copied or there == killed.was[-1]


def test_a_line_that_fits_no_hand_ends_what_is_read_of_a_game(tmp_path):
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
