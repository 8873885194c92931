"""What measures, attacks and boots the product; they share the helpers of the tests."""

import sys
from pathlib import Path

_TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(_TESTS / "support"), str(_TESTS.parent / "systemd"),
                str(_TESTS.parent / ".ci")]  # fmt: skip
