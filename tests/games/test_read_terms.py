"""The tables of terms are read whole: what is missing or has an unknown name is named."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from companion.games.common.words import Noun
from companion.games.terms import read_terms


@dataclass(frozen=True)
class Sweets:
    shop: str
    sweet: Noun
    kinds: Mapping[str, str]


BASE = """
shop = "the shop"
sweet = { none = "no sweets", one = "a sweet", many = "sweets" }
[kinds]
hard = "a drop"
soft = "a toffee"
"""


@pytest.fixture
def files(tmp_path):
    def write(*texts):
        paths = [tmp_path / f"{number}.toml" for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, "utf-8")
        return paths

    return write


def test_a_second_table_says_only_what_differs(files):
    found = read_terms(Sweets, *files(BASE, 'shop = "l’échoppe"\n[kinds]\nsoft = "un caramel"'))
    assert found == Sweets(
        "l’échoppe",
        Noun("no sweets", "a sweet", "sweets"),
        {"hard": "a drop", "soft": "un caramel"},
    )


def test_what_is_wrong_in_a_table_is_named_with_its_place(files):
    for text, complaint in (
        (BASE.replace("shop", "ship", 1), "shop: is missing"),
        (BASE.replace("many", "more"), "sweet.many: is missing"),
        (BASE.replace('"a drop"', "1"), "kinds: 1 is not text"),
        (f'window = "wide"{BASE}', "window: no such key"),
    ):
        with pytest.raises(ValueError, match=complaint):
            read_terms(Sweets, *files(text))
