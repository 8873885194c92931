"""Teaching cards without a browser: what is captured, what is refused, and what is kept."""

import errno
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest
from lesson_scenes import copy, lesson_words
from scenes import each_scene
from school import Class, DeckClass
from sites import Site, reason

from companion.app.cameras import card_copies
from companion.camera.empty_tray import EmptyTray
from companion.camera.setup_store import SetupStore
from companion.camera.simulated_cards import SimulatedCards
from companion.camera.workers import FrameWorkers
from companion.games.registry import card_signs
from companion.setup.card_capture import CardCapture
from companion.setup.lesson import CapturedFace, chosen_copies
from tests.tools.bench.cards import CARDS, taught
from vision.cards.capture import (
    CardFlaw,
    capture_card,
    check_deck,
    is_same_card_picture,
    is_unchanged,
    looks_like_title,
)
from vision.cards.deck import MOST, TaughtCard, TaughtDeck, encode_picture, load_deck
from vision.cards.signs import RANKS, SUITS, parse_sign
from vision.imaging.crop import Crop

pytestmark = pytest.mark.pictures

SIGNS = card_signs()


def seen(name: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(CARDS / f"{name}.jpg")), np.uint8)


def captured(name: str) -> Crop:
    """What a picture gives beside the one before it."""
    return capture_card(seen(name), [seen(f"{name}-before")])


@pytest.fixture(scope="module")
def deck() -> TaughtDeck:
    return taught(CARDS / "teach")


def by_title(deck: TaughtDeck) -> dict[str, list[np.ndarray]]:
    return {card.title: [card.picture] for card in deck.cards}


# What is asked


def test_the_copies_asked_for_show_every_rank_and_suit():
    copies = chosen_copies(SIGNS)
    assert list(copies) == list(SIGNS)
    assert all(sign in SIGNS[title] for title, sign in copies.items())
    assert {sign[:-1] for sign in copies.values()} == set(RANKS)
    assert {sign[-1] for sign in copies.values()} == set(SUITS)


# What a picture gives


def test_a_card_on_others_is_cut_out_by_what_changed(deck):
    for name, title in (("top/013", "bang"), ("top/000", "winchester")):
        crop = captured(name)
        assert crop.flaw is None
        assert looks_like_title(crop.picture, "", by_title(deck)) == title


def test_a_sideways_card_no_card_two_cards_and_a_hand_are_no_pictures_of_a_card():
    assert captured("flip/000") == Crop(None, CardFlaw.TURNED)
    for name in ("two/001", "hand/000", "pushed/000"):
        assert captured(name) == Crop(None, CardFlaw.SEVERAL), name
    nothing = np.full((616, 820, 3), 90, np.uint8)
    assert capture_card(nothing, []) == Crop(None, CardFlaw.NONE_FOUND)
    assert is_unchanged(nothing, nothing)


def test_what_is_hard_to_learn_is_named(deck):
    (card,) = (c for c in deck.cards if c.title == "beer")
    upright = [c.picture for c in deck.cards[:8]]

    def flaw_of(picture: np.ndarray) -> CardFlaw | None:
        tray = np.full((616, 820, 3), 60, np.uint8)
        laid = tray.copy()
        laid[150 : 150 + 264, 300 : 300 + 189] = picture
        return capture_card(laid, [tray], upright).flaw

    assert flaw_of(card.picture) is None
    upside_down = np.ascontiguousarray(card.picture[::-1, ::-1])
    assert flaw_of(upside_down) in (CardFlaw.NO_SIGN, CardFlaw.MISPLACED)
    assert flaw_of((card.picture // 5).astype(np.uint8)) is CardFlaw.DARK
    assert flaw_of(np.full_like(card.picture, 200)) is CardFlaw.FAINT
    burnt = card.picture.copy()
    burnt[:132] = 255
    assert flaw_of(burnt) is CardFlaw.BURNT


def test_the_same_picture_is_known_again_and_one_of_another_title_noticed(deck):
    one, other = deck.cards[0].picture, deck.cards[1].picture
    crop = Crop(one, None, (400.0, 300.0, 130.0))
    assert is_same_card_picture(crop, Crop(one, None, (402.0, 300.0, 130.0)))
    assert not is_same_card_picture(crop, Crop(one, None, (440.0, 300.0, 130.0)))
    assert not is_same_card_picture(crop, Crop(other, None, (400.0, 300.0, 130.0)))
    known = by_title(deck)
    for card in deck.cards[::4]:
        assert looks_like_title(card.picture, card.title, known) == ""
        assert looks_like_title(card.picture, "another", known) == card.title


def test_two_titles_with_one_picture_a_wrong_sign_and_an_odd_card_are_named(deck):
    assert check_deck(deck.cards) == ((), (), ())
    cards = list(deck.cards)
    number = next(n for n, card in enumerate(cards) if card.title == "cat_balou")
    cards[number] = cards[number]._replace(sign=parse_sign("7S"))
    # One with a broad strip of the tray on two sides.
    odd = cards[number - 1]
    height, width = odd.picture.shape[:2]
    cut = cv2.copyMakeBorder(odd.picture, 0, height // 2, 0, width // 2, cv2.BORDER_REPLICATE)
    cards[number - 1] = odd._replace(png=encode_picture(cv2.resize(cut, (width, height))))
    twin = TaughtCard("twin", deck.cards[0].sign, deck.cards[0].png)
    found = check_deck([*cards, twin])
    ((title, said, read),) = found.misread
    assert (title, str(said), str(read)) == ("cat_balou", "7S", str(deck.cards[number].sign))
    assert ("twin", deck.cards[0].title) in found.alike
    assert found.odd == (odd.title,)


# Frames of a drawn tray


class DrawnLesson:
    """A lesson whose cards are laid into a drawn tray and captured from its frames."""

    def __init__(self, folder: Path, lies: str = "") -> None:
        """folder: where the tray was kept empty; lies: the title in it as the lesson begins."""
        self.workers = FrameWorkers()
        empty_tray = EmptyTray(folder / "tray.png", self.workers)
        self.capture, self.at = CardCapture(self.workers, empty_tray), 0.0
        self.cards = SimulatedCards(card_copies(), seed=3)
        empty_tray.keep(self.cards.frame())
        self.pictures: dict[str, tuple[CapturedFace, ...]] = {}
        if lies:
            self.cards.tray.lay(lies)
            self.cards.tray.settle()
        self.watch()

    def watch(self) -> Crop | None:
        """Let frames come until all lies still after something moved; return what is captured."""
        moved = False
        for _ in range(60):
            frame = self.cards.frame()
            self.at += 1 / 20
            moving = self.capture.moving(frame, self.at)
            if moving is False and moved:
                return self.capture.capture(frame, self.pictures)
            moved = moved or bool(moving)
        return None

    def lay(self, title: str) -> Crop | None:
        self.cards.lay(title, SIGNS[title][0])
        crop = self.watch()
        if crop is not None and crop.picture is not None:
            taken = CapturedFace(len(self.pictures), crop.picture, spot=crop.spot)
            self.pictures[title] = (taken,)
        return crop


def test_cards_laid_alone_are_captured_from_frames_and_told_apart(tmp_path):
    lesson = DrawnLesson(tmp_path)
    titles = ("beer", "gatling", "winchester", "missed")
    for title in titles:
        crop = lesson.lay(title)
        assert crop is not None
        assert (crop.picture is not None, crop.flaw) == (True, None), title
    known = {title: [taken[0].image] for title, taken in lesson.pictures.items()}
    assert all(looks_like_title(known[title][0], title, known) == "" for title in titles)
    # One on top of another has no outline of its own: both are as white.
    with lesson.cards.lock:
        lesson.cards.tray.lay("duel")
    crop = lesson.watch()
    assert crop is not None
    assert crop.picture is None
    # Taken away again, the tray shows what it showed before.
    lesson.cards.take_off()
    assert lesson.watch() is None
    lesson.workers.close()


def test_cards_are_captured_though_one_lies_there_as_the_lesson_begins(tmp_path):
    lesson = DrawnLesson(tmp_path, lies="beer")
    assert _flaw(lesson.capture.capture(lesson.cards.frame(), {})) is None
    for title in ("gatling", "winchester"):
        # Without a moment in which the tray is empty.
        with lesson.cards.lock:
            lesson.cards.tray.clear()
            lesson.cards.tray.lay(title)
        assert _flaw(lesson.watch()) is None, title
    lesson.workers.close()


def _flaw(crop: Crop | None) -> CardFlaw | None:
    """What is wrong with a card that was captured."""
    assert crop is not None
    assert crop.picture is not None, crop.flaw
    return crop.flaw


# A lesson


@pytest.fixture
def lesson(tmp_path: Path, deck: TaughtDeck) -> Iterator[DeckClass]:
    made = DeckClass(tmp_path, deck)
    made.do("begin", name="Ours")
    yield made
    made.close()


@each_scene(__file__, "lessons.txt")
def test_a_lesson_goes_as_its_scene_tells(ruling, tmp_path, deck, stack):
    folders = map("lesson-{}".format, count())

    def dice():
        made = Class(Site(tmp_path / next(folders)))
        stack.callback(made.shared.close)
        return made.begin()

    def cards():
        made = DeckClass(tmp_path / next(folders), deck)
        stack.callback(made.close)
        made.do("begin", name="Ours")
        return made

    ruling.check(lesson_words(dice, cards))


def test_a_deck_is_taught_checked_used_taught_again_and_deleted(lesson):
    assert "1 of 22: BANG!" in lesson.page()
    lesson.do("lay")
    assert lesson.layer.laid == [("bang", lesson.lesson.sign)]
    assert reason(lesson.press("check"), 422) == "each title needs a picture"
    for number, title in enumerate(SIGNS):
        assert lesson.lesson.face == title
        assert lesson.lesson.sign in SIGNS[title]
        assert len(lesson.lesson.missing) == 22 - number
        lesson.lay_copy(title)
    assert lesson.lesson.missing == ()
    assert reason(lesson.press("use"), 422) == "check the pictures first"
    assert lesson.sets.names() == []
    lesson.do("face", face="beer", anew=1)
    assert lesson.lesson.missing == ("beer",)
    lesson.lay_copy("beer")
    lesson.do("check")
    page = lesson.page()
    assert "All titles are told apart." in page
    assert page.count('<img class="card-cut"') == 22
    assert lesson.teaching.unfinished.name == "Ours"
    lesson.do("use")
    assert lesson.teaching.unfinished.name == ""
    for check in (check_kept, check_chosen, check_taught_again, check_deleted):
        check(lesson)


def check_kept(lesson: DeckClass) -> None:
    assert lesson.teaching.lesson is None
    assert lesson.sets.used == SetupStore(lesson.site.folder).stored.deck == "Ours"
    kept = load_deck(lesson.site.folder / "profiles" / "Ours.cards")
    signs = {title: str(card.sign) for title, card in lesson.cards.items()}
    assert {card.title: str(card.sign) for card in kept.cards} == signs
    assert lesson.reader.deck.titles == kept.titles


def check_chosen(lesson: DeckClass) -> None:
    """In the lobby; and its name is given once."""
    assert "taught here" in lesson.site.host.live("seat")
    for name in ("", "Ours"):
        lesson.do("choose", name=name)
        assert lesson.sets.used == name
    assert reason(lesson.press("choose", name="Nobody’s"), 422).startswith("there is no deck")
    assert reason(lesson.press("begin", name="OURS"), 422).startswith("another deck has this name")


def check_taught_again(lesson: DeckClass) -> None:
    lesson.do("begin-again", name="Ours")
    assert lesson.lesson.missing == ()
    for number in range(1, MOST):
        lesson.do("face", face="duel")
        lesson.lay(Crop(lesson.cards["duel"].picture, None, (100.0 * number, 0.0, 60.0)))
    assert reason(lesson.press("take"), 422) == f"{MOST} pictures of a title are enough"
    lesson.do("leave")


def check_deleted(lesson: DeckClass) -> None:
    assert "This deck is in use: players will tap every card." in lesson.page()
    assert reason(lesson.press("delete", name="None"), 422).startswith("no deck")
    lesson.do("delete", name="Ours")
    assert (lesson.sets.names(), lesson.sets.used, lesson.reader.deck) == ([], "", None)
    assert lesson.store.stored.deck == ""
    assert lesson.site.table.scene.surface.state.now is None


def stopped(lesson: DeckClass, *titles: str) -> None:
    """Teach some titles, and cut the lesson off as a pulled plug does."""
    copy(lesson, *titles)
    lesson.begin_table()


def test_a_lesson_that_was_cut_off_goes_on_with_its_pictures(lesson):
    stopped(lesson, "bang", "beer", "duel")
    assert "not finished: 3 of 22" in lesson.page()
    lesson.do("resume")
    given = lesson.lesson.pictures
    assert {face: [each.sign for each in taken] for face, taken in given.items() if taken} == {
        title: [str(lesson.cards[title].sign)] for title in ("bang", "beer", "duel")
    }
    assert np.array_equal(given["beer"][0].image, lesson.cards["beer"].picture)
    assert (lesson.lesson.name, lesson.lesson.face) == ("Ours", lesson.lesson.missing[0])
    # The card that lies there is known.
    lesson.lay_copy("beer")
    assert lesson.lesson.same_as == given["beer"][0].id


DAMAGES: dict[str, tuple[Callable[[Path], object], int]] = {
    "picture": (lambda folder: next(folder.glob("*.png")).write_bytes(b"\x89PNG"), 1),
    "list": (lambda folder: (folder / "lesson.json").write_bytes(b'{"name'), 0),
    "no list": (lambda folder: (folder / "lesson.json").unlink(), 0),
    "another's list": (
        lambda folder: (folder / "lesson.json").write_bytes(b'{"name": "Ours", "pictures": 3}'), 0
    ),
}  # fmt: skip
"""What becomes of a lesson, and how many of its titles are left."""


@pytest.mark.parametrize(("damage", "kept"), DAMAGES.values(), ids=DAMAGES)
def test_what_is_left_of_a_damaged_lesson_goes_on(lesson, damage, kept):
    stopped(lesson, "bang", "beer")
    damage(lesson.site.folder / "lesson")
    stopped(lesson)
    assert ("not finished" in lesson.page()) == bool(kept)
    if kept:
        lesson.do("resume")
        assert len(lesson.lesson.missing) == 22 - kept


def test_without_room_a_lesson_is_not_kept(lesson, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr("companion.setup.unfinished.write_whole", fail)
    stopped(lesson, "bang", "beer")
    assert "not finished" not in lesson.page()
