"""Check how phones reach the table: port, address, Wi-Fi, name."""

import socket
import time

from companion.app.doctor.findings import Check, Finding, fine, note, stop, wrong
from companion.app.doctor.installation import Installation
from companion.app.https.certificate import HttpsError
from companion.app.https.opening import choose_certificate, own_folder
from web.serving.address import PublicAddress


def _port(examined: Installation) -> Finding:
    host, port = examined.settings.host, examined.settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except PermissionError:
        if examined.is_service:
            return fine(f"port {port} is reserved, but the service may use it")
        return stop(
            f"port {port}: only root may use ports below 1024",
            "choose another in the settings, such as port = 8000",
        )
    except OSError as error:
        return _port_refused(examined, error)
    return fine(f"port {port} is free" if port else "the table takes any free port")


def _port_refused(examined: Installation, error: OSError) -> Finding:
    port = examined.settings.port
    taken, process = examined.machine.listener(port)
    # Ordinary users see only the owners of their own sockets.
    if taken and (process or examined.table) == examined.table and examined.table is not None:
        return fine(f"the running table answers at port {port}")
    if not taken:
        return stop(
            f"{examined.settings.host}:{port}: {error.strerror or error}",
            'correct host in the settings: "0.0.0.0" stands for all addresses of this machine',
        )
    by = f"{process.name} (process {process.pid})" if process else "another user's program"
    end = f"end it: kill {process.pid}" if process else f"find it: sudo ss -ltnp 'sport = {port}'"
    return stop(f"port {port} is taken by {by}", f"{end}; or choose another port")


def _network(examined: Installation) -> Finding:
    machine = examined.machine
    addresses = machine.addresses()
    if addresses:
        first = ", ".join(f"{name} {entry[0]}" for name, entry in addresses.items())
        return fine(f"phones can reach {first}")
    if machine.is_wifi_blocked():
        return wrong(
            "Wi-Fi is switched off: no country is set",
            "sudo raspi-config nonint do_wifi_country DE, with the letters of your country",
        )
    return wrong(
        "this machine is in no network, so no phone can open the page",
        "join a Wi-Fi: sudo nmtui; or let the Pi open its own: sudo systemd/install --hotspot",
    )


def _isolation(examined: Installation) -> Finding:
    machine = examined.machine
    addresses = machine.addresses()
    joined = [name for name in machine.wifi_interfaces() if name in addresses]
    if not joined:
        return fine("not in a Wi-Fi")
    heard = [other for name in joined for other in machine.neighbours(name)]
    if heard:
        return fine(f"other devices heard in this Wi-Fi: {len(heard)}")
    return note(
        "no other device heard in this Wi-Fi yet; if it keeps devices apart, phones can't open the "
        "page",
        "open the page on a phone; if it stays empty, leave the guest network, switch off client "
        "isolation in the router, or let the Pi open its own Wi-Fi",
    )


def _name(examined: Installation) -> Finding:
    host = examined.machine.text("/etc/hostname") or socket.gethostname()
    if any(process.name.startswith("avahi-daemon") for process in examined.machine.processes()):
        port = examined.settings.port
        return fine(f"http://{host}.local{'' if port == 80 else f':{port}'}/")
    return note(
        f"{host}.local is not known in the network, so phones need the QR code or the number",
        "sudo apt install avahi-daemon",
    )


def _https(examined: Installation) -> Finding:
    settings, own = examined.settings, not examined.settings.https.certificate
    names = PublicAddress(settings.host).lasting_names()
    folder = own_folder(settings, names)
    if settings.https.use == "off":
        return fine("not wanted: pages are served over HTTP only")
    if own and not folder.exists():
        return fine("the table makes its certificates when it starts")
    mend = (
        f"remove {folder}; the table makes new certificates when it starts, for phones to install"
    )
    try:
        found = choose_certificate(settings, folder, examined.now())
    except HttpsError as error:
        return wrong(f"no HTTPS, only HTTP: {error}", mend if own else "correct the settings")
    if own and not set(names) <= set(found.names):
        return note("this machine has another address now: phones reach HTTPS by name only", mend)
    return fine(f"valid until {time.strftime('%Y-%m-%d', time.gmtime(found.ends))}")


CHECKS = (
    Check("port", "whether the page's port is free, or which program uses it", _port),
    Check("network", "addresses, and Wi-Fi that is switched off", _network),
    Check("wi-fi", "whether devices in this Wi-Fi hear each other", _isolation),
    Check("https", "whether the certificate of encrypted pages can be used", _https),
    Check("name", "mDNS, for addresses that end in .local", _name),
)
"""The checks, from the table outwards."""
