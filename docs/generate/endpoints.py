"""List the web server's endpoints with audience and form: `docs/dev/endpoints.md`.

    python -m docs.generate.endpoints docs/dev/endpoints.md

The fields of a form are taken from the endpoint's source.
"""

import ast
import inspect
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from flask import Flask
from werkzeug.routing import Rule

from companion.club.hall.hall import Hall
from companion.club.hall.store import Store
from companion.games.dice.game import DICE_GAME
from companion.games.registry import GAMES
from companion.table.journal.journal import Journal
from companion.table.table import Table
from web.access import For
from web.app import create_app
from web.games.cards import forms as card_forms
from web.games.dice import forms
from web.hall import routes as hall_routes
from web.hall.app import create_hall_app
from web.play import routes
from web.serving.stream import Broadcast
from web.site import TableSite

INTRODUCTION = """\
# What the server answers

Who may ask for what is decided in one place (`web/access.py`), before an endpoint's own code runs:
a phone without a seat is sent to the join page, or refused (403) where it pressed something. See
[security](security.md).

Every `POST` proves its page: the header `X-Page`, or a field `page`, holds what the page was given
(else 403). `version` and `reading` are those that the page shows; others are refused (409), so that
a second tap, or a form sent again, is harmless. A change is answered 204, or 303 where the phone
goes elsewhere; a refusal is one line of text. What lies under `/live/` are server-sent events that
carry the page whole.

This page is written from the endpoints, their fields from what the code reads: what is wrong here
is corrected there.
"""

AUDIENCES = {
    For.EVERYBODY: "everybody",
    For.SEAT: "phones with a seat",
    For.HOST: "the host's phone",
}


HALL = """
## The hall

The [hall](../hall.md) answers these, and has presses and streams of the same form. `version` is the
revision of the tournament that the page shows.

"""

HALL_AUDIENCES = AUDIENCES | {For.HOST: "the organiser"}
"""Who is who in the hall, where nobody has a seat."""

AS_FOR_ANY = ("HEAD", "OPTIONS")
"""Methods that HTTP requires at every address."""


BEGIN_ALIKE = {
    forms.targets: ("target…",),
    forms.shots: ("shot-DIE", "double", "beer"),
    hall_routes.ends: ("role-PLAYER", "alive-PLAYER"),
    card_forms.flipped_signs: ("sign-NUMBER",),
}
"""The fields that are read by a common prefix."""

MOVES = {
    routes.move: (forms.move, card_forms.move),
    routes.answer_early: (card_forms.move,),
    routes.play_last: (card_forms.move,),
}
"""The form readers of endpoints whose forms depend on the game."""


def made(folder: Path) -> Flask:
    """Return the app as the service creates it."""
    return create_app(
        TableSite(Table(Journal(folder), GAMES, DICE_GAME.select("base")), Broadcast())
    )


def made_hall(folder: Path) -> Flask:
    """Return the app of the hall."""
    store = Store(folder)
    try:
        return create_hall_app(Hall(store, "club"), Broadcast())
    finally:
        store.close()


def fields(function: Callable[..., object], given: tuple[str | None, ...] = ()) -> Iterator[str]:
    """Yield the names of the form fields that a function reads, in order.

    given: its arguments that are strings.
    """
    if function in BEGIN_ALIKE:
        yield from BEGIN_ALIKE[function]
        return
    for read in MOVES.get(function, ()):
        yield from fields(read)
    words = dict(zip(inspect.signature(function).parameters, given, strict=False))

    def word(node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant):
            return str(node.value)
        return words.get(node.id) if isinstance(node, ast.Name) else None

    def name(node: ast.expr) -> str:
        found = word(node)
        assert found, f"{function.__name__}: which field is {ast.unparse(node)}?"
        return found

    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        match node:
            case ast.Subscript(value=read) if _is_form(read):
                yield name(node.slice)
            case ast.Call(func=ast.Attribute(value=read, attr="get")) if _is_form(read):
                yield name(node.args[0])
            case ast.Call(func=ast.Attribute(value=read, attr="getlist")) if _is_form(read):
                yield f"{name(node.args[0])}…"
            case ast.Call() if helper := _helper(function, node.func):
                yield from fields(helper, tuple(map(word, node.args)))


def _is_form(node: ast.expr) -> bool:
    return ast.unparse(node) in ("form", "request.form")


def _helper(function: Callable[..., object], called: ast.expr) -> Callable[..., object] | None:
    """Return the function that a call names, if it is in the pages too."""
    known = inspect.unwrap(function).__globals__
    found = known.get(called.id) if isinstance(called, ast.Name) else None
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        found = getattr(known.get(called.value.id), called.attr, None)
    ours = inspect.isfunction(found) and found.__module__.startswith("web")
    return found if ours else None


def row(app: Flask, rule: Rule, method: str, audiences: Mapping[For, str]) -> str:
    view = app.view_functions[rule.endpoint]
    says = (inspect.getdoc(view) or "").partition("\n")[0]
    read = dict.fromkeys(fields(view)) if method == "POST" else {}
    form = " ".join(f"`{name}`" for name in sorted(read, key="version".__eq__))
    return f"| {method} | `{rule.rule}` | {audiences[view.audience]} | {form} | {says} |\n"


def page() -> str:
    """Return the page: a line for each address and method."""
    with tempfile.TemporaryDirectory() as folder:
        table, hall = made(Path(folder)), made_hall(Path(folder) / "hall")
    return f"{INTRODUCTION}\n{listed(table)}{HALL}{listed(hall, HALL_AUDIENCES)}"


def listed(app: Flask, audiences: Mapping[For, str] = AUDIENCES) -> str:
    """Return a line for each address and method of an app."""
    answered = sorted(
        ((rule, method) for rule in app.url_map.iter_rules() for method in rule.methods or ()),
        key=lambda entry: (entry[0].rule, entry[1]),
    )
    rows = [
        row(app, rule, method, audiences) for rule, method in answered if method not in AS_FOR_ANY
    ]
    head = "| method | address | for | form | what it does |\n|---|---|---|---|---|\n"
    return f"{head}{''.join(rows)}"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
