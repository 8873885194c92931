"""Bring the catalogues of the pages' texts in line with the sources.

    python -m docs.generate.translations

New texts stay empty until somebody translates them; texts that are gone are dropped.
Translators may type ordinary spaces: this script sets French no-break spaces. The compiled
catalogues are written beside the others, so running the table needs no compiling.
"""

import re
import sys
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent.parent
TRANSLATIONS = ROOT / "web/translations"
SOURCES = {
    "companion": [("**.py", "python")],
    "hardware": [("camera/*.py", "python")],
    "systemd/installer": [("card_page.py", "python")],
    "web": [("**.py", "python"), ("**.html", "jinja2")],
}
"""Where texts for players are, and how each kind of file is read."""
KEYWORDS = DEFAULT_KEYWORDS | {
    "lazy_gettext": None,
    "Message": None,
    "CameraError": None,
    "Refused": (2,),
}
"""Calls whose texts are translated, and which argument holds the text if not the first."""


def extracted() -> Catalog:
    """Return all texts of the sources, each with the files that contain it."""
    catalogue = Catalog(charset="utf-8")
    for package, methods in SOURCES.items():
        for file, _, text, comments, context in extract_from_dir(
            ROOT / package,
            method_map=methods,
            options_map={"**.html": {"silent": "false"}},
            keywords=KEYWORDS,
            comment_tags=("Translators:",),
            strip_comment_tags=True,
        ):
            where = [(f"{package}/{file}", None)]
            catalogue.add(text, locations=where, auto_comments=comments, context=context)
    return catalogue


def catalogues() -> list[Path]:
    """Return the catalogues, one for each language except English."""
    return sorted(TRANSLATIONS.glob("*/LC_MESSAGES/messages.po"))


def read(path: Path) -> Catalog:
    """Read a catalogue as it is."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, abort_invalid=True)


def updated(path: Path) -> bytes:
    """Return the updated catalogue: every text of the sources, as far as translated."""
    catalogue = read(path)
    catalogue.update(
        extracted(), no_fuzzy_matching=True, update_creation_date=False, keep_user_comments=True
    )
    catalogue.obsolete.clear()
    if path.parent.parent.name == "fr":
        for message in catalogue:
            if isinstance(message.string, str):
                message.string = spaced(message.string)
            elif message.string:
                message.string = tuple(map(spaced, message.string))
    return written(catalogue)


def spaced(text: str) -> str:
    """Return a French text with no-break spaces before punctuation and within « »."""
    text = re.sub("[ \u00a0\u202f]+(?=[;!?])", "\u202f", text)
    text = re.sub("[ \u00a0\u202f]+(?=:(?:\\s|$))", "\u00a0", text)
    return re.sub("(?<=«)[ \u202f]|[ \u202f](?=»)", "\u00a0", text)


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file, with texts in the order of the sources."""
    out = BytesIO()
    write_po(out, catalogue, width=100, sort_by_file=True, include_lineno=False)
    return out.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as the table reads it."""
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def main() -> None:
    """Write every catalogue, and print what is still untranslated."""
    for path in catalogues():
        path.write_bytes(updated(path))
        catalogue = read(path)
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        for entry in catalogue:
            if entry.id and (entry.fuzzy or not all(_strings(entry.string))):
                print(f"{path.relative_to(ROOT)}: not translated: {entry.id}", file=sys.stderr)


def _strings(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


if __name__ == "__main__":
    main()
