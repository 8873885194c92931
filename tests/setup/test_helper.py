"""What root does for the table: asked for in a file, and told to everybody while it goes on."""

import html
from itertools import groupby

from helped import Helped
from waiting import wait_until

from companion.setup.machine.helper import HelperFollower


def test_everybody_is_told_what_root_does_until_it_is_done(tmp_path):
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
    # It may have looked between two of root's files.
    assert [status for status, _ in groupby(told) if status] == [{"step": "saving"}, {"fault": ""}]
