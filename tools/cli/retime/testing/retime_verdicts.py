#!/usr/bin/env python3
"""Whether `ticktape retime` says the right word: an unchanged build and a planted slowdown, again and again.

Usage: retime_verdicts.py SLOW_RETIME JOURNAL [--kind new_order] [--percent 5] [--tries 20] [--runs 12]
                          [--cycles 8] [--mode baseline|against] [-- OPTION...]

SLOW_RETIME is bazel-bin/tools/cli/retime/slow_retime, built with -c opt. A wrong word is `worse` or `better` for the
unchanged build, `same` or `better` for the slower one. Depends on the machine: run by hand, never as a test.
"""

import argparse
import collections
import json
import math
import os
import subprocess
import sys
import tempfile


def program(args, cycles):
    return f"{args.slow} {args.kind} {cycles}"


def retime(args, cycles, *options):
    command = [args.slow, args.kind, "0", "retime", args.journal, "--program", program(args, cycles), "--json"]
    done = subprocess.run(command + list(options) + args.options, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def slowdown(args, cycles):
    """The share by which the planted kind becomes slower, measured in turns."""
    found = retime(args, cycles, "--runs", "40", "--against", program(args, 0))
    return next(j["ratio"] for j in found["comparison"]["judgements"] if j["name"].startswith(args.kind)) - 1


def cycles_of(args):
    """The cycles that slow a command by `args.percent`. The first few cost nothing: the processor overlaps them."""
    few, many = 20, 60
    at_few, at_many = slowdown(args, few), slowdown(args, many)
    slope = (at_many - at_few) / (many - few)
    return max(1, math.ceil(few + (args.percent / 100 - at_few) / slope))


def judge(args, cycles, base):
    if args.mode == "baseline":
        found = retime(args, cycles, "--runs", str(args.runs), "--baseline", base)
    else:
        found = retime(args, cycles, "--runs", str(args.runs), "--against", program(args, 0))
    return found["comparison"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("slow")
    parser.add_argument("journal")
    parser.add_argument("--kind", default="new_order")
    parser.add_argument("--percent", type=float, default=5)
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--mode", choices=("baseline", "against"), default="baseline")
    parser.add_argument("--cycles", type=int, help="instead of a percentage")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:split])
    args.options = words[split + 1:]
    cycles = args.cycles or cycles_of(args)
    print(f"{cycles} cycles more for each {args.kind}; {args.mode}, {args.runs} runs a side")
    words = {"unchanged": collections.Counter(), "slower": collections.Counter()}
    allowed = {"unchanged": ("same", "inconclusive"), "slower": ("worse", "inconclusive")}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        base = os.path.join(folder, "base.json")
        for number in range(1, args.tries + 1):
            if args.mode == "baseline":
                retime(args, 0, "--runs", str(args.runs), "--save", base)
            for build, its_cycles in (("unchanged", 0), ("slower", cycles)):
                found = judge(args, its_cycles, base)
                words[build][found["verdict"]] += 1
                details = ", ".join(f"{j['name']} {100 * (j['ratio'] - 1):+.1f} % {j['verdict']}"
                                    for j in found["judgements"])
                print(f"{number:3} {build:9} {found['verdict']:12} machine {100 * found['machine_drift']:+.1f} %; "
                      f"{details}", flush=True)
                wrong += found["verdict"] not in allowed[build]
    for build, counts in words.items():
        print(f"{build:9} " + ", ".join(f"{word} {count}" for word, count in sorted(counts.items())))
    print(f"wrong words: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
