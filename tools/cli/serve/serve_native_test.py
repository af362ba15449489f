#!/usr/bin/env python3
"""Trades with `ticktape serve` by the native protocol, kills it, and asks for all events again.

Usage: serve_native_test.py TICKTAPE
"""

import os
import random
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import native_client  # pylint: disable=wrong-import-position
import venue_process  # pylint: disable=wrong-import-position
from native_client import BUY, SELL, IMMEDIATE_OR_CANCEL, cancel, command, login, new  # pylint: disable=wrong-import-position

LOGINS = {"one": "secret-one", "mate": "secret-mate", "two": "secret-two", "cod": "secret-cod"}
NOTHING = bytes(64)


def with_native(config):
    config["accounts"].append({"id": 77})
    config["native"] = {
        "listen": "127.0.0.1:0",
        "logins": [
            {"user": "one", "password": LOGINS["one"], "account": 1},
            {"user": "mate", "password": LOGINS["mate"], "account": 1},
            {"user": "two", "password": LOGINS["two"], "account": 2, "symbols": ["ACME"]},
            {"user": "cod", "password": LOGINS["cod"], "account": 77, "cancel_on_disconnect": True},
        ],
    }


class NativeTest(venue_process.VenueTest):
    def setUp(self):
        super().setUp()
        self.venue.create()
        self.venue.edit(with_native)

    def connect(self):
        session = native_client.Session(self.venue.report["native"])
        self.venue.clients.append(session)
        return session

    def session(self, user, number=0, session=0):
        connection = self.connect()
        self.assertIs(connection.login(user, LOGINS[user], session, number), True)
        return connection

    def test_two_clients_trade(self):
        self.venue.start()
        one, two = self.session("one"), self.session("two")
        one.send(new(11, BUY, 100, 1000))
        accepted = one.read()
        order = accepted.order
        self.assertEqual(accepted.brief(), ("accepted", 11, accepted.sequence, 100))
        two.send(new(21, SELL, 130, 999, tif=IMMEDIATE_OR_CANCEL))
        taker = two.read()
        self.assertEqual(taker.brief(), ("accepted", 21, taker.sequence, 130))
        self.assertEqual(two.read().brief(), ("trade", 21, taker.order, 100))
        self.assertEqual(two.read().brief(), ("cancelled", 21, taker.order, 30))
        trade = one.read()
        self.assertEqual(trade.brief(), ("trade", 0, order, 100))
        self.assertEqual((trade.side, trade.price, trade.detail), (BUY, 1000, 0))
        one.send(cancel(12, order), new(13, BUY, 5, 1000))
        rejected, accepted = one.read_all(2)
        self.assertEqual(rejected.brief(), ("rejected", 12, order, 0))
        one.send(command(native_client.AMEND, 14, accepted.order, 1001, 7),
                 command(native_client.REPLACE, 15, accepted.order, 1002, 9),
                 command(native_client.MASS_CANCEL, 16), command(native_client.DEPOSIT, 17))  # fmt: skip
        self.assertEqual(one.read(), ("refused", 1, 17))
        amended, replaced, cancelled, ended = one.read_all(4)
        self.assertEqual(amended.brief(), ("amended", 14, accepted.order, 7))
        self.assertEqual(replaced.brief(), ("replaced", 15, accepted.order, 9))
        self.assertEqual(cancelled.brief(), ("cancelled", 16, replaced.sequence, 9))
        self.assertEqual(ended.brief(), ("mass_cancelled", 16, 0, 1))
        two.send(new(22, BUY, 1, 1, market=2))
        self.assertEqual(two.read(), ("refused", 2, 22))
        self.end_well()

    def test_a_busy_venue(self):
        self.venue.start("--busy")
        one = self.session("one")
        for number in range(1, 50):
            one.send(new(number, BUY, number, 1000))
            self.assertEqual(one.read().brief(), ("accepted", number, one.events[-1].sequence, number))
        self.end_well()

    def test_times_are_those_of_the_venue(self):
        self.venue.start()
        one = self.session("one")
        before = time.time_ns()
        one.send(new(1, BUY, 1, 1000), new(2, BUY, 1, 1000))
        first, second = one.read_all(2)
        after = time.time_ns()
        tolerance = 1_000_000_000  # The clock may step in the meantime.
        for event in (first, second):
            self.assertGreater(event.received_at, before - tolerance)
            self.assertLess(event.received_at, after + tolerance)
            self.assertGreater(event.engine, 0)
            self.assertLess(event.waited + event.engine, after - before + tolerance)
        mate = self.session("mate", number=first_of(one))
        self.assertEqual([event.engine for event in mate.read_all(2)], [first.engine, second.engine])
        self.venue.end(signal.SIGKILL)
        self.venue.start()
        again = self.session("one", number=first_of(one))
        for event, known in zip(again.read_all(2), (first, second)):
            self.assertEqual(event.content, known.content)
            self.assertEqual((event.received_at, event.waited, event.engine), (0, 0, 0))
        self.end_well()

    def test_all_protocols_see_the_same_account(self):
        self.venue.start()
        text, one, mate = self.venue.client("desk-1"), self.session("one"), self.session("mate")
        self.assertTrue(text.ask("SUBMIT 7 ACME BUY 10.00 40").startswith("ACK 7 "))
        seen = one.read()
        self.assertEqual((seen.name, seen.quantity, seen.received_at), ("accepted", 40, 0))
        self.assertEqual(mate.read().content, seen.content)
        mate.send(cancel(1, seen.order))
        self.assertEqual(one.read().brief(), ("cancelled", 1, seen.order, 40))
        self.end_well()

    def test_cancel_on_disconnect(self):
        self.venue.start()
        cod, two = self.session("cod"), self.session("two")
        cod.send(new(1, BUY, 100, 1000))
        two.send(new(1, BUY, 100, 900))
        order, rests = read_accepted(cod).order, two.read().order
        cod.close()
        again = self.session("cod", number=cod.next_number())
        cancelled, ended = again.read_all(2)
        self.assertEqual(cancelled.brief(), ("cancelled", 0, order, 100))
        self.assertEqual(ended.brief(), ("mass_cancelled", 0, 0, 1))
        again.send(new(2, BUY, 100, 1000))
        self.assertEqual(again.read().name, "accepted")
        self.venue.end(signal.SIGKILL)
        self.venue.start()
        killed = self.session("cod", number=again.next_number())
        self.assertEqual([event.name for event in killed.read_all(2)], ["cancelled", "mass_cancelled"])
        two = self.session("two")
        two.send(cancel(2, rests))
        self.assertEqual(two.read().brief(), ("cancelled", 2, rests, 100))
        self.end_well()

    def test_hostile_clients_are_ended_beside_one_that_trades(self):
        self.venue.start()
        one = self.session("one")
        for arguments, why in [
            (("one", LOGINS["two"]), 1), (("none", LOGINS["one"]), 1), (("", ""), 1),
            (("one", LOGINS["one"], 0, 0, 2), 1), (("two", LOGINS["two"], 7), 2),
            (("two", LOGINS["two"], 0, 2**64 - 1), 4),
        ]:  # fmt: skip
            with self.subTest(arguments=arguments):
                hostile = self.connect()
                self.assertEqual(hostile.login(*arguments), why)
                self.assertIsNone(hostile.read_frame())
        for frame in [NOTHING, b"\xff" * 64, cancel(1, 1), bytes([3]) + bytes(63), b"GET / HTTP/1.1\r\n" * 4]:
            with self.subTest(frame=frame):
                hostile = self.connect()
                hostile.send(frame)
                self.assertEqual(hostile.read_end(), 2)
        for frame in [NOTHING, login("two", LOGINS["two"]), bytes([19]) + bytes(63)]:
            with self.subTest(frame=frame):
                hostile = self.session("two")
                hostile.send(frame)
                self.assertEqual(hostile.read_end(), 2)
        replaced = self.session("two")
        # A flood of one who reads nothing, of commands and of what is refused.
        flood = self.session("two")
        self.assertEqual(replaced.read_end(), 4)
        flood.socket.settimeout(0.5)
        try:
            for i in range(2_000):
                flood.send(*([cancel(i, 1)] * 100 + [command(native_client.DEPOSIT, i)] * 100))
        except (TimeoutError, OSError):
            pass
        one.send(new(1, BUY, 100, 1000))
        order = one.read().order
        one.send(cancel(2, order))
        self.assertEqual(one.read().brief(), ("cancelled", 2, order, 100))
        flood.close()
        again = self.session("two", number=1)
        opened = {"account_opened", "balance"}
        self.assertEqual({event.name for event in again.read_all(1_000)} - opened, {"rejected"})
        self.end_well()

    def test_random_bytes_and_partial_frames(self):
        self.venue.start()
        chance = random.Random(7)
        for _ in range(100):
            hostile = self.connect()
            data = bytearray(b"".join(new(n, BUY, 1, 1000) for n in range(chance.randrange(5))))
            if chance.random() < 0.7:
                hostile.login("two", LOGINS["two"])
            for _ in range(chance.randrange(4)):
                if data:
                    data[chance.randrange(len(data))] = chance.randrange(256)
            hostile.send(bytes(data) + chance.randbytes(chance.randrange(70)))
            hostile.close()
        one = self.session("one")
        frames = new(1, BUY, 1, 1000) + new(2, BUY, 1, 1000)
        for byte in frames:
            one.send(bytes([byte]))
        self.assertEqual([event.client for event in one.read_all(2)], [1, 2])
        one.send(frames[:63])
        one.socket.shutdown(1)
        self.assertEqual(one.read_end(), 1)
        self.end_well()

    # Two clients trade while the venue is killed again and again. Each keeps what it has received and asks for the
    # rest: in all, each event once, and the same as a stream that is read from the first one in the end.
    def test_a_kill_loses_and_repeats_no_event(self):
        self.venue.start("--ack", "written")
        received = {"one": [], "two": []}
        sent = {"one": 0, "two": 0}
        sessions = {"one": 0, "two": 0}

        def trade(user, seed):
            chance = random.Random(seed)
            session = self.session(user, len(received[user]) + 1, sessions[user])
            sessions[user] = session.session
            orders = []
            try:
                for _ in range(200):
                    batch = []
                    for _ in range(chance.randrange(1, 20)):
                        sent[user] += 1
                        side = BUY if chance.random() < 0.5 else SELL
                        batch.append(new(sent[user], side, chance.randrange(1, 50), 1000 + chance.randrange(-3, 4)))
                        if orders and chance.random() < 0.3:
                            batch.append(cancel(0, chance.choice(orders)))
                    session.send(*batch)
                    event = session.read()
                    if event is None:
                        break
                    orders.append(event.order)
            except OSError:
                pass
            received[user] += session.events
            session.close()

        for life in range(4):
            traders = [threading.Thread(target=trade, args=(user, f"{user}{life}")) for user in received]
            for trader in traders:
                trader.start()
            killer = threading.Timer(0.4, lambda: self.venue.process.send_signal(signal.SIGKILL))
            killer.start()
            for trader in traders:
                trader.join()
            killer.join()
            self.venue.wait()
            self.venue.start("--ack", "written")
        for user, events in received.items():
            self.assertGreater(len(events), 20)
            rest = self.session(user, len(events) + 1, sessions[user])
            rest.send(new(2**64 - 1, BUY, 0, 1000))
            while rest.read().client != 2**64 - 1:
                pass
            events += rest.events
            whole = self.session(user, number=1)
            whole.read_to(len(events))
            self.assertEqual([e.content for e in whole.events], [e.content for e in events])
            # Records do not descend, and no order is accepted twice.
            sequences = [event.sequence for event in events]
            self.assertEqual(sequences, sorted(sequences))
            accepted = [event.client for event in events if event.name == "accepted"]
            self.assertEqual(len(accepted), len(set(accepted)))
        self.end_well()

    def test_what_may_be_lost_is_another_session(self):
        self.venue.start("--ack", "none")
        before = self.session("one").session
        self.end_well()
        self.venue.start()
        refused = self.connect()
        self.assertEqual(refused.login("one", LOGINS["one"], before, 1), 2)
        now = self.session("one").session
        self.assertNotEqual(now, before)
        self.end_well()
        self.venue.start()
        self.assertEqual(self.session("one").session, now)
        self.end_well()

    def test_a_conversation_cannot_be_recorded(self):
        self.assertIn(
            "does not record the native protocol", self.venue.start_fails("--record-conversation", "hashes").stderr
        )


def read_accepted(session):
    """The next order that is accepted; before it, the start of the venue may have cancelled."""
    return next(event for event in iter(session.read, None) if event.name == "accepted")


def first_of(session):
    """The number of the first event that it has received."""
    return session.first_number


if __name__ == "__main__":
    venue_process.main()
