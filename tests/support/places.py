"""Where the project's files are, whichever room a test stands in."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent

PICTURES = TESTS / "pictures"
RENDERS = PICTURES / "renders"
"""Sets of dice that are drawn by tracing rays."""

RECORDED = TESTS / "recorded"
"""Records of whole games, with the states that they go through."""

SAVED = TESTS / "saved"
"""What earlier versions saved."""

KEPT_PICTURES = ROOT / ".pytest_cache/pictures"
"""What pictures gave, for all processes and later runs."""
