#!/usr/bin/env python3
"""Sends the feeds of journals with `ticktape feed-load` to `ticktape feed`, over networks that lose,
repeat and reorder packets.

Usage: feed_test.py TICKTAPE

After each run the receiver has the books of the journal: both programs print a digest of them.
"""

import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PATIENCE_SECONDS = 60  # For a loaded machine; otherwise the wait ends immediately.
DIFFERENT, USAGE, IO = 1, 2, 6  # Exit codes.

TICKTAPE = None


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def address(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


def mold(session, sequence, messages, count=None):
    """A packet of MoldUDP64."""
    header = session.ljust(10).encode() + struct.pack(">QH", sequence, len(messages) if count is None else count)
    return header + b"".join(struct.pack(">H", len(message)) + message for message in messages)


def add_order(reference, price=1000):
    """An ITCH message: an order rests."""
    return struct.pack(">cHH6sQcI8sI", b"A", 1, 0, b"\0" * 6, reference, b"B", 5, b"AAPL    ", price)


class Feed:
    """A handler that runs."""

    def __init__(self, *options, lines=("A", "B"), ports=None):
        words = [word for line in lines for word in ("--line", f"{line}={(ports or {}).get(line, '127.0.0.1:0')}")]
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [TICKTAPE, "feed", *words, "--json", *options], stdout=subprocess.PIPE, stderr=self.errors, text=True
        )
        first = self.process.stdout.readline()
        assert first, self.error_text()
        self.lines = dict(zip(lines, json.loads(first)["lines"]))

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read()

    def targets(self):
        return [word for name, line in self.lines.items() for word in ("--to", f"{name}={line}")]

    def finish(self, code=0):
        """The last report."""
        output, _ = self.process.communicate(timeout=PATIENCE_SECONDS)
        assert self.process.returncode == code, (self.process.returncode, output[-2000:], self.error_text())
        reports = [json.loads(line) for line in output.splitlines()]
        assert [report["final"] for report in reports] == [False] * (len(reports) - 1) + [True]
        return reports[-1]

    def stop(self, code=0):
        self.process.terminate()
        return self.finish(code)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.errors.close()


def run(*words, code=0):
    done = subprocess.run([TICKTAPE, *words], capture_output=True, text=True, timeout=10 * PATIENCE_SECONDS, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


class FeedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.journal = os.path.join(cls.scratch.name, "run.tape")
        run("record", "--from", "workload", "--commands", "20000", "--markets", "20", "-o", cls.journal, "-q")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def start(self, *options, **settings):
        feed = Feed(*options, **settings)
        self.addCleanup(feed.kill)
        return feed

    def load(self, feed, *options):
        return json.loads(run("feed-load", self.journal, *feed.targets(), "--json", *options).stdout)

    def assert_same_books(self, received, sent):
        self.assertGreater(sent["order_count"], 0)
        self.assertGreater(sent["messages"], 10_000)
        for name in ("messages", "order_count", "level_count", "book_count", "books_digest"):
            self.assertEqual(received[name], sent[name], name)
        self.assertEqual(received["lost"], 0)
        books = dict(received["books"])
        self.assertGreater(books.pop("applied"), 0)
        self.assertEqual(set(books.values()), {0})

    def check(self, *faults, feed_options=(), lines=("A", "B"), rate="50k"):
        retransmission = free_port()
        feed = self.start("--until-end", "--retransmission", retransmission, *feed_options, lines=lines)
        sent = self.load(feed, "--rate", rate, "--linger", "3s", "--retransmission", retransmission, *faults)
        received = feed.finish()
        self.assertEqual(received["state"], "ended")
        self.assert_same_books(received, sent)
        return received, sent

    def test_two_lines_without_faults(self):
        received, sent = self.check()
        self.assertEqual(received["session"], sent["session"])
        for stage in ("decode", "book", "total"):
            latency = received["latency_nanos"][stage]
            self.assertGreater(latency["count"], 0)
            self.assertLess(latency["count"], received["updates"])
            self.assertLessEqual(latency["p50"], latency["p99"])
            self.assertLessEqual(latency["p999"], latency["max"])

    def test_loss_on_both_lines(self):
        received, sent = self.check("--loss", "0.01", "--seed", "3", "--packet", "200")
        self.assertGreater(received["gaps"], 0)
        self.assertTrue(all(line["lost"] > 0 for line in sent["lines"]))

    def test_much_loss_of_one_line(self):
        received, sent = self.check("--loss", "0.2", "--seed", "4", lines=("A",))
        self.assertGreater(received["requests"], 0)
        self.assertGreater(sent["requests_answered"], 0)

    def test_a_lost_line(self):
        """Nothing arrives on B."""
        feed = self.start("--until-end")
        target = feed.lines.pop("B")
        sent = self.load(feed, "--rate", "50k")
        self.assertTrue(target)
        received = feed.finish()
        self.assertEqual(received["packets_b"], 0)
        self.assert_same_books(received, sent)

    def test_duplicates_and_reordering(self):
        self.check("--duplicate", "0.3", "--reorder", "0.2", "--packet", "200")

    def test_the_book_is_that_of_the_journal(self):
        """Also by another way than the feed: the engine's own book."""
        market = json.loads(run("inspect", self.journal, "@-1", "--json", "--depth", "5").stdout)
        received, _ = self.check(feed_options=("--book", market["market"]))
        book = received["book"]
        self.assertEqual(book["symbol"], market["market"])
        names = ("price", "quantity", "orders")
        for side in ("bids", "asks"):
            self.assertEqual(len(book[side]), 5)
            self.assertEqual(
                [[level[name] for name in names] for level in book[side]],
                [[level["price"], level["quantity_units"], level["orders"]] for level in market[side]],
            )

    def test_what_is_not_sent_again_is_lost(self):
        feed = self.start("--until-end", lines=("A",))
        self.load(feed, "--loss", "0.05", "--packet", "200")
        received = feed.finish(DIFFERENT)
        self.assertGreater(received["lost"], 0)
        self.assertGreater(received["books"]["unknown_references"], 0)

    def test_hostile_datagrams_in_between(self):
        retransmission = free_port()
        feed = self.start("--until-end", "--retransmission", retransmission)
        loading = subprocess.Popen(
            [TICKTAPE, "feed-load", self.journal, *feed.targets(), "--json", "--rate", "20k", "--loss", "0.01",
             "--linger", "3s", "--retransmission", retransmission],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        numbers = random.Random(1)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hostile:
            while loading.poll() is None and feed.process.poll() is None:
                for line in feed.lines.values():
                    size = numbers.choice([0, 1, 19, 20, 21, 100, 1500, 65507])
                    hostile.sendto(numbers.randbytes(size), address(line))
                    hostile.sendto(mold("", 0, [], numbers.randrange(1, 0xFFFF)), address(line))
                    hostile.sendto(mold("X", 1, [add_order(1)])[:-1], address(line))
                    # To the server, too.
                    hostile.sendto(numbers.randbytes(size), address(retransmission))
                time.sleep(0.001)
        output, _ = loading.communicate(timeout=PATIENCE_SECONDS)
        received = feed.finish()
        self.assertGreater(received["malformed_packets"], 100)
        self.assert_same_books(received, json.loads(output))

    def test_hostile_messages_in_packets(self):
        feed = self.start(lines=("A",))
        target = address(feed.lines["A"])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            bad_side = add_order(3)[:19] + b"X" + add_order(3)[20:]
            messages = [add_order(1), b"", b"A", b"A" * 2000, bad_side, b"\xff", add_order(2)]
            sender.sendto(mold("ONE", 1, messages), target)
            self.wait_for(feed, lambda report: report["orders"] == 2)
        self.assertEqual(feed.stop()["malformed_messages"], 3)

    def wait_for(self, feed, condition):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            report = json.loads(feed.process.stdout.readline())
            if condition(report):
                return report
            self.assertLess(time.monotonic(), deadline, report)

    def test_a_sequence_that_wraps_begins_with_empty_books(self):
        feed = self.start(lines=("A",))
        target = address(feed.lines["A"])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(mold("ONE", 1_000_000, [add_order(1), add_order(2), add_order(3)]), target)
            self.wait_for(feed, lambda report: report["orders"] == 3)
            sender.sendto(mold("ONE", 1, [add_order(7)]), target)
            self.wait_for(feed, lambda report: report["orders"] == 1)
            # Another name, too.
            sender.sendto(mold("TWO", 1, [add_order(7), add_order(8)]), target)
            self.wait_for(feed, lambda report: report["orders"] == 2)
            # As far as numbers go: all before it is lost.
            sender.sendto(mold("TWO", 2**64 - 2, [add_order(9)]), target)
            self.wait_for(feed, lambda report: report["orders"] == 3)
        received = feed.stop(DIFFERENT)
        self.assertEqual(received["sessions"], 3)

    def test_a_late_joiner_begins_with_a_snapshot(self):
        retransmission, snapshot, port = free_port(), free_port(), free_port()
        loading = subprocess.Popen(
            [TICKTAPE, "feed-load", self.journal, "--to", f"A={port}", "--json", "--rate", "5k", "--linger", "5s",
             "--retransmission", retransmission, "--snapshot", snapshot, "--loss", "0.05"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(loading.kill)
        time.sleep(1)
        feed = self.start("--until-end", "--retransmission", retransmission, "--snapshot", snapshot, "--user", "ME",
                          lines=("A",), ports={"A": port})  # fmt: skip
        output, _ = loading.communicate(timeout=PATIENCE_SECONDS)
        sent = json.loads(output)
        received = feed.finish()
        self.assertGreaterEqual(sent["snapshots"], 1)
        self.assertEqual(received["snapshots"], 1)
        self.assertLess(received["messages"], sent["messages"])
        for name in ("order_count", "level_count", "book_count", "books_digest"):
            self.assertEqual(received[name], sent[name], name)

    def test_a_slow_reader_asks_for_what_the_system_dropped(self):
        retransmission = free_port()
        feed = self.start("--until-end", "--retransmission", retransmission, "--buffer", "8K", lines=("A",))
        loading = subprocess.Popen(
            [TICKTAPE, "feed-load", self.journal, *feed.targets(), "--json", "--rate", "20k", "--linger", "5s",
             "--retransmission", retransmission],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(0.3)
        for _ in range(2):
            feed.process.send_signal(signal.SIGSTOP)
            time.sleep(0.2)
            feed.process.send_signal(signal.SIGCONT)
            time.sleep(0.05)
        output, _ = loading.communicate(timeout=PATIENCE_SECONDS)
        received = feed.finish()
        self.assertGreater(received["dropped_by_system"], 0)
        self.assertGreater(received["requests"], 0)
        self.assert_same_books(received, json.loads(output))

    def test_add_cancel(self):
        feed = self.start("--format", "add-cancel", "--book", "MINE", lines=("A",))
        words = ["feed-load", self.journal, *feed.targets(), "--format", "add-cancel"]
        refused = run(*words, code=USAGE)
        symbol = refused.stderr.split("one of: ")[1].split(",")[0]
        sent = json.loads(run(*words, "--book", symbol, "--json", "--rate", "20k").stdout)
        self.wait_for(feed, lambda report: report["updates"] >= sent["messages"])
        received = feed.stop()
        self.assertEqual(received["datagrams"], sent["messages"])
        for name in ("order_count", "level_count", "books_digest"):
            self.assertEqual(received[name], sent[name])
        self.assertTrue(received["book"]["bids"] or received["book"]["asks"])

    def test_a_recording_is_a_journal(self):
        path = os.path.join(self.scratch.name, "received.tape")
        retransmission = free_port()
        feed = self.start("--until-end", "--retransmission", retransmission, "--record", path, "--date", "2026-01-01",
                          "--zone", "America/New_York")
        sent = self.load(feed, "--loss", "0.02", "--packet", "300", "--linger", "3s", "--retransmission", retransmission)
        received = feed.finish()
        self.assert_same_books(received, sent)
        self.assertEqual(received["recording"]["live_orders"], sent["order_count"])
        run("verify", path, "--replay")
        self.assertGreater(len(run("cat", path).stdout.splitlines()), 10_000)
        # The same as an import of the same messages.
        frames = os.path.join(self.scratch.name, "frames.itch")
        run("export", self.journal, "--to", "itch", "-o", frames)
        imported = os.path.join(self.scratch.name, "imported.tape")
        run("record", "--from", "itch", "--mode", "mirror", "--date", "2026-01-01", frames, "-o", imported)
        run("diff", path, imported)
        # Its own feed is that feed.
        again = self.start("--until-end", lines=("A",))
        report = json.loads(run("feed-load", path, *again.targets(), "--json").stdout)
        self.assertEqual(report["order_count"], sent["order_count"])
        self.assert_same_books(again.finish(), report)

    def test_a_line_that_is_taken_leaves_no_journal(self):
        path = os.path.join(self.scratch.name, "none.tape")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            line = f"A=127.0.0.1:{other.getsockname()[1]}"
            self.assertIn("in use", run("feed", "--line", line, "--record", path, code=IO).stderr)
        self.assertFalse(os.path.exists(path))

    def test_an_add_cancel_recording_is_a_journal(self):
        path = os.path.join(self.scratch.name, "book.tape")
        feed = self.start("--format", "add-cancel", "--record", path, lines=("A",))
        words = ["feed-load", self.journal, *feed.targets(), "--format", "add-cancel"]
        symbol = run(*words, code=USAGE).stderr.split("one of: ")[1].split(",")[0]
        sent = json.loads(run(*words, "--book", symbol, "--json", "--rate", "20k").stdout)
        self.wait_for(feed, lambda report: report["updates"] >= sent["messages"])
        received = feed.stop()
        self.assertEqual(received["recording"]["live_orders"], sent["order_count"])
        run("verify", path, "--replay")
        self.assertIn("BOOK", run("cat", path, "@1").stdout)

    def test_refusals(self):
        journal = self.journal
        for words, message in [
            (["feed"], "--line is required"),
            (["feed", "--line", "B=127.0.0.1:1"], "no line A"),
            (["feed", "--line", "A=127.0.0.1:0", "--line", "B=127.0.0.1:0", "--format", "add-cancel"], "expected 1"),
            (["feed", "--line", "A=127.0.0.1:0", "--format", "add-cancel", "--until-end"], "no numbers"),
            (["feed", "--line", "A=127.0.0.1:0", "--user", "ME"], "of --snapshot"),
            (["feed", "--line", "A=127.0.0.1:0", "--snapshot", "127.0.0.1:1", "--user", "TOOLONG"], "at most 6"),
            (["feed", "--line", "A=127.0.0.1:0", "--cores", "0"], "--cores"),
            (["feed", "--line", "A=127.0.0.1:0", "--cores", "0,9999"], "--cores"),
            (["feed-load", journal, "--to", "A=127.0.0.1:1", "--loss", "2"], "--loss"),
            (["feed-load", journal, "--to", "A=127.0.0.1:1", "--book", "X"], "add-cancel only"),
            (["feed-load", journal, "--to", "A=127.0.0.1:1", "--to", "B=127.0.0.1:2", "--format", "add-cancel"],
             "no numbers"),
        ]:  # fmt: skip
            self.assertIn(message, run(*words, code=USAGE).stderr, words)

    def test_the_same_seed_has_the_same_faults(self):
        def lines(seed):
            return json.loads(
                run("feed-load", self.journal, "--to", f"A={free_port()}", "--rate", "0", "--linger", "0s", "--loss",
                    "0.1", "--duplicate", "0.1", "--reorder", "0.1", "--seed", seed, "--packet", "300",
                    "--json").stdout
            )["lines"][0]  # fmt: skip

        names = ("packets", "lost", "repeated", "overtaken")
        first, again, other = [tuple(lines(seed)[name] for name in names) for seed in ("1", "1", "2")]
        self.assertEqual(first[1:], again[1:])
        self.assertNotEqual(first[1:], other[1:])


if __name__ == "__main__":
    TICKTAPE = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
