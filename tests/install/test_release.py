"""What is published: the same bytes from the same commit, complete, and fit to install from."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from links import broken_links
from places import RECORDED, ROOT
from releases import run
from tiers import later

import companion

pytestmark = pytest.mark.processes

VERSION = companion.__version__
PACKAGES = ("companion", "vision", "hardware", "web")
PI = f"bang-companion-{VERSION}-pi.tar.gz"
SDIST = f"bang_companion-{VERSION}.tar.gz"
WHEEL = f"bang_companion-{VERSION}-py3-none-any.whl"

OPTIONS = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.compression=0"]


class Commit(NamedTuple):
    """A commit of these sources as they are now, in a repository of its own."""

    repository: Path
    files: frozenset[str]

    def clone(self, folder: Path) -> Path:
        run("git", "clone", "--quiet", self.repository, folder)
        return folder


@pytest.fixture(scope="module")
def commit(tmp_path_factory: pytest.TempPathFactory) -> Commit:
    repository = tmp_path_factory.mktemp("sources") / "sources.git"
    run("git", "init", "--quiet", "--bare", repository)
    git = ("git", *OPTIONS, f"--git-dir={repository}", f"--work-tree={ROOT}")
    # Pictures make most of the size and nothing of the difference.
    run(*git, "add", "--all", ".", ":!tests/pictures", ":!docs/gallery/*.webp", cwd=ROOT)
    run(*git, "add", "tests/pictures/README.md", cwd=ROOT)
    run(*git, "commit", "--quiet", "--message", "As it is")
    return Commit(repository, frozenset(run(*git, "ls-files", cwd=ROOT).splitlines()))


def release(folder: Path, umask: int = 0o022, **environment: str) -> Path:
    """Make a release of a checkout; returns the folder where it lies."""
    run(folder / ".ci/release", env=os.environ | {"PYTHON": sys.executable} | environment,
        preexec_fn=lambda: os.umask(umask))  # fmt: skip
    return folder / "dist"


@pytest.fixture(scope="module")
def checkout(commit: Commit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return commit.clone(tmp_path_factory.mktemp("made") / "checkout")


@pytest.fixture(scope="module")
def made(checkout: Path) -> Path:
    return release(checkout)


@pytest.mark.slow
def test_the_same_commit_gives_the_same_bytes_wherever_it_is_made(commit, made, tmp_path):
    other = commit.clone(tmp_path / "somewhere else")
    (other / "notes.txt").write_text("not committed\n")
    for file in other.rglob("*.py"):
        os.utime(file, (1, 1))
    again = release(other, umask=0o077, TZ="Asia/Tokyo", LC_ALL="C")
    assert {file.name for file in made.iterdir()} == {PI, SDIST, WHEEL, "SHA256SUMS"}
    for file in made.iterdir():
        assert (again / file.name).read_bytes() == file.read_bytes(), file.name
    run("sha256sum", "--check", "SHA256SUMS", cwd=made)


def test_the_pi_gets_what_it_runs_and_nothing_else(commit, made):
    with tarfile.open(made / PI) as archive:
        members = archive.getmembers()
    names = [member.name for member in members if member.isfile()]
    assert len(names) == len(set(names))
    files = {name.removeprefix("bang-companion/") for name in names}
    packages = {f for f in commit.files if f.split("/")[0] in (*PACKAGES, "systemd")}
    training = {f for f in packages if f.startswith("vision/training/")}
    assert packages - training <= files < commit.files
    rest = {re.sub("/.*", "", f) for f in files - packages}
    assert rest == {
        "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".github",
        "docs", "tests",
    }  # fmt: skip
    assert {f for f in files if f.startswith("tests/")} == {"tests/README.md"}
    assert {f for f in files if f.startswith("docs/gallery/")} == {"docs/gallery/README.md"}
    assert not training & files
    # Of these, 6.7 MB are networks, taught dice and cards, 2 MB pictures, sounds and fonts.
    assert (made / PI).stat().st_size < 10_000_000


def test_the_links_of_the_documents_on_the_pi_lead_somewhere(made, tmp_path):
    run("tar", "-xzf", made / PI, "-C", tmp_path)
    documents = [*tmp_path.rglob("*.md"), *tmp_path.rglob(".github/*.md")]
    assert len(documents) > 90
    found = {f"{page.relative_to(tmp_path)}: {link}" for page in documents
             for link in broken_links(page)}  # fmt: skip
    assert found == set()


def test_an_archive_names_no_one_and_scripts_can_be_run(checkout, made):
    committed = int(run("git", "show", "--no-patch", "--format=%ct", cwd=checkout))
    for name in (PI, SDIST):
        with tarfile.open(made / name) as archive:
            for member in archive.getmembers():
                assert (member.uid, member.gid, member.mtime) == (0, 0, committed), member.name
                script = re.search(
                    r"systemd/((un)?install|bang-companion)$|\.ci/\w+$|/club-night$", member.name
                )
                assert not member.isfile() or member.mode == (0o755 if script else 0o644)


def test_the_wheel_holds_all_packages_and_no_training(commit, made):
    with zipfile.ZipFile(made / WHEEL) as wheel:
        files = {f for f in wheel.namelist() if ".dist-info/" not in f}
    shipped = {f for f in commit.files if f.split("/")[0] in PACKAGES}
    assert files == {f for f in shipped if not f.startswith("vision/training/")}


def test_the_source_package_holds_every_file_but_photographs(commit, made):
    with tarfile.open(made / SDIST) as archive:
        files = {m.name.split("/", 1)[1] for m in archive.getmembers() if m.isfile()}
    assert files - {"PKG-INFO"} == commit.files - {"tests/pictures/README.md"}
    assert {"systemd/install", "docs/install.md", "tests/conftest.py", "Makefile"} <= files


@pytest.mark.parametrize("name", [PI, *later(SDIST)])
def test_an_archive_can_be_installed_without_a_network(made, tmp_path, name):
    (tmp_path / "unpacked").mkdir()
    run("tar", "-xzf", made / name, "-C", tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    target = tmp_path / "target"
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
        "--no-build-isolation", "--target", target, unpacked)  # fmt: skip

    program = target / "bin/bang-companion"
    there: dict[str, Any] = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(target)}}
    assert run(program, "--version", **there) == f"bang-companion {VERSION}\n"
    where = run(sys.executable, "-c", "import companion; print(companion.__file__)", **there)
    assert where.startswith(str(target))
    record = RECORDED / "eight-players-lost-shot.jsonl"
    assert run(program, "replay", record, **there).startswith("{")


def test_a_version_without_a_date_is_not_released(commit, tmp_path):
    other = commit.clone(tmp_path / "undated")
    changes, dated = other / "CHANGELOG.md", rf"(## \[{re.escape(VERSION)}\] - ).*"
    changes.write_text(re.sub(dated, r"\1unreleased", changes.read_text()))
    run("git", *OPTIONS, "commit", "--quiet", "--all", "--message", "Take the date away", cwd=other)
    done = subprocess.run([other / ".ci/release"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"CHANGELOG.md: no dated section for {VERSION}\n"
    assert not (other / "dist").exists()


def test_the_documents_name_the_archive_of_this_version():
    page = (ROOT / "docs/install.md").read_text()
    assert set(re.findall(r"bang-companion-[0-9][\w.]*-pi\.tar\.gz", page)) == {PI}
