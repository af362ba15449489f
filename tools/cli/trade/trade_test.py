#!/usr/bin/env python3
"""Runs `ticktape trade` against `ticktape serve --demo`, with faults of the venue.

Usage: trade_test.py TICKTAPE

After each run no order rests at the venue, the run's positions are the venue's, and a replay of the
run gives the same decisions.
"""

import base64
import json
import os
import ssl
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "serve", "testing"))
import venue_process  # pylint: disable=wrong-import-position

DIFFERENT, USAGE, IO = 1, 2, 6  # Exit codes.
SKEW_MS = 3_600_000


class TradeTest(venue_process.VenueTest):
    def setUp(self):
        super().setUp()
        self.process = None
        self.trading = None
        self.errors_file = None
        self.measured = []
        self.serve_demo()
        self.tickers = [market["ticker"] for market in self.get("/markets?limit=100")["markets"]][:2]
        key = next(key for key in self.venue.config()["kalshi"]["keys"] if self.file_of(key) is not None)
        self.key_id, self.account = key["id"], key["account"]
        self.venue_options = ["--venue", self.url, "--key-id", self.key_id, "--key", self.file_of(key)]
        self.run_path = os.path.join(self.scratch.name, "run.tape")

    def serve_demo(self, *options):
        """A venue with agents that trade; it goes on where it was."""
        self.process = venue_process.popen(
            [self.ticktape, "serve", "--demo", self.venue.folder, "--json", "--text", "0", "--kalshi", "0", "--sim"]
            + list(options)
        )
        report = json.loads(self.process.stdout.readline())
        self.is_tls = "--tls" in options
        self.certificate = report.get("certificate")
        self.url = f"http{'s' if self.is_tls else ''}://{report['kalshi']}"

    def end_demo(self):
        self.process.terminate()
        self.process.communicate()

    def tearDown(self):
        for process in (self.trading, self.process):
            if process is not None and process.poll() is None:
                process.kill()
                process.communicate()
        if self.errors_file is not None:
            self.errors_file.close()
        super().tearDown()

    def file_of(self, key):
        """The private half of an Ed25519 key, if --init has made it."""
        path = os.path.join(self.venue.folder, "keys", f"account-{key['account']}-ed25519.pem")
        pem = base64.b64decode("".join(key["public_key"].split("-----")[2].split()))
        is_ed25519 = len(pem) == 44  # Of its DER.
        return path if is_ed25519 and os.path.exists(path) else None

    def open(self, request):
        context = ssl.create_default_context(cafile=self.certificate) if self.is_tls else None
        with urllib.request.urlopen(request, timeout=60, context=context) as reply:
            return json.load(reply)

    def get(self, path):
        return self.open(f"{self.url}/trade-api/v2{path}")

    def sim(self, fault):
        with open(os.path.join(self.venue.folder, "admin.token"), encoding="utf-8") as file:
            token = file.read().strip()
        request = urllib.request.Request(
            f"{self.url}/sim/{fault}", method="POST", headers={"Authorization": f"Bearer {token}"}
        )
        self.open(request)

    def signed(self, path, query=""):
        """A request as this account."""
        millis = str(int(time.time() * 1000))
        message = os.path.join(self.scratch.name, "message")
        with open(message, "w", encoding="utf-8") as file:
            file.write(f"{millis}GET/trade-api/v2{path}")
        signature = subprocess.run(
            ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.venue_options[5], "-in", message],
            capture_output=True, check=True,
        ).stdout  # fmt: skip
        request = urllib.request.Request(
            f"{self.url}/trade-api/v2{path}{query}",
            headers={
                "KALSHI-ACCESS-KEY": self.key_id,
                "KALSHI-ACCESS-TIMESTAMP": millis,
                "KALSHI-ACCESS-SIGNATURE": base64.b64encode(signature).decode(),
            },
        )
        return self.open(request)

    def arguments(self, *options, strategy="market_maker"):
        markets = [word for ticker in self.tickers for word in ("--market", ticker)]
        return [self.ticktape, "trade", strategy, *self.venue_options, *markets, "-o", self.run_path, "--json", *options]

    def start(self, *options, **settings):
        self.errors_file = open(os.path.join(self.scratch.name, "errors"), "w+", encoding="utf-8")
        self.trading = venue_process.popen(self.arguments(*options, **settings), self.errors_file)
        self.wait_until(lambda: self.recorded() > 20)

    def errors(self):
        if self.errors_file is None:
            return ""
        self.errors_file.seek(0)
        return self.errors_file.read()

    def wait_until(self, condition):
        deadline = time.monotonic() + venue_process.PATIENCE_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), deadline, self.errors())
            self.assertIsNone(self.trading.poll(), self.errors())
            time.sleep(0.1)

    def recorded(self, what=""):
        """How many inputs whose text has this the unfinished run has."""
        listed = self.venue.run("cat", self.run_path + ".partial")
        return sum(what in line for line in listed.stdout.splitlines())

    def stop(self, code=0):
        self.trading.terminate()
        output, _ = self.trading.communicate(timeout=venue_process.PATIENCE_SECONDS)
        self.assertEqual(self.trading.returncode, code, self.errors())
        return json.loads(output.splitlines()[-1])

    def check_run(self, report):
        """What must hold after every run."""
        orders = self.signed("/portfolio/orders", "?status=resting&limit=1000")["orders"]
        self.assertEqual(orders, [])
        listed = self.signed("/portfolio/positions", "?limit=1000")["market_positions"]
        positions = {position["ticker"]: position["position_fp"] for position in listed}
        for market in report["markets"]:
            self.assertEqual(market["position"], positions.get(market["market"], "0.00"), self.errors())
        replayed = self.venue.run("verify", "--replay", "--json", self.run_path)
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
        self.assertTrue(json.loads(replayed.stdout)["replay"]["equal"])

    def trade_more(self):
        """Waits for more answers to requests than can be on their way now."""
        before = self.recorded(" order_")
        self.wait_until(lambda: self.recorded(" order_") > before + 10)

    def run_with(self, *faults):
        self.start("--set", "size=3", *self.measured)
        self.trade_more()
        for fault in faults:
            self.sim(fault)
            self.trade_more()
        report = self.stop()
        self.check_run(report)
        return report

    def test_no_faults(self):
        self.measured = ["--latencies", os.path.join(self.scratch.name, "measured")]
        report = self.run_with()
        for what in ("data", "order"):
            with open(f"{self.measured[1]}-{what}.hdr", encoding="utf-8") as file:
                self.assertTrue(file.read().startswith("HIST"))
        self.assertGreater(report["signatures_ahead"], 0)
        # What it received is a market, with the latencies that its requests had.
        done = subprocess.run(
            [self.ticktape, "backtest", "market_maker", "--from", self.run_path, "--set", "size=3", "--json"],
            capture_output=True, check=True,
        )  # fmt: skip
        self.assertGreater(json.loads(done.stdout)["measured_answers"], 0)

    def test_drop_connection(self):
        self.assertGreater(self.run_with("drop_connection?count=9&kind=websocket")["disconnects"], 0)

    def test_drop_all(self):
        self.assertGreater(self.run_with("drop_connection?count=99&kind=all")["disconnects"], 0)

    def test_gaps(self):
        report = self.run_with("inject_seq_gap?count=2&mode=skip", "inject_seq_gap?count=2&mode=reorder",
                               "inject_seq_gap?count=2&mode=repeat")
        self.assertGreater(report["gaps"], 0)

    def test_rate_limit_burst(self):
        self.run_with("rate_limit_burst?count=20")

    def test_server_errors(self):
        self.assertGreater(self.run_with("server_errors?status=503&seconds=1")["reconciliations"], 1)

    def test_delay_and_slow_frames(self):
        self.run_with("inject_delay?ms=300&count=5", "slow_frames?ms=50&seconds=1")

    def test_partial_fills(self):
        self.run_with("partial_fill_rate?percent=20")

    def test_pause(self):
        self.start("--set", "size=3")
        self.trade_more()
        self.sim("pause_exchange")
        time.sleep(1)
        self.sim("resume_exchange")
        self.trade_more()
        self.check_run(self.stop())

    def test_halt(self):
        """Not even a cancel passes while the exchange is halted."""
        self.start("--set", "size=3")
        self.trade_more()
        self.sim("halt_exchange")
        time.sleep(1)
        self.sim("resume_exchange")
        self.trade_more()
        self.check_run(self.stop())

    def test_end_while_halted(self):
        """The run ends, says that orders may be left, and cancel-orders cancels them later."""
        self.start("--set", "size=3")
        self.trade_more()
        self.sim("halt_exchange")
        self.stop(IO)
        self.assertIn("may be left", self.errors())
        self.sim("resume_exchange")
        cancelled = self.venue.run("cancel-orders", *self.venue_options)
        self.assertEqual(cancelled.returncode, 0, cancelled.stderr)
        self.assertEqual(self.signed("/portfolio/orders", "?status=resting")["orders"], [])

    def test_market_closes(self):
        self.start("--set", "size=3")
        self.trade_more()
        self.sim(f"close_market?ticker={self.tickers[0]}")
        self.trade_more()
        self.check_run(self.stop())

    def test_tls(self):
        self.end_demo()
        self.serve_demo("--tls")
        self.venue_options[1] = self.url
        refused = self.venue.run(*self.arguments("--for", "1s")[1:])  # Its certificate is not trusted.
        self.assertEqual(refused.returncode, IO, refused.stderr)
        self.venue_options += ["--trust", self.certificate]
        self.start("--set", "size=3")
        self.trade_more()
        self.check_run(self.stop())

    def test_half_open(self):
        self.assertGreater(self.run_with("half_open?count=9&kind=websocket")["disconnects"], 0)

    def test_clock_skew(self):
        self.sim(f"clock_skew?ms={SKEW_MS}")
        self.start("--set", "size=3")
        self.trade_more()
        report = self.stop()
        self.assertAlmostEqual(report["clock_offset_nanos"] / 1e9, SKEW_MS / 1e3, delta=2)
        cancelled = self.venue.run("cancel-orders", *self.venue_options)
        self.assertEqual(cancelled.returncode, 0, cancelled.stderr)
        self.sim("clock_skew?ms=0")
        self.check_run(report)

    def test_dry_run(self):
        self.start("--dry-run")
        report = self.stop()
        self.assertEqual(self.signed("/portfolio/orders", "?limit=10")["orders"], [])
        self.check_run(report)

    def test_loss_limit(self):
        """The run ends by itself."""
        arguments = self.arguments(
            "--set", "limit.loss=0.01", "--set", "percent=51", "--set", "levels=1", strategy="imbalance_taker"
        )
        ended = subprocess.run(
            arguments, capture_output=True, text=True, check=False, timeout=5 * venue_process.PATIENCE_SECONDS
        )
        self.assertEqual(ended.returncode, DIFFERENT, ended.stderr)
        report = json.loads(ended.stdout.splitlines()[-1])
        self.assertTrue(report["is_stopped"])
        self.check_run(report)

    def test_dead_mans_switch(self):
        self.start("--set", "size=3")
        self.trade_more()
        watch = venue_process.popen(
            [self.ticktape, "cancel-orders", *self.venue_options, "--when-silent", self.run_path, "--after", "2s", "--json"]
        )
        self.trading.kill()
        self.trading.communicate()
        output, _ = watch.communicate(timeout=venue_process.PATIENCE_SECONDS)
        self.assertEqual(watch.returncode, DIFFERENT)
        self.assertTrue(json.loads(output)["cancelled"])
        self.assertEqual(self.signed("/portfolio/orders", "?status=resting")["orders"], [])

    def test_quiet_run_grows(self):
        """A run that hears nothing is not taken for one that hangs."""
        self.start("--set", "size=3")
        self.trade_more()
        self.sim("halt_exchange")
        before = self.recorded(" time")
        self.wait_until(lambda: self.recorded(" time") > before + 2)
        self.sim("resume_exchange")
        self.check_run(self.stop())

    def test_wrong_options(self):
        bad = [
            (["--market", self.tickers[0]], "is given twice"),
            (["--set", "size=x"], "size"),
            (["--market", "A" * 40], "letters"),
        ]
        for options, words in bad:
            refused = self.venue.run(*self.arguments(*options)[1:])
            self.assertEqual(refused.returncode, USAGE, refused.stderr)
            self.assertIn(words, refused.stderr)
            self.assertFalse(os.path.exists(self.run_path + ".partial"))

    def test_wrong_key(self):
        self.venue_options[3] = "00000000-0000-4000-8000-000000000000"
        refused = self.venue.run(*self.arguments()[1:])
        self.assertEqual(refused.returncode, IO, refused.stderr)
        self.assertIn("401", refused.stderr)

    def test_unknown_market(self):
        self.tickers = ["NO-SUCH-MARKET"]
        refused = self.venue.run(*self.arguments()[1:])
        self.assertEqual(refused.returncode, IO, refused.stderr)
        self.assertIn("NO-SUCH-MARKET", refused.stderr)
        self.assertFalse(os.path.exists(self.run_path))


if __name__ == "__main__":
    venue_process.main(at_a_time=4)
