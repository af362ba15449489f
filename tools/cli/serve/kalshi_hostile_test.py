#!/usr/bin/env python3
"""What thousands of hostile connections do to Kalshi's API of `ticktape serve`: nothing to others.

Usage: kalshi_hostile_test.py TICKTAPE
"""

import http.client
import os
import resource
import select
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position
from venue_process import order_of  # pylint: disable=wrong-import-position

SILENT = 10_000
OWN_FILES = 200  # Of the test, besides the connections.
MEMORY_MAX = 1 << 30
PATIENCE_SECONDS = venue_process.PATIENCE_SECONDS
HALF_A_REQUEST = b"POST /trade-api/v2/portfolio/events/orders HTTP/1.1\r\nHost: venue\r\nContent-"
LONG_REQUEST = (
    b"POST /trade-api/v2/portfolio/events/orders HTTP/1.1\r\nHost: venue\r\n"
    b"Content-Length: 1048576\r\n\r\n" + b" " * 1000
)


def connections_allowed(wanted):
    """Raises the limit of open files as far as this user may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + OWN_FILES
    if hard != resource.RLIM_INFINITY and hard < needed:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (needed, needed))
            return wanted
        except (ValueError, OSError):
            needed = hard
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    return min(wanted, needed - OWN_FILES)


class CrowdTest(venue_process.VenueTest):
    def serve_kalshi(self, login_seconds_max):
        def change(config):
            config["text"].update(connections_max=10, login_seconds_max=login_seconds_max)
            config["kalshi"]["connections_max"] = SILENT + 10

        self.venue.create()
        self.venue.edit(change)
        self.venue.start("--kalshi", "127.0.0.1:0")
        self.trader = self.venue.client("desk-3")
        self.reader = http.client.HTTPConnection(self.venue.report["kalshi"], timeout=PATIENCE_SECONDS)
        self.addCleanup(self.reader.close)
        self.orders = 0

    def connect(self):
        host, port = self.venue.report["kalshi"].rsplit(":", 1)
        connection = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        return connection

    def assert_served(self):
        """An order of the text protocol, and a request on a connection that lasts."""
        self.orders += 1
        order_of(self.trader.ask(f"SUBMIT {self.orders} ACME SELL 10.00 1"))
        self.reader.request("GET", "/trade-api/v2/markets?limit=10")
        answer = self.reader.getresponse()
        self.assertEqual(answer.status, 200)
        self.assertIn(b'"markets":[{', answer.read())

    def memory_peak(self):
        with open(f"/proc/{self.venue.process.pid}/status", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        return int(fields["VmHWM"].split()[0]) << 10

    def assert_all_end(self, connections):
        """Each is ended by the venue, which has sent nothing."""
        poll = select.poll()
        waiting = {connection.fileno(): connection for connection in connections}
        for descriptor in waiting:
            poll.register(descriptor, select.POLLIN)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while waiting and time.monotonic() < deadline:
            for descriptor, _ in poll.poll(100):
                self.assertEqual(waiting.pop(descriptor).recv(1), b"")
                poll.unregister(descriptor)
            self.assert_served()
        self.assertEqual(len(waiting), 0)

    def test_who_is_silent_ends_while_others_are_served(self):
        self.serve_kalshi(login_seconds_max=10)
        silent = []
        for i in range(connections_allowed(SILENT)):
            silent.append(self.connect())
            if i % 2 == 0:
                silent[-1].sendall(HALF_A_REQUEST)
            if i % 100 == 0:
                self.assert_served()
        for _ in range(20):
            self.assert_served()
        self.assert_all_end(silent)
        self.assertLess(self.memory_peak(), MEMORY_MAX)
        self.end_well()

    def test_long_bodies_are_not_kept_without_a_key(self):
        self.serve_kalshi(login_seconds_max=PATIENCE_SECONDS)
        hostile = [self.connect() for _ in range(500)]
        for connection in hostile:
            connection.sendall(LONG_REQUEST)
        for connection in hostile:
            answer = b""
            while piece := connection.recv(1 << 16):
                answer += piece
            self.assertTrue(answer.startswith(b"HTTP/1.1 401 "), answer)
        self.assert_served()
        self.end_well()


if __name__ == "__main__":
    venue_process.main()
