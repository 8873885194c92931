"""Attacks on the running table from the network, as tests and as a benchmark.

They share the helpers of the tests, as pytest does.
"""

import sys
from pathlib import Path

_TESTS = Path(__file__).parents[2]
sys.path[:0] = [str(_TESTS / "support"), str(_TESTS.parent / "systemd")]
