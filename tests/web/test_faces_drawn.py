"""The faces on the pages: the same drawings as on the dice to print."""

from xml.etree import ElementTree

import pytest
from places import ROOT

from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.rulesets import Edition
from docs.generate.faces import faces_svg
from web.assets import LOOKS

STATIC = ROOT / "web/static"
FILE = STATIC / "faces.svg"


def test_the_file_is_what_the_command_draws():
    assert FILE.read_text("ascii") == faces_svg()


@pytest.mark.parametrize("file", ["faces", *LOOKS["faces"].values()])
def test_there_is_a_symbol_for_each_face(file):
    root = ElementTree.fromstring((STATIC / f"{file}.svg").read_text("ascii"))
    assert [symbol.attrib["id"] for symbol in root] == list(Face)
    assert all(len(symbol) for symbol in root)


def test_every_edition_but_the_first_looks_different():
    assert set(LOOKS["faces"]) == set(Edition) - {Edition.BASE}
