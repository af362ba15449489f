#!/usr/bin/env python3
"""Ends `ticktape serve` in several ways and starts it again; lets it act at its times.

Usage: serve_restart_test.py TICKTAPE
"""

import datetime
import json
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position
from venue_process import order_of  # pylint: disable=wrong-import-position


def in_seconds(seconds):
    """A time in the form of the venue file and of GTT."""
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class RestartTest(venue_process.VenueTest):
    def restart(self, how=signal.SIGTERM):
        if how == signal.SIGKILL:
            self.venue.end(how)
        else:
            self.end_well(how)
        self.venue.start()

    def test_goes_on_with_orders_and_ids(self):
        for how in [signal.SIGTERM, signal.SIGINT, signal.SIGKILL]:
            with self.subTest(how=how):
                folder = os.path.join(self.scratch.name, how.name)
                self.venue = venue_process.Venue(self.ticktape, folder)
                self.serve()
                client = self.venue.client("desk-3")
                first = order_of(client.ask("SUBMIT 1 ACME SELL 10.00 5"))
                order_of(client.ask("SUBMIT 2 ACME SELL 10.00 7"))
                self.assertEqual(client.ask("CANCEL 2"), "CANCELLED 2 7 requested")
                self.restart(how)
                client = self.venue.client("desk-3")
                # Neither the id of an order that rests, nor of one that has ended.
                for i in (1, 2):
                    refused = f"REJECT {i} duplicate_id"
                    self.assertEqual(client.ask(f"SUBMIT {i} ACME SELL 10.00 5"), refused)
                self.assertGreater(order_of(client.ask("SUBMIT 3 ACME SELL 10.00 1")), first)
                self.assertEqual(client.ask("CANCEL 1"), "CANCELLED 1 5 requested")
                self.end_well()

    def test_no_second_start_pays_or_defines_again(self):
        self.serve()
        self.venue.client("desk-3")
        self.restart()
        self.venue.client("desk-3")
        self.end_well()
        kinds = [kind for (kind,) in self.venue.records("kind")]
        settings = ["define_market"] * 15 + ["set_fees"] * 12 + ["open_account", "deposit"] * 2
        self.assertEqual(kinds, settings)

    def test_the_end_of_the_venue_is_a_disconnect(self):
        self.serve()
        order_of(self.venue.client("desk-1").ask("SUBMIT 1 ACME SELL 10.00 5"))
        order_of(self.venue.client("desk-2").ask("SUBMIT 2 ACME SELL 10.00 5"))
        self.restart()
        client = self.venue.client("desk-2")
        self.assertEqual(client.ask("CANCEL 1"), "REJECT 1 order_not_live")
        self.assertEqual(client.ask("CANCEL 2"), "CANCELLED 2 5 requested")
        self.end_well()

    def test_the_token_of_an_earlier_start_opens_nothing(self):
        self.serve()
        with open(os.path.join(self.venue.folder, "admin.token"), encoding="utf-8") as file:
            old = file.read()
        self.restart()
        with open(os.path.join(self.venue.folder, "admin.token"), encoding="utf-8") as file:
            self.assertNotEqual(file.read(), old)
        self.assertEqual(self.venue.admin("pause", "ACME").returncode, 0)
        self.end_well()

    def test_what_an_operator_did_lasts(self):
        self.serve()
        self.assertEqual(self.venue.admin("suspend", "2").returncode, 0)
        self.assertEqual(self.venue.admin("pause", "BOLT").returncode, 0)
        self.restart()
        client = self.venue.client("desk-3")
        refused = client.ask("SUBMIT 1 ACME SELL 10.00 5")
        self.assertEqual(refused, "REJECT 1 account_suspended")
        refused = self.venue.client("desk-2").ask("SUBMIT 2 BOLT SELL 10.00 5")
        self.assertEqual(refused, "REJECT 2 market_paused")
        self.end_well()


class EditedFileTest(venue_process.VenueTest):
    def restart(self, change):
        self.end_well()
        self.venue.edit(change)
        self.venue.start()

    def test_a_new_account_and_a_new_market_are_there(self):
        def change(config):
            config["accounts"].append({"id": 3, "money": "7.50"})
            login = {"name": "desk-4", "secret": "four-four-four", "account": 3}
            config["logins"].append(login)
            definition = dict(config["markets"][2]["definition"], id=100, symbol="SNOW")
            config["markets"].append({"definition": definition})

        self.serve()
        order_of(self.venue.client("desk-3").ask("SUBMIT 1 RAIN SELL 0.50 1"))
        self.restart(change)
        seller, buyer = self.venue.client("desk-3"), self.venue.client("desk-4")
        order_of(seller.ask("SUBMIT 2 SNOW SELL 0.50 5"))
        order_of(buyer.ask("SUBMIT 1 SNOW BUY 0.50 5"))
        self.assertTrue(buyer.read_line().startswith("FILL 1 5 @ 0.50 taker"))
        self.assertTrue(buyer.read_line().startswith("BALANCE 5.000000 change=-2.500000"))
        self.end_well()

    def test_money_is_paid_once(self):
        def change(config):
            config["accounts"][1]["money"] = "999999.00"

        self.serve()
        self.restart(change)
        one, other = self.venue.client("desk-2"), self.venue.client("desk-3")
        order_of(one.ask("SUBMIT 1 RAIN SELL 0.50 10"))
        order_of(other.ask("SUBMIT 1 RAIN BUY 0.50 10"))
        self.assertTrue(other.read_line().startswith("FILL 1 10 "))
        self.assertTrue(other.read_line().startswith("BALANCE 99995.000000 "))
        self.end_well()

    def test_limits_become_those_of_the_file(self):
        def change(config):
            config["accounts"][1]["limits"] = {"open_orders_max": 1}

        self.serve()
        self.restart(change)
        client = self.venue.client("desk-3")
        order_of(client.ask("SUBMIT 1 ACME SELL 10.00 5"))
        refused = client.ask("SUBMIT 2 ACME SELL 10.00 5")
        self.assertEqual(refused, "REJECT 2 risk_open_orders")
        self.restart(lambda config: config["accounts"][1].pop("limits"))
        order_of(self.venue.client("desk-3").ask("SUBMIT 3 ACME SELL 10.00 5"))
        self.end_well()

    def test_position_limits_become_those_of_the_file(self):
        def change(config):
            config["accounts"][1]["position_limits"] = [{"market": 1, "limit": 10}]

        self.serve()
        self.restart(change)
        client = self.venue.client("desk-3")
        order_of(client.ask("SUBMIT 1 ACME SELL 10.00 6"))
        order_of(self.venue.client("desk-2").ask("SUBMIT 1 ACME BUY 10.00 6"))
        self.assertTrue(client.read_line().startswith("FILL 1 6 @ 10.00 maker"))
        refused = client.ask("SUBMIT 2 ACME SELL 10.00 5")
        self.assertEqual(refused, "REJECT 2 position_limit")
        # The same file again sends nothing, so that what was traded still counts.
        self.restart(lambda config: None)
        client = self.venue.client("desk-3")
        refused = client.ask("SUBMIT 3 ACME SELL 10.00 5")
        self.assertEqual(refused, "REJECT 3 position_limit")
        self.restart(lambda config: config["accounts"][1].pop("position_limits"))
        order_of(self.venue.client("desk-3").ask("SUBMIT 4 ACME SELL 10.00 5"))
        self.end_well()
        kinds = [kind for (kind,) in self.venue.records("kind")]
        self.assertEqual(kinds.count("set_position_limit"), 2)

    def test_position_limits_of_an_operator_end_at_the_next_start(self):
        self.serve()
        done = self.venue.admin("position-limit", "2", "ACME", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        client = self.venue.client("desk-3")
        refused = client.ask("SUBMIT 1 ACME SELL 10.00 5")
        self.assertEqual(refused, "REJECT 1 position_limit")
        self.restart(lambda config: None)
        order_of(self.venue.client("desk-3").ask("SUBMIT 2 ACME SELL 10.00 5"))
        self.end_well()

    def test_a_market_that_is_gone_from_the_file_stays(self):
        self.serve()
        order_of(self.venue.client("desk-3").ask("SUBMIT 1 BOLT SELL 10.00 5"))
        self.restart(lambda config: config["markets"].pop(1))
        client = self.venue.client("desk-3")
        order_of(client.ask("SUBMIT 2 BOLT SELL 10.00 5"))
        self.assertEqual(client.ask("CANCEL 1"), "CANCELLED 1 5 requested")
        self.end_well()

    def test_orders_of_an_account_that_is_gone_from_the_file_trade(self):
        def change(config):
            config["accounts"].pop(1)
            config["logins"].pop(2)
            config["kalshi"]["keys"] = config["kalshi"]["keys"][:2]
            config["kalshi"]["tiers"].pop(1)

        self.serve()
        order_of(self.venue.client("desk-3").ask("SUBMIT 1 ACME SELL 10.00 5"))
        self.restart(change)
        client = self.venue.client("desk-2")
        order_of(client.ask("SUBMIT 1 ACME BUY 10.00 5"))
        self.assertTrue(client.read_line().startswith("FILL 1 5 @ 10.00 taker"))
        self.end_well()

    def test_a_market_cannot_become_another(self):
        def change(config):
            config["markets"][1]["definition"]["tick"] = "0.05"

        self.serve()
        self.end_well()
        before = self.venue.config()
        self.venue.edit(change)
        refused = self.venue.start_fails()
        self.assertEqual(refused.returncode, 6)
        self.assertIn("market BOLT", refused.stderr)
        self.assertIn("a market's definition never changes", refused.stderr)
        self.venue.write_file(json.dumps(before))
        self.venue.start()
        self.end_well()


class TimeTest(venue_process.VenueTest):
    def set_schedule(self, *actions):
        def change(config):
            config["markets"][0]["definition"]["unopened"] = True
            config["markets"][0]["schedule"] = [{"at": at, "do": do} for at, do in actions]

        if not os.path.exists(self.venue.file):
            self.venue.create()
        self.venue.edit(change)

    def wait_for(self, client, first_id, reply):
        """Sends orders until one gets this reply; returns the last id."""
        for i in range(first_id, first_id + 1000):
            if client.ask(f"SUBMIT {i} ACME SELL 10.00 1 DAY").startswith(reply.format(i)):
                return i
            time.sleep(0.01)
        raise AssertionError(f"not one {reply}")

    def test_a_market_opens_and_closes_at_its_times(self):
        self.set_schedule((in_seconds(2.5), "open"), (in_seconds(4), "close"))
        self.venue.start()
        client = self.venue.client("desk-3")
        refused = client.ask("SUBMIT 1 ACME SELL 10.00 1")
        self.assertEqual(refused, "REJECT 1 market_not_open")
        opened = self.wait_for(client, 2, "ACK {} ")
        # Without any input.
        self.assertEqual(client.read_line(), f"CANCELLED {opened} 1 market_closed")
        refused = client.ask(f"SUBMIT {opened + 1} ACME SELL 10.00 1")
        self.assertEqual(refused, f"REJECT {opened + 1} market_not_open")
        self.end_well()
        kinds = [kind for (kind,) in self.venue.records("kind") if kind.endswith("_market")]
        self.assertEqual(kinds, ["define_market"] * 15 + ["open_market", "close_market"])

    def test_does_at_the_next_start_what_it_has_missed(self):
        opened = in_seconds(-60)
        self.set_schedule((opened, "open"))
        self.venue.start()
        client = self.venue.client("desk-3")
        order_of(client.ask("SUBMIT 1 ACME SELL 10.00 1"))
        self.end_well()
        # Its time is now, when no venue runs.
        self.set_schedule((opened, "open"), (in_seconds(0), "close"))
        self.venue.start()
        refused = self.venue.client("desk-3").ask("SUBMIT 2 ACME SELL 10.00 1")
        self.assertEqual(refused, "REJECT 2 market_not_open")
        self.end_well()

    def test_an_order_expires_without_input(self):
        self.serve()
        client = self.venue.client("desk-3")
        lifetime_seconds = 1.5
        order_of(client.ask(f"SUBMIT 1 ACME SELL 10.00 5 GTT={in_seconds(lifetime_seconds)}"))
        begun = time.monotonic()
        self.assertEqual(client.read_line(), "CANCELLED 1 5 expired")
        self.assertLess(time.monotonic() - begun, lifetime_seconds + 2)
        self.end_well()


if __name__ == "__main__":
    venue_process.main()
