"""The card reader: pictures of a pile with known truth, decks on disk, and the commands."""

import json
import zipfile
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from cases import cases
from hand_tray import HandTray
from places import PICTURES
from process import within
from tiers import later

from companion.app.cameras import card_copies
from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.titles import Title
from companion.games.registry import card_signs
from companion.setup.lesson import chosen_copies
from tests.tools.bench.card_grounds import (
    Room,
    deck_cards,
    drawn_table,
    lesson,
    scenes,
    taught_deck,
)
from tests.tools.bench.cards import CARDS, EXPECTED, taught
from tests.tools.bench.drawn_decks import DrawnDeck
from tests.tools.bench.plain_decks import NumberDeck, PairedDeck, TurnedDeck
from vision.cards.agree import align_cards
from vision.cards.capture import begin_top_left, laid_outline
from vision.cards.deck import (
    MOST,
    PICTURE,
    TaughtCard,
    TaughtDeck,
    add_cards,
    deck_path,
    encode_picture,
    find_deck,
    load_deck,
    save_deck,
)
from vision.cards.follow import CardFollower
from vision.cards.prints import find_prints
from vision.cards.reader import CardReader
from vision.cards.reading import CardReading, PileVerdict
from vision.cards.sides import glare_mask, is_card_shaped, outline_of
from vision.cards.signs import (
    PrintedSign,
    SignPlace,
    SignReader,
    SignReading,
    find_signs,
    parse_sign,
    usual_place,
)
from vision.cards.teach import cut_out, self_check
from vision.cards.titles import TitleMatcher, rectify_card
from vision.profile_files import SHIPPED, ProfileError
from vision.simulate.cards.art import draw_card
from vision.simulate.cards.sheet import PlacedCard
from vision.simulate.cards.tray import SimulatedCardTray
from vision.training.trays.ground import cloth

pytestmark = pytest.mark.pictures

LAID = "vision/cards/laid.txt"
TRUTH = json.loads((CARDS / "truth.json").read_text("utf-8"))
PALE = "top/043.jpg"
"""Its sign has hardly any contrast."""
BURNT = ("top/028.jpg",)
"""Under a lamp that is mirrored in the sleeve."""
HALF_BURNT_SIGN = "flip/004.jpg"


def seen(name: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(CARDS / name)), np.uint8)


def before(name: str) -> np.ndarray:
    return seen(name.replace(".jpg", "-before.jpg"))


@pytest.fixture(scope="module")
def deck() -> TaughtDeck:
    return taught(CARDS / "teach")


@pytest.fixture(scope="module")
def reader(deck: TaughtDeck) -> CardReader:
    return CardReader(deck)


def test_one_picture_of_each_title_is_enough_to_teach_a_deck(deck):
    assert len(deck.titles) == len(deck.cards) == 22


@pytest.mark.parametrize("name", TRUTH)
def test_what_was_laid_is_read(reader, name):
    true = TRUTH[name]
    reading = reader.read(seen(name), before(name))
    assert reading.verdict == EXPECTED[true["kind"]]
    assert reading.title == true["title"]
    if reading.sign_sure:
        assert str(reading.sign) == true["sign"]
    if true["sign"] and name not in (PALE, HALF_BURNT_SIGN):
        assert str(reading.sign) == true["sign"]
    if reading.verdict is PileVerdict.OK:
        corners = np.array(true["corners"])
        assert abs(reading.outline - corners).max() < 0.1 * np.linalg.norm(corners[1] - corners[0])


def test_a_longer_exposure_is_no_new_card(reader):
    name = "top/000.jpg"
    brighter = cv2.convertScaleAbs(seen(name), alpha=1.2)
    reading = reader.read(np.asarray(brighter, np.uint8), before(name))
    assert (reading.verdict, reading.title) == (PileVerdict.OK, TRUTH[name]["title"])
    relit = cv2.convertScaleAbs(before(name), alpha=1.2)
    assert reader.read(np.asarray(relit, np.uint8), before(name)).verdict is PileVerdict.NONE


@pytest.mark.parametrize("name", ["top/000.jpg", *later("top/013.jpg", "flip/008.jpg")])
def test_a_title_that_was_not_taught_is_never_sure(deck, name):
    title = TRUTH[name]["title"]
    others = TaughtDeck("others", tuple(card for card in deck.cards if card.title != title))
    reading = CardReader(others).read(seen(name), before(name))
    assert reading.verdict is PileVerdict.UNSURE
    assert not reading.sign_sure


def test_a_card_that_shares_its_frame_with_another_is_told_by_what_it_doesn_t_share(deck):
    """A card with one's picture and another's frame is neither of the two for certain."""
    one, other = (next(c for c in deck.cards if c.title == t) for t in ("volcanic", "remington"))
    w, h = PICTURE
    forged = one.picture.copy()
    forged[h // 8 : h * 3 // 4] = other.picture[h // 8 : h * 3 // 4]
    name = "top/000.jpg"
    corners = np.array(TRUTH[name]["corners"], np.float32)
    flat = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners)
    pile = before(name)
    laid = pile.copy()
    size = (pile.shape[1], pile.shape[0])
    inside = cv2.warpPerspective(np.full((h, w), 255, np.uint8), matrix, size) > 128
    laid[inside] = cv2.warpPerspective(forged, matrix, size)[inside]
    assert CardReader(deck).read(laid, pile).title in ("volcanic", "remington")
    without = TaughtDeck("without", tuple(card for card in deck.cards if card.title != "remington"))
    assert CardReader(without).read(laid, pile).verdict is not PileVerdict.OK


@pytest.mark.parametrize("shape", [(1, 1, 3), (16, 16, 3), (40, 3000, 3), (616, 820, 3)])
def test_pictures_of_nothing_show_no_card(reader, shape):
    rng = np.random.default_rng(1)
    flat = np.full(shape, 120, np.uint8)
    noise = rng.integers(0, 256, shape, np.uint8)
    for picture in (flat, noise):
        assert not reader.read(picture).sure
        assert not reader.read(picture, flat).sure
        assert reader.read(picture, picture).verdict is PileVerdict.NONE


def test_without_a_picture_before_the_topmost_card_is_read(reader):
    reading = reader.read(seen("top/000.jpg"))
    assert (reading.title, reading.sure) == (TRUTH["top/000.jpg"]["title"], True)
    assert reader.read(seen("empty/000.jpg")).verdict is PileVerdict.NONE


@pytest.mark.parametrize("turn", [0, 90])
def test_a_card_that_looks_like_another_one_turned_is_read_alone_at_any_turn(turn):
    drawn = PairedDeck(119238)
    cards = {title: _flat(drawn, title, sign) for title, sign in deck_cards(drawn)[:8]}
    deck = TaughtDeck(
        "pairs",
        tuple(TaughtCard(t, parse_sign("7S"), encode_picture(card)) for t, card in cards.items()),
    )
    w, h = PICTURE
    warp = cv2.getRotationMatrix2D((w / 2, h / 2), turn, 0.72)
    warp[:, 2] += (410 - w / 2, 308 - h / 2)
    felt = np.full((616, 820, 3), (40, 120, 130), np.uint8)
    laid = cv2.warpAffine(
        cards["beer"], warp, (820, 616), felt, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT
    )
    reading = CardReader(deck).read(np.asarray(cv2.GaussianBlur(laid, (0, 0), 0.8), np.uint8))
    assert (reading.verdict, reading.title) == (PileVerdict.OK, "beer")


def test_a_card_is_never_surely_one_that_looks_like_it_turned_by_half():
    """By the place of the sign alone, whatever the sign is."""
    drawn, rng = PairedDeck(6), np.random.default_rng(5)
    copies = deck_cards(drawn)[:8]
    cards = [_photographed(_flat(drawn, *copy), rng) for copy in copies]
    matcher = TitleMatcher(cards, [title for title, _ in copies])
    for title, sign in copies:
        for copy in (sign, "7S"):
            laid = _photographed(_flat(drawn, title, copy), rng)
            best = matcher.matches(laid, outline_of(PICTURE))[0]
            assert copies[best.number][0] == title or not best.sure


@pytest.mark.slow
def test_a_title_that_fits_turned_by_half_is_not_surely_read_alone():
    """On a printed cloth; keypoints find the other title first, and are sure of it."""
    drawn, mat, rng = drawn_table("pairs", "cloth", 1)
    given = lesson(Room(drawn, mat, rng, teaching=True), drawn, rng)
    deck = taught_deck(given, cut_out(given.shown, given.empty))
    alone = next(one for one in scenes(drawn, mat, rng) if one.kind == "alone")
    reading = CardReader(deck).read(alone.picture)
    assert reading.title == alone.title or not reading.sure


def test_cards_are_cut_out_only_where_there_are_any():
    empty = seen("empty/000.jpg")
    card = seen("teach/bang/4D-001.jpg")
    cut = cut_out([card, np.full((616, 820, 3), 90, np.uint8)])
    assert cut[0] is not None
    assert cut[0].shape == (PICTURE[1], PICTURE[0], 3)
    assert cut[1] is None
    assert cut_out([np.zeros_like(empty)]) == [None]


def test_a_deck_checks_itself(deck):
    assert self_check(deck) == (0, 0)
    twice = add_cards(deck, [card for card in deck.cards if card.title in ("bang", "beer")])
    assert self_check(twice) == (4, 4)


def _flat(drawn: DrawnDeck, title: str, sign: str) -> np.ndarray:
    return np.asarray(cv2.resize(drawn.draw(title, sign), PICTURE, None, 0, 0, cv2.INTER_AREA))


def _with_tray(card: np.ndarray) -> np.ndarray:
    """A card cut out with a broad strip of the tray below and right of it."""
    w, h = PICTURE
    cut = cv2.copyMakeBorder(card, 0, h // 2, 0, w // 2, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(cut, PICTURE), np.uint8)


@pytest.mark.parametrize(("most", "few"), [(64, 75), *later((1, 64), (5, 6))])
def test_four_cards_with_a_layout_of_their_own_look_no_odder_than_the_rest(most, few):
    """Such as equipment in a deck of actions; one that is cut off does among either."""
    decks = [DrawnDeck(most)] * 18 + [DrawnDeck(few)] * 4
    cards = [
        _flat(drawn, str(title), str(kind.signs[0]))
        for drawn, (title, kind) in zip(decks, KINDS.items(), strict=False)
    ]
    aligned: list[None] = []
    assert not align_cards(cards, lambda: aligned.append(None)).odd
    assert len(aligned) >= len(cards), "progress is told after each card, so a slow Pi doesn't hang"
    cards[0] = _with_tray(cards[0])
    assert align_cards(cards).odd == {0}


def _photographed(card: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A card as it is cut out of a picture: a little askew, blurred, lit unevenly, with noise."""
    w, h = PICTURE
    corners = outline_of(PICTURE).astype(np.float32)
    askew = corners + rng.normal(0, 0.008 * w, (4, 2)).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, askew)
    seen = cv2.warpPerspective(card, warp, PICTURE, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.6, 1.6)).astype(np.float32)
    down, across = (np.linspace(*rng.uniform(0.6, 1, 2), length) for length in (h, w))
    lit = soft * (down[:, None] * across)[..., None] + rng.normal(0, 3, soft.shape)
    return np.asarray(lit.clip(0, 255), np.uint8)


@pytest.mark.parametrize(
    "decks",
    [
        [NumberDeck(2005)] * 22,
        [DrawnDeck(3003)] * 18 + [DrawnDeck(3103)] * 4,
        *later([TurnedDeck(2004)] * 22),
    ],
    ids=["numbers", "two layouts", "alike when turned"],
)
def test_photographed_cards_look_no_odder_than_the_rest_unless_cut_with_the_tray(decks):
    """Also those that have little in common, or a layout that is much unlike the others'."""
    rng = np.random.default_rng(5)
    copies = chosen_copies(card_signs())
    cards = [
        _photographed(_flat(drawn, title, sign), rng)
        for drawn, (title, sign) in zip(decks, copies.items(), strict=True)
    ]
    assert not align_cards(cards).odd
    for number in (4, 20):
        spoilt = [*cards[:number], _with_tray(cards[number]), *cards[number + 1 :]]
        assert align_cards(spoilt).odd == {number}


def test_a_card_taught_without_its_rim_is_sure_where_all_of_it_is_seen():
    """Its frame looks like a card's edge, so one side of it was cut off while teaching."""
    drawn = DrawnDeck(64)
    titles = ("bang", "missed", "barrel", "beer", "cat_balou", "duel", "jail", "panic")
    whole = {title: _flat(drawn, title, "7S") for title in titles}
    cut = {title: card.copy() for title, card in whole.items()}
    for title in ("bang", "missed"):
        cut[title] = cv2.resize(whole[title][:, 8:], PICTURE)
    agreed = align_cards(list(cut.values()))
    assert not agreed.odd
    matcher = TitleMatcher(agreed.pictures, list(cut))
    w, h = PICTURE
    everywhere = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
    for number, title in enumerate(whole):
        best = matcher.matches(whole[title], everywhere)[0]
        assert (best.number, best.sure) == (number, True), title


def test_a_card_that_was_cut_along_its_frame_is_laid_onto_the_others():
    drawn = DrawnDeck(41)
    cards = [_flat(drawn, title, "7S") for title in KINDS]
    h, w = cards[0].shape[:2]
    inner = cards[3][round(0.045 * h) : -round(0.045 * h), round(0.045 * w) : -round(0.045 * w)]
    cut = np.asarray(cv2.resize(inner, (w, h)))
    agreed = align_cards([*cards[:3], cut, *cards[4:]])
    assert 3 not in agreed.odd
    off, before = (cv2.absdiff(each, cards[3]).mean() for each in (agreed.pictures[3], cut))
    assert off < before / 3


def test_a_worn_copy_is_told_more_clearly_the_more_copies_were_seen():
    drawn, rng = DrawnDeck(98, worn=True), np.random.default_rng(5)
    copies = {
        str(title): [_photographed(_flat(drawn, title, str(s)), rng) for s in kind.signs[:4]]
        for title, kind in KINDS.items()
        if len(kind.signs) > 3
    }
    leads = []
    for many in (1, 3):
        seen = [(card, title) for title, cards in copies.items() for card in cards[:many]]
        prints = find_prints(*zip(*seen, strict=True))
        assert [len(each.numbers) for each in prints] == [many] * len(copies)
        matcher = TitleMatcher([each.picture for each in prints], list(copies))
        laid = (
            matcher.lay(n, last, outline_of(PICTURE))
            for n, (*_, last) in enumerate(copies.values())
        )
        leads.append(np.mean([match.lead for match in laid]))
    assert leads[1] > leads[0] + 0.02


def test_a_title_whose_pictures_are_unlike_has_several_prints():
    """As one of two editions; or cut otherwise, which tells nothing."""
    one, other = (_flat(DrawnDeck(number), "bang", "2C") for number in (5, 6))
    assert [each.numbers for each in find_prints([one, other, one], ["bang"] * 3)] == [(0, 2), (1,)]
    odd = find_prints([one, one], ["bang"] * 2, frozenset({1}))
    assert [each.numbers for each in odd] == [(0,), (1,)]


def test_paper_stays_paper_where_copies_are_lit_otherwise():
    """White that is as bright as glare says nothing."""
    card = _flat(DrawnDeck(5), "bang", "2C")
    card[card.min(axis=2) > 150] = 243
    dark = np.asarray(card * 0.95, np.uint8)
    [both] = find_prints([card, dark], ["bang"] * 2)
    assert not glare_mask(both.picture).any()


def _taught_signs(drawn: DrawnDeck) -> list[tuple[np.ndarray, PrintedSign]]:
    """Two copies of each title, if it has them: those with ranks that few others show."""
    ranks = Counter[str]()
    cards = []
    for title, kind in sorted(KINDS.items(), key=lambda entry: len(entry[1].signs)):
        for sign in sorted(map(str, kind.signs), key=lambda sign: ranks[sign[:-1]])[:2]:
            ranks[sign[:-1]] += 1
            cards.append((_flat(drawn, str(title), sign), parse_sign(sign)))
    return cards


def _with_sign_in(card: np.ndarray, corner: str) -> np.ndarray:
    """A card whose bottom left and another corner have changed places."""
    height, width = card.shape[:2]
    rows = {"bottom": slice(height - height // 4, height), "top": slice(0, height // 4)}
    columns = {"left": slice(0, width // 2), "right": slice(width - width // 2, width)}
    upright, beside = corner.split()
    moved = card.copy()
    moved[rows["bottom"], columns["left"]] = card[rows[upright], columns[beside]]
    moved[rows[upright], columns[beside]] = card[rows["bottom"], columns["left"]]
    return moved


def _reader_of(cards: list[tuple[np.ndarray, PrintedSign]]) -> tuple[SignReader, SignPlace]:
    """A reader of the signs of cards that were taught, and where they usually are."""
    found = find_signs(cards)
    place = usual_place([place for place in found if place])
    assert place is not None
    read = [(*card, there) for card, there in zip(cards, found, strict=True) if there]
    assert len(read) > 0.9 * len(cards)
    return SignReader(read), place


@pytest.mark.parametrize("corner", ["top right", "bottom left", *later("top left", "bottom right")])
def test_signs_are_read_in_the_corner_in_which_the_taught_cards_have_them(corner):
    drawn = DrawnDeck(64)
    cards = [
        (_with_sign_in(_flat(drawn, str(title), str(sign)), corner), parse_sign(str(sign)))
        for title, kind in KINDS.items()
        for sign in kind.signs[:2]
    ]
    reader, place = _reader_of(cards)
    for card, sign in cards[1::2]:
        reading = reader.read(cv2.GaussianBlur(card, (0, 0), 0.7), outline_of(PICTURE), place)
        assert reading is not None
        assert reading.sign == sign


@cache
def _sign_reader(drawn: DrawnDeck) -> tuple[SignReader, SignPlace]:
    return _reader_of(_taught_signs(drawn))


def _blurred_readings(
    drawn: DrawnDeck, sign: str, blurs: tuple[float, ...], known: Collection[PrintedSign] = ()
) -> list[SignReading]:
    """How the sign of a Bang is read by a deck that was taught, ever further out of focus."""
    signs, place = _sign_reader(drawn)
    card = _flat(drawn, "bang", sign)
    blurred = [np.asarray(cv2.GaussianBlur(card, (0, 0), blur)) for blur in blurs]
    read = [signs.read(each, outline_of(PICTURE), place, known) for each in blurred]
    return [reading for reading in read if reading]


@pytest.mark.parametrize("number", [51, *later(46, 62, 72)])
def test_a_sign_far_out_of_focus_is_asked_about_rather_than_misread(number):
    drawn = DrawnDeck(number)
    for sign in map(str, KINDS[Title.BANG].signs):
        sharp, *blurred = _blurred_readings(drawn, sign, (1.0, 2.5, 3.0))
        assert (str(sharp.sign), sharp.sure) == (sign, True)
        for reading in blurred:
            assert str(reading.sign) == sign or not reading.sure


def test_a_scuffed_club_out_of_focus_is_never_surely_a_spade_and_a_club_where_it_must_be():
    worn = DrawnDeck(75, worn=True)
    blurred = _blurred_readings(worn, "8C", (1.6, 2.0))
    assert [(str(reading.sign), reading.sure) for reading in blurred] == [("8S", False)] * 2
    # No card of its title has the other sign.
    known = {parse_sign(str(sign)) for sign in KINDS[Title.BANG].signs}
    blurred = _blurred_readings(worn, "8C", (1.6, 2.0), known)
    assert [str(reading.sign) for reading in blurred] == ["8C"] * 2


def test_a_clear_sign_is_read_though_no_card_of_its_title_should_have_it():
    known = {PrintedSign("8", "S"), PrintedSign("2", "D")}
    (reading,) = _blurred_readings(DrawnDeck(46), "9C", (0.5,), known)
    assert str(reading.sign) == "9C"


def test_known_signs_count_for_nothing_in_a_deck_that_has_others(deck):
    signs = {title: ["2S"] for title in deck.titles}
    reading = CardReader(deck, signs).read(seen("top/006.jpg"), before("top/006.jpg"))
    assert reading.sign == PrintedSign("Q", "H")


def test_signs_are_named_by_rank_and_suit():
    assert parse_sign("10S") == PrintedSign("10", "S")
    for text in ("", "1S", "10", "AX", "as"):
        with pytest.raises(ValueError, match="no sign"):
            parse_sign(text)


# Decks on disk


def test_a_deck_comes_back_as_it_was_saved(deck, tmp_path):
    path = tmp_path / "mine.cards"
    save_deck(deck, path)
    again = load_deck(path)
    assert again.name == "mine"
    assert [(c.title, c.sign) for c in again.cards] == sorted((c.title, c.sign) for c in deck.cards)
    of = {card.title: card.picture for card in deck.cards}
    assert all((card.picture == of[card.title]).all() for card in again.cards)


def test_the_newest_pictures_of_a_title_are_kept(deck):
    card = deck.cards[0]
    pictures = [encode_picture(np.full_like(card.picture, n)) for n in range(MOST + 2)]
    newer = [TaughtCard(card.title, card.sign, picture) for picture in pictures]
    kept = [c for c in add_cards(deck, newer).cards if c.title == card.title]
    assert [int(c.picture[0, 0, 0]) for c in kept] == [2, 3, 4, 5]


def _edit(name: str, data: bytes) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        with zipfile.ZipFile(path, "a") as file:
            file.writestr(name, data)

    return edit


def _headed(**head: object) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("deck.json", json.dumps(head))

    return edit


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_headed(format=99, kind="cards"), "written by a newer version"),
        (_headed(kind="cards"), "no format"),
        (_headed(format=1, kind="dice"), "kind must be 'cards'"),
        (lambda path: path.write_bytes(b""), "damaged"),
        (lambda path: path.write_bytes(path.read_bytes()[:-40]), "damaged"),
        (lambda path: path.unlink(), "no such deck"),
        (_edit("taught/bang/07-4D.png", b"GIF"), "taught/bang/07-4D.png: no picture of a card"),
        (_edit("taught/bang/07-XX.png", b"GIF"), "no picture of a card"),
        (_edit("readme.txt", b"hello"), "readme.txt: no picture of a card"),
        (_edit("taught/bang/07-4D.png", b"0" * (1 << 19)), "too large for a deck"),
        (_edit("learned/../00-6H-x.png", b""), "no picture of a card"),
    ],
)
def test_a_damaged_or_other_deck_is_refused(deck, tmp_path, damage, said):
    path = tmp_path / "mine.cards"
    save_deck(deck, path)
    damage(path)
    with pytest.raises(ProfileError, match=said):
        load_deck(path)


def test_decks_are_named_or_are_files(tmp_path):
    assert deck_path("mine", tmp_path) == tmp_path / "mine.cards"
    assert deck_path("some/mine.cards", tmp_path) == Path("some/mine.cards")
    assert find_deck("print", tmp_path) == SHIPPED / "print.cards"
    (tmp_path / "print.cards").touch()
    assert find_deck("print", tmp_path) == tmp_path / "print.cards"
    assert find_deck("mine", tmp_path) == tmp_path / "mine.cards"
    for name in ("", "a\nb", "mine.dice", "..", "folder/"):
        with pytest.raises(ProfileError):
            deck_path(name, tmp_path)


# From frame to frame


def follow(follower: CardFollower, picture: np.ndarray, at: float) -> list[CardReading | None]:
    """Show one picture for a second; return what was told."""
    changes = [follower.update(picture, at + n / 15) for n in range(15)]
    return [change.reading for change in changes if change is not None]


PLACE = np.array([(0, 0), (100, 0), (100, 140), (0, 140)], float)


def clear(card: str, off: float = 0, **more: object) -> CardReading:
    """A reading without doubt of a card, `beer 6H`, which lies so far from PLACE.

    The sign of `beer 6H?` is likely, that of `beer ?` isn't known.
    """
    title, sign = card.split()
    told, sure = (parse_sign(sign.strip("?")) if sign != "?" else None), "?" not in sign
    chances = {told: 1.0 if sure else 0.9} if told else {}
    reading = CardReading(PileVerdict.OK, (title,), told, sure, PLACE + off, chances=chances)
    return replace(reading, **more)


def exactly_on_another(card: str) -> CardReading:
    """A reading of a card that may have been uncovered instead of laid."""
    laid = clear(card)
    return replace(laid, verdict=PileVerdict.UNSURE, sign_sure=False, unless_uncovered=laid)


def told_last(*readings: CardReading, **given: object) -> CardReading:
    """What is told of the last of these readings, each of a picture of its own.

    Several cards at once are taken as they lie.
    """
    following = iter(readings)
    follower = CardFollower(lambda *_: next(following), **given)
    for at in range(len(readings) + 1):
        *_, last = follow(follower, np.full((60, 80, 3), 50 * at % 256, np.uint8), at)
        if last.verdict is PileVerdict.MANY:
            follower.take_as_is()
    return last


def test_a_pile_is_read_when_it_lies_still(reader):
    follower = CardFollower(reader.read)
    name = "top/000.jpg"
    [first] = follow(follower, before(name), 0)
    assert first == CardReading(PileVerdict.NONE)
    assert follower.update(seen(name), 0.1) is None, "an older frame changes nothing"
    moving, laid = follow(follower, seen(name), 1)
    assert moving is None
    assert (laid.verdict, laid.title) == (PileVerdict.OK, TRUTH[name]["title"])
    assert follow(follower, seen(name), 2) == []


# The commands


def test_decks_are_taught_and_read_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "mine.cards"
    cards = ("--game", "cards", "--profile", path)
    taught = within(capsys, "teach", *cards, CARDS / "teach")
    assert (taught.returncode, taught.stderr) == (0, "")
    assert json.loads(taught.stdout)["titles"]["bang"] == 1
    name = CARDS / "top" / "000.jpg"
    read = within(capsys, "read", *cards, "--before", CARDS / "top/000-before.jpg", name)
    entry = json.loads(read.stdout)
    assert entry.pop("ms") > 0
    true = TRUTH["top/000.jpg"]
    assert entry == {
        "picture": str(name), "verdict": "ok", "title": true["title"], "sign": true["sign"],
        "sure": True, "sign_sure": True, "likely": [true["title"]],
    }  # fmt: skip


SEEDS = {"carpet": 11, "ornaments": 9, "plaid": 0, "wood": 6}
"""Of grounds that look so."""


def _drawn_lesson(ground: str) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """The empty ground, and for `TITLE/SIGN` a picture of that card on it, and its corners."""
    drawn, rng, mat = DrawnDeck(64), np.random.default_rng(6400), None
    if ground == "paper":
        mat = np.full((760, 1040, 3), 0.9 * np.array(drawn.paper), np.uint8)
    elif ground != "felt":
        painted = cloth(np.random.default_rng(SEEDS[ground]), 760, 1040, pitch=40)
        mat = np.asarray(painted.clip(0, 1) * 255, np.uint8)
    tray = SimulatedCardTray(card_copies(), seed=3, draw=drawn.draw, mat=mat)
    empty, shown = tray.frame(), {}
    for title, titled in list(KINDS.items())[:6]:
        tray.clear()
        card = PlacedCard(
            str(title), str(titled.signs[0]), *rng.uniform(-2.5, 2.5, 2), rng.uniform(-9, 9)
        )
        tray.place(card)
        shown[f"{title}/{titled.signs[0]}"] = tray.frame(), tray.corners(card)
    return empty, shown


@pytest.mark.parametrize("ground", ["felt", "carpet", *later("ornaments", "plaid", "wood")])
def test_cards_on_any_ground_are_cut_out_exactly_where_it_is_known_empty(ground):
    empty, shown = _drawn_lesson(ground)
    cut = cut_out([picture for picture, _ in shown.values()], empty)
    for card, (picture, corners) in zip(cut, shown.values(), strict=True):
        assert card is not None
        middle = corners.mean(axis=0)
        wider = middle + (corners - middle) * 1.02
        off, exact = (
            np.abs(card.astype(float) - rectify_card(picture, place, PICTURE)).mean()
            for place in (wider, corners)
        )
        assert exact < off


def test_a_card_nearly_as_white_as_its_ground_is_found_by_its_rim():
    """Most of it seems unchanged."""
    empty, shown = _drawn_lesson("paper")
    for picture, corners in shown.values():
        outline = laid_outline(picture, empty)
        assert outline is not None
        off = abs(begin_top_left(outline) - corners).max()
        assert off < 0.03 * np.linalg.norm(corners[1] - corners[0])


def test_the_empty_ground_is_given_on_the_command_line(tmp_path, capsys):
    empty, shown = _drawn_lesson("plaid")
    path, folder, ground = (tmp_path / name for name in ("mine.cards", "taught", "empty.png"))
    cv2.imwrite(str(ground), empty)
    for name, (picture, _) in shown.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"{name}-000.png"), picture)
    cards = ("teach", "--game", "cards", "--profile", path)
    done = within(capsys, *cards, "--before", ground, folder)
    assert "no card found" not in done.stderr
    assert sum(json.loads(done.stdout)["titles"].values()) == len(shown)
    cv2.imwrite(str(ground), empty[:300])
    done = within(capsys, *cards, "--before", ground, folder)
    assert done.returncode == 2
    assert f"{ground}: 820 x 300 pixels, but" in done.stderr


def test_a_pile_is_watched_on_the_command_line(deck, tmp_path, capsys):
    path = tmp_path / "mine.cards"
    save_deck(deck, path)
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(30):
        picture = before("top/000.jpg") if number < 15 else seen("top/000.jpg")
        cv2.imwrite(str(folder / f"{number:03}.jpg"), picture)
    cards = ("--game", "cards", "--profile", path)
    done = within(capsys, "watch", *cards, "--fps", 15, folder)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(e["event"], e.get("verdict"), e.get("title")) for e in events] == [
        ("settled", "none", None),
        ("moving", None, None),
        ("settled", "ok", TRUTH["top/000.jpg"]["title"]),
    ]


@pytest.fixture(scope="module")
def printed() -> CardReader:
    """A reader of the deck that can be printed, which the simulated tray draws."""
    return CardReader(load_deck(SHIPPED / "print.cards"), card_signs())


@pytest.mark.parametrize(
    ("far", "cards"),
    [(0.2, 1), (4.4, 6), *later((0.2, 6), (0.6, 1), (0.6, 6), (1.5, 1), (1.5, 6), (2.8, 1))],
)
def test_a_pile_that_was_pushed_is_no_new_card(printed, cards, far):
    tray = SimulatedCardTray(card_copies(), seed=5)
    tray.stack(tray.stock[:cards])
    pile = tray.frame()
    tray.push(far, -far / 2, 6 * far)
    assert printed.read(tray.frame(), pile).verdict is PileVerdict.MOVED


def test_another_copy_on_the_card_of_one_title_is_no_pushed_pile_and_two_are_many(printed):
    tray = SimulatedCardTray(card_copies(), seed=5)
    tray.place(PlacedCard("bang", "4D", 0.0, 0.0, 0.0))
    pile = tray.frame()
    tray.place(PlacedCard("bang", "9C", 0.5, -0.3, 6.0, z=0.03))
    reading = printed.read(tray.frame(), pile)
    assert (reading.verdict, reading.title, str(reading.sign)) == (PileVerdict.OK, "bang", "9C")
    # Even where one has the title of the card that they cover.
    tray.take_off()
    tray.place(PlacedCard("missed", "10C", 0.4, 0.4, 3.0, z=0.03))
    tray.place(PlacedCard("bang", "9C", -4.0, -1.0, 10.0, z=0.06))
    assert printed.read(tray.frame(), pile).verdict is PileVerdict.MANY


def test_another_title_with_the_same_sign_is_no_pushed_pile(printed):
    tray = SimulatedCardTray(card_copies(), seed=5)
    tray.place(PlacedCard("bang", "QD", 0.0, 0.0, 0.0))
    pile = tray.frame()
    tray.place(PlacedCard("duel", "QD", 0.04, 0.02, 0.5, z=0.03))
    reading = printed.read(tray.frame(), pile).unless_uncovered
    assert reading is not None
    assert (reading.title, str(reading.sign), reading.sign_sure) == ("duel", "QD", True)


@pytest.mark.parametrize("sign", ["9C", *later("6D")])
def test_another_copy_exactly_on_the_topmost_card_is_told_by_its_sign(printed, sign):
    """Nothing else has changed."""
    tray = SimulatedCardTray(card_copies(), seed=5)
    follower = CardFollower(printed.read, is_empty=printed.is_empty)
    follow(follower, tray.frame(), 0)
    for at, laid in enumerate(("4D", sign), start=1):
        tray.place(PlacedCard("bang", laid, 0.0, 0.0, 0.0, z=0.03 * at))
        *_, told = follow(follower, tray.frame(), at)
        assert (told.verdict, told.title, str(told.sign)) == (PileVerdict.OK, "bang", laid)
    assert printed.read(tray.frame(), tray.frame(), told.outline).verdict is PileVerdict.NONE


@pytest.mark.parametrize(("x", "turn"), [(0.7, -9.0), *later((1.5, 4.0))])
def test_both_cards_of_one_title_and_sign_are_asked_about_and_a_pushed_one_is_not(printed, x, turn):
    tray = SimulatedCardTray(card_copies(), seed=5)
    tray.stack([("bang", "7C"), ("missed", "6S")])
    tray.place(PlacedCard("stagecoach", "9S", 0.0, 0.0, 0.0, z=0.07))
    pile = tray.frame()
    tray.place(PlacedCard("stagecoach", "9S", x, 0.4, turn, z=0.1))
    reading = printed.read(tray.frame(), pile)
    assert (reading.verdict, reading.title) == (PileVerdict.UNSURE, "stagecoach")
    tray.take_off()
    tray.push(x + 0.4, 0.4, turn)
    assert printed.read(tray.frame(), pile).verdict is PileVerdict.MOVED


@pytest.mark.parametrize(
    ("top", "told"),
    # The Stagecoach may have lain on the other one.
    [(("beer", "6H"), PileVerdict.NONE), (("stagecoach", "9S"), PileVerdict.MOVED)],
)
def test_nothing_was_taken_off_a_pushed_pile_whose_topmost_card_is_seen_again(printed, top, told):
    tray = SimulatedCardTray(card_copies(), seed=5)
    follower = CardFollower(printed.read, shows=printed.shows)
    follow(follower, tray.frame(), 0)
    for at, card in enumerate((("missed", "10C"), ("bang", "7C"), top), start=1):
        tray.stack([card])
        assert follow(follower, tray.frame(), at)[-1].title == card[0]
    tray.push(1.0, -0.6, 5)
    assert follow(follower, tray.frame(), 5)[-1].verdict is told


@pytest.mark.parametrize(
    ("there", "seen"),
    [("beer 6H", True), ("beer 9H", False), ("duel QD", False), ("back", False), (None, False)],
)
def test_a_card_is_seen_again_by_its_title_and_its_sign(printed, pile, there, seen):
    with_beer = pile.frame()
    pile.take_off()
    reading = printed.read(with_beer, pile.frame())
    assert reading.sign_sure
    if there is not None:
        title, sign = (BEER.title, BEER.sign) if there == "back" else there.split()
        pile.place(replace(BEER, title=title, sign=sign, face_up=there != "back"))
    assert printed.shows(pile.frame(), reading) is seen


@pytest.mark.parametrize(("off", "told"), [(3, PileVerdict.MOVED), (12, PileVerdict.UNSURE)])
def test_the_sign_that_two_cards_share_does_not_tell_that_one_is_seen_again(off, told):
    one, again = (clear("stagecoach 9S", far, twin=True) for far in (0, off))
    last = told_last(one, clear("beer 6H"), again)
    assert (last.verdict, last.sign_sure) == (told, False)


def _taught(drawn: DrawnDeck) -> CardReader:
    """A reader of one copy of each title, and of another where that shows a new rank or suit."""
    cards = [(str(title), str(sign)) for title, kind in KINDS.items() for sign in kind.signs]
    seen: set[str] = set()
    chosen = []
    for title, sign in cards:
        if not {title, sign[:-1], sign[-1]} <= seen:
            picture = encode_picture(_flat(drawn, title, sign))
            chosen.append(TaughtCard(title, parse_sign(sign), picture))
            seen |= {title, sign[:-1], sign[-1]}
    return CardReader(TaughtDeck("drawn", tuple(chosen)))


def test_a_card_below_a_new_one_is_not_overlooked():
    """The upper one is sure; of the lower one, white corners stick out."""
    drawn = DrawnDeck(85)
    reader = _taught(drawn)
    lower = PlacedCard("rev_carabine", "AC", 0.07, -0.31, 258.2, z=0.03)
    upper = PlacedCard("panic", "JH", 2.36, -0.26, 237.8, z=0.06)
    told = []
    for cards in ((upper,), (lower, upper)):
        tray = SimulatedCardTray(card_copies(), seed=5, draw=drawn.draw)
        tray.place(PlacedCard("bang", "KD", -1.2, -0.96, 30.3))
        pile = tray.frame()
        for card in cards:
            tray.place(card)
        told.append(reader.read(tray.frame(), pile))
    assert [reading.verdict for reading in told] == [PileVerdict.OK, PileVerdict.MANY]
    assert told[0].title == "panic"


@pytest.mark.parametrize(
    ("below", "above"), [(("bang", "QH"), ("bang", "4C")), (("panic", "8D"), ("bang", "4C"))]
)
def test_a_card_that_differs_from_the_one_below_in_thin_lines_is_asked_about(below, above):
    """It lies exactly on another one, of its title or with the same frame and paper."""
    drawn = DrawnDeck(75)
    tray = SimulatedCardTray(card_copies(), seed=5, draw=drawn.draw)
    tray.place(PlacedCard(*below, 0.3, 0.2, 12.0))
    pile = tray.frame()
    tray.place(PlacedCard(*above, 0.33, 0.16, 12.8, z=0.03))
    reading = _taught(drawn).read(tray.frame(), pile)
    assert (reading.verdict, reading.title) == (PileVerdict.UNSURE, above[0])
    assert str(reading.sign) == above[1]


@pytest.fixture
def pile() -> SimulatedCardTray:
    """A tray in which a Beer lies on four other cards."""
    tray = SimulatedCardTray(card_copies(), seed=5, draw=printed_or_foreign)
    tray.stack(tray.stock[:4])
    tray.place(BEER)
    return tray


BEER = PlacedCard("beer", "6H", 0.3, 0.2, 12.0, z=0.2)
PILES = PICTURES / "piles"
FOREIGN = DrawnDeck(1)
"""The deck of another game."""


def printed_or_foreign(title: str | None, sign: str) -> np.ndarray:
    """Draw a card of the deck that can be printed, or of another game."""
    if title is not None and title.startswith("foreign_"):
        return np.asarray(FOREIGN.draw(title.removeprefix("foreign_"), sign))
    return draw_card(title, sign)


MORE_LAID = later(*cases(LAID, "More laid on a Beer"))


@pytest.mark.parametrize(("laid", "told"), [*cases(LAID, "Laid on a Beer"), *MORE_LAID])
def test_what_is_laid_on_a_card_is_told_from_it(printed, pile, laid, told):
    *named, x, y, turn = laid.split()
    title, sign = (BEER.title, BEER.sign) if named == ["back"] else named
    earlier = pile.frame()
    pile.place(PlacedCard(title, sign, float(x), float(y), float(turn), 0.23, named != ["back"]))
    reading = printed.read(pile.frame(), earlier)
    verdicts, *shown = told.split()
    assert reading.verdict in verdicts.split("|")
    assert [reading.title, str(reading.sign)][: len(shown)] == shown
    assert not (reading.sign_sure and title.startswith("foreign"))


def test_a_card_that_showed_beside_the_one_on_it_was_uncovered(printed):
    """Together they have the shape of one card, and their title is unsure from that shape."""
    before, after = (
        np.asarray(cv2.imread(str(PILES / name)), np.uint8)
        for name in ("missed-on-schofield.jpg", "missed-taken-off.jpg")
    )
    assert printed.read(after, before).verdict is PileVerdict.MOVED
    reading = printed.read(before, after)
    assert (reading.verdict, reading.title) == (PileVerdict.OK, "missed")


def test_a_card_was_taken_off_though_it_had_few_edges_among_white_ones(printed):
    tray = SimulatedCardTray(card_copies(), seed=5)
    tray.place(PlacedCard("beer", "8H", 1.21, 0.38, 13.3, z=1.39))
    tray.place(PlacedCard("bang", "AS", 1.42, -0.18, 6.5, z=1.42))
    tray.place(PlacedCard("bang", "KH", 0.96, 0.02, -17.4, z=1.45))
    tray.place(PlacedCard("jail", "10S", 1.71, -1.19, 9.7, z=1.49))
    before = tray.frame()
    tray.take_off()
    assert printed.read(tray.frame(), before).verdict is PileVerdict.MOVED


def test_a_card_that_is_seen_again_where_it_lay_was_uncovered(printed, pile):
    follower = CardFollower(printed.read)
    pile.take_off()
    follow(follower, pile.frame(), 0)
    told = []
    missed = PlacedCard("missed", "10C", 0.32, 0.22, 13.0, z=0.23)
    for at, card in enumerate((BEER, missed), start=1):
        pile.place(card)
        told.append(follow(follower, pile.frame(), at)[-1])
    assert [reading and reading.title for reading in told] == ["beer", "missed"]
    pile.take_off()
    *_, last = follow(follower, pile.frame(), 3)
    assert last == CardReading(PileVerdict.MOVED)


@pytest.mark.parametrize("between", ["pushed", "taken off"])
def test_it_was_uncovered_also_where_the_pile_was_pushed_or_another_taken_off(
    printed, pile, between
):
    follower = CardFollower(printed.read)
    pile.take_off()
    follow(follower, pile.frame(), 0)
    pile.place(BEER)
    follow(follower, pile.frame(), 1)
    place = BEER
    if between == "pushed":
        pile.push(0.8, -0.5, 6)
        place = BEER.move(0.8, -0.5, 6)
    else:
        pile.place(replace(BEER, title="missed", sign="10C", x=0.32, z=0.23))
        follow(follower, pile.frame(), 2)
        pile.take_off()
    assert follow(follower, pile.frame(), 3)[-1].verdict is PileVerdict.MOVED
    pile.place(replace(place, title="barrel", sign="KS", x=place.x + 0.02, z=0.23))
    assert follow(follower, pile.frame(), 4)[-1].title == "barrel"
    pile.take_off()
    assert follow(follower, pile.frame(), 5)[-1].verdict is PileVerdict.MOVED


@pytest.mark.parametrize(
    ("sign", "told"),
    [("6H", PileVerdict.MOVED), ("6H?", PileVerdict.MOVED), ("9H", PileVerdict.OK)],
)
def test_its_sign_tells_it_where_it_is_seen_again_a_little_aside(sign, told):
    again = clear(f"beer {sign}", 12)
    assert told_last(clear("beer 6H"), clear("barrel QS"), again).verdict is told


@pytest.mark.parametrize("unsure", [PileVerdict.FACEDOWN, PileVerdict.UNSURE, PileVerdict.MANY])
@pytest.mark.parametrize(
    ("now", "before", "told"),
    [
        (True, False, PileVerdict.MOVED),
        # It wasn't uncovered: something lies beside it.
        (True, True, None),
        (False, False, None),
    ],
)
def test_a_card_that_surely_shows_only_now_was_uncovered(unsure, now, before, told):
    shows = iter((now, before))
    doubtful = CardReading(unsure, outline=PLACE + 30)
    readings = clear("beer 6H"), clear("barrel QS"), doubtful
    assert told_last(*readings, shows=lambda *_: next(shows)).verdict is (told or unsure)


def told_on(pile: str, last: CardReading) -> CardReading:
    """What is told of a reading on a pile of cards as in laid.txt."""
    unread = {"any": CardReading(PileVerdict.MANY), "moved": CardReading(PileVerdict.MOVED)}
    cards = [card for card in pile.split(", ") if card != "empty"]
    readings = [unread.get(card) or clear(card) for card in cards]
    return told_last(*readings, last, is_empty=lambda _: "empty" in pile)


@pytest.mark.parametrize(("pile", "card", "told"), cases(LAID, "Exactly on another"))
def test_the_cards_below_tell_whether_one_that_lies_exactly_on_another_was_laid(pile, card, told):
    last = told_on(pile, exactly_on_another(card))
    assert (last.verdict, last.sign_sure) == (told, told == "ok")


@pytest.mark.parametrize(("pile", "card", "told"), cases(LAID, "Surely read where"))
def test_a_card_that_may_have_been_uncovered_is_asked_about(pile, card, told):
    assert told_on(pile, clear(card)).verdict == told
    if told == "unsure":
        assert told_on(pile, clear(card, 30)).verdict is PileVerdict.OK, "it lay elsewhere"


def test_a_pile_in_an_emptied_tray_is_known_down_to_it():
    unsure = exactly_on_another("duel QD")
    emptied = CardReading(PileVerdict.MOVED)
    following = iter((clear("beer 6H"), emptied, clear("jail 4H"), unsure))

    def read(*_: object) -> CardReading:
        reading = next(following)
        if reading is emptied:
            follower.forget_cards()
        return reading

    follower = CardFollower(read)
    for at in range(5):
        *_, last = follow(follower, np.full((60, 80, 3), 50 * at % 256, np.uint8), at)
    assert last.verdict is PileVerdict.OK


def test_a_pile_stays_known_where_a_card_that_was_taken_off_looks_like_a_push():
    pushed = CardReading(PileVerdict.MOVED, movement=np.eye(3))
    unsure = exactly_on_another("duel QD")
    last = told_last(
        *(clear("beer 6H"), clear("barrel QS"), pushed, unsure),
        is_empty=lambda _: True,
        # Pictures become brighter: since the pile seems to have been pushed.
        shows=lambda picture, card: card.title == "beer" and picture[0, 0, 0] > 70,
    )
    assert last.verdict is PileVerdict.OK


def test_what_a_card_is_said_to_be_tells_what_may_be_uncovered():
    """Neither of two that were asked about is the Missed! then."""
    doubtful = replace(clear("bang ?"), verdict=PileVerdict.UNSURE, likely=("bang", "missed"))
    unsure = exactly_on_another("missed 3S")
    readings = (doubtful, doubtful, clear("jail 4H"), unsure)
    for named, told in ((False, PileVerdict.UNSURE), (True, PileVerdict.OK)):
        following = iter(readings)
        follower = CardFollower(lambda *_, given=following: next(given))
        for at in range(len(readings) + 1):
            *_, last = follow(follower, np.full((60, 80, 3), 50 * at % 256, np.uint8), at)
            if named and last.verdict is PileVerdict.UNSURE and last.title == "bang":
                follower.name_card(last.number, "bang", parse_sign("2C"))
        assert last.verdict is told


@pytest.mark.parametrize("apart", [1.2, *later(0.0, 2.5)])
def test_five_cards_at_once_are_many(printed, pile, apart):
    """In a heap, fanned out, or side by side."""
    earlier = pile.frame()
    for number, (title, sign) in enumerate(pile.stock[:5]):
        turn = 25.0 * (number - 2)
        pile.place(PlacedCard(title, sign, apart * (number - 2), 0.4, turn, z=0.23 + 0.03 * number))
    assert printed.read(pile.frame(), earlier).verdict is PileVerdict.MANY


def test_an_outline_that_leans_is_no_card_s():
    """A title that was found askew, as in a pushed pile, isn't sure."""
    corners = np.array([(0.0, 0.0), (100.0, 0.0), (100.0, 140.0), (0.0, 140.0)])
    assert is_card_shaped(corners)
    for corner, off in ((0, (30.0, 0.0)), (2, (0.0, 45.0)), (1, (-90.0, 130.0))):
        skewed = corners.copy()
        skewed[corner] += off
        assert not is_card_shaped(skewed)
    assert not is_card_shaped(np.full((4, 2), np.nan))
    assert not is_card_shaped(np.zeros((4, 2)))


def test_a_hand_that_comes_in_from_the_rim_blocks_the_pile(printed):
    tray = HandTray(card_copies(), seed=5)
    tray.stack(tray.stock[:3])
    pile = tray.frame()
    tray.flip()
    tray.settle()
    tray.reach_in(0.5, 0.5, 90)
    assert printed.read(tray.frame(), pile).verdict is PileVerdict.BLOCKED
