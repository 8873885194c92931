"""A colour and an emblem for each person at the table, the same on every page.

The emblem tells players apart where colours don't.
"""

from functools import lru_cache

from companion.table.views import PersonView

EMBLEMS = ("horseshoe", "cactus", "boot", "moon", "sun", "wheel", "feather", "key")
"""Icons, in the order in which people get them; the colours are those of `.of-0`, `.of-1` …"""


@lru_cache(maxsize=8)
def emblems(people: tuple[PersonView, ...]) -> tuple[int, ...]:
    """Return the number of each person's emblem and colour.

    A person keeps it wherever they sit, and whoever leaves. Only if more people than there are
    emblems sat down before them, or if the emblem of theirs was still in use, may it change.
    """
    given: dict[int, int] = {}
    for person in sorted(people, key=lambda person: person.id):
        first = (person.id - 1) % len(EMBLEMS)
        round_about = [(first + further) % len(EMBLEMS) for further in range(len(EMBLEMS))]
        free = [number for number in round_about if number not in given.values()]
        given[person.id] = free[0] if free else first
    return tuple(given[person.id] for person in people)
