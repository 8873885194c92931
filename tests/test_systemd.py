import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parent.parent / "systemd" / "bang-companion.service"

# Out of 100: what systemd counts against a service that needs devices, a network and no more.
EXPOSURE_LIMIT = 30


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.fail("systemd-analyze is missing: sudo apt install systemd")
    return subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=60)


def complaints(folder: Path, unit: str) -> list[str]:
    """What systemd says of the unit, as if it were installed with its program in place."""
    program = folder / "bang-companion"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copy = folder / UNIT.name
    copy.write_text(unit.replace("/opt/bang-companion/bin/bang-companion", str(program)))
    result = analyze("verify", "--man=no", copy)
    # An unknown key is only a warning, with status 0; units of this machine do not concern us.
    said = [line for line in result.stderr.splitlines() if UNIT.name in line]
    return said or ["no complaint, but an error"] * (result.returncode != 0)


def test_systemd_accepts_the_unit_without_a_word(tmp_path: Path) -> None:
    assert complaints(tmp_path, UNIT.read_text()) == []


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("Restart=on-failure", "Restart=on-failures", "Failed to parse"),
        ("NoNewPrivileges=", "NoNewPrivilege=", "Unknown key"),
        ("/bin/bang-companion run", "/bin/bang-companions run", "is not executable"),
        ("[Service]", "[Servce]", "Unknown section"),
    ],
)
def test_systemd_would_tell_of_a_mistake(
    tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    unit = UNIT.read_text()
    assert right in unit
    assert complaint in "\n".join(complaints(tmp_path, unit.replace(right, wrong)))


def test_the_service_is_hardened() -> None:
    result = analyze("security", "--offline=true", f"--threshold={EXPOSURE_LIMIT}", UNIT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture
def service() -> configparser.SectionProxy:
    unit = configparser.RawConfigParser()
    unit.read(UNIT)
    return unit["Service"]


def test_camera_and_pins_stay_in_reach(service: configparser.SectionProxy) -> None:
    assert set(service["SupplementaryGroups"].split()) == {"video", "gpio"}
    for takes_devices_away in ("PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock"):
        assert takes_devices_away not in service


def test_the_service_works_in_the_folder_that_it_may_write(
    service: configparser.SectionProxy,
) -> None:
    assert service["WorkingDirectory"] == f"%S/{service['StateDirectory']}"
    assert f"--data {service['WorkingDirectory']}" in service["ExecStart"]
