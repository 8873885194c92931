"""Attacks on the running table from the network, as tests and as a benchmark.

They share the helpers of the tests, as pytest does.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
