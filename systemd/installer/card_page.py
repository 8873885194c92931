"""The page that answers in the table's place until the table is installed: how far that is."""

import json
from collections.abc import Callable
from contextlib import suppress
from gettext import translation
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

STEPS = ("packages", "building", "checking", "changing over")
"""How lines of the installer begin that tell how far it is, in their order."""

LOOK = """
body{font:1.1rem/1.5 sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem;
background:#f6efe2;color:#2b1d12}li{color:#6b5a49}li[aria-current]{color:inherit;font-weight:bold}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
@media(prefers-color-scheme:dark){body{background:#1d1610;color:#f1e6d4}li{color:#b9a78f}}
"""
FOLLOW = """
let seen; setInterval(async () => { try {
  const answer = await fetch("/", {cache: "no-store"}), text = await answer.text();
  if (answer.status !== 503 || (seen ?? text) !== text) location.reload();
  seen = text;
} catch {} }, 3000);
"""
"""Keeps the page where the port is silent for a moment, and loads what answers then."""


def serve(port: int, progress: Path, translations: Path) -> None:
    """Show the page until the process is ended. Raises OSError.

    progress: the file that tells how far it is. translations: the folder of the catalogues.
    """
    make_server(port, progress, translations).serve_forever()


def make_server(port: int, progress: Path, translations: Path) -> ThreadingHTTPServer:
    """Return a server of the page, which listens already. Raises OSError."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 10
        server_version, sys_version = "bang-companion", ""

        def do_GET(self) -> None:
            language = _language(self.headers.get("Accept-Language", ""), translations)
            catalogue = translation("messages", translations, [language], fallback=True)
            body = draw(_read(progress), language, catalogue.gettext).encode()
            # It is no answer of the table, which is waited for.
            self.send_response(HTTPStatus.SERVICE_UNAVAILABLE)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing: a page that is loaded each moment would fill the journal."""

    return ThreadingHTTPServer(("", port), Handler)


def _language(accepted: str, translations: Path) -> str:
    """Return the first language of a browser's list that there is; English if there is none."""
    asked = [part.partition(";")[0].strip().partition("-")[0] for part in accepted.split(",")]
    known = {"en", *(folder.parent.name for folder in translations.glob("*/LC_MESSAGES"))}
    return next((language for language in asked if language in known), "en")


def _read(progress: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        found: dict[str, str] = json.loads(progress.read_text(encoding="utf-8"))
        return found
    return {"line": "", "fault": ""}


def draw(told: dict[str, str], language: str, gettext: Callable[[str], str]) -> str:
    """Return the page. told: the line that the installer said last, or why it failed."""
    title = gettext("The table is being installed")
    content = _failure(told["fault"], gettext) if told["fault"] else _steps(told["line"], gettext)
    return (
        f'<!DOCTYPE html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{LOOK}</style><h1>{escape(title)}</h1>"
        f'<div role="status">{content}</div><script type="module">{FOLLOW}</script></html>'
    )


def _steps(line: str, gettext: Callable[[str], str]) -> str:
    names = (
        gettext("Packages of Raspberry Pi OS are loaded"),
        gettext("The table is built"),
        gettext("It is checked"),
        gettext("It starts"),
    )
    current = next((step for step in STEPS if line.startswith(step)), STEPS[0])
    items = (
        f"<li{' aria-current=step' if step == current else ''}>{escape(name)}</li>"
        for step, name in zip(STEPS, names, strict=True)
    )
    wait = gettext("This takes about ten minutes, longer on a Zero 2 W. Then the table is here.")
    said = f'<pre lang="en">{escape(line)}</pre>' if line else ""
    return f"<p>{escape(wait)}</p><ol>{''.join(items)}</ol>{said}"


def _failure(fault: str, gettext: Callable[[str], str]) -> str:
    told = gettext("It didn’t work yet. The Pi tries again by itself, each minute.")
    help_ = gettext(
        "Does the Pi have internet, by cable or by the Wi-Fi that you entered? If it stays so, "
        "write the card again."
    )
    return f'<p>{escape(told)}</p><p>{escape(help_)}</p><pre lang="en">{escape(fault)}</pre>'
