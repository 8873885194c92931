"""Values as JSON and back, in the forms that their types say; what is wrong is named."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest
from cases import cases

from companion.base import codec


class Suit(StrEnum):
    HEARTS = "hearts"
    SPADES = "spades"


@codec.row
class Card(NamedTuple):
    rank: Annotated[int, range(2, 15)]
    suit: Suit
    note: str = ""


@codec.growing
@dataclass(frozen=True)
class Person:
    name: str
    cards: tuple[Card, ...] = ()
    score: Mapping[int, float] = field(default_factory=dict)
    token: Annotated[str, re.compile("[0-9a-f]{4}")] | None = None
    seen: Any = field(default=None, metadata=codec.json_name(None))


@dataclass(frozen=True)
class Club:
    host: Person
    home: Path = Path("/")
    left: frozenset[int] = frozenset()
    first: tuple[str, int] | None = None
    kind: str = field(default="", metadata=codec.json_name("class"))


ANN = Person("Ann", (Card(2, Suit.HEARTS), Card(14, Suit.SPADES, "ace")), {3: 1.5}, "00ff")


def test_what_is_written_is_read():
    club = Club(ANN, left=frozenset({3, 1}), first=("a", 1), kind="open")
    said = {name: value for name, value in vars(club).items() if name not in ("home", "kind")}
    written = codec.write(club.host)
    assert json.dumps(written) == (
        '{"name": "Ann", "cards": [[2, "hearts"], [14, "spades", "ace"]], '
        '"score": [[3, 1.5]], "token": "00ff"}'
    )
    given = said | {"host": written, "left": codec.write(club.left), "first": ["a", 1]}
    assert codec.read(Club, json.loads(json.dumps(given | {"class": "open"}))) == club


def test_an_object_is_read_where_a_list_is_written_and_later_keys_are_left_out():
    assert codec.read(Card, {"rank": 3, "suit": "spades"}) == Card(3, Suit.SPADES)
    assert codec.read(Person, {"name": "Bob", "hat": "brown"}) == Person("Bob")
    assert codec.read_fields(Person, {"token": None}) == {"token": None}


@pytest.mark.parametrize(("said", "complaint"), cases("base/codec.txt", "What does not fit"))
def test_what_does_not_fit_is_named_with_its_place(said, complaint):
    with pytest.raises(codec.MisfitError) as caught:
        codec.read(Club, json.loads(said))
    assert str(caught.value).startswith(complaint)


@codec.by_name
class Rank(StrEnum):
    LOW = "2 to 9"
    HIGH = "10 to A"


def test_members_whose_values_are_sentences_are_read_by_their_names():
    assert codec.read(Mapping[Rank, int], {"low": 1, "high": 2}) == {Rank.LOW: 1, Rank.HIGH: 2}
    with pytest.raises(codec.MisfitError, match="'2 to 9' is not one of low, high"):
        codec.read(Rank, "2 to 9")


def test_a_list_of_pairs_is_no_object_with_names():
    assert codec.read(Mapping[int, int], [[1, 2]]) == {1: 2}
    for names in (str, Rank):
        with pytest.raises(codec.MisfitError, match="is not an object"):
            codec.read(Mapping[names, int], [["low", 1]])
