#!/usr/bin/env python3
"""The program of a strategy: backtests, and the verbs on the journal of a run.

Usage: strategy_program_test.py TICKTAPE MARKET_MAKER CHANGED ITCH
"""

import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile

OK, DIFFERENT, USAGE = 0, 1, 2

TICKTAPE, MARKET_MAKER, CHANGED, ITCH = (os.path.abspath(path) for path in sys.argv[1:5])


def run(program, *words, code=OK):
    """Returns what the program printed. It ends with `code`."""
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + (done.stderr if code == USAGE else "")


def backtest(*words, program=MARKET_MAKER, latency="80us"):
    return run(program, "backtest", "market_maker", "flow.tape", "--data-latency", "50us", "--order-latency", latency,
               *words)


def files_of(folder):
    return sorted(os.listdir(folder))


def check_runs():
    first = json.loads(backtest("-o", "run.tape", "--json"))
    assert first["schema"] == "ticktape.backtest/1"
    assert first["fills_as_maker"] > 100, first
    assert first["impact"] == "none"
    assert {market["market"] for market in first["markets"]} <= {"MKT001", "MKT002", "MKT003", "MKT004"}
    # The same input, the same bytes: also by another program with the strategy.
    again = json.loads(backtest("-o", "again.tape", "--json", program=TICKTAPE))
    assert again["trace_digest"] == first["trace_digest"]
    assert files_of("run.tape") == files_of("again.tape")
    for name in files_of("run.tape"):
        if name.startswith("checkpoints"):
            assert filecmp.cmp(os.path.join("run.tape", name), os.path.join("again.tape", name), shallow=False), name
    without = json.loads(backtest("--json"))
    assert without["profit"] == first["profit"] and without["inputs"] == first["inputs"]
    displaced = json.loads(backtest("--json", "--impact", "displace"))
    assert displaced["profit"] != first["profit"]
    # Without latencies it must end, too.
    json.loads(run(MARKET_MAKER, "backtest", "market_maker", "flow.tape", "--data-latency", "0s", "--order-latency", "0s",
                   "--json"))
    one = json.loads(backtest("--json", "--market", "MKT002"))
    assert [market["market"] for market in one["markets"]] == ["MKT002"]
    jitter = json.loads(backtest("--json", "--seed", "2", "--set", "size=50", latency="80us+40us"))
    assert jitter["parameters"] == ["size=50"]


def check_files():
    backtest("--fills", "fills.csv", "--html", "page.html")
    with open("fills.csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert lines[0].startswith("time,market,order,side,role,level,price,quantity,fee,mid"), lines[0]
    assert all(line.count(",") == lines[0].count(",") for line in lines)
    with open("page.html", encoding="utf-8") as file:
        page = file.read()
    assert page.count("<svg") >= 2 and page.rstrip().endswith("</html>")
    assert "http" not in page.replace("http-equiv", ""), "the page is to be self-contained"


def check_sweep():
    words = ("--sweep", "size=50,100", "--sweep", "half_spread=0.01..0.03/0.01")
    sweep = json.loads(backtest(*words, "--json"))["runs"]
    assert [each["parameters"] for each in sweep][:4] == [
        ["size=50", "half_spread=0.0100"], ["size=50", "half_spread=0.0200"],
        ["size=50", "half_spread=0.0300"], ["size=100", "half_spread=0.0100"]], sweep
    assert sum(each["best"] for each in sweep) == 1
    one = json.loads(backtest("--json", "--set", "size=100", "--set", "half_spread=0.01"))
    assert sweep[3]["profit"] == one["profit"]
    assert backtest(*words, "--threads", "1") == backtest(*words, "--threads", "3")


def check_verbs():
    assert "equal to the recorded run's" in run(MARKET_MAKER, "replay", "run.tape")
    run(MARKET_MAKER, "verify", "run.tape", "--replay")
    assert "ticktape strategy market_maker" in run(MARKET_MAKER, "info", "run.tape")
    cat = run(MARKET_MAKER, "cat", "run.tape", "@1..+30")
    assert "connection state=live" in cat and "market market=MKT001" in cat, cat
    for line in run(MARKET_MAKER, "cat", "run.tape", "@1..+30", "--json").splitlines():
        json.loads(line)
    run(MARKET_MAKER, "retime", "run.tape", "--speed", "max", "--one-run")
    assert "EQUAL" in run(MARKET_MAKER, "diff", "run.tape", "again.tape")
    assert "EQUAL" in run(MARKET_MAKER, "diff", "run.tape", "--engine-b", TICKTAPE)


def check_inspect():
    """The row, what was decided, and the state after it."""
    emitted = run(MARKET_MAKER, "replay", "run.tape", "--emit", "-").splitlines()
    decision = next(line for line in emitted if " new_order " in line)
    place = "@" + decision.split(".")[0]
    printed = run(MARKET_MAKER, "inspect", "run.tape", place)
    assert printed.startswith(place + "  "), printed
    assert f"\n  {decision}\n" in printed, (decision, printed)
    assert "connection=live" in printed and "name=half_spread value=" in printed, printed

    def state(*words):
        entities = json.loads(run(MARKET_MAKER, "inspect", "run.tape", *words, "--json"))["state"]
        return {kind: [each for each in entities if each["kind"] == kind]
                for kind in ("desk", "parameter", "market", "level", "order")}

    # Each order that was sent rests, and its number is that of the decision.
    after = state(place)
    assert any(f" order={order['order']} " in decision and order["state"] == "sent" for order in after["order"]), after
    # In the end, it is worth what the report says.
    end, report = state(), json.loads(backtest("--json"))
    assert float(end["desk"][0]["profit"]) == float(report["profit"]), (end["desk"], report["profit"])
    assert len(end["order"]) == end["desk"][0]["orders"] > 0
    assert len(end["market"]) == len(report["markets"])
    assert 20 >= len([level for level in end["level"] if level["market"] == "MKT001"]) > 2
    one = state("--market", "MKT001", "--depth", "1")
    assert [market["market"] for market in one["market"]] == ["MKT001"] and len(one["level"]) == 2, one
    assert one["market"][0] in end["market"] and one["desk"] == end["desk"]
    bids, asks = ([float(level["price"]) for level in end["level"] if level["market"] == "MKT001" and level["side"] == side]
                  for side in ("bid", "ask"))
    assert bids == sorted(bids, reverse=True) and asks == sorted(asks) and bids[0] < asks[0]


def check_two_builds():
    """Which decision differs first, and the smallest market data that shows it."""
    different = run(MARKET_MAKER, "diff", "run.tape", "--engine-b", CHANGED, code=DIFFERENT)
    assert "amend" in different or "new_order" in different, different
    found = json.loads(run(MARKET_MAKER, "bisect", "run.tape", "--engine-b", CHANGED, "--cache", "", "--json",
                           code=DIFFERENT))
    assert found, found
    small = json.loads(run(MARKET_MAKER, "minimize", "run.tape", "--engine-b", CHANGED, "-o", "small", "--json",
                           code=DIFFERENT))
    assert small["commands"] <= 20, small
    assert "amend" in run(MARKET_MAKER, "diff", "small.tape", "--engine-b", CHANGED, code=DIFFERENT)


def check_loss():
    """The smallest market data on which it loses more than 5 dollars."""
    backtest("--set", "limit.loss=5", "-o", "loss.tape")
    assert "stopped" in run(MARKET_MAKER, "bisect", "loss.tape", "--engine-b", "fast", "--pred",
                            "output stopped reason=loss", code=DIFFERENT)
    small = json.loads(run(MARKET_MAKER, "minimize", "loss.tape", "--engine-b", "fast", "--pred",
                           "output stopped reason=loss", "-o", "least", "--json", code=DIFFERENT))
    assert small["commands"] <= 20, small
    nothing = run(MARKET_MAKER, "bisect", "loss.tape", "--engine-b", "fast", "--pred", "output settled")
    assert "no such output settled" in nothing, nothing


def in_market(*words, strategy="market_maker"):
    return json.loads(run(MARKET_MAKER, "backtest", strategy, *words, "--json"))


def check_mirrored():
    """The open of Nasdaq, followed: its book is crossed, and nothing is matched."""
    run(TICKTAPE, "record", "--from", "itch", "--mode", "mirror", ITCH, "-o", "open.tape")
    words = ("open.tape", "--market", "AAPL", "--market", "AZN", "--market", "QQQ")
    first = in_market(*words, "-o", "open-run.tape")
    assert first["mirrored"] and first["fills_as_maker"] > 0, first
    assert in_market(*words)["profit"] == first["profit"]
    assert "a recorded execution fills first" in run(MARKET_MAKER, "backtest", "market_maker", *words)
    assert in_market(*words, "--impact", "displace")["fills_as_maker"] > 0
    run(MARKET_MAKER, "verify", "open-run.tape", "--replay")


class Capture:
    """The frames of a venue as it sends them: what a trade takes comes before the trade."""

    def __init__(self):
        self.frames = []
        self.seq = 0

    def add(self, kind, millis, **message):
        self.seq += 1
        self.frames.append({"type": kind, "sid": 1, "seq": self.seq,
                            "msg": {"market_ticker": "KXA", "ts_ms": 1781159489000 + millis, **message}})

    def snapshot(self, millis, yes, no):
        self.add("orderbook_snapshot", millis, yes_dollars_fp=yes, no_dollars_fp=no)

    def delta(self, millis, side, price, change):
        self.add("orderbook_delta", millis, side=side, price_dollars=price, delta_fp=change)

    def trade(self, millis, taker, price, count):
        self.add("trade", millis, trade_id=str(self.seq), yes_price_dollars=price,
                 no_price_dollars=f"{1 - float(price):.4f}", count_fp=count, taker_side=taker)
        self.frames[-1]["sid"] = 2
        del self.frames[-1]["seq"]
        self.seq -= 1

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(frame) + "\n" for frame in self.frames)


def record_capture():
    """The ladder joins a bid of 10 at 0.47 and an ask of 10 at 0.52, after the others."""
    capture = Capture()
    capture.snapshot(0, [["0.4700", "10.00"]], [["0.4800", "10.00"]])
    capture.delta(1000, "yes", "0.4700", "5.00")  # After the strategy's.
    capture.delta(2000, "yes", "0.4700", "-4.00")  # A seller of 4.
    capture.trade(2000, "no", "0.4700", "4.00")
    capture.delta(3000, "yes", "0.4700", "-9.00")  # A seller of 9: 6 of others, then 3 of its own.
    capture.trade(3000, "no", "0.4700", "9.00")
    capture.seq += 1  # A frame is lost.
    capture.delta(4000, "yes", "0.4700", "1.00")
    capture.snapshot(5000, [["0.4600", "8.00"]], [["0.4800", "10.00"]])
    capture.delta(6000, "no", "0.4800", "-10.00")
    capture.write("capture.jsonl")
    run(TICKTAPE, "record", "--from", "kalshi-capture", "capture.jsonl", "-o", "capture.tape")


def check_capture():
    record_capture()
    words = ("capture.tape", "--set", "rungs=1", "--set", "size=7")
    result = json.loads(run(TICKTAPE, "backtest", "ladder", *words, "--fills", "capture.csv", "-o", "capture-run.tape",
                            "--json"))
    with open("capture.csv", encoding="utf-8") as file:
        fills = [line.split(",")[1:8] for line in file.read().splitlines()[1:]]
    assert fills == [["KXA", "1", "bid", "maker", "0", "0.4700", "3.00"]], fills
    assert result["mirrored"] and result["markets"][0]["position"] == "3.00", result
    assert "no fees are charged there" in run(TICKTAPE, "backtest", "ladder", *words)
    with_fees = run(TICKTAPE, "backtest", "ladder", *words, "--fees", "0.07/0.0175", "--fills", "fees.csv")
    assert "fees of binary ones are 0.07/0.0175" in with_fees, with_fees
    with open("fees.csv", encoding="utf-8") as file:
        # 0.0175 x 3 x 0.47 x 0.53 = 0.013078, and 1.41 paid: the balance changes by -1.4231.
        assert [line.split(",")[8] for line in file.read().splitlines()[1:]] == ["0.013100"]
    cat = run(TICKTAPE, "cat", "capture-run.tape", "@1..+100")
    assert "book_stale" in cat and cat.count("book_clear") == 2, cat
    displaced = json.loads(run(TICKTAPE, "backtest", "ladder", *words, "--impact", "displace", "--json"))
    assert displaced["markets"][0]["position"] == "3.00", displaced


def check_from_run():
    """What a run received, without its own orders, is a market for the next."""
    again = json.loads(run(TICKTAPE, "backtest", "ladder", "--from", "capture-run.tape", "--set", "rungs=1",
                           "--set", "size=7", "--json"))
    assert again["from_run"] and again["markets"][0]["position"] == "3.00", again
    assert again["measured_answers"] == 2 and again["order_latency"] == "as measured", again
    given = json.loads(run(TICKTAPE, "backtest", "ladder", "--from", "capture-run.tape", "--order-latency", "1ms", "--json"))
    assert given["measured_answers"] == 0 and given["order_latency"] == "1ms", given
    for path in ("run.tape", "open-run.tape"):
        one = in_market("--from", path, "-o", "from.tape")
        assert one["fills_as_maker"] > 0, one
        assert in_market("--from", path, "-o", "from-again.tape")["trace_digest"] == one["trace_digest"]
        run(MARKET_MAKER, "verify", "from.tape", "--replay")
        shutil.rmtree("from.tape")
        shutil.rmtree("from-again.tape")
    text = run(MARKET_MAKER, "backtest", "market_maker", "--from", "run.tape")
    assert "what the run received" in text and "as long as a request of the run" in text, text
    sweep = json.loads(run(MARKET_MAKER, "backtest", "market_maker", "--from", "run.tape", "--sweep", "size=50,100",
                           "--json"))["runs"]
    assert len(sweep) == 2, sweep


def check_mistakes_of_runs():
    def failed(text, *words, program=MARKET_MAKER):
        done = subprocess.run([program, "backtest", "market_maker", *words], capture_output=True, text=True)
        assert done.returncode not in (OK, DIFFERENT) and text in done.stderr, done

    failed("is no run of a strategy", "--from", "flow.tape")
    failed("which is no exchange", "run.tape")
    failed("either JOURNAL or --from RUN", "flow.tape", "--from", "run.tape")
    failed("use the program of the strategy", "--from", "capture-run.tape")
    run(TICKTAPE, "record", "-o", "empty.tape", "--from", "workload", "--commands", "1")
    run(MARKET_MAKER, "backtest", "market_maker", "empty.tape", "-o", "empty-run.tape")
    failed("has no market data", "--from", "empty-run.tape")
    failed("no market NONE", "--from", "run.tape", "--market", "NONE")


def check_mistakes():
    def refused(text, *words, program=MARKET_MAKER):
        printed = run(program, *words, code=USAGE)
        assert text in printed, (words, printed)

    refused("market_maker", "backtest", "market_makr", "flow.tape")
    refused("expected NAME=VALUE", "backtest", "market_maker", "flow.tape", "--set", "size")
    refused("no parameter 'sice', expected one of size", "backtest", "market_maker", "flow.tape", "--set", "sice=1")
    refused("size=0: expected from 1", "backtest", "market_maker", "flow.tape", "--set", "size=0")
    refused("expected a time such as 250us", "backtest", "market_maker", "flow.tape", "--data-latency", "2 parsecs,burst=1")
    refused("expected a time such as 250us", "backtest", "market_maker", "flow.tape", "--order-latency", "2h")
    refused("expected NAME=LOW..HIGH/STEP", "backtest", "market_maker", "flow.tape", "--sweep", "size=1..10")
    refused("at most 100000 runs", "backtest", "market_maker", "flow.tape", "--sweep", "size=1..1000000/1")
    refused("there is no market 'MKT01'", "inspect", "run.tape", "--market", "MKT01")
    for fees in ("0.07", "0.07/0.0175/1", "7/1", "-0.07/0", "a/b", "0.07/0.00001"):
        refused("--fees " + fees, "backtest", "market_maker", "flow.tape", "--fees=" + fees)
    refused("the journal has none", "backtest", "market_maker", "flow.tape", "--fees", "0.07/0.0175")
    refused("takes no -o", "backtest", "market_maker", "flow.tape", "--sweep", "size=1,2", "-o", "none.tape")
    printed = subprocess.run([MARKET_MAKER, "backtest", "market_maker", "flow.tape", "--market", "NONE"],
                             capture_output=True, text=True)
    assert printed.returncode != OK and "no market NONE" in printed.stderr, printed
    # A strategy that this program does not have.
    run(TICKTAPE, "backtest", "ladder", "flow.tape", "-o", "ladder.tape")
    printed = subprocess.run([MARKET_MAKER, "replay", "ladder.tape"], capture_output=True, text=True)
    assert printed.returncode != OK and "--machine PROGRAM" in printed.stderr, printed
    assert "book_level" in run(MARKET_MAKER, "cat", "ladder.tape", "@1..+30")
    assert not os.path.exists("none.tape.partial")


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        os.chdir(folder)
        run(TICKTAPE, "record", "-o", "flow.tape", "--from", "workload", "--commands", "30k", "--seed", "3")
        check_runs()
        check_files()
        check_sweep()
        check_verbs()
        check_inspect()
        check_two_builds()
        check_loss()
        check_mistakes()
        check_mirrored()
        check_capture()
        check_from_run()
        check_mistakes_of_runs()
    print("passed")


if __name__ == "__main__":
    main()
