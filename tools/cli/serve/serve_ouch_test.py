#!/usr/bin/env python3
"""Trades with `ticktape serve` by OUCH 4.2 over SoupBinTCP, kills it, and asks for all messages again.

Usage: serve_ouch_test.py TICKTAPE
"""

import json
import os
import random
import signal
import struct
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import ouch_client  # pylint: disable=wrong-import-position
import venue_process  # pylint: disable=wrong-import-position
from ouch_client import cancel, enter, modify, packet, replace  # pylint: disable=wrong-import-position

LOGINS = {"ONE": "secret-one", "TWO": "secret-two", "COD": "secret-cod"}


def with_ouch(config):
    config["markets"][0]["definition"]["price_max"] = "9999.99"
    config["ouch"] = {
        "listen": "127.0.0.1:0",
        "symbols": ["ACME"],
        "logins": [
            {"user": "ONE", "password": LOGINS["ONE"], "firm": "FRMA", "account": 1},
            {"user": "TWO", "password": LOGINS["TWO"], "firm": "FRMB", "account": 2},
            {"user": "COD", "password": LOGINS["COD"], "firm": "FRMA", "account": 1, "cancel_on_disconnect": True},
        ],
    }


class OuchTest(venue_process.VenueTest):
    def setUp(self):
        super().setUp()
        self.venue.create()
        self.venue.edit(with_ouch)

    def connect(self):
        session = ouch_client.Session(self.venue.report["ouch"])
        self.venue.clients.append(session)
        return session

    def session(self, user, number=0, name=""):
        session = self.connect()
        self.assertIs(session.login(user, LOGINS[user], name, number), True)
        return session

    def exported(self):
        """The messages of all logins, as the journal gives them."""
        lines = self.venue.run("export", self.venue.journal, "--what", "ouch", "--format", "jsonl")
        self.assertEqual(lines.returncode, 0, lines.stderr)
        return [json.loads(line) for line in lines.stdout.splitlines()]

    def order_of(self, accepted):
        self.assertIn(accepted[0], ("accepted", "replaced"))
        return accepted[9]

    def test_two_clients_trade(self):
        self.venue.start()
        one, two = self.session("ONE"), self.session("TWO")
        self.assertEqual((one.first_number, two.first_number), (2, 2))
        one.send(enter("T1", b"B", 100, "ACME", 100_000))
        accepted = one.read()
        order = self.order_of(accepted)
        self.assertEqual(
            accepted,
            ("accepted", "T1", "B", 100, "ACME", 100_000, 99_999, "FRMA", "Y", order, "A", "N", 0, "N", "L", ""),
        )
        two.send(enter("T1", b"S", 130, "ACME", 99_900, time_in_force=0))
        self.assertEqual(two.read()[:4], ("accepted", "T1", "S", 130))
        executed = two.read()
        self.assertEqual(executed[:5], ("executed", "T1", 100, 100_000, "R"))
        self.assertEqual(two.read(), ("cancelled", "T1", 30, "I"))
        self.assertEqual(one.read(), ("executed", "T1", 100, 100_000, "A", executed[5]))
        # Neither a repeated token nor an order that is gone is answered.
        one.send(enter("T1", b"B", 1, "ACME", 100_000), cancel("T1"), replace("T1", "T2", 5, 100_000))
        one.send(enter("T2", b"T", 10, "ACME", 120_000), modify("T2", b"S", 8), replace("T2", "T3", 20, 120_100))
        one.send(cancel("T3", 15), enter("T4", b"B", 1, "NONE", 1), cancel("T3"))
        self.assertEqual(one.read()[:4], ("accepted", "T2", "T", 10))
        self.assertEqual(one.read(), ("modified", "T2", "S", 8))
        self.assertEqual(one.read()[:6], ("replaced", "T3", "S", 20, "ACME", 120_100))
        self.assertEqual(one.read(), ("cancelled", "T3", 5, "U"))
        self.assertEqual(one.read(), ("rejected", "T4", "S"))
        self.assertEqual(one.read(), ("cancelled", "T3", 15, "U"))
        self.end_well()

    def test_the_exchange_and_operators_are_heard(self):
        self.venue.start()
        one = self.session("ONE")
        one.send(enter("T1", b"B", 100, "ACME", 100_000), enter("T2", b"B", 100, "ACME", 100_001))
        one.send(enter("T3", b"B", 10, "ACME", 110_000, time_in_force=1))
        self.assertEqual(one.read()[:2], ("accepted", "T1"))
        self.assertEqual(one.read(), ("rejected", "T2", "X"))
        self.assertEqual(one.read()[:2], ("accepted", "T3"))
        self.assertEqual(one.read(), ("cancelled", "T3", 10, "T"))
        self.assertEqual(self.venue.admin("pause", "ACME").returncode, 0)
        one.send(enter("T4", b"B", 1, "ACME", 100_000), replace("T1", "T5", 100, 100_000))
        self.assertEqual(one.read(), ("rejected", "T4", "H"))
        self.assertEqual(one.read(), ("cancelled", "T1", 100, "U"))
        self.end_well()

    def test_cancel_on_disconnect(self):
        self.venue.start()
        cod, two = self.session("COD"), self.session("TWO")
        cod.send(enter("T1", b"B", 100, "ACME", 100_000))
        two.send(enter("T1", b"B", 100, "ACME", 90_000))
        self.order_of(cod.read())
        self.order_of(two.read())
        cod.close()
        again = self.session("COD", number=2)
        self.assertEqual([m[:2] for m in again.read_all(2)], [("accepted", "T1"), ("cancelled", "T1")])
        again.send(enter("T2", b"B", 100, "ACME", 100_000))
        self.order_of(again.read())
        self.venue.end(signal.SIGKILL)
        self.venue.start()
        again = self.session("COD", number=4)
        self.assertEqual(again.read()[:2], ("accepted", "T2"))
        self.assertEqual(again.read(), ("cancelled", "T2", 100, "S"))
        two = self.session("TWO")
        two.send(cancel("T1"))
        self.assertEqual(two.read(), ("cancelled", "T1", 100, "U"))
        self.end_well()

    def test_hostile_clients_are_ended_beside_one_that_trades(self):
        self.venue.start()
        one = self.session("ONE")
        for user, password, session, number, why in [
            ("ONE", "secret-two", "", 0, "A"), ("NONE", "secret-one", "", 0, "A"), ("", "", "", 0, "A"),
            ("TWO", LOGINS["TWO"], "YESTERDAY", 0, "S"), ("TWO", LOGINS["TWO"], "", 3, "S"),
            ("TWO", LOGINS["TWO"], "", 2**64 - 1, "S"), ("TWO", LOGINS["TWO"], "", 2**64, "A"),
        ]:  # fmt: skip
            with self.subTest(user=user, session=session, number=number):
                hostile = self.connect()
                self.assertEqual(hostile.login(user, password, session, number), why)
                self.assertIsNone(hostile.read_packet())
        for data in [b"\0\0", b"\xff\xff", packet(b"U", cancel("T1")), packet(b"R"), packet(b"L", b"short"), b"GET /"]:
            with self.subTest(data=data):
                hostile = self.connect()
                hostile.send_bytes(data)
                hostile.socket.settimeout(5)
                kinds = [kind for kind, _ in iter(hostile.read_packet, None)]
                self.assertIn(kinds, ([], [b"J"]))
        cut = enter("T", b"B", 1, "ACME", 100)[:-1]
        for data in [packet(b"U"), packet(b"U", b"Z"), packet(b"S", b"x"), packet(b"U", cut),
                     packet(b"U", cancel("T\n")), packet(b"+", b"x" * 2_000), packet(b"L", b" " * 46)]:  # fmt: skip
            with self.subTest(data=data):
                hostile = self.session("TWO")
                hostile.send_bytes(data)
                self.assertEqual(hostile.read_to_end(), [])
        # A flood of one who reads nothing.
        flood = self.session("TWO")
        flood.socket.settimeout(0.5)
        try:
            for i in range(400):
                flood.send(*(enter(f"{i}.{j}", b"B", 1, "NONE", 1) for j in range(100)))
        except (TimeoutError, OSError):
            pass
        one.send(enter("T1", b"B", 100, "ACME", 100_000), cancel("T1"))
        self.assertEqual([message[0] for message in one.read_all(2)], ["accepted", "cancelled"])
        flood.close()
        again = self.session("TWO", number=1)
        names = {message[0] for message in again.read_all(100)}
        self.assertEqual(names, {"system", "rejected"})
        self.end_well()

    def test_random_bytes(self):
        self.venue.start()
        chance = random.Random(7)
        for _ in range(100):
            hostile = self.connect()
            data = bytearray(
                b"".join(packet(b"U", enter(f"{n}", b"B", 1, "ACME", 100_000)) for n in range(chance.randrange(5)))
            )
            if chance.random() < 0.7:
                hostile.login("TWO", LOGINS["TWO"])
            for _ in range(chance.randrange(4)):
                if data:
                    data[chance.randrange(len(data))] = chance.randrange(256)
            hostile.send_bytes(bytes(data) + chance.randbytes(chance.randrange(40)))
            hostile.close()
        self.session("ONE").send(cancel("T1"))
        self.end_well()

    # Two clients trade while the venue is killed again and again. Each keeps what it has received and asks for the
    # rest: in all, each number once, and the same as a stream that is read from the first one in the end.
    def test_a_kill_loses_and_repeats_no_message(self):
        self.venue.start("--ack", "written")
        received = {"ONE": [], "TWO": []}
        sent = {"ONE": 0, "TWO": 0}

        def trade(user, seconds_seed):
            chance = random.Random(seconds_seed)
            session = self.session(user, number=len(received[user]) + 1)
            self.assertEqual(session.first_number, len(received[user]) + 1)
            try:
                for _ in range(200):
                    batch = []
                    for _ in range(chance.randrange(1, 20)):
                        sent[user] += 1
                        side = b"B" if chance.random() < 0.5 else b"S"
                        price = 100_000 + 100 * chance.randrange(-3, 4)
                        batch.append(enter(f"{sent[user]}", side, chance.randrange(1, 50), "ACME", price))
                        if chance.random() < 0.3:
                            batch.append(cancel(f"{chance.randrange(1, sent[user] + 1)}"))
                    session.send(*batch)
                    if session.read() is None:
                        break
            except OSError:
                pass
            received[user] += session.messages
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
        for user, messages in received.items():
            self.assertGreater(len(messages), 20)
            rest = self.session(user, number=len(messages) + 1)
            rest.send(cancel("0"), enter("LAST", b"B", 1, "NONE", 1))
            while rest.read() != ("rejected", "LAST", "S"):
                pass
            messages += rest.messages
            whole = self.session(user, number=1)
            whole.read_to(len(messages))
            self.assertEqual(whole.messages, messages)
            names = [ouch_client.name_and_fields(message) for message in messages]
            self.assertEqual(names[0], ("system", "S"))
            # Times do not descend, and no token is accepted twice.
            times = [struct.unpack(">Q", message[1:9])[0] for message in messages]
            self.assertEqual(times, sorted(times))
            tokens = [fields[1] for fields in names if fields[0] == "accepted"]
            self.assertEqual(len(tokens), len(set(tokens)))
        self.end_well()
        exported = self.exported()
        for user, messages in received.items():
            sent_to = [line for line in exported if line["user"] == user and line["from"] == "venue"]
            self.assertEqual([line["number"] for line in sent_to], list(range(1, len(messages) + 1)))
            for line, message in zip(sent_to, messages):
                self.assertEqual(
                    tuple(line.values())[5:],
                    (struct.unpack(">Q", message[1:9])[0], *ouch_client.name_and_fields(message)[1:]),
                )
        requests = [line for line in exported if line["from"] == "client" and line["message"] == "enter_order"]
        self.assertEqual(len(requests), len([line for line in exported if line["message"] == "accepted"]))

    def test_what_may_be_lost_is_another_session(self):
        self.venue.start("--ack", "none")
        before = self.session("ONE").session
        self.end_well()
        self.venue.start()
        refused = self.connect()
        self.assertEqual(refused.login("ONE", LOGINS["ONE"], before, 1), "S")
        self.assertNotEqual(self.session("ONE").session, before)
        self.end_well()

    def test_a_conversation_cannot_be_recorded(self):
        self.assertIn("does not record OUCH", self.venue.start_fails("--record-conversation", "hashes").stderr)


if __name__ == "__main__":
    venue_process.main()
