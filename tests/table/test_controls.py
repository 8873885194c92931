"""Where a press goes and what the light shows, with set-up and without."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from evening import Evening
from people import join

from companion.app.controls import build_controls
from companion.base.worker import Supervisor
from companion.games.cards.rules.moves import End
from companion.games.cards.rules.titles import Title
from companion.settings import Settings
from companion.table import seats
from companion.table.controls.buttons import Button, ButtonRouter
from companion.table.controls.light import SignalRouter
from companion.table.scene import Signal
from companion.table.surface.cards.state import PileVerdict
from hardware.light import Light, StatusLight


@pytest.fixture
def evening(evenings: Callable[..., Evening]) -> Evening:
    """A table at which nobody sits yet."""
    return evenings(people=0)


def test_presses_are_the_tables_until_they_are_taken_over_and_after(evening):
    buttons, taken = ButtonRouter(evening.table), list[Button]()

    def handler(button: Button) -> bool:
        taken.append(button)
        return button is Button.GREEN

    buttons.take_over(handler)
    buttons.press_green()
    assert taken == [Button.GREEN]
    assert evening.view.notice == ""
    buttons.press_red()
    # It was declined, so the table says why it did nothing.
    assert taken == [Button.GREEN, Button.RED]
    assert evening.view.notice == "no game is running"
    buttons.release()
    buttons.press_green()
    assert taken == [Button.GREEN, Button.RED]


def test_the_light_shows_the_tables_signal_until_it_is_taken_over_and_after(evening):
    light, told = SignalRouter(evening.table), list[Signal]()
    light.listeners.add(lambda: told.append(light.signal))
    assert light.signal is Signal.OFF
    chosen: Signal | None = Signal.CERTAIN
    light.take_over(lambda: chosen)
    chosen = None
    assert light.signal is Signal.OFF
    chosen = Signal.ILLEGAL
    join(evening.table, "Ann", "")
    light.release()
    light.release()
    assert told == [Signal.CERTAIN, Signal.ILLEGAL, Signal.OFF]
    for name in ("Bob", "Cleo"):
        evening.do(seats.add_person, name)
    evening.start()
    assert told[-1] is Signal.WAITING


def test_the_light_confirms_each_card_that_counts(card_evenings, monkeypatch):
    evening, confirmed = card_evenings(), []
    show = StatusLight.show

    def note(light: StatusLight, state: Light, *, confirms: bool) -> None:
        confirmed.append(confirms)
        show(light, state, confirms=confirms)

    monkeypatch.setattr(StatusLight, "show", note)
    with ExitStack() as stack:
        build_controls(Settings(), evening.table, Supervisor(stack), stack)
        for read, times in [
            (lambda: evening.lay(Title.BARREL), 1),
            (lambda: evening.tap(End(0)), 0),
            (lambda: evening.see(PileVerdict.UNSURE, [Title.BEER]), 0),
        ]:
            confirmed.clear()
            read()
            assert confirmed.count(True) == times
