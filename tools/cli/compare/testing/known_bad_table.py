#!/usr/bin/env python3
"""The tables of bench/EXPERIMENTS.md: how long diff, bisect and minimize take to find planted faults.

    bazel build -c opt //tools/cli:ticktape //tools/cli/compare:all
    tools/cli/compare/testing/known_bad_table.py bazel-bin/tools/cli 10000 100000 1000000
    tools/cli/compare/testing/known_bad_table.py bazel-bin/tools/cli 10000000 --faults taker_priced,kLotIgnored

Faults are armed for one account, which trades in the last tenth of the log only. All tools must name
the same command; a log that a fault does not show in is left out, as such. With --snapshots N the
journal has one every N commands.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

FAULTS = ["taker_priced", "through_limit", "sweep_stops_short", "immediate_rests", "phantom_after_cancel",
          "maker_forgotten", "ends_on_sweep", "kEqualAmendLosesPriority", "kPostOnlyIgnored", "kLotIgnored",
          "kFeeRoundedDown", "kMakerPaysTakerFee", "kCancelBothSparesMaker", "kExpiredAccepted",
          "kMassCancelIgnoresSide"]


def run(words):
    begin = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout), seconds


def row(programs, folder, journal, fault):
    ticktape = os.path.join(programs, "ticktape")
    engine = f"{os.path.join(programs, 'compare', 'known_bad_engine')} {fault} account=9"
    diff, diff_s = run([ticktape, "diff", journal, "--engine-b", engine, "--json"])
    if diff["equal"]:
        return "does not show"
    at = diff["difference"]["sequence"]
    bisect = [ticktape, "bisect", journal, "--engine-b", engine, "--cache", os.path.join(folder, "cache"), "--json"]
    first, bisect_s = run(bisect)
    again, again_s = run(bisect)
    found = {diff["difference"]["sequence"], first["difference"]["sequence"], again["difference"]["sequence"]}
    if len(found) != 1:
        sys.exit(f"{fault}: the tools name different commands: {found}")
    small, small_s = run([ticktape, "minimize", journal, "--engine-b", engine, "--json", "-o",
                          os.path.join(folder, f"{os.path.basename(journal)}.{fault}")])
    return (f"@{at:,} | {diff_s:.1f} | {bisect_s:.1f} | {again_s:.1f} | {small_s:.1f} | {small['commands']} | "
            f"{small['candidates']} | {small['class']}")


def load():
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", help="bazel-bin/tools/cli")
    parser.add_argument("sizes", nargs="+", type=int)
    parser.add_argument("--faults", default=",".join(FAULTS), help="some of them, with commas between")
    parser.add_argument("--snapshots", type=int, default=0, help="one every so many commands; 0: none")
    options = parser.parse_args()
    ticktape = os.path.join(options.programs, "ticktape")
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            journal = os.path.join(folder, f"{size}.tape")
            subprocess.run([os.path.join(options.programs, "compare", "make_busy_session"), journal, str(size),
                            str(size * 9 // 10)], check=True)
            for at in range(options.snapshots, size, options.snapshots) if options.snapshots else []:
                subprocess.run([ticktape, "snapshot", "make", journal, f"@{at}", "--quiet"], check=True,
                               stdout=subprocess.DEVNULL)
            info, _ = run([ticktape, "info", journal, "--json"])
            print(f"\n{size:,} commands, log digest {info['checkpoints']['log_digest']}, load {load()}\n\n"
                  "| Fault | first command | diff s | bisect s | again s | minimize s | "
                  "commands | candidates | class |\n|---|---|---|---|---|---|---|---|---|", flush=True)
            for fault in options.faults.split(","):
                print(f"| {fault} | {row(options.programs, folder, journal, fault)} |", flush=True)
            print(f"\nload {load()}", flush=True)


if __name__ == "__main__":
    main()
