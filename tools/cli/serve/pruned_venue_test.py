#!/usr/bin/env python3
"""A venue whose journal was pruned knows everything that it knew before.

Usage: pruned_venue_test.py TICKTAPE
"""

import json
import os
import shutil
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position

ORDERS = 60_000
FAR = 1_000  # Each of these rests far from the touch, to the end.
SMALL_SEGMENTS = ["--segment", "64KiB", "--reserve", "0"]

# Ids of orders that have ended, that rest, and that are new; of the account and of another.
NEXT = [f"SUBMIT {i} ACME BUY 9.99 1" for i in (1, 2, FAR, ORDERS - 1, ORDERS, ORDERS + 1)]
NEXT += [f"CANCEL {i}" for i in (FAR, 2 * FAR, 1)] + ["PRINT ACME"]
OTHERS = ["SUBMIT 1 ACME BUY 9.98 1", "SUBMIT 1 ACME BUY 9.98 1"]


def day():
    for client_id in range(1, ORDERS + 1):
        is_far = client_id % FAR == 0
        price = "20.00" if is_far else "10.05" if client_id % 2 == 0 else "10.00"
        side = "SELL" if client_id % 2 == 0 else "BUY"
        yield f"SUBMIT {client_id} ACME {side} {price} 1"
        if not is_far:
            yield f"CANCEL {client_id}"


def answers(venue, name, lines):
    """What a session of that login is answered, from its first line to its end."""
    client = venue.client(name)

    def send():
        client.send(*lines)
        client.end_input()

    sender = threading.Thread(target=send)
    sender.start()
    lines = client.read_to_end()
    sender.join()
    return lines


class PrunedVenueTest(venue_process.VenueTest):
    def copy_of(self, venue, name):
        folder = os.path.join(self.scratch.name, name)
        shutil.copytree(venue.folder, folder, ignore=shutil.ignore_patterns("admin.sock"))
        return venue_process.Venue(self.ticktape, folder)

    def run_well(self, *words):
        done = self.venue.run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def trade_and_prune(self):
        """Returns the venue as it was, and as it is after a prune."""
        self.serve(*SMALL_SEGMENTS)
        acknowledged = [a for a in answers(self.venue, "desk-2", day()) if a.startswith("ACK ")]
        self.assertEqual(len(acknowledged), ORDERS)
        self.end_well()
        for place in ("@40960", "@81920"):
            self.run_well("snapshot", "make", self.venue.journal, place)
        pruned = self.copy_of(self.venue, "pruned")
        report = json.loads(self.run_well("prune", pruned.journal, "--apply", "--json"))
        self.assertNotEqual(report["segments"], [])
        shutil.rmtree(os.path.join(self.venue.journal, "snapshots"))
        return self.venue, pruned

    def test_answers_as_if_nothing_was_deleted(self):
        heard = []
        for self.venue in self.trade_and_prune():
            self.venue.start(*SMALL_SEGMENTS)
            heard.append([answers(self.venue, "desk-1", NEXT), answers(self.venue, "desk-3", OTHERS)])
            self.assertEqual(self.venue.end(), 0)
            self.run_well("verify", self.venue.journal)
        self.assertEqual(heard[0], heard[1])
        self.assertEqual(heard[0][0][0], "REJECT 1 duplicate_id")
        self.assertTrue(heard[0][0][5].startswith(f"ACK {ORDERS + 1} "))
        self.assertIn(f"CANCELLED {FAR} 1 requested", heard[0][0])

    def test_does_not_start_without_its_memory(self):
        _, self.venue = self.trade_and_prune()
        snapshots = os.path.join(self.venue.journal, "snapshots")
        for name in os.listdir(snapshots):
            if name.endswith(".memory"):
                os.remove(os.path.join(snapshots, name))
        refused = self.venue.start_fails()
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("no memory of a venue", refused.stderr)

    def test_kalshis_api_needs_the_whole_journal(self):
        whole, self.venue = self.trade_and_prune()
        refused = self.venue.start_fails("--kalshi", "127.0.0.1:0")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("expected a journal from its first record on", refused.stderr)
        self.venue = whole
        self.venue.start("--kalshi", "127.0.0.1:0")
        self.assertEqual(self.venue.end(), 0)


if __name__ == "__main__":
    venue_process.main()
