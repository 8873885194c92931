"""The list of what the server answers is current, and nothing else is answered."""

import re
from functools import cache

import pytest
from places import ROOT
from werkzeug.datastructures import MultiDict

from docs.generate.endpoints import AUDIENCES, HALL_AUDIENCES, fields, made, made_hall, page
from web import forms
from web.access import For

pytestmark = pytest.mark.tables

listed = cache(page)
"""The list as it would be written now."""

ENDPOINTS = ROOT / "docs/dev/endpoints.md"
SENT = re.compile(r'data-press="(/[\w/-]+)" data-with="([^"]*)"')


def test_the_list_of_endpoints_is_current():
    assert ENDPOINTS.read_text(encoding="utf-8") == listed(), (
        "run: python -m docs.generate.endpoints docs/dev/endpoints.md"
    )


@pytest.mark.parametrize(
    ("make", "audiences", "part"), [(made, AUDIENCES, 0), (made_hall, HALL_AUDIENCES, 1)]
)
def test_every_endpoint_says_for_whom_it_is_and_only_posts_change(tmp_path, make, audiences, part):
    app = make(tmp_path)
    lines = listed().split("## The hall")[part].splitlines()
    assert set(audiences) == set(For)
    for rule in app.url_map.iter_rules():
        (line, *_) = (line for line in lines if f"| `{rule.rule}` |" in line)
        assert audiences[app.view_functions[rule.endpoint].audience] in line
        assert line.rstrip("| ").endswith((".", "1 if so"))
        # A link, a picture or a page that is fetched ahead changes nothing.
        assert rule.methods <= {"GET", "HEAD", "OPTIONS"} or rule.methods == {"POST", "OPTIONS"}


def test_every_field_that_a_button_sends_is_listed():
    pages = "".join(file.read_text("utf-8") for file in (ROOT / "web").rglob("*.html"))
    sent = {(where, name) for where, given in SENT.findall(pages)
            for name in re.findall(r"(\w+)=", given)}  # fmt: skip
    assert {("/dice/mark", "face"), ("/dice/keep", "kept")} < sent
    for where, name in sent:
        (line, *_) = (line for line in listed().splitlines() if f"| `{where}` |" in line)
        assert f"`{name}`" in line.replace("…", ""), line


def test_a_field_whose_name_is_not_found_is_no_empty_one():
    def reads(form: MultiDict[str, str], name: str) -> None:
        forms.field(form, name)

    assert list(fields(reads, (None, "die"))) == ["die"]
    with pytest.raises(AssertionError, match="which field is name"):
        list(fields(reads))
