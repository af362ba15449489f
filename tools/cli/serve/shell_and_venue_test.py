#!/usr/bin/env python3
"""A venue with one session leaves the records that the shell leaves, and answers the same.

Usage: shell_and_venue_test.py TICKTAPE
"""

import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position

LINES = 3_000


def session(seed):
    """Lines of all kinds, of which the exchange or the session refuses a part."""
    dice = random.Random(seed)
    for client_id in range(1, LINES):
        symbol = dice.choice(["ACME", "ACME", "BOLT", "RAIN"])
        price = f"0.{dice.randrange(40, 61)}" + dice.choice(["", "", "", "5"])
        side = dice.choice(["BUY", "SELL"])
        quantity = dice.choice(["1", "7", "30", "0", "1.5"])
        options = dice.choice(["", "", "", " IOC", " FOK", " POST", " STP=MAKER", " REDUCE"])
        known = dice.randrange(max(1, client_id - 30), client_id + 1)
        yield dice.choice(
            [
                f"SUBMIT {client_id} {symbol} {side} {price} {quantity}{options}",
                f"SUBMIT {client_id} {symbol} {side} {price} {quantity}{options}",
                f"MARKET {client_id} {symbol} {side} {quantity}",
                f"CANCEL {known}",
                f"MODIFY {known} {price} {quantity}",
                "PRINT",
                f"# {client_id}",
                f"SUBMIT {client_id} {symbol} {side}",
            ]
        )


class ShellAndVenueTest(venue_process.VenueTest):
    def records_of(self, journal):
        """The records as text, without their times."""
        listed = self.venue.run("cat", journal)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        words = [line.split(" ") for line in listed.stdout.splitlines()]
        return [" ".join(line[:1] + line[2:]) for line in words]

    def test_leave_the_same_records(self):
        self.serve()
        self.end_well()  # Accounts and markets are there.
        shell = os.path.join(self.scratch.name, "shell.tape")
        shutil.copytree(self.venue.journal, shell)
        lines = list(session(seed=7))
        text = "".join(line + "\n" for line in lines)
        typed = subprocess.run(
            [self.ticktape, "shell", "-o", shell, "--account", "2", "--quiet"],
            input=text, capture_output=True, text=True, check=True,
        )  # fmt: skip

        self.venue.start()
        client = self.venue.client("desk-3")
        client.send(*lines)
        client.end_input()
        heard = client.read_to_end()
        self.end_well()
        self.assertEqual(heard, typed.stdout.splitlines())
        self.assertGreater(sum(line.startswith("FILL ") for line in heard), 100)
        records = self.records_of(shell)
        self.assertGreater(len(records), 500)
        self.assertEqual(self.records_of(self.venue.journal), records)


if __name__ == "__main__":
    venue_process.main()
