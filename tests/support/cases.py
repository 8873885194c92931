"""Tables of cases in text: what is done in a line and, after `=>`, what follows."""

from places import TESTS


def cases(path: str, heading: str) -> list[tuple[str, ...]]:
    r"""The cases below a heading, by how it begins, in a text of a room; `\n` is a line's end."""
    _, _, below = (TESTS / path).read_text("utf-8").partition(f"\n# {heading}")
    found = below.partition("\n\n")[2].partition("\n\n#")[0].splitlines()
    assert found, f"no cases: {heading}"
    return [tuple(line.replace("\\n", "\n").split(" => ")) for line in found]
