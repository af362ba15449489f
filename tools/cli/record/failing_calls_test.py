#!/usr/bin/env python3
"""Makes the system fail under `ticktape shell` and `ticktape record`, one call after the other.

Usage: failing_calls_test.py TICKTAPE SHIM [--stride N] [--seed S] [--jobs N]

The environment may choose the seed, TICKTAPE_CAMPAIGN_SEED, and every call, TICKTAPE_CAMPAIGN=all.

A sound run says which calls it makes on the journal's files: open, write, sync, rename, truncate.
Then every N-th of them is made to fail (EIO, ENOSPC) or to come up short, each in a run of its own,
with one thread and two; in others all take long, or the disk is full for a while. After every run:

  - it ended with exit code 0, or with 6 and a message that names the file and the reason; with 0
    where what failed was only `watermark`, on which nothing rests;
  - verify says CLEAN or TORN, and a replay is equal to what was recorded, and does what the
    reference engine does;
  - every order that was acknowledged is in the journal; what `record` left is a prefix of what it
    leaves undisturbed, and all of it where it ended well;
  - a process that nothing disturbs goes on with it.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

REASONS = {
    "eio": ["Input/output error"],
    "short": ["Input/output error", "bytes were written"],
    "enospc": ["No space left on device", "the disk is full"],
    "full": ["No space left on device", "the disk is full"],
}


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def order_lines(count):
    lines = []
    for i in range(1, count + 1):
        side = "BUY" if i % 3 else "SELL"
        lines.append(f"SUBMIT {i} ACME {side} {100 + i % 7}.{i % 10} {1 + i % 50}\n")
        if i % 5 == 0:
            lines.append(f"CANCEL {i - 2}\n")
        if i % 400 == 0:
            lines.append("POLICY %s\n" % ("WRITTEN" if i % 800 else "DISK"))
    return "".join(lines)


class Case:
    """One run of a program, disturbed or not."""

    def __init__(self, options, verb, threads, reserve):
        self.options, self.verb, self.threads, self.reserve = options, verb, threads, reserve
        self.sound_records = []

    def name(self):
        return f"{self.verb}, {self.threads} threads, reserve {self.reserve}"

    def command(self, journal):
        common = ["-o", journal, "--ack", "disk", "--threads", self.threads, "--reserve", self.reserve]
        # The smallest segments, so that failures hit rolls; a reserve needs larger ones.
        common += ["--compress", "none", "--segment", "64KiB" if self.reserve == "0" else "5MiB"]
        if self.verb == "shell":
            return ["shell", *common]
        count = "3000" if self.reserve == "0" else "90000"
        return ["record", "--from", "workload", "--commands", count, *common]

    def run(self, journal, shim_environment):
        environment = dict(os.environ)
        environment["LD_PRELOAD"] = self.options.shim
        environment["FAILING_CALLS_UNDER"] = journal
        # Where this is a sanitizer's build: the shim comes before its library.
        environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
        environment.update(shim_environment)
        return subprocess.run(
            [self.options.ticktape, *self.command(journal)],
            input=order_lines(1500) if self.verb == "shell" else "",
            capture_output=True, text=True, check=False, env=environment,
        )  # fmt: skip

    def plain(self, *arguments, lines=""):
        return subprocess.run(
            [self.options.ticktape, *arguments],
            input=lines, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def calls(self, folder):
        """The names of the calls of a sound run, in order."""
        report = os.path.join(folder, "calls")
        sound = os.path.join(folder, "sound")
        ended = self.run(sound, {"FAILING_CALLS_REPORT": report})
        expect(ended.returncode == 0, f"undisturbed: {ended.stderr}")
        self.sound_records = self.records(sound, "undisturbed: ")
        with open(report, encoding="utf-8") as file:
            return file.read().split()

    def records(self, journal, what):
        """Number, kind and client order id of each."""
        listed = self.plain("cat", "--fields", "sequence,kind,client_order_id", journal)
        expect(listed.returncode == 0, f"{what}cat: {listed.stderr}")
        return [line.split("\t") for line in listed.stdout.splitlines()]

    def disturb(self, folder, how, first, times):
        journal = os.path.join(folder, f"{how}-{first}-{times}")
        report = journal + ".calls"
        ended = self.run(
            journal,
            {
                "FAILING_CALLS_FIRST": str(first),
                "FAILING_CALLS_TIMES": str(times),
                "FAILING_CALLS_HOW": how,
                "FAILING_CALLS_REPORT": report,
            },
        )
        with open(report, encoding="utf-8") as file:
            made = file.read().split()
        # Two threads group their syncs as they meet: this run may have made fewer calls.
        call = made[first] if first < len(made) else "none"
        what = f"{self.name()}: {how} at call {first} ({call}), {times} times: "
        says = f"{what}exit {ended.returncode}, {ended.stderr!r}"
        is_aid = call.endswith(":watermark") and times == 1
        expect(ended.returncode in ((0,) if is_aid else (0, 6)), says)
        if ended.returncode == 6:
            expect(journal in ended.stderr, f"{says}: does not name the file")
            expect(any(reason in ended.stderr for reason in REASONS.get(how, [])), f"{says}: no reason")
        else:
            # Only space may be found later.
            noticed = is_aid or how in ("delay", "enospc", "full") or call == "none"
            expect(noticed, f"{says}: not noticed")
        self.look(journal, ended, what)
        return ended.returncode

    def look(self, journal, ended, what):
        replies = ended.stdout.splitlines()
        answered = {int(line.split()[1]) for line in replies if line.startswith("ACK ")}
        names = os.listdir(journal) if os.path.isdir(journal) else []
        verified = self.plain("verify", "--replay", "--json", journal)
        report = json.loads(verified.stdout)
        if "error" in report:
            # No preamble was whole yet: there is nothing to verify, and nothing was promised.
            expect(not answered, f"{what}answered, and there is no journal: {names} {verified.stderr}")
            return
        expect(report["verdict"] in ("CLEAN", "TORN"), f"{what}verify: {verified.stdout}")
        expect(report["replay"]["equal"] is not False, f"{what}replay: {verified.stdout}")
        records = self.records(journal, what)
        if records:
            replayed = self.plain("replay", "--engine", "reference", "--json", journal)
            expect(replayed.returncode == 0, f"{what}reference: {replayed.stderr}")
            traces = [r["trace_digest"] for r in (report["replay"], json.loads(replayed.stdout))]
            expect(traces[0] == traces[1], f"{what}fast {traces[0]}, reference {traces[1]}")
        there = {int(order) for _, kind, order in records if kind == "new_order"}
        expect(answered <= there, f"{what}acknowledged and gone: {sorted(answered - there)[:5]}")
        if self.verb == "record":
            sound = self.sound_records if ended.returncode == 0 else self.sound_records[: len(records)]
            expect(records == sound, f"{what}{len(records)} records, not those of a sound run")
        else:
            goes_on = self.plain("shell", "-o", journal, lines="SUBMIT 9999999 ACME BUY 1 1\n")
            expect(goes_on.returncode == 0, f"{what}goes on: {goes_on.stderr}")
            expect("ACK 9999999" in goes_on.stdout, f"{what}goes on: {goes_on.stdout}")


def run_all(options, folder):
    cases = [
        Case(options, "shell", "2", "0"),
        Case(options, "shell", "1", "0"),
        Case(options, "shell", "2", "5MiB"),
        Case(options, "record", "2", "0"),
        Case(options, "record", "2", "5MiB"),
    ]
    seen = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = []
        for index, case in enumerate(cases):
            own = os.path.join(folder, str(index))
            os.mkdir(own)
            calls = case.calls(own)
            print(f"{case.name()}: {len(calls)} calls, {sorted(set(calls))}", flush=True)
            chosen = set(range((index + options.seed) % options.stride, len(calls), options.stride))
            if case.reserve != "0" and case.verb == "record":  # Long: only what is rare.
                chosen = {i for i, call in enumerate(calls) if call in ("rename", "ftruncate")}
            for turn, first in enumerate(sorted(chosen)):
                how = ["eio", "enospc", "short"][turn % 3]
                runs.append((how, pool.submit(case.disturb, own, how, first, 1)))
            runs.append(("delay", pool.submit(case.disturb, own, "delay", 0, 1000)))
            # A disk that is full for a while; a reserve outlasts it.
            begins = len(calls) if case.reserve == "0" else calls.index("fdatasync", 10)
            runs.append(("full", pool.submit(case.disturb, own, "full", begins // 2, 10)))
        for how, run in runs:
            key = (how, run.result())
            seen[key] = seen.get(key, 0) + 1
    for (how, code), count in sorted(seen.items()):
        print(f"{how}: {count} runs ended with exit code {code}")
    for how in REASONS:
        expect((how, 6) in seen, f"{how} never ended a run")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ticktape")
    parser.add_argument("shim")
    every_call = os.environ.get("TICKTAPE_CAMPAIGN") == "all"
    parser.add_argument("--stride", type=int, default=1 if every_call else 4, help="disturb every N-th call")
    seed = int(os.environ.get("TICKTAPE_CAMPAIGN_SEED", "1"))
    parser.add_argument("--seed", type=int, default=seed, help="which N-th")
    parser.add_argument("--jobs", type=int, default=4, help="so many at a time")
    options = parser.parse_args()
    options.ticktape = os.path.abspath(options.ticktape)
    options.shim = os.path.abspath(options.shim)
    try:
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            run_all(options, folder)
    except AssertionError as failure:
        sys.exit(f"FAILED: {failure}")


if __name__ == "__main__":
    main()
