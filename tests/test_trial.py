"""What tries changes of the product (`make mutants`) puts each where it takes effect."""

import pytest

from tests.tools.trial import Change, swaps

CODE = """
TABLE = [number for number in range(3)]
class Seat:
    limit = 2
    def __init__(self, most=4): self.most = most
    def few(self): return [seat for seat in range(self.most) if seat < self.limit]
"""


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [("seat < ", "seat > ", {"Seat.few"}), ("self.most = most", "self.most = 0", {"Seat.__init__"}),
     ("range(3)", "range(4)", None), ("if seat", "+ [1] if seat", {"Seat.few"}),
     ("number for", "None for", None), ("limit = 2", "limit = 3", None),
     ("most=4", "most=5", None)],
)  # fmt: skip
def test_only_what_functions_do_is_swapped(tmp_path, before, after, names):
    path = tmp_path / "seats.py"
    path.write_text(CODE)
    found = swaps(Change(path, CODE.replace(before, after)))
    assert (None if found is None else {name for name, *_ in found}) == names
