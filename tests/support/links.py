"""The links of documents in Markdown."""

import re
from collections.abc import Iterator
from pathlib import Path


def anchors(document: Path) -> set[str]:
    """The headings of a document as links name them."""
    headings = re.findall(r"^#+ +(.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    shown = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in shown}


def broken_links(document: Path) -> Iterator[str]:
    """The links of a document, within it and to other files, that lead nowhere."""
    text = document.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?[^)]*\)", text):
        if not target.startswith(("http:", "https:")):
            linked = document.parent / target if target else document
            if not linked.exists():
                yield target
            elif anchor and linked.suffix == ".md" and anchor not in anchors(linked):
                yield f"{target}#{anchor}"
