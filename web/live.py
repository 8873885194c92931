"""Draw pages and their streams, both from one template, so that updates fit the loaded page."""

from collections.abc import Callable, Mapping

from flask import Response, current_app, make_response, render_template, request
from markupsafe import Markup

from companion.table.changes import person_of
from companion.table.views import TableView
from web.access import SEAT, VISIT, new_visit, person, proof, prove, remember, table
from web.games.game import terms_of
from web.games.registry import pages_named
from web.i18n import in_same_language, language, visitors_language
from web.site import site

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
    "machine": "machine/machine.html",
    "settings": "machine/settings.html",
    "secure": "secure/secure.html",
    "wifi": "machine/wifi.html",
    "watch": "replay/replay.html",
    "chances": "chances/chances.html",
    "statistics": "statistics/statistics.html",
}
"""The template of each page, below `web/`."""

Shown = Callable[[], Mapping[str, object]]
"""Returns what a page shows besides the table; called for each drawing."""


def draw_page(page: str, view: TableView, shown: Mapping[str, object], proved: str = "") -> str:
    """Return a whole page. proved: the CSRF token for its presses (`access.proof`)."""
    content = Markup(draw(TEMPLATES[page], view, shown))
    return render_template(
        "templates/page.html", page=page, content=content, proof=proved or proof(), **shown
    )


def draw(template: str, view: TableView, shown: Mapping[str, object]) -> str:
    """Return a template drawn for a view: what a page's stream sends, or a part of it."""
    values = {
        "view": view,
        "game": pages_named(view.selection.game.record_name),
        "words": terms_of(view),
        **shown,
    }
    return current_app.jinja_env.get_template(template).render(values)


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

    def draw_now() -> str:
        # Checked each time: the host may give the seat to another phone.
        view = watched.view(person_of(watched.scene, token))
        more: Mapping[str, object] = {}
        if chosen is not None:
            view, more = chosen(view)
        return draw(TEMPLATES[page], view, {**shown(), **more})

    return site().streams.response(
        _unless_translated(in_same_language(draw_now)),
        player=who is not None,
        whose=address if who is None else who,
    )


def stream_to_all(page: str, shown: Shown) -> Response:
    """Return the stream of a page that is the same for everybody, drawn once for all."""
    streams, watched = site().streams, table()
    drawn = site().shared[page, language()]
    in_language = in_same_language(lambda: draw(TEMPLATES[page], watched.view(), shown()))
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
