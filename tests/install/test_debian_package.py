"""The Debian package: what apt and dpkg are told. `make boot-test` installs one."""

import shutil
from pathlib import Path

import pytest
from debian_package import main, make_package
from installer.__main__ import install
from installer.machine import InstallError
from installer.packages import PACKAGES
from installer.uninstall import uninstall
from releases import run
from stub_machine import StubMachine

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="needs a Debian"),
]


@pytest.fixture
def package(archive: Path) -> Path:
    return make_package(archive)


def test_apt_is_told_what_the_table_needs_and_for_which_machine(package):
    assert package.name == "bang-companion_9.9.0_arm64.deb"
    told = run("dpkg-deb", "--field", package).splitlines()
    fields = dict(line.split(": ", 1) for line in told if line[0] != " ")
    assert (fields["Version"], fields["Architecture"]) == ("9.9.0", "arm64")
    depends = fields["Depends"].split(", ")
    assert depends == ["python3 (>= 3.13)", "python3 (<< 3.14)", *PACKAGES[1:]]


def test_dpkg_gets_the_release_and_its_wheels_as_roots_and_calls_the_installer(package, tmp_path):
    lines = [line.split() for line in run("dpkg-deb", "--contents", package).splitlines()]
    files = {place: mode for mode, *_, place in lines}
    assert {owner for _, owner, *_ in lines} == {"root/root"}
    home = "./usr/lib/bang-companion"
    assert files[f"{home}/bang-companion/systemd/install"] == "-rwxr-xr-x"
    assert f"{home}/wheels/spur-1.0-py3-none-any.whl" in files
    run("dpkg-deb", "--control", package, tmp_path)
    for script, command in (("postinst", "install --no-packages"), ("prerm", "uninstall")):
        assert f"{home[1:]}/bang-companion/systemd/{command}\n" in (tmp_path / script).read_text()
        run("sh", "-n", tmp_path / script)


def test_the_same_release_gives_the_same_bytes(archive):
    assert make_package(archive).read_bytes() == make_package(archive).read_bytes()


def test_without_the_wheels_there_is_no_package(archive, monkeypatch, capsys):
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    assert main(["--archive", str(archive)]) == 1
    assert "the wheels can't be had" in capsys.readouterr().err
    assert not list(archive.parent.glob("*.deb"))


def test_where_no_systemd_runs_apt_hears_so_and_can_remove_the_package(tmp_path, capsys):
    def attempt(name: str) -> None:
        if name.startswith("systemctl"):
            raise InstallError("systemctl: No such file or directory")

    machine = StubMachine(tmp_path, attempt)
    with pytest.raises(InstallError, match="with systemd running"):
        install(machine, tmp_path, None, no_packages=True)
    uninstall(machine, purge=False)
    assert capsys.readouterr().out.startswith("bang-companion: removed")
