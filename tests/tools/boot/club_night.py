"""Builds the images of docs/containers, and runs a whole club night in them: `make container-test`.

    python -m tests.tools.boot.club_night [--folder DIR]

Needs a Docker engine with Compose 2. Debian's image is made with debootstrap (as root) where it
can't be pulled. Prints what was held, then what the night took. Ports 8001 to 8004 must be free.
"""

import argparse
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from waiting import wait_until

from tests.tools.boot import root as roots

COMPOSE = roots.PROJECT / "docs/containers/compose.yaml"
DEBIAN = "debian:trixie-slim"
HALL = "http://127.0.0.1:8001/"
TABLES = {"Bar", "Corner", "Window"}
SERVICES = {"broker", "hall", "corner", "window", "bar"}
PLAYING_S, NIGHT_S = 300, 3600
"""How long the tables may take to begin, and to finish a game each."""
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def docker(*command: object, **given: Any) -> str:
    done = subprocess.run(
        ["docker", *map(str, command)], check=False, capture_output=True, text=True, **given
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"docker {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def compose(*command: object) -> str:
    # Not the project of somebody who looks at a club night of their own.
    return docker("compose", "--project-name", "club-night-test", "--file", COMPOSE, *command)


def have_debian(folder: Path) -> str:
    """Have Debian's image at hand; return where it comes from."""
    try:
        docker("image", "inspect", DEBIAN)
        return "was there"
    except RuntimeError:
        pass
    try:
        docker("pull", DEBIAN)
        return "pulled"
    except RuntimeError:
        pass
    root = folder / "debian"
    if not root.is_dir():
        roots.make_debian(root)
        # Of this machine, which may reach the network by a way of its own.
        shutil.copy(CERTIFICATES, root / "etc/machine.crt")
    with subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE) as packed:
        change = "ENV PIP_CERT=/etc/machine.crt"
        docker("import", "--change", change, "-", DEBIAN, stdin=packed.stdout)
    return "made with debootstrap"


def read(address: str) -> str:
    with urllib.request.urlopen(f"{HALL}{address}", timeout=60) as answer:
        return str(answer.read().decode())


def events() -> dict[str, tuple[int, int]]:
    """What the hall's page shows: by table, the number of its game and of its last event."""
    try:
        found = re.findall(r'id="table-(\w+)" data-events="(\d+)\.(\d+)"', read(""))
    except OSError:
        return {}
    return {name: (int(game), int(event)) for name, game, event in found}


def results() -> set[tuple[str, str, str]]:
    """The finished games that the hall keeps: their tables, numbers and times."""
    rows = csv.DictReader(io.StringIO(read("results.csv").lstrip("\ufeff")))
    return {(row["table"], row["game"], row["time"]) for row in rows}


def held(what: str) -> None:
    print(f"- {what}", flush=True)


def night(folder: Path) -> dict[str, object]:
    """Run a club night; return what it took."""
    figures: dict[str, object] = {"Debian's image": have_debian(folder)}
    begun = time.monotonic()
    compose("build")
    figures["to build, s"] = round(time.monotonic() - begun)
    held("both images build")
    begun = time.monotonic()
    compose("up", "--detach")
    wait_until(lambda: events().keys() == TABLES, patience_s=PLAYING_S)
    figures["until the hall shows three games, s"] = round(time.monotonic() - begun)
    held("one command starts a broker, three tables and a hall, which shows three games")
    wait_until(lambda: {table for table, *_ in results()} == TABLES, patience_s=NIGHT_S)
    figures["until each table has finished a game, s"] = round(time.monotonic() - begun)
    held("each table plays a whole game by itself, and the hall has its result")
    for line in compose("ps", "--format", "json").splitlines():
        name = json.loads(line)["Name"]
        used = docker("stats", "--no-stream", "--format", "{{.MemUsage}}", name)
        figures[f"memory of {name.split('-')[-2]}"] = used.split("/")[0].strip()
    known, shown = results(), events()
    compose("stop")
    stopped = [json.loads(line) for line in compose("ps", "-a", "--format", "json").splitlines()]
    assert {each["Service"]: each["ExitCode"] for each in stopped} == dict.fromkeys(SERVICES, 0)
    held("all five stop with status 0")
    compose("up", "--detach")
    wait_until(lambda: events().keys() == TABLES, patience_s=PLAYING_S)
    wait_until(lambda: all(events().get(name, (0, 0)) > shown[name] for name in TABLES),
               patience_s=PLAYING_S)  # fmt: skip
    assert results() >= known
    held("after a restart, the games go on where they were, and the hall has kept the results")
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("build/containers"))
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    os.environ["DOCKER_BUILDKIT"] = "1"
    engine = docker("version", "--format", "{{.Server.Version}}").strip()
    print(f"Docker {engine}, Compose {docker('compose', 'version', '--short').strip()}")
    try:
        figures = night(wanted.folder.resolve())
    except BaseException:
        print(compose("logs", "--no-color", "--tail", 50), file=sys.stderr)
        raise
    finally:
        compose("down", "--volumes")
    for name, value in figures.items():
        print(f"| {name} | {value} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
