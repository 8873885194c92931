"""While an answer is awaited, nothing that anybody receives, nor when, tells whether there is one.

The companion knows no hand. What could still tell is time: something that comes sooner, later or
twice for a player who can answer, or a page that says how long somebody has thought.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from card_evening import CALM
from tiers import later
from twins import EVENTS, open_twin

from companion.games.cards.rules.moves import CardMove, End, Flip, Pass, Play
from companion.games.cards.rules.titles import SIGNS, Title
from web.serving import stream

pytestmark = pytest.mark.tables

T = Title

LONG_S = 3600.0
"""Somebody thinks for so long that streams have sent heartbeats, and looked at their pages anew."""


class Asked(NamedTuple):
    """A question, and the two ways in which its player can answer."""

    before: tuple[CardMove, ...]
    """What leads to it."""
    answer: CardMove
    """With a card."""
    passes: CardMove
    """Without one."""


SHOT = Play(0, T.BANG, 1)
DUEL = Play(0, T.DUEL, 1)
WITH_BARREL = (End(0), Play(1, T.BARREL), End(1), End(2), End(3))

QUESTIONS = {
    "missed": Asked((SHOT,), Play(1, T.MISSED), Pass(1)),
    "barrel": Asked((*WITH_BARREL, SHOT), Flip(1, (SIGNS["4H"],)), Pass(1)),
    "missed after the barrel": Asked(
        (*WITH_BARREL, SHOT, Flip(1, (SIGNS["4S"],))), Play(1, T.MISSED), Pass(1)
    ),
    "gatling": Asked((Play(0, T.GATLING),), Play(1, T.MISSED), Pass(1)),
    "indians": Asked((Play(0, T.INDIANS),), Play(1, T.BANG), Pass(1)),
    "duel": Asked((DUEL,), Play(1, T.BANG), Pass(1)),
    "duel, the challenger": Asked((DUEL, Play(1, T.BANG)), Play(0, T.BANG), Pass(0)),
    "beer": Asked((*(DUEL, Pass(1)) * 3, SHOT, Pass(1)), Play(1, T.BEER), Pass(1)),
}


GAME = ("/live/table", "/live/story")
"""Pages that show the game to everybody; that of a seat is shown to its phone."""


class Told(NamedTuple):
    """What everybody received of a question and its answer, by stream."""

    asked: dict[str, str]
    """When the question was asked."""
    meanwhile: list[dict[str, str]]
    """While its player thought."""
    answered: dict[str, str]
    """When it was answered."""
    later: dict[str, str]
    """After that."""


def told(
    folder: Path, question: Asked, answer: CardMove, thinks_s: float, patch: pytest.MonkeyPatch
) -> Told:
    now = [1000.0]
    patch.setattr(stream, "time", SimpleNamespace(monotonic=lambda: sum(now)))
    site = open_twin(folder, "soro", patch, CALM)
    for move in question.before:
        site.decide(move)
    assert site.view.standing.awaited == answer.seat
    site.follow()
    first, meanwhile = site.followed(), []
    for _ in range(2):
        now.append(thinks_s / 2)
        # Every stream looks at its page, as after a change elsewhere.
        site.streams.notify()
        meanwhile.append(site.followed())
    site.decide(answer)
    answered = site.followed()
    now.append(LONG_S)
    site.streams.notify()
    return Told(first, meanwhile, answered, site.followed())


def reached(received: dict[str, str]) -> dict[str, int]:
    """How many pages each stream got; what happens is told to programs one by one."""
    return {name: got.count("data-version") for name, got in received.items() if EVENTS not in name}


@pytest.mark.parametrize(
    "name",
    [
        *("missed", "barrel", "duel", "beer"),
        *later("missed after the barrel", "gatling", "indians", "duel, the challenger"),
    ],
)
def test_neither_bytes_nor_their_time_tell_whether_somebody_can_answer(tmp_path, monkeypatch, name):
    question = QUESTIONS[name]
    answers = (question.answer, 0.0), (question.answer, LONG_S), (question.passes, LONG_S)
    soon, late, passed = (
        told(tmp_path / str(number), question, answer, thinks_s, monkeypatch)
        for number, (answer, thinks_s) in enumerate(answers)
    )
    assert soon.asked == late.asked == passed.asked
    for table in (soon, late, passed):
        # However long somebody thinks, nothing reaches anybody before the answer, nor after it.
        for received in (*table.meanwhile, table.later):
            assert {who: got for who, got in received.items() if got != "[]"} == {}
    # How long they thought shows nowhere.
    assert soon.answered == late.answered
    # A card and a pass reach everybody in one step.
    assert reached(late.answered) == reached(passed.answered)
    got = reached(late.answered)
    for phone in ("phone 0", "phone 1", "phone 2", "stranger"):
        pages = GAME if phone == "stranger" else (*GAME, "/live/seat")
        assert [got[f"{phone} follows {page}"] for page in pages] == [1] * len(pages)
