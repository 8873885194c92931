"""What root does for the table: asked for in a file, and told to everybody while it goes on."""

import html
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest
from helped import Helped
from installer import places, settings, update, wifi
from places import ROOT
from waiting import wait_until

from companion.setup.machine.helper import HelperFollower, places_of


def test_everybody_is_told_what_root_does_until_it_is_done(tmp_path: Path) -> None:
    pi = Helped(tmp_path)
    told = []
    pi.helper.listeners.add(lambda: told.append(pi.helper.status))

    def notice() -> str:
        return "The table restarts." if pi.helper.is_running else ""

    follower = HelperFollower("settings", pi.helper, pi.site.table, notice)
    follower.start()
    try:
        pi.tell(step="saving")
        wait_until(lambda: pi.site.table.scene.troubles)
        assert "The table restarts." in html.unescape(pi.site.stranger.open("/table").text)
        pi.tell(fault="")
        wait_until(lambda: not pi.site.table.scene.troubles)
    finally:
        follower.stop()
    assert [status for status in told if status] == [{"step": "saving"}, {"fault": ""}]


@pytest.mark.parametrize(
    ("name", "installer", "more"),
    [("update", update, ()), ("wifi", wifi, (wifi.TRIAL,)),
     ("settings", settings, (settings.BEFORE,))],
    ids=["update", "wifi", "settings"],
)  # fmt: skip
def test_table_unit_and_installer_mean_the_same(
    name: str, installer: ModuleType, more: Sequence[Path]
) -> None:
    units = ROOT / "systemd"
    unit, service = (
        (units / f"bang-companion-{name}.{kind}").read_text() for kind in ("path", "service")
    )
    usual = places_of(name, Path("/run/bang-companion"))
    own = usual.running or usual.status.parent
    for path in (usual.request, *more):
        assert f"PathExists={path}\n" in unit
    assert f"RuntimeDirectory={own.name}\n" in service
    assert (usual.request.name, usual.status) == (installer.REQUEST, installer.STATUS)
    assert usual.waits == places.UNITS / f"multi-user.target.wants/bang-companion-{name}.path"
