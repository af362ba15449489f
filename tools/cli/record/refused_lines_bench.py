#!/usr/bin/env python3
"""What refused lines cost: the program itself, under each ack policy, on text with refusals in it.

Usage: refused_lines_bench.py TICKTAPE [--lines N] [--rounds N] [--check]

Lines: submits, cancels and modifies over 16 symbols. A share of them is refused by the gateway: none,
every eleventh, every second. They name orders that were never there or have ended, use an id that is in
use, or are malformed.

  record   ticktape record --from text FILE
  shell    ticktape shell < FILE
  pipe     cat FILE | ticktape shell

Prints commands a second, the ratio to --ack none of the same way, and the bytes that the journal takes
for each command: the best of the rounds, which take turns. Then the time from a lone line to its reply,
accepted and refused, through pipes. --check: exit code 1 where a target is missed (60 % of none, 16 bytes).
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

WAYS = ["record", "shell", "pipe"]
POLICIES = ["none", "written", "disk"]
SHARES = [(0, 1), (1, 11), (1, 2)]  # Refused lines: so many of so many.
SYMBOLS = 16
RATIO_MIN = 0.6
BYTES_MAX = 16


def order_line(order_id, dice):
    side = dice.choice(["BUY", "SELL"])
    cents = 10_000 + (-dice.randrange(1, 20) if side == "BUY" else dice.randrange(1, 20))
    return f"SUBMIT {order_id} SYM{dice.randrange(SYMBOLS)} {side} {cents / 100:.2f} {dice.randrange(1, 100)}"


def refused_line(live, ended, dice):
    kind = dice.randrange(4)
    if kind == 0:
        return f"CANCEL {10**12 + dice.randrange(10**6)}"
    if kind == 1:
        return f"SUBMIT {live[0]} SYM0 BUY 1.00 1" if live else "oops"
    if kind == 2:
        return f"CANCEL {ended[0]}" if ended else "oops"
    return dice.choice(["oops", "SUBMIT 1 SYM0 BYE 1 1", "CANCEL", "MODIFY 1 x 1"])


def write_lines(path, count, share):
    """Exactly `share` of the lines are refused by the gateway; the first order lives for ever."""
    dice = random.Random(1)
    refused, of = share
    live, ended = [], []
    next_id = 1
    with open(path, "w", encoding="ascii") as file:
        file.write(f"SUBMIT {next_id} SYM0 BUY 1.00 1\n")
        live.append(next_id)
        for i in range(1, count):
            if i % of < refused:
                # An id is forgotten, and refused by the gateway, 8,192 commands after its end.
                line = refused_line(live, ended if i > 40_000 else [], dice)
            elif len(live) < 1000 or dice.random() < 0.45:
                next_id += 1
                live.append(next_id)
                line = order_line(next_id, dice)
            elif dice.random() < 0.1:
                line = f"MODIFY {dice.choice(live[1:])} {dice.randrange(90, 99)}.00 {dice.randrange(1, 100)}"
            else:
                at = dice.randrange(1, len(live))
                live[at], live[-1] = live[-1], live[at]
                order = live.pop()
                if len(ended) < 1:
                    ended.append(order)
                line = f"CANCEL {order}"
            file.write(line + "\n")


def folder_bytes(path):
    return sum(entry.stat().st_size for entry in os.scandir(path))


def run(ticktape, way, policy, lines, folder):
    journal = os.path.join(folder, "run.tape")
    subprocess.run(["rm", "-rf", journal], check=True)
    os.sync()
    begin = time.monotonic()
    if way == "record":
        done = subprocess.run(
            [ticktape, "record", "--from", "text", lines, "-o", journal, "--ack", policy, "--json"],
            capture_output=True,
            check=False,
        )
        seconds = time.monotonic() - begin
        found = re.search(rb'"commands":(\d+)', done.stdout)
    else:
        shell = [ticktape, "shell", "-o", journal, "--ack", policy]
        with open(os.path.join(folder, "replies"), "wb") as replies:
            if way == "shell":
                with open(lines, "rb") as file:
                    done = subprocess.run(
                        shell, stdin=file, stdout=replies, stderr=subprocess.PIPE, check=False
                    )
            else:
                cat = subprocess.Popen(["cat", lines], stdout=subprocess.PIPE)
                done = subprocess.run(
                    shell, stdin=cat.stdout, stdout=replies, stderr=subprocess.PIPE, check=False
                )
                cat.stdout.close()
                cat.wait()
        seconds = time.monotonic() - begin
        found = re.search(rb"journal: (\d+) commands", done.stderr)
    if found is None:
        sys.exit(f"{way} --ack {policy}: {done.stderr.decode()}")
    commands = int(found.group(1))
    return commands / seconds, folder_bytes(journal) / commands


def lone_micros(ticktape, policy, line, count, folder):
    """From a line to its reply, in a session that is asked nothing else: the median."""
    journal = os.path.join(folder, "lone.tape")
    subprocess.run(["rm", "-rf", journal], check=True)
    shell = subprocess.Popen(
        [ticktape, "shell", "-o", journal, "--ack", policy],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    )
    shell.stdin.write(b"SUBMIT 1 SYM0 BUY 1.00 1\n")
    while not shell.stdout.read(65536).endswith(b"ACK 1 order=2\n"):
        pass
    micros = []
    for i in range(count):
        time.sleep(0.0002)
        begin = time.monotonic()
        shell.stdin.write(line(i + 2))
        shell.stdout.read(65536)
        micros.append((time.monotonic() - begin) * 1e6)
    shell.stdin.close()
    shell.wait()
    return statistics.median(micros)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ticktape")
    parser.add_argument("--lines", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lone", type=int, default=2000)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    ticktape = os.path.abspath(options.ticktape)
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        print(f"{options.lines:,} lines, best of {options.rounds}\n")
        print("| way | refused | ack | commands/s | of none | bytes per command |")
        print("|---|---|---|---|---|---|")
        for share in SHARES:
            lines = os.path.join(folder, "lines.txt")
            write_lines(lines, options.lines, share)
            refused = "0" if share[0] == 0 else f"{share[0]}/{share[1]}"
            for way in WAYS:
                best = {}
                for _ in range(options.rounds):
                    for policy in POLICIES:
                        rate, size = run(ticktape, way, policy, lines, folder)
                        before = best.get(policy, (0, 0))
                        best[policy] = (max(rate, before[0]), max(size, before[1]))
                for policy in POLICIES:
                    rate, size = best[policy]
                    ratio = rate / best["none"][0]
                    print(f"| {way} | {refused} | {policy} | {rate:,.0f} | {ratio:.0%} | {size:.1f} |", flush=True)
                    if ratio < RATIO_MIN:
                        missed.append(f"{way} {refused} {policy}: {ratio:.0%} of none")
                    if size > BYTES_MAX and way != "pipe":
                        missed.append(f"{way} {refused} {policy}: {size:.1f} bytes per command")
        if options.lone:
            print("\n| a lone line | ack | median |\n|---|---|---|")
            for name, line in [
                ("accepted", lambda i: f"SUBMIT {i} SYM0 BUY 1.00 1\n".encode()),
                ("refused", lambda i: b"CANCEL 0\n"),
            ]:
                for policy in POLICIES:
                    micros = lone_micros(ticktape, policy, line, options.lone, folder)
                    print(f"| {name} | {policy} | {micros:.0f} µs |", flush=True)
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    sys.exit(1 if options.check and missed else 0)


if __name__ == "__main__":
    main()
