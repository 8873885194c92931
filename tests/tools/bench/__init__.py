"""Benchmarks, run by `make bench`; they share the helpers of the tests, as pytest does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
