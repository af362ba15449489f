#!/usr/bin/env python3
"""What clients and disks do to `ticktape serve`: bytes, silence, no space.

Usage: serve_hostile_test.py TICKTAPE SHIM
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position
from venue_process import order_of  # pylint: disable=wrong-import-position


class BytesTest(venue_process.VenueTest):
    def assert_printable(self, lines):
        for line in lines:
            self.assertTrue(line.isascii() and line.isprintable(), repr(line))

    def test_control_bytes_come_back_escaped(self):
        self.serve()
        client = self.venue.client("desk-3")
        hostile = b"\x1b]0;title\x07\x9b2J\x00\x7f\xff\r\x0b"
        lines = [
            hostile, b"SUBMIT 1 " + hostile + b" SELL 1 1", b"SUBMIT " + hostile + b" ACME SELL 1 1",
            b"SUBMIT 1 ACME SELL 1 1 " + hostile, b"PRINT " + hostile, b"CANCEL " + hostile,
        ]  # fmt: skip
        client.send_bytes(b"".join(line + b"\n" for line in lines))
        replies = client.read_lines(len(lines))
        self.assert_printable(replies)
        for i, reply in enumerate(replies):
            self.assertTrue(reply.startswith(f"ERROR line {i + 1}: "), reply)
        self.assertTrue(any("\\033" in reply for reply in replies), replies)
        stranger = self.venue.connect()
        stranger.send_bytes(b"LOGIN " + hostile + b" " + hostile + b"\n")
        farewell = stranger.read_to_end()
        self.assertEqual(len(farewell), 1)
        self.assert_printable(farewell)
        self.end_well()

    def test_an_operators_control_bytes_come_back_escaped(self):
        self.serve()
        for text in ["note \x1b]0;title\x07", "suspend_account account=\x1b[31m7"]:
            refused = self.venue.admin("send", text)
            self.assertEqual(refused.returncode, 2)
            self.assert_printable((refused.stdout + refused.stderr).splitlines())
        self.end_well()

    def test_a_line_without_end_is_one_error(self):
        self.serve()
        client, other = self.venue.client("desk-3"), self.venue.client("desk-2")
        for _ in range(16):
            client.send_bytes(b"SUBMIT 1 ACME SELL 1 1 " * ((64 << 10) // 23))
        order_of(other.ask("SUBMIT 1 ACME SELL 10.00 5"))
        error = "ERROR line 1: expected at most 512 bytes, found more"
        self.assertEqual(client.ask(""), error)
        order_of(client.ask("SUBMIT 1 ACME SELL 10.00 5"))
        self.end_well()

    def test_a_login_without_end_is_an_error_and_the_end(self):
        self.serve()
        client = self.venue.connect()
        client.send_bytes(b"L" * 100_000)
        replies = client.read_to_end()
        self.assertEqual(replies, ["ERROR line 1: expected at most 512 bytes, found more"])
        self.end_well()


class CrowdTest(venue_process.VenueTest):
    def test_operators_have_places_of_their_own(self):
        self.venue.create()
        self.venue.edit(lambda config: config["text"].update(connections_max=2))
        self.venue.start()
        clients = [self.venue.client("desk-3") for _ in range(2)]
        self.assertEqual(self.venue.connect().read_to_end(), [])
        self.assertEqual(self.venue.admin("suspend", "2").returncode, 0)
        self.assertEqual(clients[0].ask("SUBMIT 1 ACME SELL 1 1"), "REJECT 1 account_suspended")
        self.end_well()

    def test_who_reads_nothing_delays_neither_others_nor_the_end(self):
        self.serve()
        deaf = self.venue.client("desk-3")
        deaf.socket.settimeout(1)
        try:
            while True:  # Its replies fill all buffers on the way, then it is read no more.
                deaf.send_bytes(b"PRINT\n" * 2000)
        except TimeoutError:
            pass
        other = self.venue.client("desk-2")
        order_of(other.ask("SUBMIT 1 ACME SELL 10.00 1"))
        self.venue.process.terminate()
        self.assertEqual(self.venue.process.wait(venue_process.PATIENCE_SECONDS), 0)
        self.assertEqual(self.venue.verdict(), "CLEAN")


class SilenceTest(venue_process.VenueTest):
    def test_who_does_not_log_in_ends_while_others_trade(self):
        self.venue.create()
        self.venue.edit(lambda config: config["text"].update(login_seconds_max=2))
        self.venue.start()
        trader = self.venue.client("desk-3")
        begun = time.monotonic()
        silent = [self.venue.connect() for _ in range(200)]
        for client in silent[::2]:
            client.send_bytes(b"LOGIN desk-1 ")
        traded = 0
        while time.monotonic() - begun < 4:
            traded += 1
            order_of(trader.ask(f"SUBMIT {traded} ACME SELL 10.00 1"))
        for client in silent:
            client.socket.setblocking(False)
            self.assertEqual(client.read_to_end(), [])
        self.assertGreater(traded, 20)
        order_of(trader.ask(f"SUBMIT {traded + 1} ACME SELL 10.00 1"))
        self.end_well()


class DiskTest(venue_process.VenueTest):
    shim = None
    STORAGE = ("--segment", "5MiB", "--reserve", "5MiB", "--compress", "none")

    def shim_settings(self, **settings):
        # Where this is a sanitizer's build: the shim comes before its library.
        environment = {
            "LD_PRELOAD": self.shim,
            "FAILING_CALLS_UNDER": self.venue.journal,
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0",
        }
        environment.update({f"FAILING_CALLS_{key}": value for key, value in settings.items()})
        return environment

    def calls_of_a_start(self):
        """How many calls a start makes on the journal's files, and the end of the venue."""
        report = os.path.join(self.scratch.name, "calls")
        self.serve(*self.STORAGE, environment=self.shim_settings(REPORT=report))
        self.end_well()
        with open(report, encoding="utf-8") as file:
            calls = file.read().split()
        self.assertIn("pwritev", calls)
        return len(calls)

    def serve_on_a_disk_that_fails(self, how, times, *options):
        first = self.calls_of_a_start()
        self.venue = venue_process.Venue(self.ticktape, self.venue.folder + "-fails")
        fails = self.shim_settings(HOW=how, FIRST=str(first), TIMES=str(times))
        self.serve(*self.STORAGE, *options, environment=fails)

    def serve_on_a_disk_that_gets_full(self):
        self.serve_on_a_disk_that_fails("full", 1_000_000)

    def test_a_call_that_fails_ends_the_venue(self):
        self.serve_on_a_disk_that_fails("eio", 1_000_000, "--ack", "disk")
        client = self.venue.client("desk-3")
        acked = {}
        for i in range(1, 1000):
            reply = client.ask(f"SUBMIT {i} ACME SELL 10.00 1")
            if reply is None:
                break
            acked[i] = order_of(reply)
        self.assertEqual(self.venue.wait(), 6)
        self.assertIn(self.venue.journal, self.venue.errors())
        self.assertIn("Input/output error", self.venue.errors())
        self.assertIn(self.venue.verdict(), ("CLEAN", "TORN"))
        records = self.venue.records("sequence", "kind", "client_order_id")
        there = {int(client_id): int(at) for at, kind, client_id in records if kind == "new_order"}
        self.assertLessEqual(acked.items(), there.items())
        self.venue.start(*self.STORAGE)
        client = self.venue.client("desk-3")
        order_of(client.ask("SUBMIT 1000000 ACME SELL 10.00 1"))
        self.end_well()

    def ask_until_full(self, client, line):
        """`line` has a place for the number of the attempt, which is returned."""
        for attempt in range(1, 200_000):
            if client.ask(line.format(attempt)).endswith(" disk_full"):
                return attempt
        raise AssertionError("the disk is never full")

    def test_orders_are_refused_and_cancels_pass(self):
        self.serve_on_a_disk_that_gets_full()
        client = self.venue.client("desk-3")
        resting = self.ask_until_full(client, "SUBMIT {} ACME SELL 10.00 1")
        self.assertEqual(client.ask("CANCEL 1"), "CANCELLED 1 1 requested")
        for i in range(2, min(resting, 500)):
            self.assertEqual(client.ask(f"CANCEL {i}"), f"CANCELLED {i} 1 requested")
            refused = client.ask(f"SUBMIT {resting + i} ACME SELL 10.00 1")
            self.assertEqual(refused, f"REJECT {resting + i} disk_full")
        self.assertEqual(self.venue.admin("cancel-all", "2").returncode, 0)
        refused = self.venue.admin("send", "open_account account=3")
        self.assertEqual(refused.returncode, 1)
        self.assertEqual(refused.stdout, "REFUSED disk_full\n")
        self.end_without_space("desk-3")

    def test_ends_also_when_no_cancel_passes(self):
        self.serve_on_a_disk_that_gets_full()
        client = self.venue.client("desk-1")  # Its end cancels.
        self.ask_until_full(client, "SUBMIT {} ACME SELL 10.00 1")
        self.ask_until_full(client, "CANCEL 1")  # It uses the reserve up.
        client.close()
        time.sleep(0.1)
        before = self.processor_seconds()
        time.sleep(0.5)
        self.assertLess(self.processor_seconds() - before, 0.2)
        self.end_without_space("desk-2")

    def processor_seconds(self):
        with open(f"/proc/{self.venue.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end_without_space(self, name):
        """The journal cannot be sealed: that is an error, and the next start goes on with it."""
        self.assertEqual(self.venue.end(), 6)
        self.assertIn(self.venue.journal, self.venue.errors())
        self.assertIn("No space left on device", self.venue.errors())
        self.assertIn(self.venue.verdict(), ("CLEAN", "TORN"))
        self.venue.start(*self.STORAGE)
        client = self.venue.client(name)
        self.assertEqual(client.ask("SUBMIT 1 ACME SELL 10.00 1"), "REJECT 1 duplicate_id")
        order_of(client.ask("SUBMIT 9000000 ACME SELL 10.00 1"))
        self.end_well()


if __name__ == "__main__":
    DiskTest.shim = os.path.abspath(sys.argv.pop(2))
    venue_process.main()
