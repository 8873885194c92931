"""Whole card games in which people lay late what they owe, and throw answers in together."""

import pytest
from tiers import later

from companion.games.cards.laid import LaidCardRules
from tests.tools.bench.late_hands import play

pytestmark = pytest.mark.tables


@pytest.mark.parametrize("seeds", [range(2), *later(range(2, 8))])
@pytest.mark.parametrize("players", [4, 5, 7])
def test_no_card_counts_wrongly_without_a_question(players: int, seeds: range) -> None:
    games = [play(seed, players, late=0.5) for seed in seeds]
    assert {wrong for *_, wrong in games} == {""}
    assert sum(touches["asked whether owed"] + touches["asked whose"] for touches, *_ in games)


def test_a_table_that_forgets_what_is_owed_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LaidCardRules, "debts", lambda *_: ())
    assert "laid aside, counted as" in "".join(play(seed, 5, late=0.5)[2] for seed in range(8))
