#!/usr/bin/env python3
"""Lets recorded order flows drive the markets of a venue: its trades are those of the recording.

Usage: serve_flow_test.py TICKTAPE SESSION

SESSION is the ITCH file of a session of Nasdaq.
"""

import csv
import io
import json
import os
import re
import shutil
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position

# Of an ITCH file, and of the built-in workload.
MARKETS = [
    {"id": 30, "symbol": "UA", "price_decimals": 4},
    {"id": 31, "symbol": "MKT001", "price_decimals": 4},
]


class FlowTest(venue_process.VenueTest):
    session = None

    def setUp(self):
        super().setUp()
        self.venue.create()
        self.venue.edit(self.add_markets)

    @staticmethod
    def add_markets(config):
        config["markets"] += [{"definition": market} for market in MARKETS]

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def record(self, name, *arguments):
        path = self.path(name)
        recorded = self.venue.run("record", *arguments, "-o", path)
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        return path

    def record_workload(self, commands=5000):
        return self.record(
            "workload.tape", "--from", "workload", "--seed", "3", "--accounts", "7", "--commands", str(commands)
        )

    def wait_for_end(self):
        """What serve says of the flow that has ended."""
        report = json.loads(self.venue.process.stdout.readline())
        self.assertEqual(report["schema"], "ticktape.flow/1")
        self.assertTrue(report["ended"])
        return report

    def trades(self, journal, symbol, is_of_flow):
        """Price, quantity and side of each trade, and which orders of the market they were."""
        orders, trades = {}, []
        for row in self.rows(journal, "events"):
            if row["market"] != symbol:
                continue
            if row["kind"] in ("accepted", "replaced"):
                if is_of_flow:
                    self.assertGreaterEqual(int(row["account"]), 2_000_000)
                orders[row["order"]] = len(orders)
            if row["kind"] == "trade":
                trades.append(
                    (
                        row["price"], row["quantity"], row["remaining"], row["side"],
                        orders[row["maker"]], orders[row["taker"]],
                    )  # fmt: skip
                )
        return trades

    @staticmethod
    def words_of(fields):
        return ",".join(f"{name}={value}" for name, value in fields.items())

    def drive(self, **fields):
        self.venue.start("--flow", self.words_of({"pace": "max", **fields}))
        report = self.wait_for_end()
        self.end_well()
        return report

    def test_session_of_nasdaq(self):
        source = self.record("session.tape", "--from", "itch", self.session)
        expected = self.trades(source, "UA", is_of_flow=False)
        self.assertEqual(len(expected), 4)
        for flow in [{"source": source}, {"source": self.session, "range": "@2019-07-30T13:30:00Z.."}]:
            report = self.drive(market="UA", **flow)
            self.assertEqual((report["refused"], report["gone"], report["unfit"]), (0, 0, 0), report)
            self.assertEqual(report["entered"], report["commands"])
            self.assertEqual(self.trades(self.venue.journal, "UA", is_of_flow=True), expected)
            shutil.rmtree(self.venue.journal)

    def test_many_accounts(self):
        source = self.record_workload()
        report = self.drive(market="MKT001", source=source)
        # What was refused there.
        self.assertEqual(report["gone"] + report["unfit"] + report["refused"], self.count_refused(source))
        expected = self.trades(source, "MKT001", is_of_flow=False)
        self.assertGreater(len(expected), 100)
        self.assertEqual(self.trades(self.venue.journal, "MKT001", is_of_flow=True), expected)

    def test_capture_is_served_as_recorded(self):
        """A capture of Kalshi's WebSocket, whose book is crossed for a moment, to clients of the same API."""
        frames = [
            ("orderbook_snapshot", {"yes_dollars_fp": [["0.4000", "10.00"], ["0.4100", "5.00"]],
                                    "no_dollars_fp": [["0.5500", "7.00"]]}),
            ("orderbook_delta", {"price_dollars": "0.6000", "delta_fp": "3.50", "side": "no"}),
            ("orderbook_delta", {"price_dollars": "0.4100", "delta_fp": "-5.00", "side": "yes"}),
            ("orderbook_delta", {"price_dollars": "0.4000", "delta_fp": "2.00", "side": "yes"}),
        ]  # fmt: skip
        capture = self.path("capture.jsonl")
        with open(capture, "w", encoding="utf-8") as file:
            for number, (kind, fields) in enumerate(frames, start=1):
                message = {"market_ticker": "KX-THERE", "market_id": "a", **fields, "ts_ms": 1_781_159_489_957 + number}
                file.write(json.dumps({"type": kind, "sid": 1, "seq": number, "msg": message}) + "\n")
            trade = {"market_ticker": "KX-THERE", "yes_price_dollars": "0.4100", "no_price_dollars": "0.5900",
                     "count_fp": "5.00", "taker_side": "no", "ts_ms": 1_781_159_489_999}  # fmt: skip
            file.write(json.dumps({"type": "trade", "sid": 2, "seq": 1, "msg": trade}) + "\n")
        source = self.record("capture.tape", "--from", "kalshi-capture", capture)
        self.venue.edit(self.mirror_a_market)
        self.venue.start(
            "--kalshi", "127.0.0.1:0", "--flow",
            self.words_of({"market": "KXCUP-27-RED", "source": source, "from_market": "KX-THERE",
                           "pace": "max", "first_account": 0}),
        )  # fmt: skip
        report = self.wait_for_end()
        self.assertEqual((report["refused"], report["gone"], report["unfit"]), (0, 0, 0), report)
        url = f"http://{self.venue.report['kalshi']}/trade-api/v2/markets"
        # The flow has ended once its last command is entered; what comes of it is seen once it is durable.
        trades, deadline = [], time.monotonic() + 60
        while not trades and time.monotonic() < deadline:
            with urllib.request.urlopen(f"{url}/trades?ticker=KXCUP-27-RED") as answer:
                trades = json.load(answer)["trades"]
        (trade,) = trades
        with urllib.request.urlopen(f"{url}/KXCUP-27-RED/orderbook") as answer:
            book = json.load(answer)["orderbook_fp"]
        self.assertEqual(book["yes_dollars"], [["0.4000", "12.00"]])
        self.assertEqual(book["no_dollars"], [["0.5500", "7.00"], ["0.6000", "3.50"]])
        self.assertEqual((trade["yes_price_dollars"], trade["count_fp"]), ("0.4100", "5.00"))
        self.end_well()

    @staticmethod
    def mirror_a_market(config):
        (market,) = [market for market in config["markets"] if market["definition"]["symbol"] == "KXCUP-27-RED"]
        market["definition"]["mirrored"] = True

    def rows(self, journal, what):
        exported = self.venue.run("export", journal, "--what", what)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        return csv.DictReader(io.StringIO(exported.stdout))

    def count_refused(self, source):
        return sum(row["market"] == "MKT001" and row["kind"] == "rejected" for row in self.rows(source, "events"))

    def test_binary_market_on_a_line(self):
        source = self.record_workload()
        first = next(
            float(row["price"])
            for row in self.rows(source, "commands")
            if row["market"] == "MKT001" and row["kind"] == "new_order" and row["type"] == "limit"
        )
        # A dollar there is a cent here, and what the first order costs is half a dollar.
        report = self.drive(
            market="RAIN", source=source, from_market="MKT001", price_factor="0.01",
            price_offset=f"{0.5 - first / 100:.2f}", leave_out="1", range="@1..@4000",
        )  # fmt: skip
        self.assertGreater(report["entered"], 500)
        trades = self.trades(self.venue.journal, "RAIN", is_of_flow=True)
        self.assertGreater(len(trades), 50)
        for price, *_ in trades:
            self.assertLessEqual(float(price), 0.99)

    def test_goes_on_beside_clients_and_restarts(self):
        source = self.record_workload(20_000)
        # Slowly, and without end.
        flow = {"market": "MKT001", "source": "../workload.tape", "pace": 0.02, "repeat": "forever"}
        self.venue.edit(lambda config: config.update(flows=[flow]))
        for _ in range(2):
            self.venue.start()
            client = self.venue.client("desk-3")
            deadline = time.monotonic() + venue_process.PATIENCE_SECONDS
            while "MKT001  0 " in client.ask("PRINT MKT001"):
                while client.read_line() != "END":
                    pass
                self.assertLess(time.monotonic(), deadline)
            while client.read_line() != "END":
                pass
            self.end_well()
        shutil.rmtree(source)
        # A replay needs no source.
        self.assertEqual(self.venue.verdict(), "CLEAN")

    def expect_refusal(self, error, **fields):
        failed = self.venue.start_fails("--flow", self.words_of({"market": "MKT001", **fields}))
        self.assertNotEqual(failed.returncode, 0)
        self.assertRegex(failed.stderr, error)
        self.assertFalse(os.path.exists(self.venue.journal))

    def test_sources_that_are_refused(self):
        source = self.record_workload()
        missing = self.path("none.tape")
        self.expect_refusal(f"the flow of MKT001: no journal and no ITCH file at {missing}", source=missing)
        self.expect_refusal("has no market 'AAPL' .from_market. among its 4", source=source, from_market="AAPL")
        self.expect_refusal("has no command about orders of MKT001 in the range @1..@2", source=source, range="@1..@2")
        self.expect_refusal("the journal", source=source, range="@9999999..")
        self.expect_refusal("neither the folder of a journal nor a file", source="/dev/zero")
        self.expect_refusal(
            r"the flow of RAIN: [\d,]+ of [\d,]+ commands do not fit, the first @\d+ .new_order price=[\d.]+ "
            r"quantity=\d+.: the market has prices from 0.01 to 0.99",
            market="RAIN", source=source, from_market="MKT001",
        )  # fmt: skip
        self.expect_refusal("which is an account of the venue; give another first_account", source=source, first_account=0)
        conversation = self.record_conversation()
        self.expect_refusal("is no exchange", source=conversation)

    def record_conversation(self):
        """A journal of another application."""
        self.venue.start("--record-conversation", "hashes")
        self.end_well()
        kept = self.path("conversation.tape")
        folder = os.path.join(self.venue.folder, "conversations")
        shutil.move(os.path.join(folder, os.listdir(folder)[0]), kept)
        shutil.rmtree(self.venue.journal)
        return kept

    def test_damaged_sources_are_refused(self):
        source = self.record_workload(20_000)
        (segment,) = [name for name in os.listdir(source) if name.endswith(".tape")]
        with open(os.path.join(source, segment), "r+b") as file:
            file.seek(os.path.getsize(file.name) // 2)
            file.write(b"damage" * 20)
        self.expect_refusal(re.escape(segment), source=source)
        with open(self.session, "rb") as file:
            session = file.read()
        for name, content in {
            "truncated.gz": session[: len(session) // 2],
            "noise.itch": os.urandom(1 << 12),
            "empty.itch": b"",
        }.items():
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.expect_refusal(
                "read as ITCH: |has no market 'MKT001'" if name != "truncated.gz" else "read as ITCH: ",
                source=self.path(name),
            )


if __name__ == "__main__":
    FlowTest.session = os.path.abspath(sys.argv.pop(2))
    venue_process.main()
