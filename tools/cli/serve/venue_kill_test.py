#!/usr/bin/env python3
"""Kills `ticktape serve` with SIGKILL while fifty sessions trade, and looks at what it left.

Usage: venue_kill_test.py TICKTAPE [--kills N] [--seed S] [--jobs N]

The environment may choose the seed, TICKTAPE_CAMPAIGN_SEED, and ten times as many kills, TICKTAPE_CAMPAIGN=all.

A venue lives several lives, each under an ack policy that is drawn. In each, fifty sessions of five
accounts submit and cancel, and the venue is killed once it has answered a random number of lines;
a few are killed while they start or while they end. After every kill:

  - verify says CLEAN or TORN, and a replay gives the digests that were recorded;
  - the reference engine gets the same trace digest;
  - the records of earlier lives are the same, and no sequence number is missing;
  - an order that was acknowledged is the record that its ACK names, with the terms that were sent;
    a cancel that was answered has a record;
  - no client id of an account is there twice.

After the restart each session sends again all lines that were not answered: an order is either new,
or refused as a duplicate, and then its record must be there. In the end an undisturbed life answers
all of them, and the journal holds each order once, and the trade of every FILL of every life. Some
lives record their conversations, which then are replayed, byte by byte.
"""

import argparse
import collections
import concurrent.futures
import csv
import json
import os
import random
import selectors
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
from venue_process import PATIENCE_SECONDS, Client, Venue, order_of  # pylint: disable=wrong-import-position

LIVES = 5  # Of one venue.
SESSIONS = 50
ACCOUNTS = 5
IDS_OF_DESK = 1_000_000
SYMBOLS = ["ACME", "BOLT"]
FIELDS = ["sequence", "kind", "account", "client_order_id", "market", "side", "price", "quantity"]


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


class Desk:
    """A client that remembers across connections what it has sent and what was answered."""

    def __init__(self, number, dice):
        self.account = 1 + number % ACCOUNTS
        self.name = f"desk-{number}"
        self.dice = random.Random(dice.random())
        self.next_id = number * IDS_OF_DESK + 1
        self.window = self.dice.choice([1, 20, 200])  # Lines that wait for an answer.
        self.unanswered = collections.deque()  # (verb, id), in the order of their lines.
        self.resent = 0  # So many of them, from the first, were sent in an earlier life.
        self.terms = {}  # Id: what was sent, as in a record.
        self.orders = {}  # Id: the order id of its ACK.
        self.duplicates = set()
        self.cancelled = set()
        self.fills = set()  # (id, quantity, party, trade), of all orders of the account.
        self.client = None

    def line(self, verb, order_id):
        if verb == "CANCEL":
            return f"CANCEL {order_id}"
        symbol, side, price, quantity = self.terms[order_id]
        return f"SUBMIT {order_id} {symbol} {'BUY' if side == 'bid' else 'SELL'} {price} {quantity}"

    def connect(self, address):
        """Sends again what was not answered."""
        self.client = Client(address, {"name": self.name, "secret": self.name + "-secret"})
        expect(self.client.welcome == f"WELCOME {self.name} account={self.account}", self.client.welcome)
        self.client.send(*[self.line(*request) for request in self.unanswered])
        self.resent = len(self.unanswered)
        self.client.socket.setblocking(False)

    def new_request(self):
        if self.orders and self.dice.randrange(3) == 0:
            return "CANCEL", self.dice.choice(list(self.orders)[-20:])
        dice, order_id = self.dice, self.next_id
        self.next_id += 1
        price = f"{10 + dice.randrange(-20, 21) / 100:.2f}"
        self.terms[order_id] = (
            dice.choice(SYMBOLS), dice.choice(["bid", "ask"]), price, str(dice.randrange(1, 500))
        )  # fmt: skip
        return "SUBMIT", order_id

    def fill_window(self):
        lines = []
        while len(self.unanswered) < self.window:
            self.unanswered.append(self.new_request())
            lines.append(self.line(*self.unanswered[-1]))
        if not lines:
            return
        try:
            self.client.send(*lines)
        except (BrokenPipeError, ConnectionResetError):
            pass  # Killed.

    def hear(self):
        """Takes what has come. Returns how many lines it answers, and whether more may come."""
        count, is_open = 0, True
        try:
            piece = self.client.socket.recv(1 << 16)
            is_open = piece != b""
        except BlockingIOError:
            return 0, True
        except ConnectionResetError:
            return 0, False
        self.client.rest += piece
        *lines, self.client.rest = self.client.rest.split(b"\n")
        for line in lines:
            count += self.take(line.decode())
        return count, is_open

    def take(self, reply):
        """Whether the reply answers the first unanswered line. Others are news of the account."""
        word, order_id, *rest = reply.split()
        if word == "FILL":
            self.fills.add((int(order_id), rest[0], rest[3], rest[5].removeprefix("trade=")))
        is_cancel = rest[-1] == "requested" and int(order_id) in self.terms
        if word not in ("ACK", "REJECT") and not is_cancel:
            return False
        expect(self.unanswered, f"{self.name}: {reply}, and no line waits")
        verb, asked_id = self.unanswered.popleft()
        self.resent -= 1
        expect(int(order_id) == asked_id, f"{self.name}: {reply} answers {verb} {asked_id}")
        self.answer(verb, asked_id, reply)
        return True

    def answer(self, verb, order_id, reply):
        what = f"{self.name}: {reply} answers {verb} {order_id}"
        if verb == "CANCEL":
            if reply.startswith("CANCELLED "):
                self.cancelled.add(order_id)
            else:
                expect(reply.endswith(" order_not_live"), what)
        elif reply.startswith("ACK "):
            expect(order_id not in self.orders, f"{what} again")
            self.orders[order_id] = order_of(reply)
        else:
            expect(reply.endswith(" duplicate_id"), what)
            expect(self.resent >= 0, f"{what}, which was sent once")
            self.duplicates.add(order_id)


class KilledVenue:
    """A venue and its desks, over all its lives."""

    def __init__(self, ticktape, folder, seed):
        self.dice = random.Random(seed)
        self.venue = Venue(ticktape, folder)
        self.venue.create()
        self.venue.edit(self.set_up)
        self.desks = [Desk(number, self.dice) for number in range(SESSIONS)]
        self.selector = None
        self.kept = []  # The records of the journal.

    def leave_what_a_writer_leaves_that_never_began(self):
        os.mkdir(self.venue.journal)

    def set_up(self, config):
        config["accounts"] = [{"id": 1 + i} for i in range(ACCOUNTS)]
        config["logins"] = [
            {
                "name": f"desk-{i}",
                "secret": f"desk-{i}-secret",
                "account": 1 + i % ACCOUNTS,
                "cancel_on_disconnect": i % 3 == 0,
            }
            for i in range(SESSIONS)
        ]

    def options(self):
        talk = self.dice.choice([[], ["--record-conversation", self.dice.choice(["hashes", "bytes"])]])
        space = self.dice.choice([["--segment", "64KiB"], ["--segment", "5MiB", "--reserve", "5MiB"]])
        return ["--ack", self.dice.choice(["written", "disk"]), *space, *talk]

    def live_and_be_killed(self):
        """Returns what happened, and what verify says."""
        if self.dice.randrange(5) == 0:
            how = self.be_killed_at_start()
        else:
            self.start()
            few, many = self.dice.randrange(100), self.dice.randrange(4000)
            answered = self.trade(self.dice.choice([0, few, many]))
            how = f"{self.kill()} after {answered}"
        return how, self.look()

    def be_killed_at_start(self):
        process = subprocess.Popen(
            self.venue.arguments(*self.options()),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(self.dice.random() * 0.1)
        process.kill()
        process.wait()
        return "start"

    def start(self):
        self.venue.start(*self.options())
        self.selector = selectors.DefaultSelector()
        for desk in self.desks:
            desk.connect(self.venue.address)
            self.selector.register(desk.client.socket, selectors.EVENT_READ, desk)

    def trade(self, answer_count):
        """Sends and hears until so many lines are answered. Returns how many were."""
        answered = 0
        while answered < answer_count:
            for desk in self.desks:
                desk.fill_window()
            answered += self.hear()
        return answered

    def hear(self):
        """Returns how many lines what comes next answers."""
        answered = 0
        ready = self.selector.select(PATIENCE_SECONDS)
        expect(ready, f"no answer comes: {self.venue.errors()}")
        for key, _ in ready:
            count, is_open = key.data.hear()
            expect(is_open, f"ended by itself: {self.venue.errors()}")
            answered += count
        return answered

    def kill(self):
        """Kills it while it works. What it has sent before counts as answered, if it arrives."""
        for desk in self.desks:
            desk.fill_window()
        is_ending = self.dice.randrange(4) == 0
        if is_ending:
            self.venue.process.send_signal(signal.SIGTERM)
        time.sleep(self.dice.choice([0, 0.001, 0.005, 0.02]) * self.dice.random())
        self.venue.process.kill()
        self.venue.wait()
        loss = self.dice.choice([0, 0, 50])  # In percent: a network may lose what was sent.
        for desk in self.desks:
            while self.dice.randrange(100) >= loss and desk.hear()[1]:
                pass
            desk.client.close()
        self.selector.close()
        return "end" if is_ending else "kill"

    def live_to_the_end(self):
        """Answers everything, and changes nothing that was answered."""
        self.start()
        while any(desk.unanswered for desk in self.desks):
            self.hear()
        for desk in self.desks:
            desk.client.close()
        self.selector.close()
        expect(self.venue.end() == 0, self.venue.errors())
        expect(self.look() == "CLEAN", "ended, and not CLEAN")
        for desk in self.desks:
            expect(desk.terms.keys() == desk.orders.keys() | desk.duplicates, f"{desk.name}: lost")
        self.look_at_fills()
        self.look_at_conversations()

    def look(self):
        journal = self.venue.journal
        verified = self.venue.run("verify", "--replay", "--json", journal)
        report = json.loads(verified.stdout)
        if "error" in report:
            # No preamble was whole yet: nothing was promised.
            answered = any(desk.orders for desk in self.desks)
            expect(not answered, f"answered, and there is no journal: {verified.stderr}")
            return "nothing"
        expect(report["verdict"] in ("CLEAN", "TORN"), f"verify: {verified.stdout}")
        expect(report["replay"]["equal"] is not False, f"replay: {verified.stdout}")
        records = self.venue.records(*FIELDS)
        if records:
            replayed = self.venue.run("replay", "--engine", "reference", "--json", journal)
            expect(replayed.returncode in (0, 4), f"replay: {replayed.stderr}")
            traces = [r["trace_digest"] for r in (report["replay"], json.loads(replayed.stdout))]
            expect(traces[0] == traces[1], f"fast {traces[0]}, reference {traces[1]}")
        self.look_at_records(records)
        return report["verdict"]

    def look_at_records(self, records):
        expect(records[: len(self.kept)] == self.kept, "records of earlier lives are not the same")
        self.kept = records
        sequences = [int(record[0]) for record in records]
        expect(sequences == list(range(1, len(records) + 1)), "sequences have a gap")
        orders, cancelled = {}, set()
        for sequence, kind, account, order_id, *terms in records:
            if kind == "cancel":
                cancelled.add(int(order_id))
            if kind != "new_order":
                continue
            what = f"@{sequence}: account {account}, id {order_id}"
            expect(int(order_id) not in orders, f"{what} is there twice")
            orders[int(order_id)] = int(sequence)
            desk = self.desks[int(order_id) // IDS_OF_DESK]
            expect(int(account) == desk.account, f"{what}: not the account's")
            expect(desk.terms[int(order_id)] == tuple(terms), f"{what}: {terms}")
        for desk in self.desks:
            lost = desk.orders.items() - orders.items()
            expect(not lost, f"{desk.name}: acknowledged and gone: {sorted(lost)[:5]}")
            lost = desk.duplicates - orders.keys()
            expect(not lost, f"{desk.name}: a duplicate of nothing: {sorted(lost)[:5]}")
            lost = desk.cancelled - cancelled
            expect(not lost, f"{desk.name}: cancelled and no record: {sorted(lost)[:5]}")

    def look_at_conversations(self):
        """Every byte that was sent in any life follows from the records."""
        if not os.path.exists(os.path.join(self.venue.folder, "conversations")):
            return
        replayed = self.venue.run("serve", self.venue.folder, "--replay")
        expect(replayed.returncode == 0, f"{replayed.stdout}{replayed.stderr}")

    def look_at_fills(self):
        exported = self.venue.run("export", self.venue.journal, "--what", "events", "-o", "-")
        expect(exported.returncode == 0, exported.stderr)
        trades = {}
        ids = {record[0]: int(record[3]) for record in self.kept if record[1] == "new_order"}
        for event in csv.DictReader(exported.stdout.splitlines()):
            if event["kind"] == "trade":
                parties = {"maker": ids[event["maker"]], "taker": ids[event["taker"]]}
                trades[f"{event['sequence']}.{event['index']}"] = (parties, event["quantity"])
        for desk in self.desks:
            for order_id, quantity, party, trade in desk.fills:
                what = f"{desk.name}: FILL {order_id} {quantity} {party} {trade}"
                expect(trade in trades, f"{what}: no such trade")
                parties, traded = trades[trade]
                expect((parties[party], traded) == (order_id, quantity), f"{what}: {trades[trade]}")


def run_lives(ticktape, seed, kills):
    """One venue. What was seen, by what happened and verdict."""
    seen = collections.Counter()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        killed = KilledVenue(ticktape, os.path.join(folder, "venue"), seed)
        if seed % 2:
            killed.leave_what_a_writer_leaves_that_never_began()
        report = f"seed {seed}:"
        try:
            for _ in range(kills):
                how, verdict = killed.live_and_be_killed()
                report += f" {how} {verdict},"
                seen[f"{how.split()[0]} {verdict}"] += 1
            killed.live_to_the_end()
        except AssertionError as failure:
            again = f"venue_kill_test.py TICKTAPE --seed {seed} --kills {kills}"
            raise AssertionError(f"{report} then: {failure}\nagain: {again}") from failure
        duplicates = sum(len(desk.duplicates) for desk in killed.desks)
        seen["duplicates"] += duplicates
        print(f"{report} {len(killed.kept)} records, {duplicates} duplicates refused", flush=True)
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ticktape")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TICKTAPE_CAMPAIGN_SEED", "1")))
    parser.add_argument("--jobs", type=int, default=2, help="so many venues at a time")
    options = parser.parse_args()
    if os.environ.get("TICKTAPE_CAMPAIGN") == "all":
        options.kills *= 10
    seen = collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        venues = [
            pool.submit(
                run_lives,
                os.path.abspath(options.ticktape),
                options.seed + done // LIVES,
                min(LIVES, options.kills - done),
            )
            for done in range(0, options.kills, LIVES)
        ]
        for venue in concurrent.futures.as_completed(venues):
            try:
                seen += venue.result()
            except AssertionError as failure:
                pool.shutdown(wait=False, cancel_futures=True)
                sys.exit(f"FAILED: {failure}")
    expect(seen["duplicates"] > 0, "no line was sent twice")
    print(dict(sorted(seen.items())))


if __name__ == "__main__":
    main()
