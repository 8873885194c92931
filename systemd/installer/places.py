"""Where everything is, and what it is called."""

from pathlib import Path

SERVICE_USER = "bang-companion"
SERVICE = "bang-companion.service"
HALL_SERVICE = "bang-companion-hall.service"
HOTSPOT_SERVICE = "bang-hotspot.service"
OFF_PATH = "bang-companion-off.path"
OFF_SERVICE = "bang-companion-off.service"
"""What turns the Pi off, and what waits for the table to ask for that."""
UPDATE_PATH = "bang-companion-update.path"
UPDATE_SERVICE = "bang-companion-update.service"
"""What installs an uploaded release, and what waits for the table to ask for that."""
SETTINGS_PATH = "bang-companion-settings.path"
SETTINGS_SERVICE = "bang-companion-settings.service"
"""What changes the settings file, and what waits for the table to ask for that."""
WIFI_PATH = "bang-companion-wifi.path"
WIFI_SERVICE = "bang-companion-wifi.service"
"""What joins a Wi-Fi, and what waits for the table to ask for that."""
STICK_MOUNT = "media-bang.mount"
"""Where the USB stick named BANG is to be found."""
HELPERS = (
    OFF_PATH, OFF_SERVICE, UPDATE_PATH, UPDATE_SERVICE, SETTINGS_PATH, SETTINGS_SERVICE,
    WIFI_PATH, WIFI_SERVICE, STICK_MOUNT,
)  # fmt: skip
"""What does for the table what its service may not do."""

PROGRAM = Path("/opt/bang-companion")
VERSIONS = PROGRAM / "versions"
CURRENT = PROGRAM / "current"
"""The link to the version that runs."""
KEY = "release.pem"
"""In the folder of a version: the public key of those who sign releases, if they have one."""
COMMAND = Path("/usr/local/bin/bang-companion")
UNITS = Path("/etc/systemd/system")
SETTINGS = Path("/etc/bang-companion/settings.toml")
CODE = Path("/etc/bang-companion/owner-code")
"""What installs an unsigned release, once; only root reads it."""
CODE_ON_CARD = Path("/boot/firmware/bang-companion-owner/code.txt")
"""The same, to be read in any computer that the memory card is put into; the service can't."""
DATA = Path("/var/lib/bang-companion")
"""Games and taught dice."""
HALL_DATA = Path("/var/lib/private/bang-companion-hall")
"""Results and tournaments of a hall; systemd keeps them here for its user, with a link to it."""
HALL_LINK = Path("/var/lib/bang-companion-hall")
HOTSPOT = Path("/etc/NetworkManager/system-connections/bang-hotspot.nmconnection")
HOTSPOT_DNS = Path("/etc/NetworkManager/dnsmasq-shared.d/bang-companion.conf")
"""By what names phones find the table in the Pi's own Wi-Fi."""
