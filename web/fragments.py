"""Pages, and fragments of them, that are drawn once for everybody who sees the same."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping

from jinja2.runtime import Macro
from markupsafe import Markup

from web.i18n import PAGE, language

MOST = 1024
"""How many fragments to cache: those of a few states, in each language."""

MOST_PAGES = 32
"""How many pages to keep that only some look at."""


class Fragments:
    """The cached fragments of one app."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[Hashable, ...], Markup] = {}

    def __len__(self) -> int:
        """Return how many fragments are cached."""
        return len(self._drawn)

    def once(self, macro: Macro, *shown: Hashable) -> Markup:
        """Return the output of `macro` for these values, drawn only the first time.

        It must depend only on these values and the language. Then nobody sees a fragment drawn
        for somebody else from something secret.
        """
        page = PAGE.get()
        key = (macro, page[0] if page else language(), *shown)
        found = self._drawn.get(key)
        if found is None:
            found = Markup(macro(*shown))
            if len(self._drawn) >= MOST:
                self._drawn.clear()
            self._drawn[key] = found
        return found


class SharedPage:
    """A page that is the same for all viewers of a language and drawn once for all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: tuple[int, Mapping[str, object]] | None = None
        self._page = ""

    def draw(self, news: int, shown: Mapping[str, object], draw: Callable[[], str]) -> str:
        """Return the page as of `news`. shown: what it shows besides the table."""
        with self._lock:
            if self._of != (news, shown):
                self._page = draw()
                self._of = news, shown
            return self._page


class DrawnPages:
    """The pages drawn last, for everybody to whom they look the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[object, Markup] = OrderedDict()

    def get(self, key: object) -> Markup | None:
        """Return a page that was drawn before; None if it was forgotten."""
        with self._lock:
            return self._pages.get(key)

    def keep(self, key: object, page: Markup) -> None:
        """Keep a page, and forget the oldest."""
        with self._lock:
            self._pages[key] = page
            while len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)
