"""The summary of a finished game to share: a picture, drawn on the Pi, and a text."""

import json
import re
import threading
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from werkzeug.exceptions import ServiceUnavailable

from companion.table.past.replays import Replay
from companion.table.views import TableView
from web import dates
from web.assets import FOLDER, symbols
from web.games.game import terms_of
from web.games.registry import pages_of
from web.i18n import gettext, ngettext
from web.live import draw
from web.play.turn import winners

FONTS = Path(__file__).parent / "fonts"
"""The fonts of the picture: the Pi may have none."""

WIDTH = 1080
"""Pixels of the picture, as wide as messengers show it."""

_COVERED = re.compile("[ -~\u00a0-\u024f\u02b0-\u052f\u1e00-\u1eff\u2010-\u203a\u20ac\u2122]*")
"""Text that these fonts can draw."""

_UNDRAWABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no SVG may contain."""

_one_at_a_time = threading.Lock()


class Where(NamedTuple):
    """What the summary says of the game besides who won."""

    date: str
    """The day on which it began; empty if its record doesn't say."""
    turns: str
    """How many turns it took."""


def where(replay: Replay) -> Where:
    """Return when a game was played, and how long it was."""
    header = json.loads(replay.history.moments[0].line)
    date = header.get("date", "") if isinstance(header, dict) else ""
    turns = len(replay.turns)
    return Where(dates.day(str(date)), ngettext("%(num)s turn", "%(num)s turns", turns))


def text(replay: Replay) -> str:
    """Return the summary of a game as a text of some lines."""
    view = replay.end
    game, told = pages_of(view), where(replay)
    return "\n".join(
        [
            ", ".join(filter(None, ("Bang companion", told.date, told.turns))),
            game.ending(view),
            *([gettext("Won: %(names)s", names=_winners(view))] if winners(view) else []),
            "",
            *game.summary(view),
            "",
        ]
    )


def _winners(view: TableView) -> str:
    return terms_of(view).join(winners(view))


def picture(replay: Replay) -> bytes:
    """Return the summary of a game as a PNG. Raises ServiceUnavailable if it can't be drawn."""
    view = replay.end
    svg = draw(pages_of(view).summary_picture, view, {"told": where(replay), "width": WIDTH})
    return render_png(_UNDRAWABLE.sub("\N{REPLACEMENT CHARACTER}", svg))


@lru_cache(maxsize=8)
def render_png(svg: str) -> bytes:
    """Return an SVG as a PNG. Raises ServiceUnavailable if it can't be drawn."""
    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    if not fonts:
        raise ServiceUnavailable(
            gettext("The picture can’t be drawn: its fonts are missing. Install the program again.")
        )
    try:
        # Not before the first picture is asked for: other commands do without.
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ServiceUnavailable(
            gettext("The picture can’t be drawn: the library resvg-py is missing.")
        ) from None
    with _one_at_a_time:
        return svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=_COVERED.fullmatch(re.sub("<.*?>|\\s", "", svg)) is not None,
            font_files=fonts,
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
        )


@lru_cache
def colours() -> tuple[str, ...]:
    """Return the colours of the players, by the number of their emblem, as on dark pages."""
    style = (FOLDER / "styles/players.css").read_text("utf-8")
    return tuple(re.findall(r"^\.of-\d { --badge: (#\w+);", style, re.MULTILINE))


@lru_cache
def drawings(*files: str) -> str:
    """Return the drawings of some files, for an SVG to use by `FILE-NAME`."""
    return "".join(
        re.sub(r'(id="|href="#)', rf"\1{file}-", symbol)
        for file in files
        for symbol in symbols(file).values()
    )


def lines(text: str, letters: int) -> tuple[str, ...]:
    """Return a text in lines of at most so many letters, broken between words."""
    broken = [""]
    for word in text.split():
        if broken[-1] and len(broken[-1]) + 1 + len(word) > letters:
            broken.append("")
        broken[-1] = f"{broken[-1]} {word}".strip()
    return tuple(broken)


def font_size(text: str, width: int, most: int) -> int:
    """Return the size, in pixels and at most `most`, at which a bold line of text fits a width."""
    return min(most, int(width / sum(map(_letter_width, text)))) if text else most


def _letter_width(letter: str) -> float:
    """Return at least how many times its size a letter of DejaVu Sans Bold is wide."""
    if letter in "iIjlftr .,-'’":
        return 0.5
    if letter > "\u024f":
        return 1.3
    if letter in "mwMWŒœ@%":
        return 1.15
    return 0.72 if letter.islower() else 0.88
