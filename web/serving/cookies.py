"""Finds our cookies among those of other pages on this machine.

Browsers keep cookies by host name, not by port. So they send us those of every other program here,
however many, long or malformed those are, and even more of our names.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable

NAMES = ("seat", "visit", "name", "language", "organiser", "https")
"""The cookies of the table's pages and of the hall's."""

SECURE = "__Host-"
"""What the names of cookies begin with that browsers send over HTTPS only, and to this host alone.

Those of both kinds lie beside each other, as a page over HTTP can't replace one of HTTPS.
"""

LONGEST = 500
"""Characters of a value, at most: a name of 20 letters, each written as four bytes in octal."""

SAME_NAME = 16
"""How many cookies of one name are looked at. Browsers send one for each part of the address."""

_VALUE = rf"""[!#-+\--:<-\[\]-~]{{0,{LONGEST}}}|"(?:[ !#-:<-\[\]-~]|\\[ -:<-~]){{0,{LONGEST}}}\""""
"""What Werkzeug writes: printable ASCII, in quotes if it has to escape any of it."""

_OURS = re.compile(rf"(?:^|;)[ \t]*({SECURE})?({'|'.join(NAMES)})=({_VALUE})[ \t]*(?=;|$)")


def own_cookies(header: str, opens: Callable[[str], bool] = lambda _: False) -> str:
    """Return our cookies of a header, one of each name, in ASCII.

    opens: returns whether the value of a `seat` is known at the table; such a one is preferred.
    """
    values: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=SAME_NAME))
    # Nobody but this table's own pages can have set the secure ones: they come last.
    for _, name, value in sorted(_OURS.findall(header), key=lambda found: bool(found[0])):
        values[name].append(value)
    # Those of longer paths come first, and ours are for all paths. So the last is the same for the
    # address of a page and of its presses.
    chosen = {name: given[-1] for name, given in values.items()}
    for value in values["seat"]:
        if opens(value):
            chosen["seat"] = value
    return "; ".join(f"{name}={value}" for name, value in chosen.items())
