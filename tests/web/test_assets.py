"""The static files: each page gets those that it needs, and phones keep them until they change."""

import re
from pathlib import Path

import pytest
from sites import Site

import web.assets
from web.assets import FOLDER, GAME_STYLES, LATER, STYLES, Assets, join_modules
from web.assets import SCRIPTS as SCRIPTS_OF_PAGES

SCRIPTS = sorted((FOLDER / "scripts").glob("*.js"))
SHEETS = sorted((FOLDER / "styles").glob("*.css"))
WEB = FOLDER.parent


def exports(script: Path) -> set[str]:
    """The names after `export`, in whatever form."""
    return set(re.findall(r"^ *export\b.*?(\w+)(?: =|\()", script.read_text(), re.MULTILINE))


def imports(script: Path) -> dict[str, set[str]]:
    """The names that a script imports, by module."""
    found = re.findall(r'^ *import\b(.*?)"\./([\w-]+)\.js"', script.read_text(), re.MULTILINE)
    return {name: set(re.findall(r"\w+", names)) - {"from"} for names, name in found}


def test_a_module_imports_what_another_one_exports():
    for script in SCRIPTS:
        for name, names in imports(script).items():
            assert names <= exports(FOLDER / "scripts" / f"{name}.js"), script.name


def test_all_modules_are_joined_and_nothing_is_left_to_fetch():
    everything = set()
    for entry in ("main.js", *SCRIPTS_OF_PAGES.values(), *LATER):
        joined = join_modules(FOLDER / "scripts" / entry)
        begun = re.findall(r"^const (\$\w+) = \(\(\) => {$", joined, re.MULTILINE)
        assert len(begun) == len(set(begun)), entry
        everything |= set(begun)
        assert not re.search(r"^ *(import|export)\b|\bimport\(", joined, re.MULTILINE)
        for script in SCRIPTS:
            module = "$" + script.stem.replace("-", "_")
            if module in begun:
                named = {"$" + name.replace("-", "_") for name in imports(script)}
                assert named <= set(begun[: begun.index(module)]), script.name
    assert everything == {"$" + script.stem.replace("-", "_") for script in SCRIPTS}


def test_joined_modules_run_each_once_after_those_that_they_import(tmp_path):
    for name, source in {
        "main": 'import { two } from "./b-c.js";\nimport "./a.js";\n\nrun(two);\n',
        "b-c": '// Two.\n\nimport { one } from "./a.js";\n\nexport const two = one() + one();\n',
        "a": "export function one() {\n  return 1; // one\n}\n",
    }.items():
        (tmp_path / f"{name}.js").write_text(source)
    joined = re.sub(r"\s+", " ", join_modules(tmp_path / "main.js")).strip()
    a, b_c, main = re.split(r"(?<=}\)\(\);) ", joined)
    assert a == "const $a = (() => { function one() { return 1; // one } return { one }; })();"
    assert b_c == (
        "const $b_c = (() => { const { one } = $a; const two = one() + one(); return { two }; })();"
    )
    assert main == ("const $main = (() => { const { two } = $b_c; run(two); return { }; })();")


def test_no_text_in_backticks_goes_on_in_another_line():
    """Joining modules takes indentation away."""
    for script in SCRIPTS:
        assert all(line.count("`") % 2 == 0 for line in script.read_text().splitlines()), script


def test_modules_that_import_in_a_circle_are_refused(tmp_path):
    for name, other in (("main", "a"), ("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.js").write_text(f'import "./{other}.js";\n')
    with pytest.raises(ValueError, match="main > a > b > a: modules import in a circle"):
        join_modules(tmp_path / "main.js")


def test_every_module_and_style_sheet_begins_with_what_it_does():
    for script in SCRIPTS:
        assert re.match(r"// [A-Z][^.]*(\n// [^.]*)*\.", script.read_text()), script.name
    for sheet in SHEETS:
        assert re.match(r"/\* [A-Z][^.]*\. \*/\n", sheet.read_text()), sheet.name


def test_every_file_is_served_where_pages_name_it(site):
    assets = Assets()
    names = [str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*") if file.is_file()]
    for name in names:
        for address in (assets.address(name), f"/static/{name}"):
            with site.stranger.client.get(address) as answer:
                assert answer.data == (FOLDER / name).read_bytes()


def test_every_style_sheet_is_on_a_page():
    named = {"base", "controls", "card", "sound", "stage", *GAME_STYLES}.union(*STYLES.values())
    assert {sheet.stem for sheet in SHEETS} == named


@pytest.mark.tables
def test_the_style_sheet_of_a_page_is_those_that_it_needs_in_their_order(site):
    assets = Assets()
    for page, names in STYLES.items():
        answer = site.stranger.client.get(assets.address(f"{page}.css"))
        assert answer.mimetype == "text/css"
        place = 0
        for name in ("base", "controls", *names):
            sheet = (FOLDER / f"styles/{name}.css").read_text()
            for selector in re.findall(r"^[^\s/@}].*(?= {$)", sheet, re.MULTILINE):
                place = answer.text.index(f"{selector.replace(', ', ',')}{{", place)
        for asked in re.findall(r"url\((.*?)\)", answer.text):
            with site.stranger.client.get(assets.address(asked)) as drawing:
                assert drawing.status_code == 200


def test_every_page_that_draws_faces_takes_the_look_of_the_edition(tmp_path):
    site = Site(tmp_path, ruleset="walking-dead")
    for template in sorted(WEB.rglob("*.html")):
        if template.parent.name == "hall":
            # It shows tables of all editions at once.
            continue
        for element in re.findall(r"<div[^<]*data-version.*", template.read_text()):
            assert "game.look(view)" in element, template.name
    drawings = Assets().drawings("icons", "faces")
    for name in ("faces-arrow", "icons-arrow", "icons-life"):
        symbol = re.search(f'<symbol id="{name}".*?</symbol>', drawings, re.DOTALL)
        assert symbol[0].count('class="look usual"') == 1, name
        assert symbol[0].count('class="look walking-dead"') == 1, name
    # What looks the same everywhere is drawn once.
    assert 'class="look' not in re.search('<symbol id="icons-undo".*?</symbol>', drawings)[0]
    site.start()
    styles = site.stranger.client.get(Assets().address("table.css")).text
    assert ".walking-dead .arrows{" in styles
    assert "url(walker.svg)" in styles


def test_every_class_in_the_styles_is_given_to_something():
    sources = [*WEB.rglob("*.html"), *WEB.rglob("*.py"), *SCRIPTS]
    sources += (WEB.parent / "companion").rglob("*.py")
    words = set(re.findall(r"[\w-]+", " ".join(source.read_text() for source in sources)))
    # One for each seat.
    words |= {f"of-{seat}" for seat in range(8)}
    for sheet in SHEETS:
        rules = re.sub(r"/\*.*?\*/|{[^{}]*}", "", sheet.read_text(), flags=re.DOTALL)
        named = set(re.findall(r"[.#]([a-z][\w-]*)", rules, re.IGNORECASE))
        assert named <= words, sheet.name


def test_another_file_is_another_version_of_all(tmp_path, monkeypatch):
    monkeypatch.setattr(web.assets, "FOLDER", tmp_path)
    for name in ("STYLES", "SCRIPTS"):
        monkeypatch.setattr(web.assets, name, {})
    for name in ("LATER", "GAME_STYLES"):
        monkeypatch.setattr(web.assets, name, ())
    versions = []
    for folder in ("scripts", "styles"):
        (tmp_path / folder).mkdir()
    script, sheet, styles = "scripts/main.js", "a.css", "styles/b.css"
    for name, text in ((script, "1"), (sheet, "1"), (styles, "1"), (sheet, "2"), (styles, "")):
        (tmp_path / name).write_text(text)
        versions.append(Assets().version)
    (tmp_path / "a.css").rename(tmp_path / "c.css")
    versions.append(Assets().version)
    # The same files, joined in another way.
    monkeypatch.setattr(web.assets, "STYLES", {"join": ("b",)})
    monkeypatch.setattr(web.assets, "EVERY_PAGE", ())
    versions.append(Assets().version)
    assert len(set(versions)) == 7
    assert all(re.fullmatch("[0-9a-f]{12}", version) for version in versions)
