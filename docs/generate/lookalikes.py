"""Write the table of characters that look alike, from Unicode's data:

    python -m docs.generate.lookalikes confusables.txt DerivedCoreProperties.txt

Both files are Unicode's own (UTS #39 and UAX #44), of any version. The result is
`companion/base/lookalikes.txt`, which the table uses to compare names.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

RESULT = Path(__file__).parent.parent.parent / "companion/base/lookalikes.txt"

HEAD = """\
# Characters that look alike and characters that can't be seen, as names are compared by them.
# Made by docs/generate/lookalikes.py from Unicode's {confusables} and
# {properties}. © Unicode, Inc., under the Unicode License V3,
# https://www.unicode.org/license.txt
#
# First the invisible ones, as ranges; then on each line a prototype and what looks like it.
"""


def main() -> None:
    confusables, properties = (Path(name).read_text("utf-8-sig") for name in sys.argv[1:])
    version = re.search(r"^# Version: ([0-9.]+)", confusables, re.MULTILINE)
    title = re.search(r"^# (\S+)\.txt", properties)
    assert version, "the first file is no confusables.txt"
    assert title, "the second file is no DerivedCoreProperties.txt"
    invisible = re.findall(
        r"^([0-9A-F]+)(?:\.\.([0-9A-F]+))? *; Default_Ignorable_Code_Point",
        properties,
        re.MULTILINE,
    )
    alike = defaultdict(list)
    for source, prototype in re.findall(
        r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA", confusables, re.MULTILINE
    ):
        alike[prototype.strip()].append(source)
    lines = [" ".join(f"{first}-{last or first}" for first, last in invisible)]
    lines += [f"{prototype}: {' '.join(sources)}" for prototype, sources in sorted(alike.items())]
    head = HEAD.format(confusables=f"confusables.txt {version[1]}", properties=title[1])
    RESULT.write_text(head + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
