"""Static files: their addresses, how long phones cache them, and the drawings in every page."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

from flask import Flask, Response, send_from_directory
from markupsafe import Markup

from web.access import YEAR, For, audience
from web.games.registry import LIST

FOLDER = Path(__file__).parent / "static"

STYLES = {
    "join": ("people", "players", "joining"),
    "seat": ("people", "players", "joining", "game", "story", "question", "seat"),
    "table": ("people", "players", "game", "table"),
    "story": ("players", "story", "charts"),
    "setup": ("setup",),
    "teach": ("people", "setup"),
    "collection": ("people", "setup", "game", "seat"),
    "first-run": ("people", "setup"),
    "backup": ("people", "setup"),
    "machine": ("people", "setup"),
    "settings": ("people", "setup"),
    "secure": ("people", "setup"),
    "wifi": ("people", "setup"),
    "chances": ("game", "question", "seat", "chances"),
    "watch": ("players", "game", "story", "table", "replay"),
    "statistics": ("people", "story", "charts", "statistics"),
    "hall": ("hall",),
    "tournament": ("people", "hall"),
}
"""The styles that each page adds to the common ones, in cascade order."""

GAME_STYLES = tuple(chain(*(game.styles for game in LIST.values())))
"""The styles that pages load only while they show a game."""

SCRIPT, SCRIPTS = (
    "main.js",
    {
        "table": "television.js",
        "watch": "replay.js",
        "statistics": "statistics.js",
        **dict.fromkeys(
            ("setup", "teach", "collection", "first-run", "backup", "machine", "story"), "setup.js"
        ),
    },
)
"""The script of a page, and those of pages that do more than others."""

LATER = (
    "sound.js",
    "seat-order.js",
    "share.js",
    "deal.js",
    "open-hand.js",
    "alerts.js",
    "awake.js",
    *chain(*(game.scripts for game in LIST.values())),
)
"""Scripts that others load when they are wanted; they share no modules with the page's own."""

LIBRARIES = {"statistics": ("vendor/chartist.min.js",)}
"""The libraries of a page, besides the one of every page."""

EVERY_PAGE = ("base", "controls")
"""The styles of every page, in cascade order."""

EVERY_DRAWING = ("icons", "faces")
"""The drawings that every page contains."""

LOOKS = dict(chain(*(game.looks.items() for game in LIST.values())))
"""The drawings that look different in an edition: by file and edition, the file with its own."""

GAME_DRAWINGS = frozenset(chain(*(game.drawings for game in LIST.values())))
"""The drawings that pages contain only while they show a game."""

LATER_DRAWINGS = ("portraits",)
"""The drawings that a page of a game asks for once it is shown (`loadDrawings` in later.js)."""

SOUNDS = "sounds"
"""The folder of the sounds, each a WAV file: the one format that every browser and `aplay` play."""

_VERSION_LENGTH = 12
_SCRIPT_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
_SCRIPT_SPACE = re.compile(r"^[ \n]+", re.MULTILINE)
_STYLE_SPACE = re.compile(r"(?<=[{};,])\s+")
_STYLE_COLON = re.compile(r"(?<=[{;])([\w-]+): ")
_STYLE_ZERO = re.compile(r"(?<![\w.])0(?=\.\d)")
_STYLE_COMMENT = re.compile(r"\s*/\*.*?\*/", re.DOTALL)
_IMPORT = re.compile(r'^import (?:({.*}) from )?"\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:const|async function|function) (\w+))", re.MULTILINE)


class Assets:
    """One version of the static files.

    Each address contains the version, so phones cache files for good and still get the
    new ones after an update. It stands before the file's own path, so that relative addresses, as
    in `url(…)`, carry it too.
    """

    def __init__(self, secret: Iterable[str] = ()) -> None:
        """secret: icons left out of pages, because they would give away roles."""
        self._secret = frozenset(secret)
        self._joined = {
            name: (join_modules(FOLDER / "scripts" / name), "text/javascript")
            for name in (SCRIPT, *SCRIPTS.values(), *LATER)
        }
        for page, styles in STYLES.items():
            self._joined[f"{page}.css"] = _join_styles(*EVERY_PAGE, *styles), "text/css"
        for style in GAME_STYLES:
            self._joined[f"{style}.css"] = _join_styles(style), "text/css"
        for file in LATER_DRAWINGS:
            self._joined[f"{file}.html"] = self.drawings(file), "text/html"
        self.version = self._version()

    def address(self, name: str) -> str:
        """Return the address of a file, by its path below `static/`.

        Some are built from others: the scripts in SCRIPTS, and `PAGE.css` for each page.
        """
        return f"/static/{self.version}/{name}"

    def values(self) -> Mapping[str, object]:
        """Return what templates need: addresses and drawings."""
        return {
            "static": self.address(""),
            "scripts": {page: self.address(SCRIPTS.get(page, SCRIPT)) for page in STYLES},
            "libraries": LIBRARIES,
            "apart": self._secret,
            "drawings": self.drawings(*EVERY_DRAWING),
            "game_drawings": {file: self.drawings(file) for file in GAME_DRAWINGS},
        }

    @property
    def sounds(self) -> tuple[str, ...]:
        """The sounds that the table page can play, by name."""
        return tuple(sorted(file.stem for file in (FOLDER / SOUNDS).glob("*.wav")))

    def drawings(self, *files: str) -> Markup:
        """Return drawings to put into a page, each with an `id`: FILE-NAME; none that is secret.

        They are inlined because browsers make a document of each file, which slows phones down.
        """
        drawn = [
            re.sub(r'(id="|href="#)', rf"\1{file}-", _with_looks(file, name, symbol))
            for file in files
            for name, symbol in symbols(file).items()
            if name not in self._secret
        ]
        return Markup(f"<svg hidden>{''.join(drawn)}</svg>")

    def serve(self, app: Flask) -> None:
        """Make `app` serve the files, with and without a version."""

        @audience(For.EVERYBODY)
        def static(filename: str, version: str = "") -> Response:
            """Send styles, scripts or drawings."""
            if filename in self._joined:
                text, kind = self._joined[filename]
                response = Response(text, mimetype=kind)
            else:
                response = send_from_directory(FOLDER, filename)
            # A page from before an update still gets files, but must not cache them.
            response.headers["Cache-Control"] = (
                f"max-age={YEAR}, immutable" if version == self.version else "no-cache"
            )
            return response

        versioned = f"/static/<string(length={_VERSION_LENGTH}):version>/<path:filename>"
        for rule in ("/static/<path:filename>", versioned):
            app.add_url_rule(rule, "static", static)

    def _version(self) -> str:
        contents = {name: text.encode() for name, (text, _) in self._joined.items()}
        contents |= {
            str(file.relative_to(FOLDER)): file.read_bytes()
            for file in FOLDER.rglob("*")
            if file.is_file()
        }
        digest = sha256()
        for name, content in sorted(contents.items()):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()[:_VERSION_LENGTH]


@cache
def symbols(file: str) -> Mapping[str, str]:
    """Return the drawings of a file by name, each as the element that it is."""
    text = (FOLDER / f"{file}.svg").read_text("ascii")
    found = re.finditer('<symbol id="(.*?)".*?</symbol>', text, re.DOTALL)
    return {symbol[1]: symbol[0] for symbol in found}


def _with_looks(file: str, name: str, symbol: str) -> str:
    """Return a drawing with its looks in all editions, of which a page's style shows one.

    Only inherited properties reach into a drawing from where it is used, so the look must be
    chosen by such a property: see `.look` in `styles/base.css`.
    """
    looks = {
        edition: drawn[name]
        for edition, other in LOOKS.get(file, {}).items()
        if name in (drawn := symbols(other))
    }
    if not looks:
        return symbol
    groups = [
        f'<g class="look {look}">{re.sub("^<symbol.*?>|</symbol>$", "", each)}</g>'
        for look, each in {"usual": symbol, **looks}.items()
    ]
    begin, _, _ = symbol.partition(">")
    return f"{begin}>{''.join(groups)}</symbol>"


def join_modules(entry: Path) -> str:
    """Return a JavaScript module bundled with everything it imports.

    On a slow phone, requests cost more than parsing. Each module becomes a function
    that returns what the module exports; they are called in the order in which browsers would run
    the modules. Whole-line comments and indentation are left out, so no text in backticks may go
    on in another line. Each import must be on a line of its own, and only constants and functions
    may be exported, where they are defined.
    """
    joined: dict[str, str] = {}
    running: list[str] = []

    def add(module: Path) -> None:
        if module.stem in running:
            raise ValueError(f"{' > '.join(running)} > {module.stem}: modules import in a circle")
        source = _SCRIPT_COMMENT.sub("", module.read_text("utf-8"))
        running.append(module.stem)
        for _, name in _IMPORT.findall(source):
            if name not in joined:
                add(module.with_name(f"{name}.js"))
        running.pop()
        exports = ", ".join(name for _, name in _EXPORT.findall(source))
        body = _IMPORT.sub(
            lambda found: f"const {found[1]} = {_variable(found[2])};\n" if found[1] else "", source
        )
        body = _EXPORT.sub(r"\1", body)
        joined[module.stem] = (
            f"const {_variable(module.stem)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        )

    add(entry)
    return _SCRIPT_SPACE.sub("", "".join(joined.values()))


def _variable(module: str) -> str:
    return "$" + module.replace("-", "_")


def _join_styles(*styles: str) -> str:
    """Return style sheets joined into one, for the folder above theirs."""
    texts = [(FOLDER / "styles" / f"{style}.css").read_text("utf-8") for style in styles]
    joined = _STYLE_COMMENT.sub("", "".join(texts)).replace("url(../", "url(")
    joined = _STYLE_SPACE.sub("", joined).replace(" {", "{").replace(";}", "}")
    return _STYLE_ZERO.sub("", _STYLE_COLON.sub(r"\1:", joined))
