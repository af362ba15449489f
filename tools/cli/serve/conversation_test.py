#!/usr/bin/env python3
"""Records the conversations of `ticktape serve` and replays them.

Usage: conversation_test.py TICKTAPE
"""

import json
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position


class ConversationTest(venue_process.VenueTest):
    def replay(self):
        """The exit code, and the report of each conversation."""
        replayed = self.venue.run("serve", self.venue.folder, "--replay", "--json")
        report = json.loads(replayed.stdout)
        self.assertEqual(report["schema"], "ticktape.serve_replay/1")
        return replayed.returncode, report["conversations"]

    def conversation(self, number):
        return os.path.join(self.venue.folder, "conversations", f"{number:06}.tape")

    def rows(self, path):
        exported = self.venue.run("export", path, "--format", "jsonl")
        return [json.loads(line) for line in exported.stdout.splitlines()]

    def talk(self, first_id):
        """Sessions of all kinds."""
        one, two, other = (self.venue.client(f"desk-{i}") for i in (1, 2, 3))
        other.send(*[f"SUBMIT {first_id + i} ACME SELL 10.0{i % 9} 5" for i in range(200)])
        other.read_lines(200)
        one.send_bytes(f"SUBMIT {first_id} ACME BUY 10.05 30".encode())
        one.send_bytes(f"\nPRINT\nCANCEL {first_id}\nnonsense\nSUBMIT {first_id} ACME".encode())
        one.read_line()
        two.ask(f"SUBMIT {first_id} ACME BUY 1.00 1")
        stranger = self.venue.connect()
        stranger.ask("LOGIN desk-1 not-the-secret")
        self.venue.connect().send_bytes(b"my-password-by-mistake")
        one.close()
        two.send(f"SUBMIT {first_id + 1000} BOLT BUY 1.00 1", "PRINT")
        two.end_input()
        two.read_to_end()

    def test_every_byte_is_sent_again(self):
        self.serve("--record-conversation", "hashes")
        self.talk(1000)
        self.end_well(signal.SIGINT)
        self.venue.start()  # Not recorded.
        self.talk(5000)
        self.end_well()
        self.venue.start("--record-conversation", "bytes")
        self.talk(9000)
        self.end_well()
        code, conversations = self.replay()
        self.assertEqual(code, 0, conversations)
        self.assertEqual([talk["equal"] for talk in conversations], [True, True])
        for talk in conversations:
            self.assertTrue(talk["ended"])
            self.assertNotIn("early_end", talk)
            self.assertEqual(talk["sessions"], 5)
            self.assertGreater(talk["commands"], 200)
            self.assertGreater(talk["replies"], 5)

    def test_no_secret_is_kept(self):
        self.serve("--record-conversation", "bytes", "--compress", "none")
        self.talk(1)
        self.end_well()
        secrets = [login["secret"] for login in self.venue.config()["logins"]]
        secrets += ["not-the-secret", "my-password-by-mistake"]
        for name in os.listdir(self.conversation(1)):
            with open(os.path.join(self.conversation(1), name), "rb") as file:
                content = file.read()
            for secret in secrets:
                self.assertNotIn(secret.encode(), content)
        printed = self.venue.run("cat", self.conversation(1)).stdout
        self.assertIn("text=LOGIN desk-3 ***", printed)
        self.assertIn("verdict=accepted account=2", printed)
        self.assertIn("verdict=refused", printed)
        for secret in secrets:
            self.assertNotIn(secret, printed)
        self.assertEqual(self.venue.run("verify", self.conversation(1)).returncode, 0)

    def test_other_verbs_read_it(self):
        self.serve("--record-conversation", "bytes")
        self.talk(1)
        self.end_well()
        rows = self.rows(self.conversation(1))
        self.assertEqual([row["sequence"] for row in rows], list(range(1, len(rows) + 1)))
        self.assertEqual([rows[0]["kind"], rows[-1]["kind"]], ["started", "ended"])
        sent = [row for row in rows if row["kind"] == "sent"]
        self.assertIn("WELCOME desk-1 account=1", sent[0]["text"])
        as_table = self.venue.run("export", self.conversation(1))
        self.assertNotEqual(as_table.returncode, 0)
        self.assertIn("--format jsonl writes its rows", as_table.stderr)
        place = next(row["sequence"] for row in rows if row["kind"] == "sent")
        inspected = self.venue.run("inspect", self.conversation(1), f"@{place}")
        self.assertEqual(inspected.returncode, 0, inspected.stderr)
        self.assertIn("WELCOME desk-1 account=1", inspected.stdout)
        self.assertIn("text=LOGIN desk-1 ***", inspected.stdout)
        of_exchange = self.venue.run("inspect", self.conversation(1), "--order", "1")
        self.assertIn("is no exchange", of_exchange.stderr)
        piece = os.path.join(self.scratch.name, "piece.tape")
        cut = self.venue.run("cut", self.conversation(1), "@5..@9", "--keep-sequence", "-o", piece)
        self.assertEqual(cut.returncode, 0, cut.stderr)
        self.assertEqual(self.rows(piece), rows[4:9])

    def test_a_bundle_has_a_range_of_it(self):
        self.serve("--record-conversation", "bytes")
        self.talk(1)
        self.end_well()
        rows = self.rows(self.conversation(1))
        for first, last in ((1, 9), (5, len(rows))):
            bundle = os.path.join(self.scratch.name, f"from-{first}.ticktape")
            folder = os.path.join(self.scratch.name, f"from-{first}")
            packed = self.venue.run(
                "bundle", self.conversation(1), f"@{first}..@{last}", "-o", bundle
            )  # fmt: skip
            self.assertEqual(packed.returncode, 0, packed.stderr)
            self.assertIn(f"{last - first + 1:,}, @{first}..@{last}", packed.stdout)
            self.assertNotIn("snapshot", packed.stdout)
            opened = self.venue.run("bundle", "open", bundle, "-o", folder)
            self.assertEqual(opened.returncode, 0, opened.stderr)
            self.assertEqual(self.rows(folder + "/journal"), rows[first - 1 : last])
            replayed = self.venue.run("bundle", "replay", bundle)
            self.assertEqual(replayed.returncode, 5, replayed.stdout)  # Not comparable.
            self.assertIn("'ticktape serve DIR --replay' replays those", replayed.stderr)

    def test_a_venue_that_was_killed_is_replayed_as_far_as_it_was_kept(self):
        self.serve("--record-conversation", "bytes")
        self.talk(1)
        self.venue.end(signal.SIGKILL)
        self.venue.start("--record-conversation", "bytes")
        self.talk(2000)
        self.end_well()
        code, conversations = self.replay()
        self.assertEqual(code, 0, conversations)
        self.assertTrue(conversations[-1]["ended"])

    def test_what_was_not_recorded_is_not_there(self):
        self.serve()
        self.end_well()
        replayed = self.venue.run("serve", self.venue.folder, "--replay")
        self.assertNotEqual(replayed.returncode, 0)
        self.assertIn("has no conversation", replayed.stderr)


if __name__ == "__main__":
    venue_process.main()
