"""Measure how the code is laid out: a table of figures, each by a rule that fits in a line.

    python -m tests.tools.house [--all] [FOLDER]

Prints Markdown. FOLDER: another checkout to measure, to compare; default: this one. --all: also
lists what each figure counts. `tests/test_house.py` holds what may not grow.

Things are found by their names (the class `Table`, whatever file it is in), so that files may move.
"""

import argparse
import ast
import io
import re
import sys
import tempfile
import threading
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import pairwise, product
from pathlib import Path
from types import FrameType
from typing import NamedTuple, TypeVar

from places import ROOT

PARTS = ("companion", "vision", "hardware", "web", "systemd")
UNCOUNTED = "training"
"""Its scripts make networks, and aren't part of the product."""

SHARED = {"games"}
OWN = re.compile(r"(dice|cards?|deck)(_\w+)?")
"""Folders that games share, and what in them is a game's own: folders or files."""
NAMED = re.compile(
    r'bang-(dice|card)|"dice(game)?", ?"card(s|game)"|web\.(games\.)?(dice|card)(s|game)?\.'
)
"""How a game is named: as in records and settings, or by its package in templates."""

IRREGULAR = set(
    """begun bent borne bought bound broken brought built burnt caught chosen dealt done drawn
    driven dug eaten fallen fed felt flown forgotten found frozen given gone grown heard held hidden
    hung kept known laid lain learnt led left lent lit lost made meant met paid risen said seen sent
    shown sold sought spent spoken spun stood struck stuck swept taken taught thought thrown told
    torn understood woken won worn written""".split()  # noqa: SIM905
)
NO_PARTICIPLES = {
    "bed", "bleed", "breed", "embed", "exceed", "feed", "hundred", "indeed", "need", "proceed",
    "red", "seed", "shed", "speed", "succeed",
}  # fmt: skip
PARTICLES = {
    "again", "and", "anew", "apart", "as", "at", "away", "back", "by", "early", "first", "from",
    "here", "in", "last", "of", "off", "on", "out", "over", "to", "too", "up",
}  # fmt: skip
"""What may follow a participle without making it the adjective of a noun."""


_Node = TypeVar("_Node", bound=ast.AST)


class Figure(NamedTuple):
    """What a rule counts."""

    name: str
    number: int
    counted: Sequence[str] = ()
    """Each thing, if the number is how many there are."""


class Code:
    """The product in a checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.texts = {
            path.relative_to(self.root): path.read_text("utf-8")
            for part in PARTS
            for path in sorted((self.root / part).rglob("*"))
            if path.suffix in (".py", ".html") and UNCOUNTED not in path.parts
        }
        self.trees = {
            path: ast.parse(text) for path, text in self.texts.items() if path.suffix == ".py"
        }

    @cached_property
    def functions(self) -> Sequence[tuple[Path, ast.FunctionDef]]:
        return list(self._nodes(ast.FunctionDef))

    @cached_property
    def classes(self) -> Mapping[str, tuple[Path, ast.ClassDef]]:
        return {node.name: (path, node) for path, node in self._nodes(ast.ClassDef)}

    def _nodes(self, kind: type[_Node]) -> Iterator[tuple[Path, _Node]]:
        for path, tree in self.trees.items():
            yield from ((path, node) for node in ast.walk(tree) if isinstance(node, kind))

    @cached_property
    def modules(self) -> Mapping[str, Path]:
        return {dotted(path): path for path in self.trees}

    @cached_property
    def imports(self) -> Mapping[str, set[str]]:
        """The modules of ours that each module imports, by dotted names."""
        return {dotted(path): set(self._imported(tree)) for path, tree in self.trees.items()}

    def _imported(self, tree: ast.AST) -> Iterator[str]:
        for node in ast.walk(tree):
            names: Iterable[str] = ()
            if isinstance(node, ast.Import):
                names = (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                names = (f"{node.module}.{alias.name}" for alias in node.names)
            for name in names:
                module = name if name in self.modules else name.rpartition(".")[0]
                if module in self.modules:
                    yield module


def dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


# How far a press goes


class Way(NamedTuple):
    """What a call goes through."""

    files: Sequence[str]
    """The files of ours in which a function is called, or a template drawn, each once."""
    moves: int
    """How often the next function called is in another file than the one before."""


def trace(root: Path, call: Callable[[], object]) -> Way:
    """Return what a call goes through, in threads that it starts too."""
    files: list[str] = []
    inside = tuple(f"{root}/{part}/" for part in PARTS)

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(inside):
            files.append(frame.f_code.co_filename.removeprefix(f"{root}/"))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert files, f"nothing of {root} was called"
    moves = sum(file != following for file, following in pairwise(["", *files]))
    return Way(sorted(set(files)), moves)


def ways(code: Code) -> Iterator[Figure]:
    """A roll at a table of four, its first of the game, and the page of the player who rolls."""
    from sites import Site

    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        with closing(site.journal):
            site.start()
            # What is read or compiled once is not part of the way.
            site.host.open("/seat")
            faces = ("dynamite", "arrow", "gatling", "arrow", "beer")
            calls = {
                "an observation (`Table.see`)": lambda: site.throw(*faces),
                "a press of the green button": site.table.press_green,
                "a seat's page": lambda: site.host.open("/seat"),
            }
            for name, call in calls.items():
                way = trace(code.root, call)
                assert not site.view.notice
                yield Figure(f"files that {name} goes through", len(way.files), way.files)
                yield Figure(f"moves between them of {name}", way.moves)


# Games


def is_own(path: Path) -> bool:
    """Whether a file is a game's own; what serves any game with dice, or with cards, is not."""
    parts = path.with_suffix("").parts
    return any(folder in SHARED and OWN.fullmatch(name) for folder, name in pairwise(parts))


def registrations(code: Code, part: str) -> Figure:
    """Files outside the games' own that import a game's, or name one as records do."""
    found = []
    for path, text in code.texts.items():
        if path.parts[0] != part or is_own(path):
            continue
        needs = code.imports.get(dotted(path), ()) if path.suffix == ".py" else ()
        ours = [code.modules[name] for name in needs if name.startswith(("companion.", "web."))]
        if any(map(is_own, ours)) or NAMED.search(text):
            found.append(str(path))
    return Figure(f"files of `{part}` that name a game outside its own", len(found), found)


def questions(code: Code) -> Figure:
    """Places outside `companion/games` that ask a game for its cards, or whether it has any."""
    asked = re.compile(r"\bgame\.cards\b|\.cards is\b")
    found = [
        f"{path}:{number}"
        for path, text in code.texts.items()
        if not is_own(path) and path.parts[:2] != ("companion", "games")
        for number, line in enumerate(text.splitlines(), 1)
        if asked.search(line)
    ]
    return Figure("places that ask `game.cards`", len(found), found)


def third_game(code: Code) -> Figure:
    lines = (code.root / "tests/support/most_pips.py").read_text("utf-8").splitlines()
    return Figure("lines of the third game in the tests", len(lines))


# Large things


def sizes(code: Code) -> Iterator[Figure]:
    path, table = code.classes["Table"]
    methods = [node.name for node in table.body if isinstance(node, ast.FunctionDef)]
    setters = [name for name in methods if name.startswith("use_")]
    yield Figure("methods of `Table`", len(methods), methods)
    yield Figure("setters `use_…` of `Table`", len(setters), setters)
    for name in ("Scene", "TableView"):
        _, node = code.classes[name]
        fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        yield Figure(f"fields of `{name}`", len(fields), [ast.unparse(field) for field in fields])
    path, _ = code.classes["TypedGame"]
    types = [
        ast.unparse(node)
        for node in code.trees[path].body
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "Any"
    ]
    yield Figure("types of a game that are `Any` to the table", len(types), types)


# Packages


def package(module: str) -> str:
    """The package of a module: a part of `companion`, or all of the others."""
    top, *inner = module.split(".")
    return ".".join([top, *inner[:1]]) if top == "companion" else top


def cycles(code: Code) -> Figure:
    """Pairs of packages that need each other, `companion` beside `web` and the others too."""
    needs: set[tuple[str, str]] = set()
    for module, imported in code.imports.items():
        for other in imported:
            needs.add((package(module), package(other)))
            if package(module) != "companion.app":
                needs.add((module.partition(".")[0], other.partition(".")[0]))
    pairs = sorted(f"{a} ↔ {b}" for a, b in needs if a < b and (b, a) in needs)
    return Figure("pairs of packages that need each other", len(pairs), pairs)


def rooms(code: Code) -> Iterator[Figure]:
    files = Counter(path.parent for path in code.trees if path.name != "__init__.py")
    parts = {path.parts[1] for path in code.trees if path.parts[0] == "companion"}
    parts = {part for part in parts if not part.endswith(".py")}
    yield Figure("parts of `companion`", len(parts), sorted(parts))
    table = [module for module in code.modules if module.startswith("companion.table.")]
    within = [path for path in files.elements() if path.parts[:2] == ("companion", "table")]
    yield Figure("files of `companion/table`", len(within))
    yield Figure("floors of `companion/table`", floors(code.imports, table))
    folder, most = max(files.items(), key=lambda item: item[1])
    yield Figure("most files in a folder", most, [str(folder)])
    large = [f"{folder}: {count}" for folder, count in files.items() if count > 15]
    yield Figure("folders of more than 15 files", len(large), large)


def floors(imports: Mapping[str, set[str]], modules: Sequence[str]) -> int:
    """The longest chain of modules in which each imports the next."""
    heights: dict[str, int] = {}

    def height(module: str) -> int:
        if module not in heights:
            below = [other for other in imports[module] if other in modules and other != module]
            heights[module] = 1 + max(map(height, below), default=0)
        return heights[module]

    return max(map(height, modules), default=0)


# Names


def twins(code: Code) -> Figure:
    """Files and classes of cards named like others, which are those of dice and don't say so."""
    files = {path.with_suffix("").as_posix() for path in code.trees}
    mark = re.compile(r"(?<![a-z])(cards?|decks?|pile)(_|/)|_(cards?|decks?|pile)\b")
    found = [
        f"{plain}, {file}"
        for file in sorted(files)
        if (plain := mark.sub("", file)) != file and plain in files
        if not plain.endswith("__init__")
        and re.sub(r"card(?=_)|cards(?=/)", "dice", file) not in files - {file}
    ]
    found += [
        f"{name}, {mark}{name}"
        for mark, name in product(("Card", "Cards", "Deck", "Pile"), code.classes)
        if f"{mark}{name}" in code.classes and f"Dice{name}" not in code.classes
    ]
    return Figure("names of dice unmarked beside those of cards", len(found), found)


def is_participle(name: str) -> bool:
    """Whether a function's name is a participle, with what belongs to it: `told`, `taken_back`."""
    first, *rest = name.strip("_").split("_")
    stem = re.sub(r"^(re|un|over)(?=\w)", "", first)
    past = {first, stem} & IRREGULAR or (first.endswith("ed") and first not in NO_PARTICIPLES)
    return bool(past) and (not rest or rest[0] in PARTICLES)


def names(code: Code) -> Iterator[Figure]:
    found = [f"{node.name} ({path})" for path, node in code.functions if is_participle(node.name)]
    yield Figure("functions named by a participle", len(found), sorted(found))
    homes: dict[str, list[str]] = {}
    for path, node in code.functions:
        if said := ast.get_docstring(node):
            homes.setdefault(said, []).append(f"{node.name} ({path})")
    shared = [f"{said!r}: {', '.join(at)}" for said, at in homes.items() if len(at) > 1]
    yield Figure("docstrings that functions share", len(shared), sorted(shared))


# Lines


def lines_of(text: str, tree: ast.AST) -> int:
    """How many lines a file has without blank ones, comments and docstrings."""
    no_code = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in no_code | {tokenize.ENDMARKER}:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def measure(root: Path = ROOT) -> Sequence[Figure]:
    """Return all figures of a checkout, whose packages and `tests/support` can be imported."""
    code = Code(root)
    return [
        *ways(code),
        registrations(code, "companion"),
        registrations(code, "web"),
        questions(code),
        third_game(code),
        *sizes(code),
        cycles(code),
        *rooms(code),
        twins(code),
        Figure("functions", len(code.functions)),
        *names(code),
        Figure(
            "lines of code",
            sum(lines_of(code.texts[path], code.trees[path]) for path in code.trees),
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--all", action="store_true", help="list what each figure counts")
    arguments = parser.parse_args()
    root = arguments.folder.resolve()
    sys.path[:0] = [str(root), str(root / "tests/support")]
    print("| measured | figure |\n|---|---|")
    figures = measure(root)
    for figure in figures:
        print(f"| {figure.name} | {figure.number} |")
    if arguments.all:
        for figure in figures:
            if figure.counted:
                print(f"\n{figure.name}:")
                print(*(f"- {each}" for each in figure.counted), sep="\n")


if __name__ == "__main__":
    main()
