#!/usr/bin/env python3
"""Replays what two clients of Kalshi's API did: the venue must send every byte again. Also writes it as HAR.

Usage: golden_conversations_test.py TICKTAPE
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TICKTAPE = sys.argv.pop(1)
FOLDER = "testdata/conversations"


def run(*words):
    return subprocess.run([TICKTAPE, *words], stdout=subprocess.PIPE, check=False)


class GoldenConversationsTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def check(self, client, least):
        """`least`: how many reads from connections there are at least."""
        venue = os.path.join(self.scratch.name, client)
        shutil.copytree(os.path.join(FOLDER, client), venue)  # A test's data are links.
        replayed = run("serve", venue, "--replay", "--json")
        (talk,) = json.loads(replayed.stdout)["conversations"]
        self.assertEqual(replayed.returncode, 0, talk)
        self.assertTrue(talk["equal"] and talk["ended"], talk)
        self.assertGreaterEqual(talk["requests"], least)
        exported = run("export", os.path.join(venue, "conversations", "000001.tape"), "--format", "har")
        self.assertEqual(exported.returncode, 0)
        entries = json.loads(exported.stdout)["log"]["entries"]
        statuses = {entry["response"]["status"] for entry in entries}
        self.assertLessEqual({200, 201}, statuses)
        signatures = {
            header["value"].strip("*")
            for entry in entries
            for header in entry["request"]["headers"]
            if header["name"].lower() == "kalshi-access-signature"
        }
        self.assertEqual(signatures, {""})
        return entries

    def test_pykalshi(self):
        entries = self.check("pykalshi", 60)
        (socket,) = [entry for entry in entries if entry["response"]["status"] == 101]
        kinds = {json.loads(message["data"]).get("type") for message in socket["_webSocketMessages"]
                 if message["type"] == "receive" and message["opcode"] == 1}
        self.assertLessEqual({"subscribed", "orderbook_snapshot", "orderbook_delta", "fill"}, kinds)

    def test_kalshi_typescript(self):
        self.check("kalshi_typescript", 60)


if __name__ == "__main__":
    unittest.main()
