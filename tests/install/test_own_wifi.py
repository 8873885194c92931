"""The Pi's own Wi-Fi with the real dnsmasq, in a network of its own, asked as four systems do."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from own_wifi import SYSTEMS
from places import ROOT

pytestmark = [pytest.mark.processes, pytest.mark.slow]

ALONE = ("unshare", "--map-root-user", "--net")


def _missing() -> str:
    if missing := [tool for tool in ("dnsmasq", "ip", "unshare") if shutil.which(tool) is None]:
        return f"{', '.join(missing)}: sudo apt install dnsmasq-base iproute2 util-linux"
    made = subprocess.run([*ALONE, "ip", "link", "add", "hot", "type", "bridge"], check=False)
    return "this machine lets nobody make a network" if made.returncode else ""


@pytest.mark.skipif(bool(_missing()), reason=_missing())
def test_phones_of_four_systems_find_the_table_and_stay(tmp_path):
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests/support")))
    done = subprocess.run(
        [*ALONE, sys.executable, ROOT / "tests/support/own_wifi.py", tmp_path],
        env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    # Names that are no probes lead nowhere: no internet is made up.
    assert found.pop("others") == [[], ["131.107.255.255"]]
    led = [302, "http://10.42.0.1/welcome"]
    expected = {"before": led, "page": True, "still": 302, "online": True}
    assert found == dict.fromkeys(SYSTEMS, expected)
