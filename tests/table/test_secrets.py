"""A log of everything names no role; `tests/attacks/test_twins.py` compares all else."""

import logging
import re

import pytest
from twins import Twin


@pytest.mark.tables
def test_a_log_of_everything_names_no_role(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    site = Twin(tmp_path, "oors", seed=1).start()
    site.shown()
    for turn in range(len(site.everybody)):
        site.refused(turn)
    site.phones[0].post("/role/0")
    assert "outlaw" in site.phones[0].post("/role/0").text
    said = "\n".join(map(str, [*caplog.messages, *(vars(record) for record in caplog.records)]))
    assert not re.search("outlaw|renegade|deputy|token-", said, re.IGNORECASE)
    site.journal.close()
