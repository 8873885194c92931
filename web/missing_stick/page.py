"""The page in the table's place while the USB stick with its data is missing."""

import socket
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from web.i18n import LANGUAGES, PAGE, catalogue, gettext
from web.live import RELOAD

LOOK = """
body{font:1.1rem/1.5 sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem;
background:#f6efe2;color:#2b1d12}
@media(prefers-color-scheme:dark){body{background:#1d1610;color:#f1e6d4}}
"""
FOLLOW = """
setInterval(async () => { try {
  if ((await fetch(location.href, {cache: "no-store"})).status !== 503) location.reload();
} catch {} }, 2000);
"""
"""Loads what answers once the stick is back, also where the port is silent for a moment."""


def make_server(host: str, port: int) -> ThreadingHTTPServer:
    """Return what serves the page, at a port that it has taken. Raises OSError."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    kind = type("StickServer", (ThreadingHTTPServer,), {"address_family": family})
    server: ThreadingHTTPServer = kind((host, port), _Handler)
    return server


class _Handler(BaseHTTPRequestHandler):
    timeout = 10
    server_version, sys_version = "bang-companion", ""

    def do_GET(self) -> None:
        if self.path.startswith("/live/"):
            # A page that is still open loads itself again, and then says what is missing.
            self._answer(HTTPStatus.OK, "text/event-stream", f"data: {RELOAD}\n\n")
            return
        accepted = parse_accept_header(self.headers.get("Accept-Language"), LanguageAccept)
        # It is no answer of the table, which is waited for.
        self._answer(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "text/html; charset=utf-8",
            draw(accepted.best_match(LANGUAGES) or LANGUAGES[0]),
        )

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing: pages ask every two seconds."""


def draw(language: str) -> str:
    """Return the page in a language."""
    PAGE.set((language, catalogue(language)))
    title = escape(gettext("The USB stick is missing"))
    what = escape(
        gettext("This table keeps its games on it. Plug it in: the table goes on where it stood.")
    )
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{LOOK}</style><h1>{title}</h1><p>{what}</p><script>{FOLLOW}</script></html>"
    )
