"""Where everything is, and what it is called."""

from pathlib import Path

SERVICE_USER = "bang-companion"
SERVICE = "bang-companion.service"
HOTSPOT_SERVICE = "bang-hotspot.service"

PROGRAM = Path("/opt/bang-companion")
VERSIONS = PROGRAM / "versions"
CURRENT = PROGRAM / "current"
"""The link to the version that runs."""
COMMAND = Path("/usr/local/bin/bang-companion")
UNITS = Path("/etc/systemd/system")
SETTINGS = Path("/etc/bang-companion/settings.toml")
DATA = Path("/var/lib/bang-companion")
"""Games and taught dice."""
HOTSPOT = Path("/etc/NetworkManager/system-connections/bang-hotspot.nmconnection")
