"""The faces on the pages: the same drawings as on the dice to print."""

from pathlib import Path
from xml.etree import ElementTree

from companion.dicegame.faces import Face
from docs.generate.faces import faces_svg

FILE = Path(__file__).parent.parent / "web/static/faces.svg"


def test_the_file_is_what_the_command_draws() -> None:
    assert FILE.read_text("ascii") == faces_svg()


def test_there_is_a_symbol_for_each_face() -> None:
    root = ElementTree.fromstring(FILE.read_text("ascii"))
    assert [symbol.attrib["id"] for symbol in root] == list(Face)
    assert all(len(symbol) for symbol in root)
