import configparser
import re
import shutil
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path

import pytest

from companion.app.commands.errors import CommandError, FaultError
from companion.app.watchdog import ANSWER_S, SHARE
from companion.settings import Hotspot, load

FOLDER = Path(__file__).parent.parent / "systemd"
UNIT = FOLDER / "bang-companion.service"
HOTSPOT = FOLDER / "bang-hotspot.service"
PROGRAM = "/opt/bang-companion/current/bin/bang-companion"

CARRIERS = "100.64.0.0/10"
"""Addresses that a provider shares between homes (RFC 6598), and some hotspots of phones use."""

# Out of 100: what systemd counts against a service that needs devices, a network and no more.
EXPOSURE_LIMIT = 20


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.fail("systemd-analyze is missing: sudo apt install systemd")
    return subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=60)


def complaints(folder: Path, unit: str, name: str = UNIT.name) -> list[str]:
    """What systemd says of the unit, as if it were installed with its program in place."""
    program = folder / "bang-companion"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copy = folder / name
    copy.write_text(unit.replace(PROGRAM, str(program)))
    result = analyze("verify", "--man=no", copy)
    # An unknown key is only a warning, with status 0; units of this machine do not concern us.
    said = [line for line in result.stderr.splitlines() if name in line]
    return said or ["no complaint, but an error"] * (result.returncode != 0)


@pytest.mark.parametrize("unit", [UNIT, HOTSPOT], ids=lambda unit: unit.stem)
def test_systemd_accepts_the_units_without_a_word(tmp_path: Path, unit: Path) -> None:
    # NetworkManager comes with the hotspot only.
    text = unit.read_text().replace("/usr/bin/nmcli", "/bin/true")
    text = text.replace("Requires=NetworkManager.service", "")
    assert complaints(tmp_path, text, unit.name) == []


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("Restart=on-failure", "Restart=on-failures", "Failed to parse"),
        ("NoNewPrivileges=", "NoNewPrivilege=", "Unknown key"),
        (PROGRAM, "/bin/bang-companions", "is not executable"),
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
    # Keys that come twice are lists; the last part of each is enough here.
    unit = configparser.RawConfigParser(strict=False)
    unit.read(UNIT)
    return unit["Service"]


def test_camera_pins_and_loudspeaker_stay_in_reach(service: configparser.SectionProxy) -> None:
    assert set(service["SupplementaryGroups"].split()) == {"video", "gpio", "audio"}
    assert "PrivateDevices" not in service
    assert service["DevicePolicy"] == "closed"
    kinds = re.findall("^DeviceAllow=char-(.*) rw$", UNIT.read_text(), re.MULTILINE)
    assert set(kinds) == {"video4linux", "media", "dma_heap", "gpiochip", "alsa"}


def test_the_service_works_in_memory_and_writes_to_its_own_folder(
    service: configparser.SectionProxy,
) -> None:
    assert service["WorkingDirectory"] == f"%t/{service['RuntimeDirectory']}"
    assert f"--data %S/{service['StateDirectory']}" in service["ExecStart"]


def test_only_what_tells_systemd_that_it_lives_is_watched(
    service: configparser.SectionProxy,
) -> None:
    assert service["Type"] == "notify"
    # Three looks in this time, each of which may take as long as the page may take to answer.
    assert int(service["WatchdogSec"]) >= SHARE * ANSWER_S


def test_the_service_reaches_only_networks_of_a_home(service: configparser.SectionProxy) -> None:
    assert service["IPAddressDeny"] == "any"
    allowed = " ".join(re.findall(r"^IPAddressAllow=(.*)$", UNIT.read_text(), re.MULTILINE)).split()
    names = {"localhost", "link-local", "multicast"}
    assert names < set(allowed)
    assert all(ip_network(one).is_private or one == CARRIERS for one in set(allowed) - names)


def test_what_may_pass_is_tried_again_and_what_somebody_must_mend_is_not(
    service: configparser.SectionProxy,
) -> None:
    assert service["Restart"] == "on-failure"
    assert service["RestartSec"] == "1"
    assert service["RestartPreventExitStatus"] == str(CommandError.status)
    assert CommandError.status != FaultError.status != 0
    unit = UNIT.read_text()
    assert "StartLimitIntervalSec=120\nStartLimitBurst=10\n" in unit


def places() -> dict[str, str]:
    """What install and uninstall know of where everything is."""
    text = (FOLDER / "places").read_text()
    return dict(re.findall(r"^readonly (\w+)=(\S+)$", text, re.MULTILINE))


def test_install_and_the_unit_mean_the_same_places(service: configparser.SectionProxy) -> None:
    where = places()
    assert service["User"] == where["SERVICE_USER"]
    assert where["DATA"] == f"/var/lib/{service['StateDirectory']}"
    program, config, data = re.split(" run --config | --data ", service["ExecStart"])
    assert program == PROGRAM == f"{where['CURRENT']}/bin/bang-companion"
    assert config.replace("%E", "/etc") == where["SETTINGS"]
    assert data.replace("%S", "/var/lib") == where["DATA"]


def test_the_settings_that_come_with_it_are_read() -> None:
    assert load(FOLDER / "settings.toml").port == 80


@pytest.mark.parametrize("script", ["install", "uninstall"])
def test_the_scripts_say_what_they_do_and_refuse_what_they_do_not_know(script: str) -> None:
    def run(option: str) -> subprocess.CompletedProcess[str]:
        command = [FOLDER / script, option]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    said = run("--help")
    assert said.returncode == 0
    assert f"sudo systemd/{script}" in said.stdout
    refused = run("--everything")
    assert refused.returncode == 2
    assert refused.stderr.startswith("bang-companion: --everything: no such option")


def test_the_installed_command_holds_ctrl_c_back_until_the_program_has_started(
    tmp_path: Path,
) -> None:
    bin_folder = tmp_path / "version/bin"
    bin_folder.mkdir(parents=True)
    shutil.copy(FOLDER / "bang-companion", bin_folder)
    # Not a shell script: a shell blocks nothing.
    (bin_folder / "python").write_text(
        f"#!{sys.executable}\nimport signal, sys\n"
        "print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()), *sys.argv[1:])\n"
    )
    (bin_folder / "python").chmod(0o755)
    (tmp_path / "bang-companion").symlink_to(bin_folder / "bang-companion")
    done = subprocess.run(
        [tmp_path / "bang-companion", "run", "--port", "1"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "True -P -m companion run --port 1\n"


HOTSPOT_ALONE = """
set -euo pipefail
HOTSPOT=$1/nm/bang-hotspot.nmconnection SETTINGS=$1/settings.toml UNITS=$1 CURRENT=$1/current
hotspot_name=$2
systemctl() { [ "$1" != is-active ]; }
say() { :; }
eval "$(sed -n '/^[a-z_]*hotspot[a-z_]*() {/,/^}/p;/^replace_settings() {/,/^}/p' systemd/install)"
install_hotspot
"""
"""What `install --hotspot NAME` does to the files, with the same functions."""


@pytest.mark.parametrize(
    ("there", "asked", "then"),
    [
        ("", "", "BANG"),
        ("", "Saloon", "Saloon"),
        ("Saloon", "", "Saloon"),
        ("Saloon", "Barn", "Barn"),
    ],
)
def test_the_hotspot_keeps_its_name_and_key_unless_another_name_is_asked_for(
    tmp_path: Path, there: str, asked: str, then: str
) -> None:
    settings = tmp_path / "settings.toml"

    def install(name: str) -> Hotspot:
        command = ["bash", "-c", HOTSPOT_ALONE, "bash", tmp_path, name]
        subprocess.run(command, cwd=FOLDER.parent, check=True, timeout=60)
        hotspot = load(settings).hotspot
        assert hotspot is not None
        connection = (tmp_path / "nm/bang-hotspot.nmconnection").read_text()
        assert f"\nssid={hotspot.name}\n" in connection
        assert f"\npsk={hotspot.key}\n" in connection
        return hotspot

    settings.write_text("port = 80\n")
    before = install(there) if there else None
    after = install(asked)
    assert after.name == then
    assert before is None or after.key == before.key
    assert load(settings).port == 80
