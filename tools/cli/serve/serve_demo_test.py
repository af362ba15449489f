#!/usr/bin/env python3
"""Runs `ticktape serve --demo`: its agents trade, and a restart goes on.

Usage: serve_demo_test.py TICKTAPE
"""

import json
import os
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position


class DemoTest(venue_process.VenueTest):
    def start(self):
        process = venue_process.popen(
            [self.ticktape, "serve", "--demo", self.venue.folder, "--json", "--text", "0", "--kalshi", "0"]
        )
        address = json.loads(process.stdout.readline())["kalshi"]
        return process, f"http://{address}/trade-api/v2"

    def trades(self, url):
        with urllib.request.urlopen(url + "/markets/trades?limit=1000", timeout=60) as reply:
            return json.load(reply)["trades"]

    def wait_for_trades(self, url, count):
        deadline = time.monotonic() + venue_process.PATIENCE_SECONDS
        while len(self.trades(url)) < count:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def end(self, process):
        process.terminate()
        process.communicate()
        self.assertEqual(process.returncode, 0)

    def test_trades_and_goes_on(self):
        process, url = self.start()
        self.wait_for_trades(url, 5)
        self.end(process)
        config = self.venue.config()
        self.assertEqual(len(config["agents"]["markets"]), 12)

        process, url = self.start()
        before = len(self.trades(url))
        self.assertGreaterEqual(before, 5)
        self.wait_for_trades(url, before + 5)
        self.assertEqual(self.venue.config(), config)
        self.end(process)

    def test_is_alone(self):
        for other in ["--init", "--replay"]:
            refused = self.venue.run("serve", "--demo", other, self.venue.folder)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--init, --replay or --demo, not two of them", refused.stderr)


if __name__ == "__main__":
    venue_process.main()
