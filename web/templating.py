"""How an app finds its templates, and draws them fast."""

import logging
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask.templating import Environment
from jinja2 import Environment as BaseEnvironment
from jinja2 import FileSystemLoader, TemplateError, TemplateNotFound

TEMPLATES = Path(__file__).parent
"""Where the templates are: each beside its page's routes, shared ones in `templates`."""

_log = logging.getLogger(__name__)


def use_templates(app: Flask) -> None:
    """Let `app` draw the templates of this package."""
    app.jinja_environment = SharedGlobals
    app.jinja_env.loader = Installed(TEMPLATES)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def compile_templates(app: Flask, *folders: str) -> None:
    """Compile every page of `app` now, so that the first page load is fast.

    folders: only those in them; none: all. For want of memory or files, the rest is left to those
    page loads. Raises TemplateError where a page is wrong.
    """
    try:
        for name in app.jinja_env.list_templates(extensions=["html"]):
            if name.startswith(folders or ""):
                app.jinja_env.get_template(name)
    except TemplateError:
        raise
    except (OSError, MemoryError) as error:
        _log.warning("pages can’t be compiled now: %s", error or type(error).__name__)


class Installed(FileSystemLoader):
    """Templates that come with the program: none is added while it runs.

    A game may bring a template or not, and Jinja looks for a missing one again for each page.
    """

    def __init__(self, folder: Path) -> None:
        """folder: of the templates."""
        super().__init__(folder)
        self._missing: set[str] = set()

    def get_source(
        self, environment: BaseEnvironment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return the source of a template. Raises TemplateNotFound."""
        if template in self._missing:
            raise TemplateNotFound(template)
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            self._missing.add(template)
            raise


class SharedGlobals(Environment):
    """Templates that share one dict of globals."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return a template's globals, with its own variables added."""
        # Jinja's chain of dicts is walked in Python for every import between templates.
        return {**self.globals, **d} if d else self.globals
