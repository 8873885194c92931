"""Two tables whose dealt cards differ where nobody else can see it send and keep the same."""

import logging
import random
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from dealt_hands import any_legal
from random_games import ORIGIN, Kind, RandomGame, Step
from twins import TABLE, Twin, open_twin

from companion.club.publishing.messages import encode, state_message
from companion.club.publishing.progress import Sent, due
from companion.games.cards.dealt.luck import LUCK_BITS, RandomChoices
from companion.games.cards.dealt.moves import DealtMove
from companion.games.cards.dealt.options import check
from companion.games.cards.dealt.record import DealtSetup
from companion.games.cards.dealt.state import DECK, Cards, DealtState, PlayingCard
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules.state import CardSetup
from companion.table import moves
from companion.table.changes import Press
from companion.table.history import History, begin
from companion.table.scene import Scene
from companion.table.views import Viewer

SEEN_SOON = 4
"""So many cards on top of the deck may be looked at, or flipped, before they leave it."""


class Swap(NamedTuple):
    """Two cards that lie at each other's place in the twin."""

    luck: int
    """The luck by which the twin is dealt."""
    one: PlayingCard
    other: PlayingCard
    seats: tuple[int, ...]
    """The seats that hold them; none if both lie in the deck."""

    def is_hidden(self, state: DealtState, twin: DealtState) -> bool:
        """Whether both cards still are where they were dealt."""
        here = list(map(self._places, (state, twin)))
        return None not in here[0] and here[0] == here[1][::-1]

    def _places(self, state: DealtState) -> list[int | None]:
        return [self._place(state, card) for card in (self.one, self.other)]

    def _place(self, state: DealtState, card: PlayingCard) -> int | None:
        if self.seats:
            return next((seat for seat in self.seats if card in state.hands[seat]), None)
        hidden = state.deck[:-SEEN_SOON]
        return hidden.index(card) if card in hidden else None


def swap(setup: CardSetup, luck: int, chance: random.Random) -> Swap:
    """Swap a card each of two hands, or two cards deep in the deck."""
    order, choices = list(DECK), RandomChoices(luck)
    choices.shuffle(order)
    places, top = [], len(order)
    for seat, count in enumerate(setup.max_life):
        places += [(place, seat) for place in range(top - count, top)]
        top -= count
    while True:
        if chance.random() < 0.7:
            (one, first), (other, second) = chance.sample(places, 2)
            seats: tuple[int, ...] = (first, second)
        else:
            one, other = chance.sample(range(top // 2), 2)
            seats = ()
        alike = order[one] == order[other] or len(set(seats)) == 1
        # The two Stagecoaches can't be told apart.
        if not alike and all(order.count(order[place]) == 1 for place in (one, other)):
            break
    order[one], order[other] = order[other], order[one]
    return Swap(luck_of(tuple(order), choices.luck), order[other], order[one], seats)


def luck_of(order: Cards, left: int) -> int:
    """Return the luck that shuffles the deck into this order, with what is left of it then."""
    rest, chosen = list(DECK), []
    for card in order:
        chosen.append((rest.index(card), len(rest)))
        rest.pop(chosen[-1][0])
    luck = left
    for number, count in reversed(chosen):
        luck = luck * count + number
    return luck


DEALT = Kind(DEALT_GAME.opaque, any_legal, range(4, 8))


class TwinGames(RandomGame):
    """One game with dealt hands, and its twin with two cards swapped."""

    def begin_twins(self, setup: Any, names: tuple[str, ...]) -> list[History]:
        dealt: DealtSetup = setup._replace(luck=self.chance.getrandbits(LUCK_BITS))
        self.swap = swap(dealt.public, dealt.luck, self.chance)
        twins = (dealt, dealt._replace(luck=self.swap.luck))
        return [begin(1, self.kind.game, each, ORIGIN, ask_always=False) for each in twins]

    def scene(self, twin: int = 0, number: int = 1) -> Scene:
        """Eliminated players see odds, which are those of both: no hand counts in them."""
        return replace(super().scene(twin, number), odds=None)

    def step(self) -> None:
        """Make a decision that both twins can make, or take one back."""
        taken_back = self.histories[0].undoable and self.chance.random() < 0.1
        move = None if taken_back else decision(*map(state_of, self.histories), self.chance)
        for twin in (0, 1):
            self.make(Step(move), twin)

    @property
    def hidden(self) -> bool:
        states = list(map(state_of, self.histories))
        over = any(state.decider is None for state in states)
        return not over and self.swap.is_hidden(states[0], states[1])


def state_of(history: History) -> DealtState:
    return history.state  # type: ignore[return-value]


def decision(state: DealtState, twin: DealtState, chance: random.Random) -> DealtMove:
    while True:
        move = any_legal(state, chance)
        if check(twin, move) is None:
            return move


def seen(games: TwinGames, twin: int, sent: Sent) -> tuple[list[str], Sent]:
    """What everybody sees of a twin, and what programs are told, in order."""
    scene = games.scene(twin)
    found = [repr(Viewer().view(scene, person)) for person in (None, *range(1, 8))]
    view, record = Viewer().view(scene), games.histories[twin].record
    outgoing, sent = due(view, record, sent, TABLE)
    return [*found, record, repr(outgoing), repr(encode(state_message(view, TABLE)))], sent


@pytest.mark.parametrize("count", [6, pytest.param(300, marks=pytest.mark.slow)])
def test_twins_give_the_same_views_records_and_messages(count):
    compared = 0
    for number in range(count):
        games, sent = TwinGames(DEALT, number), [Sent(), Sent()]
        assert games.hidden
        while games.hidden:
            found = [seen(games, twin, sent[twin]) for twin in (0, 1)]
            assert found[0][0] == found[1][0]
            sent = [each[1] for each in found]
            compared += 1
            games.step()
    assert compared > 4 * count


@pytest.mark.tables
@pytest.mark.parametrize("count", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_twins_give_the_same_pages_streams_files_and_logs(tmp_path, caplog, count):
    caplog.set_level(logging.DEBUG)
    for number in range(count):
        chance = random.Random(number)
        with ExitStack() as stack:
            twins, hidden = open_twins(tmp_path / str(number), chance, stack)
            caplog.clear()
            compare(twins, hidden, caplog)
            for step in range(20):
                move = decision(*map(dealt_on, twins), chance)
                make(twins, move, undone=step % 5 == 1, caplog=caplog)
                if not hidden.is_hidden(*map(dealt_on, twins)):
                    break
                compare(twins, hidden, caplog, pages=step % 6 == 0)


def open_twins(folder: Path, chance: random.Random, stack: ExitStack) -> tuple[list[Twin], Swap]:
    """Two tables in whose game two cards are swapped, with all streams open."""
    luck = chance.getrandbits(LUCK_BITS)
    first = begin_twin(folder / "one", luck, stack)
    hidden = swap(dealt_on(first).public.setup, luck, chance)
    return [first, begin_twin(folder / "other", hidden.luck, stack)], hidden


def begin_twin(folder: Path, luck: int, stack: ExitStack) -> Twin:
    patch = stack.enter_context(pytest.MonkeyPatch.context())
    folder.mkdir(parents=True)
    twin = open_twin(folder, "soro", patch, luck=luck)
    stack.callback(twin.journal.close)
    twin.follow()
    return twin


def hands(twin: Twin, hidden: Swap) -> dict[str, str]:
    """What everybody gets who asks for a hand, but for those with a swapped card."""
    found = {}
    for (who, phone), seat in product(twin.everybody.items(), range(4)):
        answer = phone.post(f"/hand/{seat}")
        if seat not in hidden.seats or answer.status_code != 200:
            found[f"{who} hand {seat}"] = answer.text
    return found


def make(
    twins: list[Twin], move: DealtMove, undone: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Make a decision at both tables, and take it back if `undone`; both log the same."""
    lines = []
    for twin in twins:
        twin.decide(move)
        if undone:
            twin.table.do(moves.undo, Press(1, twin.view.version))
        lines.append(logged(twin, caplog))
    assert lines[0] == lines[1]


def logged(twin: Twin, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What a table logged since, without the name of its folder."""
    lines = [entry.getMessage().replace(str(twin.folder), "") for entry in caplog.records]
    caplog.clear()
    return lines


def dealt_on(twin: Twin) -> DealtState:
    return state_of(twin.table.scene.history)


def compare(
    twins: list[Twin], hidden: Swap, caplog: pytest.LogCaptureFixture, pages: bool = True
) -> None:
    """Compare what both tables tell and log now. pages: also all pages, files and hands."""
    told = []
    for twin in twins:
        found = twin.followed()
        if pages:
            found |= twin.shown(beside=False) | hands(twin, hidden)
        found["log"] = "\n".join(logged(twin, caplog))
        told.append(found)
    for name, text in told[0].items():
        assert text == told[1][name], name
