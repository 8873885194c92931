"""The table over HTTPS: its own authority, an owner's certificate, and what may be wrong."""

import http.cookiejar
import json
import re
import socket
import ssl
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import trustme
from process import run
from running import page_of, running_table

from companion.app.doctor.findings import Level
from companion.app.doctor.installation import Installation
from companion.app.doctor.network import CHECKS
from companion.app.https import authority
from companion.app.https.authority import AUTHORITY, KEY, YEARS, certificate_of, make_authority
from companion.app.https.certificate import HttpsError, open_certificate
from companion.settings import HttpsSettings
from hardware.machine import Machine

pytestmark = pytest.mark.processes

HERE = "127.0.0.1"
NAMES = ("pi.local", "pi", "192.168.1.5", "10.42.0.1")
DAY_S = 24 * 3600


def pem(folder: Path) -> str:
    return ssl.DER_cert_to_PEM_cert((folder / AUTHORITY).read_bytes())


def meet(context: ssl.SSLContext, trust: ssl.SSLContext, name: str) -> None:
    """Let a client that asks for a name meet a server, in memory; raise what the client raises."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trust.wrap_bio(down, up, server_hostname=name)
    server = context.wrap_bio(up, down, server_side=True)
    for side in (client, server, client):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[bytes]]]:
    """An authority, and what openssl was given while it was made: its private key, above all."""
    folder, given = tmp_path_factory.mktemp("data") / "https" / "pi.local", []
    call = subprocess.run

    def heard(*words: Any, **options: Any) -> Any:
        done = call(*words, **options)
        given.extend((options.get("input", b""), done.stdout))
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(authority.subprocess, "run", heard)
        make_authority(folder, NAMES, 2026)
    return folder, given


@pytest.fixture
def trust(made: tuple[Path, list[bytes]]) -> ssl.SSLContext:
    """A phone that trusts the table's authority and nobody else."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=pem(made[0]))
    return context


def test_a_phone_that_trusts_the_authority_knows_the_table_by_each_of_its_names(made, trust):
    found = open_certificate(certificate_of(made[0], 2026), made[0] / KEY)
    assert set(found.names) == set(NAMES)
    for name in NAMES:
        meet(found.context, trust, name)
    for name in ("other.local", "192.168.1.6", "example.org"):
        with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
            meet(found.context, trust, name)
    with pytest.raises(ssl.SSLCertVerificationError, match="issuer"):
        meet(found.context, ssl.create_default_context(), "pi.local")


ROGUE = Path(__file__).with_name("rogue.cnf").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("DNS:bank.example", "bank.example"),
        ("DNS:other.local", "other.local"),
        ("IP:192.168.1.6", "192.168.1.6"),
        ("IP:::1", "::1"),
    ],
)
def test_even_with_its_key_nobody_could_vouch_for_anything_else(made, trust, tmp_path, name, host):
    folder, given = made
    keys = [text for text in given if text.startswith(b"-----BEGIN PRIVATE KEY")]
    assert len(set(keys)) == 2
    (secret,) = {key for key in keys if key != (folder / KEY).read_bytes()}
    (tmp_path / "conf").write_text(ROGUE.format(name=name))
    (tmp_path / "index").touch()
    (tmp_path / "authority").write_text(pem(folder))

    def openssl(*words: str, **options: Any) -> bytes:
        return run("openssl", *words, cwd=tmp_path, check=True, text=False, **options).stdout

    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "key", "-out", "request", "-subj", "/CN=x", "-config", "conf")  # fmt: skip
    signed = openssl("ca", "-batch", "-notext", "-config", "conf", "-extensions", "leaf",
                     "-days", "30", "-in", "request", "-cert", "authority",
                     "-keyfile", "/dev/stdin", input=secret)  # fmt: skip
    (tmp_path / "rogue").write_bytes(signed)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "rogue", tmp_path / "key")
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        meet(context, trust, host)


def test_the_authoritys_key_is_forgotten_and_the_tables_is_for_it_alone(made):
    folder, given = made
    keys = {text for text in given if text.startswith(b"-----BEGIN PRIVATE KEY")}
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert keys & set(files.values()) == {files[KEY]}
    assert {oct(file.stat().st_mode & 0o077) for file in (folder, *folder.iterdir())} == {"0o0"}
    years = {f"{year}.pem" for year in range(2026, 2026 + YEARS)}
    assert files.keys() == {AUTHORITY, KEY} | years
    assert [file for file in folder.parent.iterdir() if file != folder] == []


def test_each_year_has_a_certificate_that_phones_take_and_that_bears_a_wrong_clock(made):
    folder, _ = made
    for year in range(2026, 2026 + YEARS):
        file = certificate_of(folder, year)
        assert file.name == f"{year}.pem"
        told = run("openssl", "x509", "-in", file, "-noout", "-dates").stdout
        begins, ends = map(ssl.cert_time_to_seconds, re.findall("=(.*)", told))
        assert ends - begins <= 825 * DAY_S
        first, last = (
            ssl.cert_time_to_seconds(f"{day} {at} {year} GMT")
            for day, at in (("Jan  1", "00:00:00"), ("Dec 31", "23:59:59"))
        )
        assert begins < first - 220 * DAY_S
        assert ends > last + 220 * DAY_S
    assert certificate_of(folder, 1970).name == "2026.pem"
    assert certificate_of(folder, 2099).name == f"{2026 + YEARS - 1}.pem"


def test_a_plug_that_was_pulled_leaves_no_half_authority(tmp_path):
    folder = tmp_path / "https" / "pi.local"
    rest = folder.with_name(".pi.local.part")
    rest.mkdir(parents=True)
    (rest / KEY).write_text("half")
    make_authority(folder, ("pi.local",), 2026)
    assert open_certificate(certificate_of(folder, 2026), folder / KEY).names == ("pi.local",)
    assert list(folder.parent.iterdir()) == [folder]


def test_without_openssl_or_a_place_it_is_said_what_is_missing(tmp_path, monkeypatch):
    with pytest.raises(HttpsError, match="openssl: "):
        make_authority(tmp_path / "pi", ("pi local, \n[x",), 2026)
    (tmp_path / "file").touch()
    with pytest.raises(HttpsError, match="the disk refuses"):
        make_authority(tmp_path / "file" / "pi", ("pi.local",), 2026)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HttpsError, match="apt install openssl"):
        make_authority(tmp_path / "pi", ("pi.local",), 2026)
    assert not (tmp_path / "pi").exists()


class Owner:
    """An owner with certificates of their own, of which something is wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.authority = folder, trustme.CA()
        self.trust = ssl.create_default_context()
        self.authority.configure_trust(self.trust)

    def give(self, name: str, *names: str, **options: Any) -> HttpsSettings:
        given = self.authority.issue_cert(*names, **options)
        certificate, key = (self.folder / f"{name}.{kind}" for kind in ("pem", "key"))
        certificate.write_bytes(b"".join(part.bytes() for part in given.cert_chain_pems))
        key.write_bytes(given.private_key_pem.bytes())
        return HttpsSettings("offered", 0, str(certificate), str(key))


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Owner:
    return Owner(tmp_path_factory.mktemp("owner"))


def lock(key: Path) -> None:
    """Give a key a password."""
    secret = run("openssl", "pkey", "-aes128", "-passout", "pass:x", "-in", key, check=True)
    key.write_text(secret.stdout)


FAULTS: dict[str, tuple[Callable[[Path, Path], object], str]] = {
    "missing": (lambda pem, key: key.unlink(), "missing.key: No such file or directory"),
    "a folder": (lambda pem, key: (pem.unlink(), pem.mkdir()), "folder.pem: this is no file"),
    "torn": (lambda pem, key: pem.write_bytes(pem.read_bytes()[:300]), "is damaged, has a passw"),
    "empty": (lambda pem, key: key.write_bytes(b""), "is damaged, has a password"),
    "swapped": (lambda pem, key: (key.rename(pem.with_name("held")), pem.rename(key),
                                  pem.with_name("held").rename(pem)), "is damaged, has a password"),
    "another's": (lambda pem, key: key.write_bytes(trustme.CA().private_key_pem.bytes()),
                  "another's.key is not the key of "),
    "locked": (lambda pem, key: lock(key), "is damaged, has a password"),
    "expired": (lambda pem, key: None, "expired.pem has expired"),
}  # fmt: skip
"""What became of a certificate and its key, and what is said of it."""


@pytest.mark.parametrize("kind", FAULTS)
def test_what_cannot_be_used_is_named_and_the_table_answers_without(owner, kind, tmp_path, caplog):
    spoil, fault = FAULTS[kind]
    ended = {"not_after": datetime.now(UTC) - timedelta(days=1)} if kind == "expired" else {}
    wanted = owner.give(kind, HERE, **ended)
    spoil(Path(wanted.certificate), Path(wanted.key))
    with running_table(tmp_path, https=wanted) as running:
        (told,) = (line for line in caplog.messages if line.startswith("no HTTPS"))
        assert fault in told
        assert "There are no encrypted pages." in page_of(running, "secure")
    file = tmp_path / "settings.toml"
    file.write_text(
        f"[https]\nuse = 'offered'\ncertificate = {json.dumps(wanted.certificate)}\n"
        f"key = {json.dumps(wanted.key)}\n"
    )
    found = look(Installation(Machine(), file, {"data": tmp_path}))
    assert found.level is Level.WRONG
    assert fault in found.detail


def look(examined: Installation) -> Any:
    (check,) = (check for check in CHECKS if check.name == "https")
    return check.find(examined)


def test_a_port_that_is_taken_is_named(owner, tmp_path, caplog):
    with socket.create_server((HERE, 0)) as taken:
        port = taken.getsockname()[1]
        given = replace(owner.give("taken", HERE), port=port)
        with running_table(tmp_path, https=given) as running:
            said = f"no HTTPS, only HTTP: {HERE}:{port}: another program uses this port"
            assert said in caplog.text
            assert page_of(running, "")


class Phone:
    """A phone that trusts an authority, and keeps cookies as browsers do."""

    def __init__(self, trust: ssl.SSLContext) -> None:
        self.cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies),
            urllib.request.HTTPSHandler(context=trust),
        )
        self.at = ""

    def load(self, url: str, body: bytes | None = None, **headers: str) -> bytes:
        request = urllib.request.Request(url, body, headers)
        with self._opener.open(request, timeout=20) as answer:
            self.at = answer.url
            return bytes(answer.read())

    def ask(self, url: str, body: bytes | None = None, **headers: str) -> str:
        return self.load(url, body, **headers).decode()

    def send(self, url: str, path: str, **fields: object) -> str:
        found = re.search('name="page" content="(.*?)"', self.ask(url))
        assert found
        body = urllib.parse.urlencode({"page": found[1], **fields}).encode()
        return self.ask(url + path, body)


class Both:
    """A table over HTTP and HTTPS, in a folder that it can be started in again."""

    def __init__(self, data: Path, stack: ExitStack, use: str = "offered", **options: Any) -> None:
        https = HttpsSettings(use, **options)
        self.running = stack.enter_context(running_table(data, https=https))
        self.plain = self.running.server.url
        page = page_of(self.running, "secure")
        found = re.search(r'class="button main" href="(https://[^"]+)"', page)
        assert found, page
        self.secure = found[1]

    def trust(self) -> ssl.SSLContext:
        with urllib.request.urlopen(f"{self.plain}bang-companion.crt") as answer:
            assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
            assert "Content-Disposition" not in answer.headers
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.load_verify_locations(cadata=answer.read())
        return context


def test_a_phone_plays_over_https_and_its_seat_is_never_sent_without(tmp_path, stack):
    both = Both(tmp_path, stack)
    with pytest.raises(urllib.error.URLError, match="issuer"):
        Phone(ssl.create_default_context()).ask(both.secure)
    phone = Phone(both.trust())
    assert "Ann" in phone.send(both.secure, "join", name="Ann")
    assert phone.at == f"{both.secure}seat"
    kept = {cookie.name: cookie.secure for cookie in phone.cookies}
    assert kept == {"__Host-visit": True, "__Host-seat": True, "__Host-name": True, "https": False}
    # Where it comes by HTTP, as by a QR code, it is led back to its seat.
    assert "Ann" in phone.ask(f"{both.plain}?code=x")
    assert phone.at == f"{both.secure}seat"
    phone.send(f"{both.secure}", "language", language="fr")
    # Other phones aren't led anywhere.
    other = Phone(both.trust())
    other.send(both.plain, "join", name="Bob", code=both.running.table.scene.code)
    assert other.at == f"{both.plain}seat"
    assert {cookie.secure for cookie in other.cookies} == {False}
    # It may change over, and keeps its seat.
    other.ask(both.secure)
    assert other.at == f"{both.secure}seat"


def test_a_press_over_https_proves_its_page_like_any_other(tmp_path, stack):
    both = Both(tmp_path, stack)
    phone = Phone(both.trust())
    phone.send(both.secure, "join", name="Ann")
    forged = urllib.parse.urlencode({"version": 0, "page": "0" * 64}).encode()
    with pytest.raises(urllib.error.HTTPError, match="403"):
        phone.ask(f"{both.secure}game/undo", forged, Origin="https://example.org")


@pytest.mark.parametrize("use", ["offered", "first"])
def test_codes_lead_to_what_is_chosen_however_a_page_was_asked_for(use, tmp_path, stack):
    both = Both(tmp_path, stack, use)
    phone = Phone(both.trust())
    both_ways = [both.plain, both.secure]
    wanted, other = reversed(both_ways) if use == "first" else both_ways
    codes = set()
    for at in both_ways:
        for page in ("card", "table"):
            text = re.sub("<[^>]*>", "", phone.ask(f"{at}{page}"))
            assert (wanted[:-1] in text, other[:-1] in text) == (True, False)
        codes.add(phone.ask(f"{at}page.svg"))
    assert len(codes) == 1


def test_the_certificate_stays_from_one_start_to_the_next_and_is_in_no_backup(tmp_path):
    with ExitStack() as stack:
        both = Both(tmp_path, stack)
        trust = both.trust()
        phone = Phone(trust)
        phone.send(both.secure, "join", name="Ann")
        backup = zipfile.ZipFile(BytesIO(phone.load(f"{both.secure}backup/file.zip")))
        names = backup.namelist()
        assert names
        assert not [name for name in names if "pem" in name or "https" in name or "crt" in name]
        secret = next((tmp_path / "https").rglob(KEY)).read_text().splitlines()[1]
        for path in ("secure", "machine", "machine/settings", "api/state", "bang-companion.crt"):
            assert secret.encode() not in phone.load(f"{both.secure}{path}")
    with ExitStack() as stack:
        # At another port, as the test took any: what was installed still holds.
        Phone(trust).ask(Both(tmp_path, stack).secure)


def test_an_owners_certificate_needs_nothing_on_the_phones(owner, tmp_path, stack):
    given = owner.give("table", HERE)
    both = Both(tmp_path, stack, certificate=given.certificate, key=given.key)
    assert "First, trust this table" not in Phone(owner.trust).ask(f"{both.plain}secure")
    assert Phone(owner.trust).ask(both.secure)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        Phone(owner.trust).ask(f"{both.plain}bang-companion.crt")
    assert not (tmp_path / "https").exists()


def test_the_doctor_tells_what_there_is(tmp_path):
    file = tmp_path / "settings.toml"
    data = tmp_path / "data"

    def told(text: str) -> tuple[Level, str]:
        file.write_text(text)
        found = look(Installation(Machine(), file, {"data": data}))
        return found.level, found.detail

    assert told("") == (Level.OK, "not wanted: pages are served over HTTP only")
    wanted = f"host = '{HERE}'\n[https]\nuse = 'offered'\n"
    assert told(wanted) == (Level.OK, "the table makes its certificates when it starts")
    with ExitStack() as stack:
        Both(data, stack)
    assert told(wanted)[1].startswith("valid until 20")
    folder = data / "https" / HERE
    (folder / KEY).write_text("gone")
    level, detail = told(wanted)
    assert level is Level.WRONG
    assert detail.startswith("no HTTPS, only HTTP: ")
    folder.rename(data / "old")
    make_authority(folder, ("192.0.2.7",), 2026)
    level, detail = told(wanted)
    assert (level, detail) == (
        Level.NOTE, "this machine has another address now: phones reach HTTPS by name only",
    )  # fmt: skip
