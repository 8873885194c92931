"""The real command in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.app.cli import main

COMMAND = (sys.executable, "-m", "companion")
START_S = 180
"""Far longer than any command takes: a busy machine is no failure."""


def run(*words: object, **options) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end."""
    given = {"capture_output": True, "text": True, "timeout": START_S} | options
    return subprocess.run([*map(str, words)], **given)


def companion(*arguments: object, **options) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return run(*COMMAND, *arguments, **options)


def within(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> "subprocess.CompletedProcess[str]":
    """Run a command in this process, where what it says matters and not how it starts and ends."""
    try:
        status: object = main([*map(str, arguments)])
    except SystemExit as ending:
        status = ending.code
    said = capsys.readouterr()
    return subprocess.CompletedProcess(arguments, int(str(status)), said.out, said.err)


def read(url: str) -> str:
    """A page as text."""
    with urlopen(url, timeout=60) as answer:
        return unescape(answer.read().decode())


@contextmanager
def table(
    *arguments: object, command: str = "run"
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run a command that serves pages: the process and the address that it printed."""
    process = subprocess.Popen(
        [*COMMAND, command, "--host", "127.0.0.1", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            assert process.stderr is not None
            raise AssertionError(process.stderr.read())
        yield process, json.loads(line)["url"]
    finally:
        process.kill()
        process.communicate()


def picture_of(path: Path, width: int = 32) -> Path:
    """Write a small grey picture and return where."""
    import cv2
    import numpy as np

    cv2.imwrite(str(path), np.full((width, width, 3), 90, np.uint8))
    return path
