"""Fragments of pages that are drawn once: by what they show, and in which language."""

import pytest
from jinja2 import Environment

from web import fragments
from web.fragments import MOST, Fragments

MACROS = "{% macro a(x) %}{{ seen(x) }}{% endmacro %}{% macro b(x) %}b{{ x }}{% endmacro %}"


@pytest.fixture
def drawn() -> list[object]:
    return []


@pytest.fixture
def macros(drawn, monkeypatch):
    monkeypatch.setattr(fragments, "language", lambda: "en")
    template = Environment(autoescape=True).from_string(MACROS)
    template.globals["seen"] = lambda shown: drawn.append(shown) or f"<{shown}>"
    return template.module


def test_what_shows_the_same_is_drawn_once_in_each_language(macros, drawn, monkeypatch):
    once = Fragments().once
    shown = [once(macros.a, 1), once(macros.a, 2), once(macros.a, 1)]
    assert shown == ["&lt;1&gt;", "&lt;2&gt;", "&lt;1&gt;"]
    assert once(macros.b, 1) == "b1"
    monkeypatch.setattr(fragments, "language", lambda: "fr")
    once(macros.a, 1)
    assert drawn == [1, 2, 1]


def test_no_more_is_kept_than_a_few_states(macros):
    kept = Fragments()
    for shown in range(2 * MOST):
        kept.once(macros.a, shown)
    assert 0 < len(kept) <= MOST
