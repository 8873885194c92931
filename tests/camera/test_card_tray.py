"""The simulated card tray: our own cards, laid, seen as frames, and read."""

from collections import Counter
from itertools import combinations

import cv2
import numpy as np
import pytest
from trays import rest

from companion.games.cards.rules.deck import KINDS, WEAPONS
from companion.games.cards.rules.titles import SIGNS, Suit, Title
from docs.generate.print_deck import print_deck
from vision.cards.reader import CardReader
from vision.cards.signs import RANKS, SUITS, find_signs, parse_sign
from vision.simulate.cards import art
from vision.simulate.cards.art import CARD, REACHES, WORDS, draw_card
from vision.simulate.cards.lettering import LETTERS
from vision.simulate.cards.sheet import SleeveSettings
from vision.simulate.cards.tray import PileSettings, SimulatedCardTray
from vision.simulate.settings import RenderSettings

pytestmark = pytest.mark.pictures

DECK = tuple((str(title), str(sign)) for title, kind in KINDS.items() for sign in kind.signs)
SMALL = (410, 308)


# The cards


def test_every_title_has_its_own_pictogram_and_word():
    assert set(art.PICTOGRAMS) == set(WORDS) == set(Title)
    assert len(set(WORDS.values())) == len(Title)
    assert set("".join(WORDS.values())) | set("".join(RANKS)) <= set(LETTERS)
    assert set(art.SUITS) == set(Suit) == set(SUITS)
    assert {Title(title): reach for title, reach in REACHES.items()} == WEAPONS
    assert {title for title, kind in KINDS.items() if kind.border == "blue"} == art.IN_PLAY


def test_no_two_pictograms_look_alike_from_afar():
    left, top, edge = (round(2 * mm) for mm in (9.0, 19.5, 45.0))
    shown = [draw_card(title, "4D", 2)[top : top + edge, left : left + edge] for title in WORDS]
    seen = [cv2.GaussianBlur(picture, (0, 0), 2).ravel() for picture in shown]
    for (one, first), (other, second) in combinations(zip(WORDS, seen, strict=True), 2):
        assert np.corrcoef(first, second)[0, 1] < 0.8, f"{one} and {other}"


@pytest.mark.parametrize("title", ["bang", "winchester"])
def test_each_sign_stands_where_the_reader_looks_for_it(title):
    cards = [(cv2.resize(draw_card(title, sign), (189, 264)), parse_sign(sign)) for sign in SIGNS]
    for place in find_signs(cards):
        assert place.height * CARD[1] == pytest.approx(8, abs=0.7)


def test_the_shipped_deck_is_that_of_the_cards_as_they_are_drawn(deck):
    shipped, drawn = deck, print_deck()
    assert [card[:2] for card in shipped.cards] == [card[:2] for card in drawn.cards]
    assert set(shipped.titles) == set(Title)
    ranks = Counter(card.sign.rank for card in shipped.cards)
    assert min(ranks[rank] for rank in RANKS) >= 2
    for one, other in zip(shipped.cards, drawn.cards, strict=True):
        assert abs(one.picture.astype(int) - other.picture).mean() < 1


# The tray


def test_a_seed_gives_the_same_pictures_and_another_seed_others():
    trays = [SimulatedCardTray(DECK, (333, 241), seed) for seed in (7, 7, 8)]
    assert trays[0].flip() == trays[1].flip()
    trays[2].flip()
    frames = 0
    while not trays[0].at_rest:
        one, same, other = (tray.frame() for tray in trays)
        assert (one.shape, one.dtype) == ((241, 333, 3), np.uint8)
        assert np.array_equal(one, same)
        assert not np.array_equal(one, other)
        frames += 1
    assert frames > 3


def test_a_card_in_the_tray_is_laid_only_once():
    tray = SimulatedCardTray(DECK, SMALL, seed=2)
    assert tray.copies("duel") == 3
    assert {tray.lay("duel") for _ in range(3)} == {("duel", sign) for sign in ("QD", "JS", "8C")}
    with pytest.raises(ValueError, match="no duel is left"):
        tray.lay("duel")
    tray.lay("bang", "2C")
    with pytest.raises(ValueError, match="no bang 2C is left"):
        tray.lay("bang", "2C")
    top = tray.take_off()
    assert (top.title, top.sign) == ("bang", "2C")
    assert tray.copies("bang") == 25
    tray.clear()
    assert (tray.laid_cards, Counter(tray.stock)) == ((), Counter(DECK))
    with pytest.raises(ValueError, match="no card lies in the tray"):
        tray.take_off()


def test_flips_go_through_the_whole_deck_in_a_shuffled_order():
    tray = SimulatedCardTray(DECK, (160, 120), seed=3)
    order = tray.stock
    assert [tray.flip() for _ in DECK] == list(order)
    assert order != DECK
    with pytest.raises(ValueError, match="no card is left"):
        tray.flip()
    assert max(card.z for card in tray.laid_cards) == pytest.approx(2.5, abs=0.2)


def test_a_card_lies_where_its_corners_say():
    tray = SimulatedCardTray(DECK, seed=4, settings=RenderSettings(tilt=14, turn=180))
    tray.stack([("gatling", "10H"), ("jail", "4H")])
    card = tray.laid_cards[-1]
    w, h = 189, 264
    flat = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    matrix = cv2.getPerspectiveTransform(tray.corners(card), flat)
    seen = cv2.warpPerspective(tray.frame(), matrix, (w, h)).astype(float)
    drawn = cv2.resize(draw_card("jail", "4H"), (w, h)).astype(float)
    assert np.corrcoef(seen.ravel(), drawn.ravel())[0, 1] > 0.9


@pytest.mark.slow
def test_bent_cards_in_sleeves_that_mirror_a_lamp_are_never_misread(deck):
    pile = PileSettings(sleeve=SleeveSettings(lamp=(2, 2)), bent=0.5, slid=0.3, any_turn=True)
    tray = SimulatedCardTray(DECK, seed=7, pile=pile, settings=RenderSettings(tilt=12))
    reader, right, before = CardReader(deck), 0, tray.frame()
    for _ in range(12):
        title, sign = tray.flip()
        reading = reader.read(rest(tray), before)
        before = tray.frame()
        assert not reading.sure or reading.title == title
        assert not reading.sign_sure or str(reading.sign) == sign
        right += reading.title == title
    assert right >= 10
