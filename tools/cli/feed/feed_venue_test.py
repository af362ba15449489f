#!/usr/bin/env python3
"""Receives the market data of `ticktape serve` with `ticktape feed` while clients of OUCH trade and the venue is killed.

Usage: feed_venue_test.py TICKTAPE

In the end each handler has the books of the venue's journal, of which `feed-load` prints a digest, and each client has
every message exactly once.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "serve", "testing"))
import mold_client  # pylint: disable=wrong-import-position
import ouch_client  # pylint: disable=wrong-import-position
import venue_process  # pylint: disable=wrong-import-position

PASSWORDS = {"ONE": "secret-one", "TWO": "secret-two"}


class Handler:
    """`ticktape feed`, at the lines of a venue."""

    def __init__(self, test, *options):
        words = [word for name, line in test.lines.items() for word in ("--line", f"{name}={line}@127.0.0.1")]
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [test.ticktape, "feed", *words, "--json", "--retransmission", test.requests, *options],
            stdout=subprocess.PIPE, stderr=self.errors, text=True,
        )  # fmt: skip
        test.addCleanup(self.kill)
        self.report = json.loads(self.process.stdout.readline())

    def wait_until_still(self, at_least):
        """Until three reports, of a second each, have the same messages: heartbeats show what is missing."""
        still = 0
        deadline = time.monotonic() + venue_process.PATIENCE_SECONDS
        while still < 3 or self.report["messages"] < at_least:
            before = self.report.get("messages")
            line = self.process.stdout.readline()
            assert line, self.error_text()
            self.report = json.loads(line)
            still = still + 1 if self.report["messages"] == before else 0
            assert time.monotonic() < deadline, self.report

    def finish(self):
        self.process.terminate()
        output, _ = self.process.communicate(timeout=venue_process.PATIENCE_SECONDS)
        assert self.process.returncode == 0, (self.process.returncode, output, self.error_text())
        return json.loads(output.splitlines()[-1])

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.errors.close()


class FeedVenueTest(venue_process.VenueTest):
    def setUp(self):
        super().setUp()
        self.venue.create()
        self.received = {"ONE": [], "TWO": []}
        self.sent = {"ONE": 0, "TWO": 0}

    def prepare(self, lines):
        self.lines = lines
        # Restarts have the same ones, as handlers know them.
        self.requests, self.snapshots = mold_client.free_address(), mold_client.free_address()

        def change(config):
            config["markets"][0]["definition"]["price_max"] = "9999.99"
            config["itch"] = {
                "lines": [{"address": line, "interface": "127.0.0.1"} for line in lines.values()],
                "retransmission": self.requests,
                "snapshots": self.snapshots,
            }
            config["ouch"] = {
                "listen": "127.0.0.1:0",
                "symbols": ["ACME"],
                "logins": [
                    {"user": user, "password": password, "firm": f"FRM{user[0]}", "account": account}
                    for account, (user, password) in enumerate(PASSWORDS.items(), 1)
                ],
            }

        self.venue.edit(change)

    def trade_of(self, user, batches, seed):
        """Goes on from the last message that the user has, until the venue ends or all is answered."""
        chance = random.Random(f"{user}{seed}")
        session = ouch_client.Session(self.venue.report["ouch"])
        try:
            assert session.login(user, PASSWORDS[user], number=len(self.received[user]) + 1) is True
            assert session.first_number == len(self.received[user]) + 1
            for _ in range(batches):
                batch = []
                for _ in range(chance.randrange(1, 30)):
                    self.sent[user] += 1
                    side = chance.choice((b"B", b"S"))
                    price = 100_000 + 100 * chance.randrange(-8, 9)
                    batch.append(ouch_client.enter(f"{self.sent[user]}", side, chance.randrange(1, 90), "ACME", price))
                    old = f"{chance.randrange(1, self.sent[user] + 1)}"
                    batch.append(ouch_client.cancel(old, chance.choice((0, 0, 5))))
                session.send(*batch)
                if session.read() is None:
                    break
        except OSError:
            pass
        self.received[user] += session.messages
        session.close()

    def trade(self, batches, seed, kill_after=None):
        traders = [threading.Thread(target=self.trade_of, args=(user, batches, seed)) for user in self.received]
        for trader in traders:
            trader.start()
        if kill_after is not None:
            time.sleep(kill_after)
            self.venue.process.send_signal(signal.SIGKILL)
        for trader in traders:
            trader.join()
        if kill_after is not None:
            self.venue.wait()

    def check_messages(self):
        """Each user's messages are those that are read from the first number on."""
        for user, messages in self.received.items():
            whole = ouch_client.Session(self.venue.report["ouch"])
            self.assertIs(whole.login(user, PASSWORDS[user], number=1), True)
            whole.read_to(len(messages))
            self.assertEqual(whole.messages[: len(messages)], messages)
            whole.close()

    def books_of_journal(self):
        sent = self.venue.run("feed-load", self.venue.journal, "--to", f"A={mold_client.free_address()}", "--json",
                              "--rate", "1M")  # fmt: skip
        self.assertEqual(sent.returncode, 0, sent.stderr)
        return json.loads(sent.stdout)

    def check(self, handler, books):
        report = handler.finish()
        for name in ("order_count", "level_count", "book_count", "books_digest"):
            self.assertEqual(report[name], books[name], name)
        self.assertEqual(report["lost"], 0)
        return report

    def test_a_venue_that_is_killed(self):
        port = mold_client.free_address().rsplit(":", 1)[1]
        self.prepare({"A": f"239.195.8.1:{port}", "B": f"239.195.8.2:{port}"})
        early = Handler(self)
        for life in range(3):
            self.venue.start("--ack", "written")
            self.trade(1_000, life, kill_after=0.6)
        self.venue.start("--ack", "written")
        late = Handler(self, "--snapshot", self.snapshots)
        self.trade(30, 7)
        early.wait_until_still(500)
        late.wait_until_still(1)
        self.check_messages()
        self.end_well()
        books = self.books_of_journal()
        self.assertGreater(books["order_count"], 10)
        self.assertEqual(self.check(early, books)["sessions"], 1)
        self.assertEqual(self.check(late, books)["snapshots"], 1)

    def test_a_venue_whose_journal_may_lose_its_end_has_another_session(self):
        self.prepare({"A": mold_client.free_address()})
        handler = Handler(self, "--snapshot", self.snapshots)
        self.venue.start("--ack", "none")
        self.trade(20, 1)
        handler.wait_until_still(100)
        self.end_well()
        self.received = {"ONE": [], "TWO": []}
        self.venue.start("--ack", "none")
        self.trade(20, 2)
        handler.wait_until_still(200)
        self.end_well()
        report = self.check(handler, self.books_of_journal())
        self.assertEqual(report["sessions"], 2)
        self.assertGreaterEqual(report["snapshots"], 1)


if __name__ == "__main__":
    venue_process.main()
