"""What tests of releases share: one that is packed further, and no waiting for its proof."""

import hashlib
import zipfile
from pathlib import Path

import pytest
from places import ROOT
from releases import FILES, Keys, make_archive, make_keys


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new version proves itself in two looks, not for a minute."""
    monkeypatch.setattr("installer.change.PROOF_S", (2, 1))


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """A pair that signs releases."""
    return make_keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive of a release that needs one wheel, which is at hand."""
    index = tmp_path / "index"
    index.mkdir()
    wheel = index / "spur-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        told = "Metadata-Version: 2.1\nName: spur\nVersion: 1.0\n"
        packed.writestr("spur-1.0.dist-info/METADATA", told)
        packed.writestr("spur-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr("spur-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    files = {
        f"systemd/card/{file.name}": file.read_text() for file in (ROOT / "systemd/card").iterdir()
    }
    files["LICENSE"] = "MIT License\n\nAnybody may.\n"
    files["systemd/wheels/python-3.13.txt"] = f"spur==1.0 --hash=sha256:{digest}\n"
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    return make_archive(tmp_path / "bang-companion-9.9.0-pi.tar.gz", FILES | files)
