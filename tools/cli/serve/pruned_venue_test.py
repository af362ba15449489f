#!/usr/bin/env python3
"""A venue whose journal was pruned knows everything that it knew before.

Usage: pruned_venue_test.py TICKTAPE
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

ORDERS = 60_000
FAR = 1_000  # Each of these rests far from the touch, to the end.


class Venue:
    """A venue that serves, until the end of the block."""

    def __init__(self, ticktape, folder):
        self.command = [ticktape, "serve", folder, "--text", "127.0.0.1:0", "--json"]
        self.command += ["--segment", "64KiB", "--reserve", "0"]
        with open(os.path.join(folder, "venue.json"), encoding="ascii") as file:
            self.secrets = {login["name"]: login["secret"] for login in json.load(file)["logins"]}

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.port = int(json.loads(self.process.stdout.readline())["text"].rsplit(":", 1)[1])
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.errors = self.process.communicate(timeout=60)[1]
        assert self.process.returncode == 0, self.errors

    def answers(self, name, lines):
        """Sends the lines in a session of that login; returns what it answers, without WELCOME."""
        text = "".join(f"{line}\n" for line in [f"LOGIN {name} {self.secrets[name]}", *lines])
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:

            def send():
                connection.sendall(text.encode())
                connection.shutdown(socket.SHUT_WR)

            sender = threading.Thread(target=send)
            sender.start()
            answers = connection.makefile("r").read().splitlines()
            sender.join()
        assert answers[0].startswith("WELCOME "), answers[0]
        return answers[1:]


def day():
    for client_id in range(1, ORDERS + 1):
        is_far = client_id % FAR == 0
        price = "20.00" if is_far else "10.05" if client_id % 2 == 0 else "10.00"
        side = "SELL" if client_id % 2 == 0 else "BUY"
        yield f"SUBMIT {client_id} ACME {side} {price} 1"
        if not is_far:
            yield f"CANCEL {client_id}"


# Ids of orders that have ended, that rest, and that are new; of the account and of another.
NEXT = [f"SUBMIT {i} ACME BUY 9.99 1" for i in (1, 2, FAR, ORDERS - 1, ORDERS, ORDERS + 1)]
NEXT += [f"CANCEL {i}" for i in (FAR, 2 * FAR, 1)] + ["PRINT ACME"]
OTHERS = ["SUBMIT 1 ACME BUY 9.98 1", "SUBMIT 1 ACME BUY 9.98 1"]


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, (command, result.stdout, result.stderr)
    return result.stdout


def main():
    ticktape = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as temporary:
        whole = os.path.join(temporary, "whole")
        run(ticktape, "serve", "--init", whole)
        with Venue(ticktape, whole) as venue:
            answers = venue.answers("desk-2", day())
        assert sum(answer.startswith("ACK ") for answer in answers) == ORDERS
        journal = os.path.join(whole, "journal")
        for place in ("@40960", "@81920"):
            run(ticktape, "snapshot", "make", journal, place)
        pruned = os.path.join(temporary, "pruned")
        shutil.copytree(whole, pruned, ignore=shutil.ignore_patterns("admin.sock"))
        forgetful = os.path.join(temporary, "forgetful")
        pruned_journal = os.path.join(pruned, "journal")
        deleted = json.loads(run(ticktape, "prune", pruned_journal, "--apply", "--json"))
        assert deleted["segments"], deleted
        shutil.copytree(pruned, forgetful)
        shutil.rmtree(os.path.join(whole, "journal", "snapshots"))

        answers = []
        for folder in (whole, pruned):
            with Venue(ticktape, folder) as venue:
                answers.append([venue.answers("desk-1", NEXT), venue.answers("desk-3", OTHERS)])
        assert answers[0] == answers[1], answers
        assert answers[0][0][0] == "REJECT 1 duplicate_id", answers[0]
        assert answers[0][0][5].startswith(f"ACK {ORDERS + 1} "), answers[0]
        assert f"CANCELLED {FAR} 1 requested" in answers[0][0], answers[0]
        run(ticktape, "verify", pruned_journal)

        # Without it, ids could be used twice.
        for name in os.listdir(os.path.join(forgetful, "journal", "snapshots")):
            if name.endswith(".memory"):
                os.remove(os.path.join(forgetful, "journal", "snapshots", name))
        refused = subprocess.run(
            [ticktape, "serve", forgetful], capture_output=True, text=True, check=False, timeout=60
        )
        assert refused.returncode != 0, refused
        assert "no memory of a venue" in refused.stderr, refused.stderr


if __name__ == "__main__":
    main()
