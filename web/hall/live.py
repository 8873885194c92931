"""Draw the hall's pages and their streams, each table once for everybody."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, current_app, make_response, render_template, request
from markupsafe import Markup

from companion.base.worker import Worker, WorkerThread
from companion.club.hall.hall import HallView, ListedTable
from web.access import VISIT, new_visit, prove, remember
from web.fragments import SharedPage
from web.hall.access import organises, site
from web.i18n import in_same_language, language
from web.serving.stream import Broadcast

TEMPLATES = {"hall": "hall/hall.html", "tournament": "hall/tournament.html"}
"""The template of each page, below `web/`."""

DRAWN = "drawn hall"
"""Extension of an app: what was drawn last."""

LEAST_S, SHARE, BYTES_PER_S = 0.1, 5.0, 500_000
"""Pages are drawn again after LEAST_S at the earliest, SHARE times as long as drawing took, and as
long as sending takes at BYTES_PER_S. So many tables cost neither the processor nor the network."""


class DrawnHall:
    """What was drawn last: pages by kind and language, and each table by itself."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: dict[tuple[object, ...], SharedPage] = {}
        self._tables: dict[tuple[str, str], tuple[object, Markup]] = {}
        self.pause_s = LEAST_S
        """How long to wait before pages are drawn again."""

    def page(self, *key: object) -> SharedPage:
        """Return a page that is the same for everybody of a kind."""
        with self._lock:
            return self._pages.setdefault(key, SharedPage())

    def table(self, table: ListedTable) -> Markup:
        """Return a table, drawn only if it changed."""
        key = table.entry.name, language()
        state = table.entry.revision, table.needs
        drawn = self._tables.get(key)
        if drawn is None or drawn[0] != state:
            text = current_app.jinja_env.get_template("hall/table.html").render(
                entry=table.entry, needs=table.needs
            )
            drawn = self._tables[key] = state, Markup(text)
        return drawn[1]

    def forget(self, view: HallView) -> None:
        """Forget tables that are gone."""
        there = {table.entry.name for table in view.tables}
        # Another thread may draw a table meanwhile.
        for key in list(self._tables):
            if key[0] not in there:
                self._tables.pop(key, None)

    def note_cost(self, page: str, seconds: float) -> None:
        """Note what a page took to draw. seconds: of processor time."""
        self.pause_s = max(LEAST_S, SHARE * seconds, len(page) / BYTES_PER_S)


class HallNews(Worker):
    """Tells the streams that there is something new, no more often than pages should be drawn."""

    def __init__(self, streams: Broadcast, pause_s: Callable[[], float]) -> None:
        """pause_s: returns how long to wait after telling them."""
        super().__init__("hall news")
        self._streams, self._pause_s = streams, pause_s

    def catch_up(self, thread: WorkerThread) -> None:
        """Tell the streams, then pause."""
        self._streams.notify()
        thread.wait(self._pause_s())


def draw_page(page: str) -> Response:
    """Return a page, with a CSRF token for this browser."""
    visit = request.cookies.get(VISIT) or new_visit()
    content = render_template(
        TEMPLATES[page],
        view=site().hall.view(),
        drawn=_drawn_hall(),
        organiser=organises(),
        may=bool(site().organiser),
    )
    response = make_response(
        render_template(
            "templates/page.html", page=page, content=Markup(content), proof=prove(visit)
        )
    )
    remember(response, VISIT, visit)
    return response


def stream_page(page: str) -> Response:
    """Return the stream of a page, drawn once for all who may see the same."""
    hall, streams, drawn = site().hall, site().streams, _drawn_hall()
    organiser, may = organises(), bool(site().organiser)
    template = current_app.jinja_env.get_template(TEMPLATES[page])
    shared = drawn.page(page, language(), organiser)

    def draw() -> str:
        begun = time.thread_time()
        view = hall.view()
        text = template.render(view=view, drawn=drawn, organiser=organiser, may=may)
        drawn.forget(view)
        drawn.note_cost(text, time.thread_time() - begun)
        return text

    nothing: Mapping[str, Any] = {}
    in_language = in_same_language(draw)
    return streams.response(
        lambda: shared.draw(streams.news, nothing, in_language),
        player=organiser,
        whose=request.remote_addr,
    )


def _drawn_hall() -> DrawnHall:
    found: DrawnHall = current_app.extensions[DRAWN]
    return found
