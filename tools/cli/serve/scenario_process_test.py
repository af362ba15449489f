#!/usr/bin/env python3
"""Runs `ticktape serve --scenario`: scripts of faults, what clients see of them, and what the journal keeps.

Usage: scenario_process_test.py TICKTAPE
"""

import http.client
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position

SCRIPT_BYTES_MAX = 1 << 20
USAGE, IO = 2, 6  # Exit codes.

# Each step is waited for by a number of connections, so that no time decides what clients see.
SCRIPT = """\
seed 7
connections=2       rate_limit_burst count=3
+0                  inject_seq_gap   count=0
connections=3       server_errors    status=503 seconds=86400
connections=4       clear
+0.01..0.02         half_open        count=0 kind=http
connections=5..5    drop_connection  count=0
"""


class ScenarioTest(venue_process.VenueTest):
    def setUp(self):
        super().setUp()
        self.connections = []

    def tearDown(self):
        self.close_connections()
        super().tearDown()

    def close_connections(self):
        for connection in self.connections:
            connection.close()

    def end_well(self, *arguments):
        self.close_connections()  # The venue waits for them.
        super().end_well(*arguments)

    def script(self, text):
        path = os.path.join(self.scratch.name, "faults.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def start(self, *options):
        self.venue.start("--kalshi", "127.0.0.1:0", *options)

    def connection(self):
        """A new connection of HTTP, which counts as one."""
        connection = http.client.HTTPConnection(
            self.venue.report["kalshi"], timeout=venue_process.PATIENCE_SECONDS
        )
        connection.connect()
        connection.auto_open = False  # No other one takes its place.
        self.connections.append(connection)
        return connection

    def ask(self, connection):
        """The status of a request on this connection."""
        connection.request("GET", "/trade-api/v2/exchange/status")
        reply = connection.getresponse()
        reply.read()
        return reply.status

    def ask_until(self, connection, status):
        """Asks until the answer has this status. Returns the other ones that came before."""
        others = set()
        deadline = time.monotonic() + venue_process.PATIENCE_SECONDS
        while (found := self.ask(connection)) != status:
            others.add(found)
            self.assertLess(time.monotonic(), deadline, others)
            time.sleep(0.005)
        return others

    def wait_for_steps(self, count):
        """Until so many steps were taken."""
        deadline = time.monotonic() + venue_process.PATIENCE_SECONDS
        while self.venue.errors().count("scenario: ") < count:
            self.assertLess(time.monotonic(), deadline, self.venue.errors())
            time.sleep(0.005)

    def notes(self):
        """The texts of the journal's notes about faults."""
        listed = self.venue.run("cat", "--json", "--where", "note", self.venue.journal)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        notes = [json.loads(line)["note"] for line in listed.stdout.splitlines()]
        return [bytes.fromhex(note["bytes"]).decode() for note in notes if note["namespace"] == "sim"]

    def test_clients_see_each_step_and_the_journal_has_it(self):
        self.venue.create()
        self.start("--scenario", self.script(SCRIPT))
        client = self.connection()
        self.assertEqual(self.ask(client), 200)
        self.connection()
        self.assertLessEqual(self.ask_until(client, 429), {200})
        self.assertEqual([self.ask(client), self.ask(client), self.ask(client)], [429, 429, 200])
        self.connection()
        self.assertLessEqual(self.ask_until(client, 503), {200})
        self.assertEqual(self.ask(client), 503)
        self.connection()
        self.assertLessEqual(self.ask_until(client, 200), {503})
        self.connection()
        self.wait_for_steps(6)
        self.end_well()

        notes = self.notes()
        self.assertEqual(
            notes[:4],
            [
                "rate_limit_burst?count=3 at connections=2",
                "inject_seq_gap?count=0 at +0",
                "server_errors?status=503&seconds=86400 at connections=3",
                "clear at connections=4",
            ],
        )
        self.assertRegex(notes[4], r"^half_open\?count=0&kind=http&seed=\d+ at \+0\.0[12]\d*$")
        self.assertRegex(notes[5], r"^drop_connection\?count=0&seed=\d+ at connections=5$")
        self.assertEqual(len(notes), 6)

    def test_a_seed_draws_the_same_in_each_start(self):
        script = (
            "seed 7\n0..0.01 half_open count=1\n+0..0.01 clear\n@1..2 drop_connection count=1 kind=all\n"
        )
        self.venue.create()
        for _ in range(2):
            self.start("--scenario", self.script(script))
            self.wait_for_steps(3)
            self.end_well()
        self.start("--scenario", self.script(script.replace("7", "8", 1)))
        self.wait_for_steps(3)
        self.end_well()
        notes = self.notes()
        self.assertEqual(notes[0:3], notes[3:6])
        self.assertNotEqual(notes[0:3], notes[6:9])

    def test_a_step_that_cannot_be_done_is_reported(self):
        self.venue.create()
        self.start("--scenario", self.script("0 close_market ticker=NOTHING\n0 clear\n"))
        self.wait_for_steps(2)
        self.end_well()
        self.assertIn("not done: ticker: expected the ticker of a market", self.venue.errors())
        self.assertEqual(self.notes(), ["clear at 0"])

    def test_a_conversation_with_a_script_is_replayed(self):
        self.venue.create()
        script = self.script("0 rate_limit_burst count=1\nconnections=1 clear\n")
        self.start("--scenario", script, "--record-conversation", "bytes")
        client = self.connection()
        self.wait_for_steps(2)
        self.assertEqual(self.ask(client), 200)
        self.end_well()
        replayed = self.venue.run("serve", self.venue.folder, "--replay")
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
        self.assertIn("EQUAL", replayed.stdout)

    def refused(self, *options):
        """The exit code, and the error of a start that is to fail."""
        ended = self.venue.start_fails("--kalshi", "127.0.0.1:0", *options)
        self.assertFalse(os.path.exists(self.venue.journal))
        return ended.returncode, json.loads(ended.stdout)["error"]["message"]

    def test_a_script_with_a_mistake_starts_no_venue(self):
        self.venue.create()
        for line, expected in [
            ("soon clear", "found 'soon', expected at most "),
            ("1 explode", "found 'explode', expected one of "),
            ("1 server_errors status=404 seconds=1", "server_errors: status: expected 500 or 503"),
            ("1..2 clear", "found the range '1..2', expected a line 'seed N' before all steps"),
            ("\x1b[31m clear", "found "),
        ]:
            path = self.script(f"# a comment\n{line}\n")
            code, message = self.refused("--scenario", path)
            self.assertEqual(code, USAGE, message)
            self.assertTrue(message.startswith(f"{path}:2: {expected}"), message)

    def test_a_file_that_is_no_script_starts_no_venue(self):
        self.venue.create()
        missing = os.path.join(self.scratch.name, "missing.txt")
        for path in [missing, self.scratch.name]:
            self.assertEqual(self.refused("--scenario", path), (IO, f"{path} cannot be read"))
        path = self.script("#" * SCRIPT_BYTES_MAX + "\n")
        self.assertEqual(
            self.refused("--scenario", path), (USAGE, f"{path}: expected at most {SCRIPT_BYTES_MAX} bytes")
        )
        self.start("--scenario", self.script("#" * (SCRIPT_BYTES_MAX - 1) + "\n"))
        self.end_well()

    def test_the_list_of_faults_is_a_script(self):
        listed = self.venue.run("serve", "--list-scenarios")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        steps = [line for line in listed.stdout.splitlines() if line[0].isdigit()]
        self.assertIn("10 inject_delay ms=250 count=10", steps)
        self.assertGreaterEqual(len(steps), 15, listed.stdout)
        self.venue.create()
        self.start("--scenario", self.script(listed.stdout))
        self.end_well()


if __name__ == "__main__":
    venue_process.main()
