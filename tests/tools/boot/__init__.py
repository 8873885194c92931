"""Installing, booting, upgrading, pulling the plug: on a Debian of its own (`make boot-test`)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "systemd"))
