#!/usr/bin/env python3
"""Receives the market data of `ticktape serve` by UDP, loses some of it, kills the venue, and joins late.

Usage: serve_itch_test.py TICKTAPE
"""

import os
import random
import signal
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import mold_client  # pylint: disable=wrong-import-position
import venue_process  # pylint: disable=wrong-import-position

LOGIN = ("FEED1", "secret-1")


class ItchTest(venue_process.VenueTest):
    def setUp(self):
        super().setUp()
        self.venue.create()
        self.feeds = []
        self.numbers = {}  # Of a login's last order.

    def tearDown(self):
        for feed in self.feeds:
            feed.close()
        super().tearDown()

    def publish(self, *addresses, **more):
        """Edits the venue file; addresses are those of lines."""
        lines = [{"address": address, "interface": "127.0.0.1"} for address in addresses]
        # Restarts have the same one, as receivers know it.
        self.requests = mold_client.free_address()
        itch = {
            "lines": lines, "retransmission": self.requests, "snapshots": "127.0.0.1:0",
            "logins": [{"user": LOGIN[0], "password": LOGIN[1]}], **more,
        }  # fmt: skip
        self.venue.edit(lambda config: config.update(itch=itch))

    def feed(self, address, loses=lambda: False):
        self.feeds.append(mold_client.Feed(address, loses))
        return self.feeds[-1]

    def snapshot(self, **more):
        session = mold_client.Snapshot(self.venue.report["snapshots"], *LOGIN, **more)
        self.venue.clients.append(session)
        return session

    def trade(self, login, count, seed):
        """Orders, cancels and replaces of ACME. Returns when the last one is answered."""
        client = self.venue.client(login)
        chance = random.Random(seed)
        lines = []
        for _ in range(count):
            number = self.numbers[login] = self.numbers.get(login, 0) + 1
            price = f"{chance.randrange(1000, 1020) / 100:.2f}"
            lines.append(f"SUBMIT {number} ACME {chance.choice(['BUY', 'SELL'])} {price} {chance.randrange(1, 50)}")
            if chance.random() < 0.4:
                lines.append(f"CANCEL {chance.randrange(1, number + 1)}")
        client.send(*lines)
        self.assertTrue(client.ask("PRINT NONE") is not None)
        client.end_input()
        client.read_to_end()
        client.close()

    def exported(self):
        """The messages of the journal; those by which its sealed feed ends are not published."""
        path = os.path.join(self.scratch.name, "feed.itch")
        done = self.venue.run("export", self.venue.journal, "--what", "itch", "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path, "rb") as file:
            data = file.read()
        messages, at = [], 0
        while at < len(data):
            (size,) = struct.unpack_from(">H", data, at)
            messages.append(data[at + 2 : at + 2 + size])
            at += 2 + size
        os.remove(path)
        self.assertEqual([(m[:1], m[-1:]) for m in messages[-3:]], [(b"S", b"M"), (b"S", b"E"), (b"S", b"C")])
        return messages[:-3]

    def check_lines(self, *addresses):
        self.publish(*addresses)
        feeds = [self.feed(address) for address in addresses]
        self.venue.start()
        self.trade("desk-1", 400, 1)
        self.trade("desk-3", 400, 2)
        for feed in feeds:
            feed.drain()
        self.end_well()
        uuid = self.venue.run("info", "--json", self.venue.journal).stdout
        for feed in feeds:
            self.assertIn(feed.session, uuid)
            self.assertEqual(len(feed.session), 10)
            self.assertEqual(feed.all(), self.exported())
            self.assertGreater(feed.next, 800)
            self.assertFalse(feed.has_ended)

    def test_unicast_lines_have_the_messages_of_the_journal(self):
        self.check_lines(mold_client.free_address(), mold_client.free_address())

    def test_multicast_lines_have_the_messages_of_the_journal(self):
        port = mold_client.free_address().rsplit(":", 1)[1]
        self.check_lines(f"239.195.7.1:{port}", f"239.195.7.2:{port}")

    def test_what_is_lost_is_asked_for(self):
        line = mold_client.free_address()
        self.publish(line)
        chance = random.Random(3)
        feed = self.feed(line, lambda: chance.random() < 0.3)
        self.venue.start()
        for seed in range(10):
            self.trade("desk-1", 50, seed)
            feed.drain()
        feed.loses = lambda: False
        feed.drain()
        self.assertGreater(feed.next - 1, len(feed.messages))
        feed.recover(self.requests)
        self.end_well()
        self.assertEqual(feed.all(), self.exported())

    def test_hostile_requests_are_not_answered(self):
        line = mold_client.free_address()
        self.publish(line, requests_per_second_max=50)
        feed = self.feed(line)
        self.venue.start()
        feed.receive()
        chance = random.Random(5)
        where = mold_client.address_of(self.requests)
        session = feed.session.encode()
        for data in [b"", b"x", session, bytes(20), bytes(65_000), mold_client.HEADER.pack(session, 0, 1),
                     mold_client.HEADER.pack(session, 1, 0), mold_client.HEADER.pack(session, 2**64 - 1, 65_535),
                     mold_client.HEADER.pack(b"OTHER".ljust(10), 1, 1), session + b"\0" * 11,
                     *(chance.randbytes(20) for _ in range(20))]:  # fmt: skip
            feed.requests.sendto(data, where)
        with self.assertRaises(TimeoutError):
            feed.requests.recv(65_535)
        # Within a second, some of a flood are answered.
        for _ in range(1_000):
            feed.requests.sendto(mold_client.HEADER.pack(session, 1, 1), where)
        answers = 0
        try:
            while True:
                feed.take(feed.requests.recv(65_535))
                answers += 1
        except TimeoutError:
            pass
        self.assertGreater(answers, 0)
        self.assertLessEqual(answers, 200)
        self.trade("desk-1", 20, 1)
        while not feed.request(self.requests, 1):
            pass
        self.end_well()

    # The receiver asks from its last number on, and has every message once, as the journal has them.
    def test_a_kill_loses_and_repeats_no_message(self):
        line = mold_client.free_address()
        self.publish(line)
        feed = self.feed(line)
        for life in range(3):
            self.venue.start("--ack", "written")
            client = self.venue.client("desk-1")
            lines = []
            for _ in range(3_000):
                number = self.numbers["desk-1"] = self.numbers.get("desk-1", 0) + 1
                side = "BUY" if number % 3 else "SELL"
                lines.append(f"SUBMIT {number} ACME {side} {10 + number % 7 / 100:.2f} {1 + number % 9}")
            client.send(*lines)
            while feed.next < 200 + 1_000 * life:
                feed.receive()
            self.venue.end(signal.SIGKILL)
            while feed.receive(0.2):
                pass
        self.venue.start("--ack", "written")
        # Its first heartbeat says how far the journal has come.
        feed.receive()
        feed.recover(self.requests)
        self.trade("desk-1", 50, 1)
        feed.drain()
        feed.recover(self.requests)
        self.end_well()
        self.assertEqual(feed.all(), self.exported())

    def test_a_late_joiner_has_the_same_books(self):
        line = mold_client.free_address()
        self.publish(line)
        early = self.feed(line)
        self.venue.start()
        self.trade("desk-1", 300, 1)
        early.drain()
        self.trade("desk-3", 100, 2)
        snapshot = self.snapshot()
        self.assertEqual(snapshot.session, early.session)
        first = snapshot.read()
        self.trade("desk-1", 300, 3)
        early.drain()
        self.assertGreater(first, 400)
        self.assertLess(first, early.next)
        late = mold_client.Books(snapshot.messages)
        late.apply(early.all(first))
        whole = mold_client.Books(early.all())
        self.assertGreater(len(whole.orders), 5)
        self.assertEqual(late.orders, whole.orders)
        self.end_well()
        # Also after a restart.
        self.venue.start()
        again = self.snapshot(session=early.session, number=0)
        self.assertEqual(again.read(), early.next)
        self.assertEqual(mold_client.Books(again.messages).orders, whole.orders)
        self.end_well()

    def test_logins_of_snapshots_are_checked(self):
        self.publish(mold_client.free_address())
        self.venue.start()
        for user, password, session, number, why in [
            ("FEED1", "secret-2", "", 1, "A"), ("NONE", "secret-1", "", 1, "A"), ("", "", "", 1, "A"),
            ("FEED1", "secret-1", "YESTERDAY", 1, "S"), ("FEED1", "secret-1", "", 2, "S"),
        ]:  # fmt: skip
            with self.subTest(user=user, session=session, number=number):
                refused = mold_client.Snapshot(self.venue.report["snapshots"], user, password, session, number)
                self.assertEqual(refused.refusal, why)
                self.assertIsNone(refused.read_packet())
                refused.close()
        flood = [self.snapshot() for _ in range(50)]
        self.assertEqual(len({session.read() for session in flood}), 1)
        self.assertEqual(len({tuple(session.messages) for session in flood}), 1)
        self.end_well()

    def test_what_may_be_lost_is_another_session(self):
        line = mold_client.free_address()
        self.publish(line)
        sessions = []
        for options in (["--ack", "none"], ["--ack", "none"], [], []):
            feed = self.feed(line)
            self.venue.start(*options)
            feed.receive()
            self.end_well()
            while feed.receive(0.2):
                pass
            self.assertEqual(feed.has_ended, bool(options))
            sessions.append(feed.session)
            feed.close()
        self.assertEqual(len(set(sessions)), 3, sessions)
        self.assertEqual(sessions[2], sessions[3])

    def test_an_address_that_is_not_there_is_an_error(self):
        self.publish("239.195.7.1:26400")
        self.venue.edit(lambda config: config["itch"]["lines"][0].update(interface="none"))
        self.assertIn("'none' is no interface", self.venue.start_fails().stderr)
        self.publish(mold_client.free_address(), retransmission="192.0.2.1:26400")
        self.assertIn("192.0.2.1:26400", self.venue.start_fails().stderr)


if __name__ == "__main__":
    venue_process.main()
