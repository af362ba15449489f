#!/usr/bin/env python3
"""Runs `ticktape serve --tls`: its certificate, its clients, and those that speak no TLS.

Usage: tls_test.py TICKTAPE
"""

import contextlib
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import stat
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position

STATUS = "/trade-api/v2/exchange/status"


def context_of(certificate):
    """Trusts this certificate only, compares the address with it, and expects ends to be announced."""
    context = ssl.create_default_context(cafile=certificate)
    context.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF
    return context


def end_of(client):
    """What a socket receives until it ends."""
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65536):
            received += piece
    return received


def hello():
    """The first message of a TLS client."""
    outgoing = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
    with contextlib.suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


class TlsTest(venue_process.VenueTest):
    OPTIONS = ("--kalshi", "127.0.0.1:0", "--tls")

    def setUp(self):
        super().setUp()
        self.certificate = os.path.join(self.venue.folder, "tls_certificate.pem")
        self.key = os.path.join(self.venue.folder, "tls_key.pem")
        self.clients = []

    def tearDown(self):
        self.close_clients()
        super().tearDown()

    def close_clients(self):
        """The venue waits for those that stay."""
        for client in self.clients:
            client.close()
        self.clients = []

    def end_well(self, how=signal.SIGTERM):
        self.close_clients()
        super().end_well(how)

    def kalshi(self):
        host, port = self.venue.report["kalshi"].rsplit(":", 1)
        return host, int(port)

    def connect(self):
        client = socket.create_connection(self.kalshi(), timeout=venue_process.PATIENCE_SECONDS)
        self.clients.append(client)
        return client

    def secure(self, context=None):
        context = context or context_of(self.certificate)
        client = context.wrap_socket(
            self.connect(), server_hostname="127.0.0.1", suppress_ragged_eofs=False
        )  # fmt: skip
        self.clients.append(client)
        return client

    def https(self):
        """A connection that is kept."""
        client = http.client.HTTPSConnection(
            *self.kalshi(), context=context_of(self.certificate), timeout=venue_process.PATIENCE_SECONDS
        )  # fmt: skip
        self.clients.append(client)
        return client

    def expect_served(self, client=None):
        client = client or self.https()
        client.request("GET", STATUS)
        with client.getresponse() as reply:
            self.assertEqual(reply.status, 200)
            self.assertIn("trading_active", json.load(reply))

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()


class CertificateTest(TlsTest):
    def test_a_client_that_trusts_its_own_certificate_is_served(self):
        self.serve(*self.OPTIONS)
        self.assertEqual(self.venue.report["certificate"], self.certificate)
        self.assertEqual(stat.S_IMODE(os.stat(self.key).st_mode), 0o600)
        self.assertNotIn(b"PRIVATE", self.read(self.certificate))
        self.expect_served()
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = context_of(self.certificate)
            context.minimum_version = context.maximum_version = version
            self.assertEqual(self.secure(context).version(), version.name.replace("_", "."))
        # Others refuse it, which it survives.
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.secure(ssl.create_default_context())
        self.expect_served()
        self.venue.client("desk-1")
        self.assertEqual(self.venue.admin("suspend", "1").returncode, 0)
        self.end_well()

    def test_the_next_start_uses_the_same_files(self):
        self.serve(*self.OPTIONS)
        before = self.read(self.certificate), self.read(self.key)
        context = context_of(self.certificate)
        self.end_well()
        self.venue.start(*self.OPTIONS)
        self.assertEqual((self.read(self.certificate), self.read(self.key)), before)
        self.secure(context)
        self.end_well()
        self.assertNotIn("warning", self.venue.errors())
        # Of a deleted certificate, the key stays.
        os.remove(self.certificate)
        self.venue.start(*self.OPTIONS)
        self.assertNotEqual(self.read(self.certificate), before[0])
        self.assertEqual(self.read(self.key), before[1])
        self.expect_served()
        self.end_well()

    def test_without_tls_there_are_no_files_and_no_tls(self):
        self.serve("--kalshi", "127.0.0.1:0")
        self.assertNotIn("certificate", self.venue.report)
        self.assertFalse(os.path.exists(self.certificate) or os.path.exists(self.key))
        with self.assertRaises(ssl.SSLError):
            self.secure(ssl.create_default_context())
        self.end_well()

    def test_what_it_prints_can_be_run(self):
        self.venue.create()
        process = venue_process.popen(
            [self.ticktape, "serve", self.venue.folder, "--text", "127.0.0.1:0", *self.OPTIONS]
        )
        lines = []
        while not lines or "pykalshi" not in lines[-1]:
            lines.append(process.stdout.readline())
            self.assertTrue(lines[-1], lines)
        text = "".join(lines)
        rest = re.search(r"^Kalshi's API:  (https://127\.0\.0\.1:\d+/trade-api/v2)$", text, re.M).group(1)
        self.assertIn(f"  WebSocket:   wss{rest[5:-3]}/ws/v2\n", text)
        self.assertIn(f"  certificate: {self.certificate}\n", text)
        curl = shlex.split(next(line for line in lines if "curl" in line).split("try:")[1])
        self.assertEqual(curl[:4], ["curl", "-s", "--cacert", self.certificate])
        with urllib.request.urlopen(
            curl[4], timeout=venue_process.PATIENCE_SECONDS, context=context_of(curl[3])
        ) as reply:
            self.assertEqual(len(json.load(reply)["markets"]), 1)
        python = shlex.split(lines[-1].split("&&")[1])
        self.assertEqual(python[0], f"SSL_CERT_FILE={self.certificate}")
        self.assertIn(f'api_base="{rest}"', python[-1])
        process.terminate()
        process.communicate()
        self.assertEqual(process.returncode, 0)

    def test_another_address_than_its_own_is_a_warning(self):
        self.serve(*self.OPTIONS)
        self.end_well()
        self.venue.start("--kalshi", "127.0.0.2:0", "--tls")
        self.end_well()
        self.assertIn(f"{self.certificate}: not for the address 127.0.0.2", self.venue.errors())
        os.remove(self.certificate)
        self.venue.start("--kalshi", "127.0.0.2:0", "--tls")
        self.expect_served()
        self.end_well()
        self.assertNotIn("warning", self.venue.errors())


class FilesTest(TlsTest):
    def name_files(self, certificate, key):
        self.venue.edit(lambda config: config["kalshi"].update(certificate=certificate, private_key=key))

    def expect_refused(self, code, *texts):
        refused = self.venue.start_fails(*self.OPTIONS)
        self.assertEqual(refused.returncode, code, refused.stderr)
        for text in texts:
            self.assertIn(text, refused.stderr)

    def test_those_of_the_venue_file(self):
        self.serve(*self.OPTIONS)
        self.end_well()
        os.makedirs(os.path.join(self.venue.folder, "given"))
        for path, name in ((self.certificate, "given/c.pem"), (self.key, "given/k.pem")):
            os.rename(path, os.path.join(self.venue.folder, name))
        self.name_files("given/c.pem", os.path.join(self.venue.folder, "given", "k.pem"))
        self.certificate = os.path.join(self.venue.folder, "given/c.pem")
        self.venue.start(*self.OPTIONS)
        self.assertEqual(self.venue.report["certificate"], self.certificate)
        self.expect_served()
        self.end_well()
        self.assertFalse(os.path.exists(self.key))

    def test_an_error_names_the_file_and_the_reason(self):
        self.serve(*self.OPTIONS)
        self.end_well()
        other = venue_process.Venue(self.ticktape, self.venue.folder + "-2")
        other.create()
        other.start(*self.OPTIONS)
        other.end()
        copy = os.path.join(self.scratch.name, "copy.pem")
        shutil.copy(os.path.join(other.folder, "tls_key.pem"), copy)
        self.name_files(self.certificate, copy)
        self.expect_refused(2, f"{copy}: the key of another certificate")
        self.name_files(self.certificate, self.certificate)
        os.chmod(self.certificate, 0o600)
        self.expect_refused(2, f"{self.certificate}: no private key, expected ")
        self.name_files(self.key, self.key)
        self.expect_refused(2, f"{self.key}: no certificate, expected ")
        self.name_files("none.pem", self.key)
        self.expect_refused(6, os.path.join(self.venue.folder, "none.pem"), "no such file")
        self.name_files(self.certificate, "none.pem")
        self.expect_refused(6, os.path.join(self.venue.folder, "none.pem"), "No such file")
        self.name_files(self.certificate, self.key)
        os.chmod(self.key, 0o640)
        self.expect_refused(6, self.key, "chmod 600")
        self.name_files(self.certificate, "")
        self.expect_refused(2, "kalshi.private_key: ")

    def test_an_own_certificate_without_its_key_is_an_error(self):
        self.serve(*self.OPTIONS)
        self.end_well()
        os.remove(self.key)
        self.expect_refused(6, self.key, "No such file")

    def test_tls_without_kalshis_api_is_a_usage_error(self):
        self.venue.create()
        refused = self.venue.start_fails("--tls")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--tls is for Kalshi's API", refused.stderr)
        self.assertIn("--kalshi PORT", refused.stderr)
        self.assertFalse(os.path.exists(self.certificate) or os.path.exists(self.venue.journal))


class ClientsTest(TlsTest):
    def test_a_plain_client_ends_and_disturbs_nothing(self):
        self.serve(*self.OPTIONS)
        kept = self.https()
        self.expect_served(kept)
        for request in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", bytes(1000), b"\x16\x03\x01\xff\xff" * 9000):
            client = self.connect()
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                client.sendall(request)
            self.assertNotIn(b"HTTP", end_of(client))
            self.expect_served(kept)
        self.end_well()

    def test_a_handshake_that_does_not_end_has_the_time_of_a_login(self):
        self.venue.create()
        self.venue.edit(lambda config: config["text"].update(login_seconds_max=2))
        self.venue.start(*self.OPTIONS)
        kept = self.https()
        self.expect_served(kept)
        started = time.monotonic()
        whole = hello()
        clients = [self.connect() for _ in range(4)]
        for client, part in zip(clients, (b"", whole[:1], whole[: len(whole) // 2], whole)):
            client.sendall(part)
        secure = self.secure()
        for client in clients:
            end_of(client)
            self.assertGreaterEqual(time.monotonic() - started, 1.5)
        # A handshake is no request.
        self.assertEqual(end_of(secure), b"")
        self.assertLess(time.monotonic() - started, venue_process.PATIENCE_SECONDS)
        self.expect_served(kept)
        self.end_well()

    def test_requests_without_a_pause_have_all_their_replies(self):
        self.serve(*self.OPTIONS)
        client = self.secure()
        request = f"GET {STATUS} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        count = 3000
        client.sendall(request * count)
        received = b""
        while received.count(b"trading_active") < count:
            piece = client.recv(65536)
            self.assertTrue(piece, received[-200:])
            received += piece
        self.assertEqual(received.count(b"HTTP/1.1 200"), count)
        self.end_well()

    def test_an_interrupt_ends_connections_by_tls(self):
        self.serve(*self.OPTIONS)
        client = self.secure()
        client.sendall(f"GET {STATUS} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.assertIn(b"200", client.recv(65536))
        half = self.connect()
        half.sendall(hello()[:20])
        self.venue.process.send_signal(signal.SIGTERM)
        # An end that is not announced would raise SSLEOFError.
        self.assertEqual(end_of(client), b"")
        self.close_clients()
        self.assertEqual(self.venue.wait(), 0, self.venue.errors())
        self.assertEqual(self.venue.verdict(), "CLEAN")


if __name__ == "__main__":
    venue_process.main()
