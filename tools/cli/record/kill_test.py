#!/usr/bin/env python3
"""Kills `ticktape shell` with SIGKILL while it trades, and looks at what it left.

Usage: kill_test.py TICKTAPE [--kills N] [--seed S] [--jobs N]

The environment may choose the seed, TICKTAPE_CAMPAIGN_SEED, and ten times as many kills, TICKTAPE_CAMPAIGN=all.

A journal lives several lives, each under a policy and with a number of threads that are drawn. In
each, orders are sent as fast as the pipe takes them, and the process is killed once it has answered
a random number of them; a few are killed while they recover. After every kill:

  - verify says CLEAN or TORN, and a replay gives the digests that were recorded;
  - the reference engine gets the same trace digest from the recovered records;
  - the journal holds what was sent, in order, without a gap, and everything that was answered;
  - the next process appends to it.

In the end an undisturbed process is given the orders that were kept: every answer of every life
must be, word for word, what that one says.
"""

import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile
import threading

LIVES = 5  # Of one journal.
SEGMENT = "64KiB"  # The smallest, so that kills hit rolls too.


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def order_line(order_id, dice):
    side = dice.choice(["BUY", "SELL"])
    price = 100 + dice.randrange(-20, 21) / 100
    return f"SUBMIT {order_id} AAPL {side} {price:.2f} {dice.randrange(1, 500)}"


class Life:
    """One process, from its start to its death."""

    def __init__(self, ticktape, journal, lines, dice):
        # Policies that survive a process. The small segments have no room for a reserve.
        space = dice.choice([["--segment", SEGMENT], ["--segment", "5MiB", "--reserve", "5MiB"]])
        self.process = subprocess.Popen(
            [ticktape, "shell", "-o", journal, "--ack", dice.choice(["disk", "written"]),
             "--threads", dice.choice(["1", "2", "2", "2"]), *space],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.lines = lines
        self.dice = random.Random(dice.random())
        self.window = dice.choice([1, 20, 400, 3000])  # Orders sent and not answered.
        self.output = b""
        self.answered = 0
        self.changed = threading.Condition()
        self.sender = threading.Thread(target=self.send, daemon=True)
        self.sender.start()

    def send(self):
        try:
            at = 0
            while at < len(self.lines):
                count = self.dice.randint(1, self.window)
                with self.changed:
                    self.changed.wait_for(lambda: at + count - self.answered <= self.window)
                self.process.stdin.write("".join(self.lines[at : at + count]).encode())
                self.process.stdin.flush()
                at += count
            self.process.stdin.close()
        except (BrokenPipeError, ValueError):
            pass  # Killed.

    def kill_after(self, answer_count):
        # Read as fast as it comes: a process that waits for its reader is not under load.
        while self.answered < answer_count:
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            expect(piece, "the process ended by itself")
            self.hear(piece)
        self.process.kill()
        return self.end()

    def hear(self, piece):
        before = max(0, len(self.output) - 3)
        self.output += piece
        with self.changed:
            self.answered += self.output.count(b"ACK ", before) if piece else len(self.lines)
            self.changed.notify()

    def end(self):
        """Reads also the rest of its output: that counts as answered."""
        piece = True
        while piece:
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            self.hear(piece)  # The last is empty: no test waits for an answer any more.
        self.process.wait()
        self.sender.join()
        whole = self.output[: self.output.rfind(b"\n") + 1].decode()
        return [line for line in whole.splitlines() if not line.startswith("DEFINED")]


class Trader:
    """A journal, what was sent to it, and what must be in it."""

    def __init__(self, ticktape, journal, seed):
        self.ticktape, self.journal = ticktape, journal
        self.dice = random.Random(seed)
        self.next_id = 1
        self.kept = []  # Order ids, as the journal has them.
        self.lines = {}  # Order id: line.
        self.lives = []  # (first order id, answers)

    def leave_what_a_writer_leaves_that_never_began(self):
        os.mkdir(self.journal)

    def run(self, *arguments):
        return subprocess.run(
            [self.ticktape, *arguments], capture_output=True, text=True, check=False
        )

    def new_lines(self, count):
        ids = range(self.next_id, self.next_id + count)
        self.next_id += count
        for order_id in ids:
            self.lines[order_id] = order_line(order_id, self.dice)
        return list(ids), [self.lines[order_id] + "\n" for order_id in ids]

    def live_and_be_killed(self):
        ids, lines = self.new_lines(2500)
        life = Life(self.ticktape, self.journal, lines, self.dice)
        few, many = self.dice.randrange(100), self.dice.randrange(1500)
        answers = life.kill_after(self.dice.choice([0, 1, few, many]))
        verdict = self.look(ids, answers)
        self.lives.append((ids[0], answers))
        return verdict, len(answers)

    def look(self, ids, answers):
        names = os.listdir(self.journal) if os.path.isdir(self.journal) else []
        if not [name for name in names if name.startswith("segment-")]:
            expect(not answers, "answered, and there is no journal")
            return "nothing"
        verified = self.run("verify", "--replay", "--json", self.journal)
        report = json.loads(verified.stdout)
        if "error" in report and not answers and not self.kept:
            return "nothing"  # Killed before the first preamble was whole: nothing to read yet.
        expect(report["verdict"] in ("CLEAN", "TORN"), f"verify: {verified.stdout}")
        expect(report["replay"]["equal"] is not False, f"replay: {verified.stdout}")
        found, record_count = self.order_ids()
        if record_count > 0:
            replayed = self.run("replay", "--engine", "reference", "--json", self.journal)
            expect(replayed.returncode in (0, 4), f"replay: {replayed.stderr}")
            traces = [r["trace_digest"] for r in (report["replay"], json.loads(replayed.stdout))]
            expect(traces[0] == traces[1], f"fast {traces[0]}, reference {traces[1]}")
        expect(found[: len(self.kept)] == self.kept, "records of earlier lives are not the same")
        new = found[len(self.kept) :]
        expect(new == ids[: len(new)], "the journal does not hold what was sent, in order")
        answered = {int(line.split()[1]) for line in answers if line.startswith("ACK ")}
        expect(answered <= set(new), f"answered and gone: {sorted(answered - set(new))[:10]}")
        self.kept = found
        return report["verdict"]

    def order_ids(self):
        """Those of the journal, and how many records it has."""
        listed = self.run("cat", "--fields", "sequence,kind,client_order_id", self.journal)
        expect(listed.returncode == 0, f"cat: {listed.stderr}")
        records = [line.split("\t") for line in listed.stdout.splitlines()]
        sequences = [int(sequence) for sequence, _, _ in records]
        expect(sequences == list(range(1, len(records) + 1)), "sequences have a gap")
        orders = [int(order_id) for _, kind, order_id in records if kind != "define_market"]
        return orders, len(records)

    def live_to_the_end(self):
        ids, lines = self.new_lines(300)
        life = Life(self.ticktape, self.journal, lines, self.dice)
        answers = life.end()
        self.lives.append((ids[0], answers))
        expect(self.look(ids, answers) == "CLEAN", "closed, and not CLEAN")
        expect(self.kept[-len(ids) :] == ids, "closed, and something is missing")

    def compare_with_an_undisturbed_process(self):
        lines = "".join(self.lines[order_id] + "\n" for order_id in self.kept)
        undisturbed = subprocess.run(
            [self.ticktape, "shell"], input=lines, capture_output=True, text=True, check=True
        )
        replies = [s for s in undisturbed.stdout.splitlines() if not s.startswith("DEFINED")]
        begins = {int(line.split()[1]): i for i, line in enumerate(replies) if line.startswith("ACK ")}
        for first_id, answers in self.lives:
            if answers:
                begin = begins[first_id]
                expect(len(answers) <= len(replies) - begin, "more replies than undisturbed")
                for answer, other in zip(answers, replies[begin:]):
                    expect(answer == other, f"reply {answer!r}, undisturbed {other!r}")


def run_lives(ticktape, seed, kills):
    """One journal. What was seen, by verdict, and a line that says so."""
    seen = {}
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        trader = Trader(ticktape, os.path.join(folder, "journal"), seed)
        if seed % 2:
            trader.leave_what_a_writer_leaves_that_never_began()
        report = f"seed {seed}:"
        try:
            for _ in range(kills):
                verdict, answers = trader.live_and_be_killed()
                report += f" {verdict} after {answers}"
                seen[verdict] = seen.get(verdict, 0) + 1
            trader.live_to_the_end()
            trader.compare_with_an_undisturbed_process()
        except AssertionError as failure:
            again = f"kill_test.py TICKTAPE --seed {seed} --kills {kills}"
            raise AssertionError(f"{report}; then: {failure}\nagain: {again}") from failure
    print(f"{report}, {len(trader.kept)} orders kept", flush=True)
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ticktape")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TICKTAPE_CAMPAIGN_SEED", "1")))
    parser.add_argument("--jobs", type=int, default=4, help="so many journals at a time")
    options = parser.parse_args()
    if os.environ.get("TICKTAPE_CAMPAIGN") == "all":
        options.kills *= 10
    seen = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        journals = [
            pool.submit(
                run_lives,
                options.ticktape,
                options.seed + done // LIVES,
                min(LIVES, options.kills - done),
            )
            for done in range(0, options.kills, LIVES)
        ]
        for journal in concurrent.futures.as_completed(journals):
            try:
                for verdict, count in journal.result().items():
                    seen[verdict] = seen.get(verdict, 0) + count
            except AssertionError as failure:
                pool.shutdown(wait=False, cancel_futures=True)
                sys.exit(f"FAILED: {failure}")
    print("kills:", sum(seen.values()), seen)


if __name__ == "__main__":
    main()
