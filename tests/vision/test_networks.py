"""Each network that the product ships has a card that says what it is and where it comes from."""

import re
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec

import pytest
from places import ROOT

CARDS = ROOT / "docs/dev/networks"
NETWORKS = sorted((ROOT / "vision").rglob("*.onnx"))
SECTIONS = ["Data", "Lineage", "Command", "Limits", "Licences"]


def test_each_network_has_one_card_and_each_card_a_network():
    assert len(NETWORKS) > 1
    assert [path.stem for path in NETWORKS] == sorted(path.stem for path in CARDS.glob("*.md"))


@pytest.mark.parametrize("network", NETWORKS, ids=lambda path: path.stem)
def test_a_card_is_of_the_network_that_is_shipped_and_names_what_is_there(network):
    card = (CARDS / f"{network.stem}.md").read_text("utf-8")
    data = network.read_bytes()
    name = network.relative_to(ROOT).as_posix()
    assert f"| file | `{name}`, {len(data):,} bytes |" in card
    assert re.findall("[0-9a-f]{64}", card) == [sha256(data).hexdigest()]
    assert f"2.{re.findall(rb'2[.]([0-9]+)[.][0-9]', data[:40])[0].decode()}" in card
    assert re.findall("^## (.*)$", card, re.MULTILINE) == SECTIONS
    commands = re.findall(r"python -m (vision\.training\.\S+)", card)
    assert commands
    assert [name for name in commands if find_spec(name) is None] == []
    files = re.findall(r"`((?:vision|tests)/[^`]*)`", card)
    assert [name for name in files if not (ROOT / name).exists()] == []


STARVED = """
import resource
import numpy as np
from vision.dice.find.detector import NETWORK
from vision.imaging.network import OnnxNetwork

def taken():
    return int(open("/proc/self/status").read().partition("VmData:")[2].split()[0]) << 10

picture, before = np.zeros((3, 320, 416), np.float32), resource.getrlimit(resource.RLIMIT_DATA)
OnnxNetwork(NETWORK)([picture])
for more in range(0, 16 << 20, 1 << 20):
    network = OnnxNetwork(NETWORK)
    resource.setrlimit(resource.RLIMIT_DATA, (taken() + more, before[1]))
    try:
        network([picture])
    except Exception as error:
        failed = error
    resource.setrlimit(resource.RLIMIT_DATA, before)
    network([picture])
print(type(failed).__name__)
"""


def test_a_network_that_lacked_memory_works_once_there_is_some():
    """In a process of its own, with ever more memory: it lacks at another step each time."""
    done = subprocess.run([sys.executable, "-c", STARVED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "error"
