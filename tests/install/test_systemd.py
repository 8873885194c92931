import configparser
import os
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from ipaddress import ip_network
from pathlib import Path
from unittest import mock

import pytest
from installer import archive, machine, places, settings, update, wifi
from installer.change import SETTLE, State, data_folder, kept_data
from installer.hotspot import close_hotspot, open_hotspot
from installer.machine import InstallError
from installer.packages import GROUPS, wheels
from installer.version import try_version
from packaging.requirements import Requirement
from places import ROOT
from stub_machine import StubMachine, make_installed

from companion.app.commands.errors import CommandError, FaultError
from companion.app.stick import on_stick
from companion.app.watchdog import ANSWER_S, FIRST_ANSWER_S, SHARE
from companion.settings import Hotspot, Settings, load, load_for_hall
from companion.setup.machine.helper import places_of
from companion.setup.machine.updates import FAULTS, MOST_UPLOAD, UPLOAD, WAY_BACK

pytestmark = pytest.mark.processes

FOLDER = ROOT / "systemd"
UNIT = FOLDER / places.SERVICE
FROM_APT = {"numpy", "gpiozero"}
PROGRAM = "/opt/bang-companion/current/bin/bang-companion"

CARRIERS = "100.64.0.0/10"
"""Addresses that a provider shares between homes (RFC 6598), and some hotspots of phones use."""

# Out of 100: what systemd counts against a service that needs devices, a network and no more.
EXPOSURE_LIMIT = 20


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    if shutil.which(command[0]) is None:
        pytest.fail(f"{command[0]} is missing: sudo apt install systemd")
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def complaints(folder: Path, unit: str, name: str = UNIT.name) -> list[str]:
    """What systemd says of the unit, as if it were installed with its program in place."""
    program = folder / "bang-companion"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copy = folder / name
    copy.write_text(unit.replace(PROGRAM, str(program)))
    result = run("systemd-analyze", "verify", "--man=no", copy)
    # An unknown key is only a warning, with status 0; units of this machine do not concern us.
    said = [line for line in result.stderr.splitlines() if name in line]
    return said or ["no complaint, but an error"] * (result.returncode != 0)


SERVICES, PATHS, MOUNTS = (
    sorted(FOLDER.rglob(kind)) for kind in ("*.service", "*.path", "*.mount")
)


@pytest.mark.parametrize("unit", [*SERVICES, *PATHS, *MOUNTS], ids=lambda unit: unit.name)
def test_systemd_accepts_the_units_without_a_word(tmp_path, unit):
    # NetworkManager comes with the hotspot only.
    text = unit.read_text().replace("/usr/bin/nmcli", "/bin/true")
    text = text.replace("Requires=NetworkManager.service", "")
    assert complaints(tmp_path, text, unit.name) == []


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [("Restart=on-failure", "Restart=on-failures", "Failed to parse"),
     ("NoNewPrivileges=", "NoNewPrivilege=", "Unknown key"),
     ("[Service]", "[Servce]", "Unknown section"),
     (PROGRAM, "/bin/bang-companions", "is not executable")],
)  # fmt: skip
def test_systemd_would_tell_of_a_mistake(tmp_path, right, wrong, complaint):
    unit = UNIT.read_text()
    assert right in unit
    assert complaint in "\n".join(complaints(tmp_path, unit.replace(right, wrong)))


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_the_services_are_hardened(unit):
    limit = f"--threshold={EXPOSURE_LIMIT}"
    result = run("systemd-analyze", "security", "--offline=true", limit, unit)
    assert result.returncode == 0, result.stdout + result.stderr


def read(name: str) -> configparser.SectionProxy:
    """What a service is told; of keys that come twice, the last."""
    unit = configparser.RawConfigParser(strict=False)
    unit.read(FOLDER / name)
    return unit["Service"]


def test_the_hall_as_a_service_reads_the_file_that_the_documents_describe(tmp_path):
    hall = read(places.HALL_SERVICE)
    program, config, data = re.split(" hall --config | --data ", hall["ExecStart"])
    assert (program, data) == (PROGRAM, f"%S/{hall['StateDirectory']}")
    assert config == "${CREDENTIALS_DIRECTORY}/hall.toml"
    assert hall["LoadCredential"] == "hall.toml:%E/bang-companion/hall.toml"
    page = (ROOT / "docs/hall.md").read_text()
    (described,) = re.findall(r"(?m)^ {7}\[mqtt\]\n(?: {7}.*\n|\n)+", page)
    file = tmp_path / "hall.toml"
    file.write_text(re.sub("(?m)^ {7}", "", described))
    settings = load_for_hall(file)
    assert all((settings.mqtt.host, settings.mqtt.password, settings.hall.password))
    assert f"enable --now {places.CURRENT / places.HALL_SERVICE}\n" in page
    assert places.HALL_LINK.name == places.HALL_DATA.name == hall["StateDirectory"]


SERVICE = read(places.SERVICE)


def test_only_what_the_table_works_with_is_in_reach():
    assert set(SERVICE["SupplementaryGroups"].split()) == {"video", "gpio", "spi", "audio", "input"}
    assert "PrivateDevices" not in SERVICE
    assert SERVICE["DevicePolicy"] == "closed"
    kinds = re.findall("^DeviceAllow=char-(.*) rw$", UNIT.read_text(), re.MULTILINE)
    assert set(kinds) == {"video4linux", "media", "dma_heap", "gpiochip", "spi", "alsa"}
    assert "\nDeviceAllow=char-input r\n" in UNIT.read_text()
    assert SERVICE["InaccessiblePaths"] == f"-{places.CODE_ON_CARD.parent}"


def test_only_what_tells_systemd_that_it_lives_is_watched():
    assert SERVICE["Type"] == "notify"
    # Three looks in this time, each of which may take as long as the page may take to answer.
    assert int(SERVICE["WatchdogSec"]) >= SHARE * ANSWER_S
    assert int(SERVICE["TimeoutStartSec"]) > FIRST_ANSWER_S


def test_the_service_reaches_only_networks_of_a_home():
    assert SERVICE["IPAddressDeny"] == "any"
    allowed = " ".join(re.findall(r"^IPAddressAllow=(.*)$", UNIT.read_text(), re.MULTILINE)).split()
    names = {"localhost", "link-local", "multicast"}
    assert names < set(allowed)
    assert all(ip_network(one).is_private or one == CARRIERS for one in set(allowed) - names)


def test_what_may_pass_is_tried_again_and_what_somebody_must_mend_is_not():
    assert SERVICE["Restart"] == "on-failure"
    assert SERVICE["RestartSec"] == "1"
    assert SERVICE["RestartPreventExitStatus"] == str(CommandError.status)
    assert CommandError.status != FaultError.status != 0
    assert "StartLimitIntervalSec=120\nStartLimitBurst=10\n" in UNIT.read_text()


def test_install_and_the_unit_mean_the_same_places():
    assert SERVICE["User"] == places.SERVICE_USER
    assert str(places.DATA) == f"/var/lib/{SERVICE['StateDirectory']}"
    program, config, data = re.split(" run --config | --data ", SERVICE["ExecStart"])
    assert program == PROGRAM == f"{places.CURRENT}/bin/{places.COMMAND.name}"
    assert config.replace("%E", "/etc") == str(places.SETTINGS)
    assert data.replace("%S", "/var/lib") == str(places.DATA)
    assert SERVICE["SupplementaryGroups"].split() == list(GROUPS)
    assert SERVICE["WorkingDirectory"] == f"%t/{SERVICE['RuntimeDirectory']}"


def test_the_stick_is_mounted_where_the_service_may_write():
    (mount,) = MOUNTS
    assert mount.name == places.STICK_MOUNT
    unit = configparser.RawConfigParser()
    unit.read(mount)
    place = Path(unit["Mount"]["Where"])
    # Named here, the place itself would hide a stick that comes while the table waits for it.
    assert SERVICE["ReadWritePaths"] == f"-{place.parent}"
    assert place.name == "bang"
    assert on_stick(Settings(stick=place)).data == place / places.DATA.name


HELPERS = {
    "update": (update, places.UPDATE_PATH, places.UPDATE_SERVICE, ()),
    "wifi": (wifi, places.WIFI_PATH, places.WIFI_SERVICE, (wifi.TRIAL,)),
    "settings": (settings, places.SETTINGS_PATH, places.SETTINGS_SERVICE, (settings.BEFORE,)),
}
"""By what the table asks for: what root does, its units, and what a pulled plug leaves."""


@pytest.mark.parametrize("name", HELPERS)
def test_table_unit_and_installer_mean_the_same(name):
    helper, path, unit, left = HELPERS[name]
    waits, works = ((FOLDER / each).read_text() for each in (path, unit))
    usual = places_of(name, update.ASKED)
    for place in (usual.request, *left):
        assert f"PathExists={place}\n" in waits
    assert f"RuntimeDirectory={(usual.running or usual.status.parent).name}\n" in works
    assert (usual.request.name, usual.status) == (helper.REQUEST, helper.STATUS)
    assert usual.waits == places.UNITS / "multi-user.target.wants" / path


def test_table_and_installer_mean_the_same_upload_faults_and_patience():
    assert (UPLOAD, MOST_UPLOAD) == (update.UPLOAD, archive.MOST_UPLOAD)
    assert update.STATUS.with_name(WAY_BACK) == update.WAY_BACK
    assert set(archive.Fault) | {"", "failed"} == set(FAULTS)
    # The page promises three minutes.
    assert wifi.WAIT_S == 180
    # Root looks before the Pi opens its own Wi-Fi, for what there is, and after, for where it is.
    opens = (FOLDER / places.HOTSPOT_SERVICE).read_text()
    assert opens.count(f"start {places.WIFI_SERVICE}\n") == 2


def test_a_pi_that_joins_a_network_late_is_not_taken_off_it():
    opens = (FOLDER / places.HOTSPOT_SERVICE).read_text()
    asked = re.findall("^ExecCondition=(.*)$", opens, re.MULTILINE)
    # Looking takes a while, in which it may have joined one.
    assert ["nm-online" in line for line in asked] == [True, False, True]
    assert sum(map(int, re.findall(r"--timeout=(\d+)", opens))) == 45, "what the guide promises"


def test_a_change_goes_on_after_a_pulled_plug():
    for one in State:
        assert fnmatch(str(places.PROGRAM / one), "/opt/bang-companion/change-*")
    unit = (FOLDER / SETTLE).read_text()
    assert "ConditionPathExistsGlob=/opt/bang-companion/change-*\n" in unit


@pytest.mark.parametrize("script", ["install", "uninstall"])
def test_the_scripts_say_what_they_do_and_refuse_what_they_do_not_know(script):
    said = run(FOLDER / script, "--help")
    assert (said.returncode, f"sudo systemd/{script}" in said.stdout) == (0, True)
    refused = run(FOLDER / script, "--everything")
    assert refused.returncode == 2
    assert refused.stderr.startswith("bang-companion: --everything: no such option")


def test_the_installed_command_holds_ctrl_c_back_until_the_program_has_started(tmp_path):
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
    done = run(tmp_path / "bang-companion", "run", "--port", "1")
    assert done.stdout == "True -P -m companion run --port 1\n"


@pytest.fixture
def stub(tmp_path: Path) -> StubMachine:
    made = StubMachine(tmp_path)
    make_installed(made)
    return made


@pytest.mark.parametrize(
    ("there", "asked", "then"),
    [("", "", "BANG"), ("", "Saloon", "Saloon"), ("Saloon", "", "Saloon"),
     ("Saloon", "Barn", "Barn")],
)  # fmt: skip
def test_the_hotspot_keeps_its_name_and_key_unless_another_name_is_asked_for(
    stub, there, asked, then
):
    settings = stub.path(places.SETTINGS)

    def install(name: str) -> Hotspot:
        open_hotspot(stub, FOLDER.parent, name)
        hotspot = load(settings).hotspot
        connection = stub.path(places.HOTSPOT).read_text()
        assert f"\nssid={hotspot.name}\n" in connection
        assert f"\npsk={hotspot.key}\n" in connection
        return hotspot

    before = install(there) if there else None
    after = install(asked)
    assert after.name == then
    assert before is None or after.key == before.key
    assert load(settings).port == 80
    close_hotspot(stub)
    assert settings.read_text() == "port = 80\n"


def test_what_the_owner_wrote_about_the_hotspot_in_another_form_is_left_alone(stub):
    settings, written = stub.path(places.SETTINGS), 'hotspot = {name = "Barn", key = "abcdefgh"}\n'
    settings.write_text(written)
    with pytest.raises(InstallError, match="write it as a section"):
        open_hotspot(stub, FOLDER.parent, "Saloon")
    assert settings.read_text() == written
    assert not stub.path(places.HOTSPOT).exists()


def test_a_version_is_tried_without_the_settings_and_the_name_of_the_table(stub, tmp_path):
    with (
        mock.patch.object(stub, "first_line", return_value=("", "no page")) as start,
        pytest.raises(InstallError, match=r"no page\nthe new version does not start"),
    ):
        try_version(stub, tmp_path)
    words = [str(word) for word in start.call_args.args[0]]
    assert "--config" not in words
    assert str(stub.path(places.DATA)) not in words


def test_the_programs_first_line_is_read_without_a_file(tmp_path):
    """Of a program as another user: what lies in a folder of theirs may be a link."""
    user = machine.User(os.getuid(), os.getgid())
    script = "import sys, time; print('trouble', file=sys.stderr); print('first')\n"
    command = [sys.executable, "-u", "-c", script + "time.sleep(60)"]
    line, complaints = machine.Machine().first_line(command, user, tmp_path, 30)
    assert (line, complaints) == ("first", "trouble")
    assert list(tmp_path.iterdir()) == []


def test_a_python_that_was_not_tried_is_refused(tmp_path):
    (tmp_path / "systemd/wheels").mkdir(parents=True)
    (tmp_path / "systemd/wheels/python-3.9.txt").touch()
    with pytest.raises(InstallError, match=r"was not tried with this version; it needs 3\.9"):
        wheels(tmp_path)


@pytest.mark.parametrize(
    "listed", sorted((FOLDER / "wheels").iterdir()), ids=lambda file: file.stem
)
def test_all_wheels_are_listed_that_the_program_needs(listed):
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]
    versions = dict(re.findall(r"^([\w-]+)==(\S+)", listed.read_text().replace("_", "-"), re.M))
    for one in map(Requirement, project["dependencies"]):
        if one.name not in FROM_APT:
            assert versions[one.name] in one.specifier, one
    assert not FROM_APT & set(versions)


def test_a_change_copies_the_data_where_they_are(tmp_path):
    machine = StubMachine(tmp_path)
    card = machine.path(places.DATA)
    (tmp_path / "elsewhere").mkdir()
    card.parent.mkdir(parents=True)
    card.symlink_to(tmp_path / "elsewhere")
    assert data_folder(machine) == tmp_path / "elsewhere"
    settings = machine.path(places.SETTINGS)
    settings.parent.mkdir(parents=True)
    for text in ("port = 80\n", "stick = ", 'stick = ""\n'):
        settings.write_text(text)
        assert data_folder(machine) == tmp_path / "elsewhere"
    settings.write_text('stick = "/media/bang"\n')
    assert data_folder(machine) == machine.path(Path("/media/bang/bang-companion"))
    # On the stick, too: what comes back takes its place by a name alone.
    assert kept_data(machine, "1").parent == data_folder(machine).parent
