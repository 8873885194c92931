"""The files to try a club night in containers, and the same night as processes without them."""

import json
import re
import shlex
import signal
import subprocess
import sys
import tomllib

import pytest
from mosquitto import free_port
from places import ROOT
from process import read, run
from ruamel.yaml import YAML
from waiting import wait_until

from companion.app.cli import parsers
from companion.settings import load

pytestmark = pytest.mark.processes

FOLDER = ROOT / "docs/containers"
COMPOSE = YAML(typ="safe").load(FOLDER / "compose.yaml")
CONTAINERFILE = (FOLDER / "Containerfile").read_text("utf-8")
TABLES = ("corner", "window", "bar")


def test_the_compose_file_fulfils_the_schema_of_compose_files():
    check = (sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec")
    done = run(*check, FOLDER / "compose.yaml")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["hall", *TABLES])
def test_every_service_runs_a_command_of_ours_with_settings_that_load(name, monkeypatch):
    service = COMPOSE["services"][name]
    assert service["image"] == COMPOSE["services"]["hall"]["image"]
    mounted = dict(volume.split(":")[:2] for volume in service["volumes"])
    (file,) = (FOLDER / source for source in mounted if source.startswith("./"))
    # What the container sees under /club lies here.
    typed, there = service["command"], mounted[f"./{file.name}"]
    command = [str(file) if part == there else part for part in typed]
    assert command != typed
    whole, _ = parsers()
    arguments = whole.parse_args(command)
    settings = load(arguments.config, data=arguments.data)
    (published,) = service["ports"]
    inside = published.split(":")[1]
    if name == "hall":
        assert arguments.broker == ("broker", 0)
        assert inside == str(settings.hall.port)
        assert settings.hall.password == "saloon"
    else:
        assert inside == str(settings.port)
        assert (settings.mqtt.host, settings.camera) == ("broker", "simulated")
        others = [load(FOLDER / f"{other}.toml").mqtt.name for other in TABLES if other != name]
        assert settings.mqtt.name not in others
        assert settings.stand_ins >= 4
    assert set(mounted.values()) >= {str(settings.data)}
    assert name in COMPOSE["volumes"]


def test_each_image_is_built_once_from_a_stage_that_there_is():
    builds = {name: service["build"] for name, service in COMPOSE["services"].items()
              if "build" in service}  # fmt: skip
    assert builds.keys() == {"broker", "hall"}
    for build in builds.values():
        assert build["dockerfile"] == "docs/containers/Containerfile"
        assert (FOLDER / build["context"]).resolve() == ROOT
    stages = re.findall(r"^FROM \S+(?: AS (\S+))?$", CONTAINERFILE, re.MULTILINE)
    assert stages == [builds["broker"]["target"], ""]


def test_the_broker_reads_the_file_that_is_mounted_for_it():
    (volume,) = COMPOSE["services"]["broker"]["volumes"]
    source, inside, _ = volume.split(":")
    assert (FOLDER / source).is_file()
    command = json.loads(re.search(r"^CMD (.*mosquitto.*)$", CONTAINERFILE, re.MULTILINE)[1])
    assert command[-1] == inside


def test_a_build_is_sent_what_the_image_holds_and_nothing_else():
    lines = (FOLDER / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert lines[1] == "*"
    assert sent == copied()


def copied() -> set[str]:
    """What the image is made of, below the source folder."""
    lines = re.findall(r"^COPY (.*) \S+$", CONTAINERFILE, re.MULTILINE)
    return {source for line in lines for source in line.split()}


def test_the_image_holds_the_whole_program():
    sources = copied()
    assert all((ROOT / source).exists() for source in sources)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {*packages, "pyproject.toml", project["project"]["readme"]} <= sources
    command = json.loads(re.findall(r"^CMD (.*)$", CONTAINERFILE, re.MULTILINE)[-1])
    whole, _ = parsers()
    assert whole.parse_args(command).camera == "simulated"
    built = re.search(r"# +docker build (.*)$", CONTAINERFILE, re.MULTILINE)[1]
    assert (ROOT / shlex.split(built)[1]).is_file()
    (entry,) = json.loads(re.search(r"^ENTRYPOINT (.*)$", CONTAINERFILE, re.MULTILINE)[1])
    assert entry.endswith(f"/bin/{next(iter(project['project']['scripts']))}")


def test_the_image_of_a_release_is_the_same_and_asks_no_network():
    release = (FOLDER / "Containerfile.release").read_text("utf-8")
    same = CONTAINERFILE[CONTAINERFILE.index("USER bang") :]
    entry = re.compile(r'(?<=^ENTRYPOINT \[")\S*/', re.MULTILINE)
    assert entry.sub("", release[release.index("USER bang") :]) == entry.sub("", same)
    steps = re.sub(r"^#.*\n", "", release, flags=re.MULTILINE)
    assert "--no-index" in steps
    assert not re.search(r"apt-get|https?:", steps)
    assert steps.startswith("FROM python:3.13-")
    (built,) = re.findall(r"# +docker build (.*)$", release, re.MULTILINE)
    assert {"--network=none", "docs/containers/Containerfile.release"} < set(built.split())


@pytest.mark.slow
def test_a_club_night_runs_by_itself():
    """The same as in the containers: until each table has played some turns, seen on the hall."""
    command = [sys.executable, FOLDER / "club-night", "--hall", str(free_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as night:
        try:
            started = [json.loads(night.stdout.readline()) for _ in range(1 + len(TABLES))]
            assert [each["name"] for each in started] == ["hall", *TABLES]
            url = started[0]["url"]
            wait_until(lambda: shown(url, "card table playing") == 3, patience_s=180)
            # Dice were thrown, read and accepted at each of them.
            wait_until(lambda: shown(url, "thrown") == 3, patience_s=300)
        finally:
            night.send_signal(signal.SIGTERM)
    assert night.returncode == 0


def shown(url: str, name: str) -> int:
    """How many elements of a class a page has."""
    return read(url).count(f'class="{name}')
