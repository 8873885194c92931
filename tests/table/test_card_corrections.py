"""What the reader may learn: cards that players named, by the pictures that were read."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from card_evening import CALM, CardEvening

from companion.games.cards.rules.moves import End, Play
from companion.games.cards.rules.titles import Title
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileVerdict
from companion.table.surface.cards.surface import CardSurface, NamedCard

T = Title


class Learned:
    """What a learner was told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def learn(self, named: Sequence[NamedCard], game: str, moment: int) -> None:
        self.told.append((tuple(named), moment))

    def take_back(self, game: str, moment: int) -> None:
        self.told.append(("back", moment))

    def forget(self) -> None:
        self.told.append("forget")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[CardEvening]:
    with closing(CardEvening(tmp_path).start()) as made:
        yield made


@pytest.fixture
def learned(evening: CardEvening) -> Learned:
    learner = Learned()
    evening.table.lessons.teach(CardSurface, learner)
    assert learner.told == [("back", 1)]
    learner.told.clear()
    return learner


def test_a_card_that_was_read_without_doubt_teaches_nothing(
    evening: CardEvening, learned: Learned
) -> None:
    evening.lay(T.BEER, T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.table.press_red()
    assert learned.told == []


def test_a_named_title_is_learned_with_its_picture(evening: CardEvening, learned: Learned) -> None:
    evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
    evening.name(T.SALOON)
    assert learned.told == [((NamedCard(evening.pictures, T.SALOON),), 1)]


def test_a_title_that_was_tapped_with_its_target_is_learned(
    evening: CardEvening, learned: Learned
) -> None:
    evening.see(PileVerdict.UNSURE, [T.BANG, T.DUEL])
    evening.tap(Play(0, T.DUEL, 1))
    assert learned.told == [((NamedCard(evening.pictures, T.DUEL),), 1)]


def test_a_tap_for_another_card_than_was_read_is_learned(
    evening: CardEvening, learned: Learned
) -> None:
    evening.lay(T.MISSED)
    evening.tap(Play(0, T.BEER))
    assert learned.told == [((NamedCard(evening.pictures, T.BEER),), 1)]


def test_a_title_that_was_corrected_later_is_learned(
    evening: CardEvening, learned: Learned
) -> None:
    evening.lay(T.BEER)
    first = evening.pictures
    evening.lay(T.SALOON)
    evening.table.do(laying.retitle, evening.press, 1, T.STAGECOACH)
    assert learned.told == [((NamedCard(first, T.STAGECOACH),), 1)]


def test_a_named_sign_is_learned(evening: CardEvening, learned: Learned) -> None:
    evening.tap(Play(0, T.JAIL, 1), End(0))
    while evening.owed:
        evening.ignore()
    evening.flip("9H?")
    evening.table.do(laying.name_sign, evening.press, "9D")
    assert learned.told == [((NamedCard(evening.pictures, sign="9D"),), 3)]


def test_a_sign_that_was_corrected_later_is_learned(evening: CardEvening, learned: Learned) -> None:
    evening.tap(Play(0, T.JAIL, 1), End(0))
    while evening.owed:
        evening.ignore()
    evening.flip("9H")
    evening.table.do(laying.retitle, evening.press, 3, "9D")
    assert learned.told == [((NamedCard(evening.pictures, sign="9D"),), 3)]


def test_a_named_sign_is_learned_when_the_camera_sees_the_card_that_was_still_to_be_flipped(
    tmp_path: Path,
) -> None:
    lucky = ("kit_carlson", "lucky_duke", *CALM[2:])
    with closing(CardEvening(tmp_path, characters=lucky).start()) as evening:
        learner = Learned()
        evening.table.lessons.teach(CardSurface, learner)
        learner.told.clear()
        evening.tap(Play(0, T.JAIL, 1), End(0))
        while evening.owed:
            evening.ignore()
        evening.flip("9H?")
        first = evening.pictures
        evening.table.do(laying.name_sign, evening.press, "9D")
        assert learner.told == []
        evening.flip("10D")
        assert learner.told == [((NamedCard(first, sign="9D"),), 3)]


def test_an_undo_is_told(evening: CardEvening, learned: Learned) -> None:
    evening.see(PileVerdict.UNSURE, [T.BEER])
    evening.name(T.BEER)
    evening.undo()
    assert learned.told[1:] == [("back", 1)]


def test_the_host_can_have_everything_forgotten(evening: CardEvening, learned: Learned) -> None:
    evening.table.lessons.forget(evening.table.scene, evening.press)
    assert learned.told == ["forget"]


def test_a_card_that_was_only_tapped_teaches_nothing(
    evening: CardEvening, learned: Learned
) -> None:
    evening.tap(Play(0, T.BEER))
    assert learned.told == []
