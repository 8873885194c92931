"""Pages that are compiled after the start: what the machine lacks then, page loads make good."""

import errno

import pytest
from flask import Flask
from jinja2 import TemplateSyntaxError

from web.templating import compile_templates, use_templates


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.EMFILE, "Too many open files")])
def test_a_program_runs_on_where_pages_cannot_be_compiled_yet(error, monkeypatch):
    app = Flask(__name__)
    use_templates(app)

    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as full:
        full.setattr("web.templating.Installed.get_source", fail)
        compile_templates(app, "hall/")
    assert app.jinja_env.get_template("hall/parts.html")


def test_a_page_that_is_wrong_ends_the_start(monkeypatch):
    app = Flask(__name__)
    use_templates(app)
    wrong = ("{% endif %}", None, lambda: True)
    monkeypatch.setattr("web.templating.Installed.get_source", lambda *_: wrong)
    with pytest.raises(TemplateSyntaxError):
        compile_templates(app, "hall/")
