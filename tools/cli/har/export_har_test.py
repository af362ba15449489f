#!/usr/bin/env python3
"""Exports a conversation made by hand, and reads it with Python's parser.

Usage: export_har_test.py TICKTAPE WRITE_CONVERSATION
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import har_format  # pylint: disable=wrong-import-position

TICKTAPE, WRITE_CONVERSATION = sys.argv[1:3]


class ExportHarTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.path = os.path.join(self.scratch.name, "000001.tape")

    def write(self, *words):
        subprocess.run([WRITE_CONVERSATION, self.path, *words], check=True)

    def export(self, *words):
        command = [TICKTAPE, "export", self.path, "--format", "har", *words]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)

    def entries(self):
        self.write()
        exported = self.export()
        self.assertEqual(exported.returncode, 0, exported.stderr)
        self.assertIn("1 session of the text protocol left out", exported.stderr)
        har = json.loads(exported.stdout)
        har_format.check(har)
        return har["log"]["entries"]

    def test_requests_and_responses_are_those_that_passed(self):
        entries = [entry for entry in self.entries() if "_webSocketMessages" not in entry]
        self.assertEqual(
            [(entry["request"]["method"], entry["response"]["status"]) for entry in entries],
            [("GET", 200), ("HEAD", 200), ("POST", 201), ("DELETE", 204), ("", 400)],
        )
        self.assertEqual({entry["connection"] for entry in entries}, {"1.1"})
        read, head, post, delete, malformed = entries
        self.assertEqual(read["request"]["url"], "http://localhost/markets?limit=5&tickers=A%2CB&tickers=C+D")
        self.assertEqual(
            [(pair["name"], pair["value"]) for pair in read["request"]["queryString"]],
            [("limit", "5"), ("tickers", "A,B"), ("tickers", "C D")],
        )
        self.assertIn({"name": "Authorization", "value": "****** ****"}, read["request"]["headers"])
        self.assertEqual(read["response"]["content"]["text"], '{"ticker":"Zürich \\"1\\""}')
        self.assertEqual(read["response"]["content"]["mimeType"], "application/json")
        self.assertEqual(head["response"]["content"]["size"], 0)
        self.assertIn({"name": "Content-Length", "value": "5"}, head["response"]["headers"])
        self.assertEqual(post["request"]["postData"], {"mimeType": "application/json", "text": '{"count": 10}\n'})
        self.assertEqual(post["timings"], {"send": 1.0, "wait": 2.0, "receive": 0.0})
        self.assertEqual(post["startedDateTime"], "2020-01-30T09:30:00.009000000Z")
        self.assertEqual(delete["response"]["statusText"], "No Content")
        self.assertIn("malformed", malformed["comment"])

    def test_a_websocket_session_has_its_messages(self):
        (entry,) = [entry for entry in self.entries() if "_webSocketMessages" in entry]
        self.assertEqual(entry["_resourceType"], "websocket")
        self.assertEqual(entry["request"]["url"], "ws://localhost:8080/trade-api/ws/v2")
        self.assertEqual(entry["response"]["status"], 101)
        close = base64.b64encode(b"\x03\xe8").decode()
        ping = base64.b64encode(b"now").decode()
        self.assertEqual(
            [(message["type"], message["opcode"], message["data"]) for message in entry["_webSocketMessages"]],
            [("receive", 1, '{"type":"ok"}'), ("send", 1, '{"id":1,"cmd":"subscribe"}'), ("send", 9, ping),
             ("receive", 10, ping), ("send", 8, close), ("receive", 8, close)],
        )  # fmt: skip
        self.assertAlmostEqual(entry["_webSocketMessages"][0]["time"], 1580376600.005)

    def test_a_file_is_the_same_text(self):
        self.write()
        file = os.path.join(self.scratch.name, "session.har")
        exported = self.export("-o", file)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        self.assertIn("wrote 6 entries to", exported.stderr)
        with open(file, encoding="utf-8") as opened:
            self.assertEqual(opened.read(), self.export().stdout)

    def test_a_range_leaves_out_sessions_that_began_before(self):
        self.write()
        exported = self.export("@2..")
        self.assertIn("sessions that were opened before @2 are left out", exported.stderr)
        self.assertEqual([entry["connection"] for entry in json.loads(exported.stdout)["log"]["entries"]], ["2.1"])

    def test_hashes_are_refused(self):
        self.write("hashes")
        exported = self.export()
        self.assertNotEqual(exported.returncode, 0)
        self.assertIn("--record-conversation bytes", exported.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
