"""Draw pages and their streams, both from one template, so that updates fit the loaded page."""

import threading
from collections.abc import Callable, Mapping

from flask import Response, current_app, make_response, render_template, request

from companion.table.changes import person_of
from companion.table.views import TableView
from web.access import SEAT, VISIT, new_visit, person, proof, prove, remember, table
from web.games.game import pages_of
from web.i18n import in_same_language, language, visitors_language
from web.serving.stream import Broadcast

TEMPLATES = {
    "join": "joining/join.html",
    "seat": "seat/seat.html",
    "table": "television/television.html",
    "story": "story/story.html",
    "setup": "setup/setup.html",
    "teach": "teaching/teaching.html",
    "collection": "collecting/collecting.html",
    "first-run": "first_run/first_run.html",
    "backup": "backup/backup.html",
    "watch": "replay/replay.html",
    "chances": "chances/chances.html",
    "statistics": "statistics/statistics.html",
}
"""The template of each page, below `web/`."""

Shown = Callable[[], Mapping[str, object]]
"""Returns what a page shows besides the table; called for each drawing."""


def draw_page(page: str, view: TableView, shown: Mapping[str, object], proved: str = "") -> str:
    """Return a whole page. proved: the CSRF token for its presses (`access.proof`)."""
    return render_template(
        "templates/page.html",
        page=page,
        template=TEMPLATES[page],
        view=view,
        game=pages_of(view),
        proof=proved or proof(),
        **shown,
    )


def draw_for_visitor(page: str, view: TableView, shown: Mapping[str, object]) -> Response:
    """Return a page that needs no seat, with a CSRF token for a phone without a seat."""
    if person() is not None:
        return make_response(draw_page(page, view, shown))
    visit = request.cookies.get(VISIT) or new_visit()
    response = make_response(draw_page(page, view, shown, prove(visit)))
    remember(response, VISIT, visit)
    return response


Chosen = Callable[[TableView], tuple[TableView, Mapping[str, object]]]
"""Returns the view that a page shows, given the table as its reader may see it, and what else."""


def stream_to_phone(page: str, shown: Shown, chosen: Chosen | None = None) -> Response:
    """Return the stream of a page for one phone, showing what that phone may see.

    chosen: what it shows instead of the table as it is now.
    """
    watched, token = table(), request.cookies.get(SEAT, "")
    who, address = person_of(watched.scene, token), request.remote_addr
    template = current_app.jinja_env.get_template(TEMPLATES[page])

    def draw() -> str:
        # Checked each time: the host may give the seat to another phone.
        view = watched.view(person_of(watched.scene, token))
        more: Mapping[str, object] = {}
        if chosen is not None:
            view, more = chosen(view)
        return template.render(view=view, game=pages_of(view), **shown(), **more)

    return _streams().response(
        _unless_translated(in_same_language(draw)),
        player=who is not None,
        whose=address if who is None else who,
    )


def stream_to_all(page: str, shown: Shown) -> Response:
    """Return the stream of a page that is the same for everybody, drawn once for all."""
    streams, watched = _streams(), table()
    template = current_app.jinja_env.get_template(TEMPLATES[page])
    drawn: SharedPage = current_app.extensions[SHARED][page, language()]

    def draw() -> str:
        view = watched.view()
        return template.render(view=view, game=pages_of(view), **shown())

    in_language = in_same_language(draw)
    return streams.response(
        _unless_translated(lambda: drawn.draw(streams.news, shown(), in_language)),
        whose=request.remote_addr,
    )


RELOAD = "<p data-reload></p>"
"""What a page gets that must be loaded anew, because it is in another language now."""


def _unless_translated(draw: Callable[[], str]) -> Callable[[], str]:
    """Return `draw` as long as its visitor reads in the same language; then RELOAD."""
    before, now = language(), visitors_language()
    return lambda: draw() if now() == before else RELOAD


SHARED_PAGES = ("table", "story")
"""The pages that are the same for all phones without a seat."""

SHARED = "shared pages"
"""Extension of an app: these pages, by name and language."""


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


def _streams() -> Broadcast:
    found: Broadcast = current_app.extensions["streams"]
    return found
