"""Names at the table: everybody can read them, and can tell them apart."""

import unicodedata

import pytest

from companion.base.names import check_name, skeleton
from companion.base.refused import Refused


def refusal(name: str, *others: str) -> str:
    with pytest.raises(Refused) as caught:
        check_name(name, others)
    return str(caught.value.reason)


UNSEEN = (
    "Ann\u200b", "Ann\u3164", "A\u034fnn", "\u202eAnn", "\u2800", "Ann\U000e0041", "Ann\x07",
    "Ann\u200d", "A\u200dnn", "\U0001f469\u200d",
)  # fmt: skip


@pytest.mark.parametrize("name", UNSEEN)
def test_letters_that_cannot_be_seen_are_refused(name):
    assert refusal(name) == "choose a name without invisible characters"


ALIKE = (
    ("\u0410nn", "Ann"), ("\u0391nn", "Ann"), ("\uff21nn", "Ann"), ("\u0430nn", "Ann"),
    ("\u0410NN", "Ann"), ("BiIl", "Bill"), ("Bi1l", "Bill"), ("D0ra", "DOra"), ("Arno", "Amo"),
    ("\u0412ob", "Bob"), ("J\u00f6rg", "J\u00f6r\u0261"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_a_name_that_looks_like_another_is_refused(name, other):
    said = "this name looks like {}: choose another one"
    assert refusal(name, "Zoe", other) == said.format(other)
    assert refusal(other, name) == said.format(name)


@pytest.mark.parametrize("name", ["\U0001f469\u200d\U0001f467", "\u2764\u200d\U0001f525 Zoe"])
def test_pictures_made_of_several_are_names(name):
    assert check_name(name, ()) == name
    apart = name.replace("\u200d", "")
    assert refusal(apart, name) == f"this name looks like {name}: choose another one"


@pytest.mark.parametrize("name", ["ANN", "ann", " Ann ", "Ann\ufe0f"])
def test_the_same_name_is_refused(name):
    assert refusal(name, "Ann") == "the name Ann is taken: choose another one"


def test_composed_and_decomposed_letters_are_the_same():
    assert check_name("Zoe\u0301", ()) == "Zo\u00e9"
    assert refusal("Zoe\u0301", "Zo\u00e9") == "the name Zo\u00e9 is taken: choose another one"
    # Twenty letters, and twenty marks above them.
    assert check_name("e\u0301" * 20, ()) == "\u00e9" * 20


MARKED = {
    "Hindi": "\u0939\u093f\u0928\u094d\u0926\u0940",
    "Hindi, with a dot and a sign below": "\u0922\u093c\u0941\u0901",
    "Thai": "\u0e19\u0e49\u0e33\u0e1c\u0e36\u0e49\u0e07",
    "Tamil": "\u0b95\u0bcb\u0ba4\u0bc8\u0baf\u0bcd",
    "Vietnamese, decomposed": "Nguye\u0302\u0303n",
    "Hebrew, with points": "\u05e9\u05c1\u05bc\u05b8\u05dc\u05d5\u05b9\u05dd",
    "Arabic, with signs": "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f",
    "Tibetan": "\u0f67\u0f71\u0f74\u0f83",
    "four": "A\u0301\u0302\u0303\u0304",
}


@pytest.mark.parametrize("name", MARKED.values(), ids=MARKED)
def test_the_marks_of_every_language_are_letters_of_a_name(name):
    assert check_name(name, ()) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "name", ["A" + "\u0301" * 10, "\u1ed7\u0323\u0324\u0325", "A\u20dd\u0301\u20dd\u0301\u20dd"]
)
def test_more_marks_on_a_letter_than_any_language_writes_are_refused(name):
    assert refusal(name) == "choose a name with at most 4 marks on a letter"


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "\u00a0", "\ufe0f"])
def test_a_name_has_its_length(name):
    assert refusal(name) == "choose a name of 1 to 20 characters"


NAMES = (
    *("Ann", "Anna", "Bob", "Dan", "Eve", "Fritz", "O'Neil", "Player 2", "Zoe \u2764"),
    *("Cl\u00e9o", "J\u00f6rg", "\u0410\u043d\u043d\u0430", "\u0395\u03bb\u03ad\u03bd\u03b7"),
    *("\u674e\u96f7", "\u3055\u304f\u3089", "\u0645\u0631\u064a\u0645"),
    # With joiners, as their languages write them.
    *("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0d9a\u0dca\u200d\u0dbb\u0dd2\u0dc2\u0dca"),
)


def test_names_of_many_languages_sit_at_one_table():
    for name in NAMES:
        assert check_name(name, [other for other in NAMES if other != name]) == name
    assert check_name("Zoe \u2764\ufe0f", ()) == "Zoe \u2764"


def test_the_skeleton_is_that_of_unicode():
    """The examples of UTS #39, section 4."""
    assert skeleton("paypal") == skeleton("\u0440\u0430\u0443\u0440\u0430l")
    assert skeleton("1O") == skeleton("lO") == skeleton("l0")
    assert skeleton("Circle") != skeleton("Square")
