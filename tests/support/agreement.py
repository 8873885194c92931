"""Whether the product replays a record as a second implementation does."""

import io
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import zip_longest
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from tiers import later

from companion.games.common.audience import Audience, Viewer
from companion.games.common.lines import RecordError
from tests.tools.reference.rules import Wrong


class Agreement(NamedTuple):
    """The two implementations of a game, as functions of a record."""

    replay: Callable[[Iterable[bytes]], Iterator[Any]]
    """The product's states."""
    line: Callable[[Any, Viewer], str]
    """A state of the product as it is printed."""
    reference: Callable[[Iterable[bytes], int | str | None], Iterator[Any]]
    """The reference's states, as a viewer sees them."""

    def expected(self, data: bytes, viewer: int | str | None) -> tuple[list[Any], int | None]:
        """The reference's states, and the first wrong line if any."""
        return _expected(self, data, viewer)

    def check(self, name: str, data: bytes) -> int | None:
        """Compare what is seen by who sees all, and by one other viewer.

        Returns the first wrong line if any.
        """
        states, wrong = self._played(data)
        seats = range(len(states[0].life)) if states else ()
        others: list[tuple[int | str, Viewer]] = [
            ("table", Audience.TABLE),
            *((seat, seat) for seat in seats),
        ]
        for viewer, audience in ((None, Audience.RECORD), Random(name).choice(others)):
            shown = [json.loads(self.line(state, audience)) for state in states]
            reference, line = self.expected(data, viewer)
            for number, (one, other) in enumerate(zip_longest(shown, reference), 1):
                assert one == other, f"{name}, line {number}, as {viewer}"
            assert wrong == line, f"{name}, as {viewer}"
        return wrong

    def _played(self, data: bytes) -> tuple[list[Any], int | None]:
        """The product's states, and the first wrong line if any."""
        states = []
        try:
            for state in self.replay(io.BytesIO(data)):
                states.append(state)
        except RecordError as error:
            return states, error.line
        return states, None


TENTHS = [*range(5), *later(*range(5, 10))]
"""Of the records: make test plays half of them."""


class RandomRecords:
    """Tests of one game, on records that are the same on every run."""

    game: Agreement
    records: ModuleType
    """Writes them: those of whole games, and those with a wrong line."""
    legal: int
    broken = 300

    @classmethod
    @cache
    def numbered(cls, kind: str, number: int) -> bytes:
        data: bytes = getattr(cls.records, kind)(Random(f"{kind} {number}"))
        return data

    def check(self, kind: str, number: int) -> int | None:
        return self.game.check(f"{kind} {number}", self.numbered(kind, number))

    @pytest.mark.parametrize("tenth", TENTHS)
    def test_legal_games_are_played_alike(self, tenth: int) -> None:
        for number in range(tenth, self.legal, 10):
            assert self.check("legal", number) is None, f"legal {number}"

    @pytest.mark.parametrize("tenth", TENTHS)
    def test_the_first_wrong_line_is_found_alike(self, tenth: int) -> None:
        wrong = [self.check("broken", number) for number in range(tenth, self.broken, 10)]
        assert len(wrong) - wrong.count(None) > len(wrong) / 2


@cache
def _expected(
    game: Agreement, data: bytes, viewer: int | str | None
) -> tuple[list[Any], int | None]:
    states = []
    try:
        for state in game.reference(io.BytesIO(data), viewer):
            states.append(state)
    except Wrong as error:
        return states, error.line
    return states, None
