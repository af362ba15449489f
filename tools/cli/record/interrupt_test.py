#!/usr/bin/env python3
"""Interrupts `ticktape record` while it reads each kind of source, and looks at the journal that it leaves; kills it, and
seals the journal.

Usage: interrupt_test.py TICKTAPE SESSION

SESSION is a session of ITCH.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PATIENCE_SECONDS = 120  # For a loaded machine; otherwise a wait ends immediately.
ENDLESS = ["--from", "workload", "--commands", "1000000000"]

LINES = (
    b"SUBMIT 1 AAPL BUY 10.00 5\nSUBMIT 2 AAPL BUY 10.00 5 GTT=2200-01-01T00:00:00Z\n"
    b"SUBMIT 3 AAPL BUY 10.00 5"  # Its line goes on: the quantity is not known yet.
)


def capture():
    """Frames of Kalshi's WebSocket, the last one cut off."""
    snapshot = {"market_ticker": "KX-THERE", "market_id": "a", "yes_dollars_fp": [["0.4000", "10.00"]],
                "no_dollars_fp": [["0.5500", "7.00"]], "ts_ms": 1_781_159_489_957}  # fmt: skip
    delta = {"market_ticker": "KX-THERE", "market_id": "a", "price_dollars": "0.6000", "delta_fp": "3.50",
             "side": "no", "ts_ms": 1_781_159_489_958}  # fmt: skip
    frames = [{"type": "orderbook_snapshot", "sid": 1, "seq": 1, "msg": snapshot},
              {"type": "orderbook_delta", "sid": 1, "seq": 2, "msg": delta},
              {"type": "orderbook_delta", "sid": 1, "seq": 3, "msg": delta}]  # fmt: skip
    return "\n".join(json.dumps(frame) for frame in frames)[:-20].encode()


def take_signals():
    """A parent that ignores a signal, as a shell does for its jobs, does not decide."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class InterruptTest(unittest.TestCase):
    ticktape = session = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.journal = os.path.join(folder.name, "journal")

    def run_verb(self, *words, expected=0):
        done = subprocess.run([self.ticktape, *words], capture_output=True, check=False)
        self.assertEqual(done.returncode, expected, done)
        return done.stdout

    def report_of(self, *words):
        return json.loads(self.run_verb(*words, "--json"))

    def start(self, words, text=b""):
        process = subprocess.Popen(
            [self.ticktape, "record", *words, "-o", self.journal, "--json"], preexec_fn=take_signals,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        process.stdin.write(text)
        process.stdin.flush()
        self.await_records()
        return process

    def await_records(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not any(self.has_records(path) for path in (self.journal, self.journal + ".partial")):
            self.assertLess(time.monotonic(), deadline, "no record")
            time.sleep(0.02)

    def has_records(self, path):
        done = subprocess.run([self.ticktape, "info", path, "--json"], capture_output=True, check=False)
        return done.returncode == 0 and json.loads(done.stdout)["records"] > 0

    def interrupt(self, words, text=b"", number=signal.SIGINT):
        """Returns the report of a recording that was interrupted, with standard input still open."""
        process = self.start(words, text)
        process.send_signal(number)
        output, error = process.stdout.read(), process.stderr.read()
        self.assertEqual(process.wait(PATIENCE_SECONDS), 130, (output, error))
        report = json.loads(output)
        self.assertTrue(report["interrupted"], report)
        self.check_sealed(report["last_sequence"])
        return report

    def check_sealed(self, last_sequence):
        info = self.report_of("info", self.journal)
        self.assertTrue(info["sealed"], info)
        self.assertEqual(info["last_sequence"], last_sequence)
        verified = self.report_of("verify", "--replay", self.journal)
        self.assertEqual(verified["verdict"], "CLEAN", verified)
        self.assertIs(verified["replay"]["equal"], True, verified)
        # One at each multiple of 4096, and one after the last command.
        replay = verified["replay"]
        self.assertEqual(replay["checkpoints_compared"], -(-last_sequence // 4096), verified)
        self.assertEqual(replay["state_digests_compared"], replay["checkpoints_compared"], verified)

    def test_workload(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                self.interrupt(ENDLESS, number=number)
                self.journal += "-2"

    def test_text_that_waits_for_its_next_line(self):
        for threads in "12":
            with self.subTest(threads=threads):
                report = self.interrupt(["--from", "text", "--threads", threads], LINES)
                self.assertEqual(report["commands"], 3, "a definition and two orders")
                self.assertEqual(report["live_orders"], 2)
                self.journal += "-2"

    def test_itch(self):
        with open(self.session, "rb") as file:
            part = file.read(200_000)
        report = self.interrupt(["--from", "itch", "-", "--date", "2019-07-30"], part)
        self.assertGreater(report["commands"], 1000)

    def test_capture(self):
        self.interrupt(["--from", "kalshi-capture", "-"], capture())

    def test_lobster(self):
        messages = b"34200.004241176,1,16113575,18,5853300,1\n34200.025551909,1,16113584,18,5853200,1\n"
        options = ["--symbol", "AAPL", "--date", "2012-06-21"]
        report = self.interrupt(["--from", "lobster", "-", *options], messages + messages[:20])
        self.assertEqual(report["live_orders"], 2)

    def test_table(self):
        source = self.journal + "-source"
        self.run_verb("record", "--from", "workload", "--commands", "3000", "-o", source)
        table = self.run_verb("export", source)
        report = self.interrupt(["--from", "csv", "-"], table[:-10])
        exported = self.run_verb("export", self.journal)
        self.assertEqual(table[: len(exported)], exported)
        self.assertEqual(exported.count(b"\n"), report["commands"] + 1)
        self.assertLess(report["commands"], table.count(b"\n") - 1)

    def test_seal_after_a_kill(self):
        process = self.start(ENDLESS)
        refused = json.loads(self.run_verb("seal", self.journal, "--json", expected=6))
        self.assertIn("another", refused["error"]["message"])
        process.kill()
        process.wait(PATIENCE_SECONDS)
        sealed = self.report_of("seal", self.journal)
        self.assertFalse(sealed["was_sealed"])
        self.check_sealed(sealed["last_sequence"])
        again = self.report_of("seal", self.journal)
        self.assertTrue(again["was_sealed"])
        self.assertEqual(again["last_sequence"], sealed["last_sequence"])


if __name__ == "__main__":
    InterruptTest.ticktape, InterruptTest.session = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
