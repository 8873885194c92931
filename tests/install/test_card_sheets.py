"""The sheets of cards to print: their sizes, what they hold, and that cameras know it."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest
import resvg_py
from places import ROOT

from companion.games.cards.rules.deck import KINDS
from companion.games.cards.terms import LANGUAGES, terms
from docs.generate import print_sheets
from docs.generate.card_sheets import BACK, effect, files, page, pages
from docs.generate.sheets import PAPERS, Art, Sheet, Stroke, Text, pdf_text, svg
from vision.simulate.cards.art import draw_card

FOLDER = ROOT / "docs" / "print"
PRINTABLE = 8.0
"""Millimetres from the edge of the paper that every common printer reaches."""
SVG = "{http://www.w3.org/2000/svg}"


def rendered(root: ET.Element, size: tuple[float, float], per_mm: int) -> np.ndarray:
    """Draw a page of this size in millimetres, (H, W, 3)."""
    for name, length in zip(("width", "height"), size, strict=True):
        root.set(name, str(length * per_mm))
    png = resvg_py.svg_to_bytes(svg_string=ET.tostring(root, "unicode"))
    return np.asarray(cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_COLOR))


def corners(sheet: Sheet) -> Iterator[Sequence[float]]:
    """Where its marks end; letters of a line are at most so wide on average."""
    for mark in sheet.marks:
        match mark:
            case Art(form, x, y, scale):
                across, down = sheet.forms[form].size
                yield from ((x, y), (x + scale * across, y + scale * down))
            case Text(x, y, height, words):
                across = 0.58 * height * len(words)
                yield from ((x, y - 0.72 * height), (x + across, y + height / 3))
            case Stroke(_, steps):
                for _, where in steps:
                    yield from np.reshape(where, (-1, 2)).tolist()


def test_the_sheets_are_those_that_the_cards_give():
    drawn = files()
    assert sorted(drawn) == sorted(path.name for path in FOLDER.glob("cards*"))
    for name, content in drawn.items():
        assert (FOLDER / name).read_bytes() == content, f"make sheets: {name} is out of date"


@pytest.mark.parametrize(("paper", "language"), [("a4", "en"), ("letter", "fr")])
def test_the_whole_deck_is_on_ten_pages_and_its_backs_on_one_more(paper, language):
    *fronts, backs = pages(paper, language)
    forms = [mark.form for sheet in fronts for mark in sheet.marks if isinstance(mark, Art)]
    printed = Counter(zip(forms[::2], forms[1::2], strict=True))
    signs = [(title, f"sign-{sign}") for title, kind in KINDS.items() for sign in kind.signs]
    assert printed == Counter(signs)
    assert [mark.form for mark in backs.marks if isinstance(mark, Art)] == [BACK] * 8
    data = (FOLDER / f"cards-{language}-{paper}.pdf").read_bytes()
    assert data.count(b"/Type /Page ") == len(fronts) + 1 == 11
    (size,) = set(re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]", data))
    lengths = [float(points) / 72 * 25.4 for points in reversed(size)]
    assert lengths == pytest.approx(PAPERS[paper], abs=0.001)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_says_what_it_does_in_five_lines_at_most(language):
    for title, text in terms(language).cards.items():
        lines = [line.words for line in effect(title, 0, 0, language)]
        assert " ".join(lines) == text.effect.replace("\N{NO-BREAK SPACE}", " ")
        assert 1 <= len(lines) <= 5, title


def test_a_pdf_writes_accents_and_brackets_as_its_font_has_them():
    assert pdf_text("a (é) s’œil \\") == r"a \050\351\051 s\222\234il \134"


def test_the_large_sheet_shows_every_card():
    root = ET.parse(FOLDER / "cards.svg").getroot()
    assert len(root.findall(f"{SVG}use")) == 160
    assert (root.attrib["width"], root.attrib["height"]) == ("630mm", "704mm")


@pytest.mark.parametrize("paper", PAPERS)
def test_everything_is_within_what_printers_reach(paper):
    dice = [print_sheets.sheet(edge, paper) for edge in (16.0, 19.0)]
    for sheet in (*pages(paper, "en"), *pages(paper, "fr"), *dice):
        bounds = np.array(list(corners(sheet)))
        assert (bounds >= PRINTABLE).all()
        assert (bounds <= np.array(sheet.size) - PRINTABLE).all()


def test_what_is_printed_is_what_the_simulated_cards_show():
    shown = [("indians", "KD"), ("barrel", "QS"), ("volcanic", "10C"), ("panic", "QH")]
    drawing = svg(page([(title, f"sign-{sign}") for title, sign in shown], "a4", ""))
    per_mm = 6
    picture = rendered(ET.fromstring(drawing), (297, 210), per_mm)
    for number, (title, sign) in enumerate(shown):
        left, top = round((22.5 + 63 * number) * per_mm), round(17 * per_mm)
        card = picture[top : top + 88 * per_mm, left : left + 63 * per_mm]
        # Without the lines along which it is cut, and all that paper may be.
        inner = (slice(9, -9), slice(9, -9))
        printed, drawn = card[inner].astype(float), draw_card(title, sign)[inner].astype(float)
        assert np.corrcoef(printed.ravel(), drawn.ravel())[0, 1] > 0.98, title
