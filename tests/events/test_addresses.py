"""Where a webhook may lead: sixty spellings of addresses inside, and names that lead there."""

from __future__ import annotations

import datetime
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpcore
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from nebo.errors import InvalidInput
from nebo.llm.transport import AddressRefused
from nebo.outbound.addresses import check_url, find_address, is_allowed, is_public, plain
from nebo.outbound.guarded import GuardedBackend, open_client, resolve
from nebo.product.events.transport import Answer, post
from tests.scripted_server import ScriptedServer, raw, status

INSIDE = [
    # loopback
    "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.1", "0x7F.0x0.0x0.0x1",
    "0177.0.0.1", "017700000001", "0177.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[::7f00:1]",
    # this host, and nobody
    "0.0.0.0", "0", "0x0", "[::]", "255.255.255.255", "240.0.0.1",
    # private
    "10.0.0.1", "10.1", "0xa000001", "167772161", "012.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1",
    "192.168.257", "0xc0a80001", "3232235521", "[fc00::1]", "[fd12:3456:789a::1]", "[::ffff:10.0.0.1]",
    "[::ffff:c0a8:1]", "[fec0::1]",
    # link-local, and what clouds tell there
    "169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "[fe80::1]", "[fe80::1%25eth0]",
    "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "100.100.100.200", "168.63.129.16", "192.0.0.192",
    # carriers' own, tests, documents
    "100.64.0.1", "100.127.255.255", "198.18.0.1", "192.0.2.1", "198.51.100.7", "203.0.113.9", "192.88.99.1",
    "[2001:db8::1]", "[3fff::1]",
    # everybody at once
    "224.0.0.1", "239.255.255.250", "[ff02::1]",
    # an address inside another
    "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::]",
    "[2001:0:7f00:1::]", "[100::1]", "[5f00::1]",
    # digits that a reader takes for others
    "１２７.0.0.1", "①②⑦.0.0.1",
]  # fmt: skip
NAMED_INSIDE = ["localhost", "LOCALHOST.", "api.localhost", "printer.local", "metadata.google.internal"]
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::808:808"]
WRONG = [
    "", "hooks.example", "//hooks.example/x", "ftp://hooks.example/", "file:///etc/passwd", "https://",
    "https:///path", "http://hooks.example/", "https://user:word@hooks.example/", "https://hooks.example/#part",
    "https://hooks.example\\@127.0.0.1/", "https://hooks example/", "https://hooks.example:99999/", "https://[::1",
    "gopher://127.0.0.1:6379/_x", "https://hooks.example/\r\nX-Header: 1", "https://" + "a" * 2_000 + ".example/",
]  # fmt: skip


LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@pytest.fixture(autouse=True)
def _nothing_inside_may_be_called(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = ()


@pytest.mark.parametrize("host", INSIDE)
def test_no_spelling_of_an_address_inside_can_be_saved(host: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_url(f"https://{host}/hook")

    assert refused.value.field == "url"


def test_there_are_at_least_sixty_of_them() -> None:
    assert len(set(INSIDE)) >= 60


@pytest.mark.parametrize("host", INSIDE)
def test_none_of_them_is_connected_to_either(host: str) -> None:
    asked = host.strip("[]").replace("%25", "%")
    backend = GuardedBackend(networks=(), public=True)

    with pytest.raises(httpcore.ConnectError) as refused:
        backend.connect_tcp(asked, 9, timeout=1)

    is_unknown = str(refused.value) == "no such name"  # this system's resolver knows no such spelling
    assert is_unknown or isinstance(refused.value, AddressRefused)


@pytest.mark.parametrize("host", NAMED_INSIDE)
def test_names_of_this_machine_and_network_cannot_be_saved(host: str) -> None:
    with pytest.raises(InvalidInput):
        check_url(f"https://{host}/hook")


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_called(address: str) -> None:
    found = find_address(address)

    assert found is not None
    assert is_public(found)
    assert check_url(f"https://{f'[{address}]' if ':' in address else address}:8443/hook?x=1")


@pytest.mark.parametrize("url", WRONG)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_url(url)

    assert refused.value.field == "url"


def test_a_name_may_be_saved_and_is_judged_when_it_is_called() -> None:
    assert check_url("https://Hooks.Example/a b".replace(" ", "%20")) == "https://hooks.example/a%20b"


def test_networks_of_the_operator_may_be_called_without_tls_and_nothing_else_may(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = ("10.1.0.0/16",)

    assert check_url("http://10.1.2.3:8080/hook")
    assert check_url("http://n8n.internal/hook")
    with pytest.raises(InvalidInput):
        check_url("https://10.2.0.1/")
    networks = (ipaddress.ip_network("10.1.0.0/16"),)
    assert is_allowed(ipaddress.ip_address("::ffff:10.1.0.9"), networks=networks)
    assert plain(ipaddress.ip_address("64:ff9b::a01:9")) == ipaddress.ip_address("10.1.0.9")
    assert not is_allowed(ipaddress.ip_address("1.1.1.1"), networks=networks, public=False)


def ask(url: str, *, resolver: Any = resolve, networks: tuple[Any, ...] = (), context: Any = None) -> Answer:
    client = open_client(url, networks=networks, resolve=resolver, context=context)
    with client:
        return post(client, url=url, body=b"{}", headers={"content-type": "application/json"}, timeout_s=5)


def test_a_name_that_leads_inside_is_not_called(scripted_server: ScriptedServer) -> None:
    port = scripted_server.url.rpartition(":")[2]

    answer = ask(f"https://hooks.example:{port}/hook", resolver=lambda host, port: ["127.0.0.1"])

    assert (answer.status, "sends nothing" in answer.error) == (None, True)
    assert scripted_server.connection_count == 0


def test_one_address_inside_spoils_all_of_a_names(scripted_server: ScriptedServer) -> None:
    port = scripted_server.url.rpartition(":")[2]

    answer = ask(f"https://hooks.example:{port}/", resolver=lambda host, port: ["1.1.1.1", "127.0.0.1"])

    assert "sends nothing" in answer.error
    assert scripted_server.connection_count == 0


def test_a_name_that_changes_between_two_looks_is_looked_at_once(scripted_server: ScriptedServer) -> None:
    """The rebinding trick: a public address for the judge, one inside for the socket."""
    looks: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        looks.append(host)
        return ["192.0.2.1"] if len(looks) % 2 else ["127.0.0.1"]

    networks = (ipaddress.ip_network("192.0.2.0/24"),)
    port = scripted_server.url.rpartition(":")[2]
    answers = [
        post_quickly(f"http://hooks.example:{port}/", rebinding, networks) for _ in range(2)
    ]  # judged as allowed and not there; then judged as it is

    assert looks == ["hooks.example"] * 2
    assert [answer.status for answer in answers] == [None, None]
    assert "sends nothing" in answers[1].error
    assert scripted_server.connection_count == 0


def post_quickly(url: str, resolver: Any, networks: tuple[Any, ...]) -> Answer:
    with open_client(url, networks=networks, resolve=resolver) as client:
        return post(client, url=url, body=b"{}", headers={}, timeout_s=0.5)


def test_a_redirect_is_not_followed(scripted_server: ScriptedServer) -> None:
    scripted_server.on("/hook", raw(b"", 302, {"location": f"{scripted_server.url}/inside"}))

    answer = ask(f"{scripted_server.url}/hook", networks=(ipaddress.ip_network("127.0.0.0/8"),))

    assert (answer.status, answer.is_success) == (302, False)
    assert [request.path for request in scripted_server.requests] == ["/hook"]


def test_no_client_follows_one_by_itself(scripted_server: ScriptedServer) -> None:
    scripted_server.on("/models", raw(b"", 302, {"location": f"{scripted_server.url}/inside"}))

    with open_client(scripted_server.url, networks=LOOPBACK) as client:
        answer = client.get(f"{scripted_server.url}/models")

    assert answer.status_code == 302
    assert [request.path for request in scripted_server.requests] == ["/models"]


def test_a_proxy_that_may_be_called_is_not_used_either(
    scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", scripted_server.url)

    with socket.socket() as deaf:  # it is bound, and listens to nobody
        deaf.bind(("127.0.0.1", 0))
        port = deaf.getsockname()[1]
        answer = ask(f"http://hooks.example:{port}/", resolver=lambda *_: ["127.0.0.1"], networks=LOOPBACK)

    assert answer.status is None
    assert scripted_server.connection_count == 0


def test_no_proxy_of_the_environment_is_used(
    scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", scripted_server.url)
    monkeypatch.setenv("ALL_PROXY", scripted_server.url)

    answer = ask("https://hooks.example/", resolver=lambda host, port: ["10.0.0.1"])

    assert "sends nothing" in answer.error
    assert scripted_server.connection_count == 0


# --- With TLS ----------------------------------------------------------------------------------------


class TlsReceiver:
    """Takes calls for `hooks.example`, and notes which name they asked for."""

    def __init__(self, folder: Path) -> None:
        self.names: list[str | None] = []
        self.heads: list[bytes] = []
        self.certificate = folder / "certificate.pem"
        key = ec.generate_private_key(ec.SECP256R1())
        (folder / "key.pem").write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        self.certificate.write_bytes(make_certificate(key).public_bytes(serialization.Encoding.PEM))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, folder / "key.pem")
        self.context.sni_callback = lambda sock, name, context: self.names.append(name)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                try:
                    with self.context.wrap_socket(connection, server_side=True) as tls:
                        self.heads.append(read_request(tls))
                        tls.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
                except OSError:
                    continue


def read_request(tls: ssl.SSLSocket) -> bytes:
    """The head of a request, once its body has come too: a socket closed before would take the answer with it."""
    with tls.makefile("rb") as told:
        asked = told.readline()
        headers = http.client.parse_headers(told)
        told.read(int(headers["content-length"] or 0))
    return asked + bytes(headers)


def make_certificate(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    """For `hooks.example`, signed by itself."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example")])
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )


@contextmanager
def tls_receiver(folder: Path) -> Iterator[TlsReceiver]:
    receiver = TlsReceiver(folder)
    thread = threading.Thread(target=receiver.serve, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.socket.shutdown(socket.SHUT_RDWR)
        receiver.socket.close()
        thread.join()


def test_tls_and_the_host_header_keep_the_name_though_the_address_is_called(tmp_path: Path) -> None:
    networks = (ipaddress.ip_network("127.0.0.0/8"),)
    with tls_receiver(tmp_path) as receiver:
        trusting = ssl.create_default_context(cafile=str(receiver.certificate))
        address = f"https://hooks.example:{receiver.port}/hook"
        known = ask(address, resolver=lambda host, port: ["127.0.0.1"], networks=networks, context=trusting)
        unknown = ask(address, resolver=lambda host, port: ["127.0.0.1"], networks=networks)
        misnamed = ask(
            f"https://other.example:{receiver.port}/hook",
            resolver=lambda host, port: ["127.0.0.1"],
            networks=networks,
            context=trusting,
        )

    assert (known.status, known.text) == (200, "ok")
    assert receiver.names == ["hooks.example", "hooks.example", "other.example"]
    assert f"Host: hooks.example:{receiver.port}".encode() in receiver.heads[0]
    assert len(receiver.heads) == 1
    assert [one.error for one in (unknown, misnamed)] == ["Its certificate isn’t trusted."] * 2


def test_an_answer_is_read_no_further_than_its_beginning(scripted_server: ScriptedServer) -> None:
    scripted_server.on("/hook", raw(b"<b>\x00no\r\nway\xff" + b"x" * 5_000_000, 500))
    scripted_server.on("/quiet", status(503, retry_after="7"))
    networks = (ipaddress.ip_network("127.0.0.0/8"),)

    long = ask(f"{scripted_server.url}/hook", networks=networks)
    busy = ask(f"{scripted_server.url}/quiet", networks=networks)

    assert (long.status, len(long.text)) == (500, 300)
    assert long.text.startswith("<b> no  way")
    assert (busy.status, busy.retry_after) == (503, "7")
