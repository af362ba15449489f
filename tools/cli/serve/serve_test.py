#!/usr/bin/env python3
"""Runs `ticktape serve`, trades with it, commands it with `ticktape admin`, and ends it.

Usage: serve_test.py TICKTAPE
"""

import json
import os
import pty
import select
import signal
import socket
import stat
import sys
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "testing"))
import venue_process  # pylint: disable=wrong-import-position
from venue_process import order_of  # pylint: disable=wrong-import-position


class InitTest(venue_process.VenueTest):
    def test_creates_a_private_file_with_secrets_of_its_own(self):
        created = self.venue.create()
        self.assertEqual(stat.S_IMODE(os.stat(self.venue.file).st_mode), 0o600)
        self.assertIn("3 logins", created.stdout)
        secrets = [login["secret"] for login in self.venue.config()["logins"]]
        other = venue_process.Venue(self.ticktape, self.venue.folder + "-2")
        other.create()
        secrets += [login["secret"] for login in other.config()["logins"]]
        self.assertEqual(len(set(secrets)), 6)
        for secret in secrets:
            self.assertEqual(len(secret), 32)
            self.assertNotIn(secret, created.stdout)

    def test_refuses_a_folder_that_exists(self):
        self.venue.create()
        before = self.venue.config()
        again = self.venue.run("serve", "--init", self.venue.folder)
        self.assertEqual(again.returncode, 6)
        self.assertIn("is there already", again.stderr)
        self.assertEqual(self.venue.config(), before)


class StartTest(venue_process.VenueTest):
    def test_prints_where_it_listens(self):
        self.venue.create()
        arguments = [word for word in self.venue.arguments() if word != "--json"]
        process = venue_process.popen(arguments)
        first, second = process.stdout.readline(), process.stdout.readline()
        process.terminate()
        process.communicate()
        self.assertRegex(first, r"^text sessions: 127\.0\.0\.1:\d+$")
        self.assertRegex(second, "^log in with: LOGIN desk-1 ")
        self.assertNotIn(self.venue.config()["logins"][0]["secret"], second)

    def test_may_serve_operators_only(self):
        self.venue.create()
        self.venue.edit(lambda config: config["text"].update(listen=""))
        process = venue_process.popen([self.ticktape, "serve", self.venue.folder])
        self.assertEqual(process.stdout.readline(), "text sessions: none\n")
        self.assertEqual(self.venue.admin("pause", "ACME").returncode, 0)
        process.terminate()
        self.assertEqual(process.communicate()[0], "")
        self.assertEqual(process.returncode, 0)

    def test_listens_on_a_port(self):
        self.venue.create()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        process = venue_process.popen([self.ticktape, "serve", self.venue.folder, "--text", str(port)])
        self.assertEqual(process.stdout.readline(), f"text sessions: 127.0.0.1:{port}\n")
        process.terminate()
        process.communicate()
        self.assertEqual(process.returncode, 0)

    def test_listens_on_a_socket_file(self):
        self.venue.create()
        path = os.path.join(self.scratch.name, "text.sock")
        process = venue_process.popen([self.ticktape, "serve", self.venue.folder, "--text", "unix:" + path])
        self.assertEqual(process.stdout.readline(), f"text sessions: unix:{path}\n")
        # The path may be longer than an address may be.
        folder = os.open(self.scratch.name, os.O_RDONLY | os.O_DIRECTORY)
        self.addCleanup(os.close, folder)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(f"/proc/self/fd/{folder}/text.sock")
            client.sendall(b"LOGIN desk-1 wrong\n")
            self.assertEqual(client.recv(100), b"ERROR line 1: login refused\n")
        process.terminate()
        process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertFalse(os.path.exists(path))

    def test_serves_kalshis_api_and_prints_what_to_try(self):
        self.venue.create()
        process = venue_process.popen(
            [self.ticktape, "serve", self.venue.folder, "--text", "127.0.0.1:0", "--kalshi", "127.0.0.1:0"]
        )
        lines = []
        while not lines or "pykalshi" not in lines[-1]:
            lines.append(process.stdout.readline())
            self.assertTrue(lines[-1], lines)
        rest = next(line.split()[-1] for line in lines if line.startswith("Kalshi's API:"))
        self.assertEqual(sum(line.startswith("  key:") for line in lines), 4, lines)
        curl = next(line for line in lines if "curl" in line).split("curl -s ")[1].strip()
        with urllib.request.urlopen(curl, timeout=venue_process.PATIENCE_SECONDS) as reply:
            self.assertEqual(len(json.load(reply)["markets"]), 1)
        with urllib.request.urlopen(rest + "/series", timeout=venue_process.PATIENCE_SECONDS) as reply:
            self.assertEqual(len(json.load(reply)["series"]), 3)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(rest + "/portfolio/balance", timeout=venue_process.PATIENCE_SECONDS)
        self.assertEqual(refused.exception.code, 401)
        process.terminate()
        process.communicate()
        self.assertEqual(process.returncode, 0)

    def test_kalshi_none_serves_no_api(self):
        self.venue.create()
        self.venue.edit(lambda config: config["kalshi"].update(listen="127.0.0.1:0"))
        self.venue.start()
        self.assertRegex(self.venue.report["kalshi"], r"^127\.0\.0\.1:\d+$")
        self.end_well()
        self.venue.start("--kalshi", "none")
        self.assertEqual(self.venue.report["kalshi"], "")
        self.end_well()

    def test_a_second_one_is_refused_and_disturbs_nothing(self):
        self.serve()
        second = self.venue.start_fails()
        self.assertEqual(second.returncode, 6)
        self.assertIn(self.venue.journal, second.stderr)
        self.assertIn("another writer", second.stderr)
        self.assertEqual(self.venue.admin("suspend", "1").returncode, 0)
        self.venue.client("desk-1")
        self.end_well()

    def test_an_address_in_use_is_an_error_that_names_it(self):
        self.venue.create()
        with socket.create_server(("127.0.0.1", 0)) as other:
            address = f"127.0.0.1:{other.getsockname()[1]}"
            refused = self.venue.run("serve", self.venue.folder, "--text", address)
        self.assertEqual(refused.returncode, 6)
        self.assertIn(address, refused.stderr)
        self.assertIn("in use", refused.stderr)
        self.venue.start()
        self.end_well()

    def test_its_folder_may_have_a_long_path(self):
        long_path = os.path.join(self.scratch.name, "f" * 200, "g" * 200)
        os.makedirs(long_path)
        self.venue = venue_process.Venue(self.ticktape, os.path.join(long_path, "exchange"))
        self.serve()
        self.venue.client("desk-1")
        self.assertEqual(self.venue.admin("suspend", "1").returncode, 0)
        self.end_well()

    def test_an_interrupt_counts_from_the_first_line_on(self):
        self.venue.create()
        for how in [signal.SIGINT, signal.SIGTERM] * 5:
            self.venue.start()
            self.end_well(how)

    def test_an_error_in_the_file_names_line_and_field(self):
        self.venue.create()
        self.venue.edit(lambda config: config["accounts"][1].update(money="much"))
        with open(self.venue.file, encoding="utf-8") as file:
            lines = file.read().splitlines()
        line = 1 + next(i for i, text in enumerate(lines) if "much" in text)
        refused = self.venue.start_fails()
        self.assertEqual(refused.returncode, 2)
        self.assertIn(f"{self.venue.file}:{line}: accounts[1].money: ", refused.stderr)
        self.assertFalse(os.path.exists(self.venue.journal))

    def test_a_file_that_others_may_read_is_refused(self):
        self.venue.create()
        os.chmod(self.venue.file, 0o640)
        refused = self.venue.start_fails()
        self.assertEqual(refused.returncode, 6)
        self.assertIn(self.venue.file, refused.stderr)
        self.assertIn("chmod 600", refused.stderr)

    def test_without_a_file_it_names_the_one_that_is_missing(self):
        os.mkdir(self.venue.folder)
        refused = self.venue.start_fails()
        self.assertEqual(refused.returncode, 6)
        self.assertIn(self.venue.file, refused.stderr)


class SessionsTest(venue_process.VenueTest):
    def test_two_accounts_trade(self):
        for ack in ["none", "written", "disk"]:
            with self.subTest(ack=ack):
                self.venue.folder = os.path.join(self.scratch.name, ack)
                self.venue = venue_process.Venue(self.ticktape, self.venue.folder)
                self.serve("--ack", ack)
                seller, buyer = self.venue.client("desk-1"), self.venue.client("desk-3")
                sold = order_of(seller.ask("SUBMIT 1 ACME SELL 10.00 5"))
                bought = order_of(buyer.ask("SUBMIT 1 ACME BUY 10.00 3"))
                trade = f"trade={bought}.1"
                self.assertEqual(buyer.read_line(), f"FILL 1 3 @ 10.00 taker remaining=0 {trade}")
                self.assertEqual(seller.read_line(), f"FILL 1 3 @ 10.00 maker remaining=2 {trade}")
                self.assertLess(sold, bought)
                self.end_well()

    def test_a_binary_market_moves_money_and_positions(self):
        self.serve()
        one, other = self.venue.client("desk-2"), self.venue.client("desk-3")
        order_of(one.ask("SUBMIT 1 RAIN BUY 0.40 10"))
        order_of(other.ask("SUBMIT 1 RAIN SELL 0.40 10"))
        replies = other.read_lines(3)
        self.assertTrue(replies[0].startswith("FILL 1 10 @ 0.40 taker"), replies)
        self.assertTrue(any(reply.startswith("BALANCE 99994.000000 change=-6.000000 ") for reply in replies), replies)
        self.assertIn("POSITION RAIN -10", replies)
        self.end_well()

    def test_sessions_of_an_account_share_its_orders(self):
        self.serve()
        one, two = self.venue.client("desk-1"), self.venue.client("desk-2")
        order_of(one.ask("SUBMIT 1 ACME SELL 10.00 5"))
        self.assertEqual(two.ask("SUBMIT 1 ACME SELL 10.00 5"), "REJECT 1 duplicate_id")
        self.assertEqual(two.ask("CANCEL 1"), "CANCELLED 1 5 requested")
        self.assertEqual(one.read_line(), "CANCELLED 1 5 requested")
        # An id is used once, also after its order has ended.
        self.assertEqual(one.ask("SUBMIT 1 ACME SELL 10.00 5"), "REJECT 1 duplicate_id")
        stranger = self.venue.client("desk-3")
        order_of(stranger.ask("SUBMIT 1 ACME SELL 10.00 5"))
        self.assertTrue(one.is_idle())
        self.end_well()

    def test_a_wrong_login_is_one_error(self):
        self.serve()
        for line in ["LOGIN desk-1 wrong-secret", "LOGIN desk-9 wrong-secret"]:
            client = self.venue.connect()
            client.send(line, "SUBMIT 1 ACME SELL 10.00 5")
            self.assertEqual(client.read_to_end(), ["ERROR line 1: login refused"])
        client = self.venue.connect()
        self.assertRegex(client.ask("SUBMIT 1 ACME SELL 1 1"), "^ERROR line 1: expected LOGIN")
        self.end_well()
        kinds = {kind for (kind,) in self.venue.records("kind")}
        self.assertNotIn("new_order", kinds)

    def test_a_disconnect_cancels_where_the_login_says_so(self):
        self.serve()
        watcher = self.venue.client("desk-2")
        order_of(watcher.ask("SUBMIT 9 ACME SELL 10.00 5"))
        leaver = self.venue.client("desk-1")
        for i in (1, 2):
            order_of(leaver.ask(f"SUBMIT {i} ACME SELL 10.00 {i}"))
        leaver.close()
        ends = watcher.read_lines(2)
        self.assertEqual(sorted(ends), ["CANCELLED 1 1 requested", "CANCELLED 2 2 requested"])
        self.assertEqual(watcher.ask("CANCEL 9"), "CANCELLED 9 5 requested")
        self.end_well()

    def test_a_client_that_has_sent_all_gets_all_replies(self):
        self.serve("--ack", "disk")
        client = self.venue.client("desk-3")
        client.send_bytes(b"".join(b"SUBMIT %d ACME SELL 10.00 1\n" % i for i in range(1, 5001)))
        client.send_bytes(b"CANCEL 5000")  # Without its ending.
        client.end_input()
        replies = client.read_to_end()
        self.assertEqual(len(replies), 5001)
        self.assertEqual(replies[-1], "CANCELLED 5000 1 requested")
        self.end_well()


class EndTest(venue_process.VenueTest):
    def end_under_load(self, how, ack):
        self.serve("--ack", ack)
        client = self.venue.client("desk-3")
        client.send_bytes(b"".join(b"SUBMIT %d ACME SELL 10.00 1\n" % i for i in range(1, 20001)))
        self.assertTrue(client.read_line().startswith("ACK 1 "))
        self.venue.process.send_signal(how)
        acked = [order_of(reply) for reply in client.read_to_end()]
        self.assertEqual(self.venue.wait(), 0, self.venue.errors())
        self.assertEqual(self.venue.verdict(), "CLEAN")
        records = self.venue.records("sequence", "kind")
        submitted = [int(sequence) for sequence, kind in records if kind == "new_order"]
        self.assertEqual(acked, submitted[1:])

    def test_sigint_replies_to_all_that_was_submitted(self):
        self.end_under_load(signal.SIGINT, "written")

    def test_sigterm_replies_to_all_that_was_submitted(self):
        self.end_under_load(signal.SIGTERM, "disk")

    def test_a_client_that_has_read_nothing_gets_all_replies(self):
        self.serve("--ack", "none")
        client = self.venue.client("desk-3")
        lines = b"".join(b"SUBMIT %d ACME SELL 10.00 1\n" % i for i in range(1, 400_001))

        def send():
            try:
                client.send_bytes(lines)
            except (BrokenPipeError, ConnectionResetError):
                pass  # What the venue no longer reads.

        sender = threading.Thread(target=send)
        sender.start()
        # Until the venue takes no more of its lines, since too many replies wait.
        other = self.venue.client("desk-1")
        orders = [0]
        while len(orders) < 3 or orders[-1] != orders[-2] + 1:
            orders.append(order_of(other.ask(f"SUBMIT {len(orders)} BOLT BUY 1.00 1")))
            time.sleep(0.05)
        self.venue.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        acked = [order_of(reply) for reply in client.read_to_end()]
        sender.join()
        self.assertEqual(self.venue.wait(), 0, self.venue.errors())
        records = self.venue.records("sequence", "kind")
        submitted = {int(sequence) for sequence, kind in records if kind == "new_order"}
        self.assertEqual(acked, sorted(submitted - set(orders)))
        self.assertGreater(len(acked), 100_000)

    def test_says_what_the_journal_holds(self):
        self.serve()
        order_of(self.venue.client("desk-3").ask("SUBMIT 1 ACME SELL 10.00 1"))
        self.end_well(signal.SIGINT)
        self.assertIn("32 commands", self.venue.errors())


class LiveLineTest(venue_process.VenueTest):
    def test_shows_nothing_where_there_is_no_terminal(self):
        self.serve()
        self.venue.client("desk-1")
        self.end_well()
        self.assertNotIn("\r", self.venue.errors())

    def test_shows_a_line_that_it_removes(self):
        self.venue.create()
        terminal, line = pty.openpty()
        arguments = [word for word in self.venue.arguments() if word != "--json"]
        process = venue_process.popen(arguments, errors=line, TERM="xterm")
        os.close(line)
        process.stdout.readline()
        shown = self.read_until(terminal, b"wait for the journal")
        self.assertRegex(shown, rb"^\r0 sessions +\d+ commands")
        process.terminate()
        self.assertIn(b"\r\x1b[K", self.read_until(terminal, b"ends 0 sessions"))
        process.communicate()
        os.close(terminal)

    def read_until(self, terminal, text):
        shown = b""
        while text not in shown:
            ready, _, _ = select.select([terminal], [], [], venue_process.PATIENCE_SECONDS)
            self.assertTrue(ready, shown)
            shown += os.read(terminal, 4096)
        return shown


class AdminTest(venue_process.VenueTest):
    def test_suspends_and_resumes(self):
        self.serve()
        client = self.venue.client("desk-3")
        order = order_of(client.ask("SUBMIT 1 ACME SELL 10.00 5"))
        suspended = self.venue.admin("suspend", "2")
        self.assertEqual(suspended.returncode, 0, suspended.stderr)
        self.assertIn("account_standing account=2 standing=suspended", suspended.stdout)
        self.assertIn(f"cancelled order={order} ", suspended.stdout)
        self.assertRegex(suspended.stdout.splitlines()[-1], r"^DONE @\d+ events=2$")
        self.assertEqual(client.read_line(), "CANCELLED 1 5 account_suspended")
        self.assertEqual(client.ask("SUBMIT 2 ACME SELL 10.00 5"), "REJECT 2 account_suspended")
        self.assertEqual(self.venue.admin("resume", "2").returncode, 0)
        order_of(client.ask("SUBMIT 3 ACME SELL 10.00 5"))
        self.end_well()

    def test_pauses_and_cancels_all(self):
        self.serve()
        clients = [self.venue.client("desk-1"), self.venue.client("desk-3")]
        for client in clients:
            order_of(client.ask("SUBMIT 1 ACME SELL 10.00 5"))
        self.assertEqual(self.venue.admin("pause", "ACME").returncode, 0)
        self.assertEqual(clients[0].ask("SUBMIT 2 ACME SELL 10.00 5"), "REJECT 2 market_paused")
        order_of(clients[0].ask("SUBMIT 3 BOLT SELL 10.00 5"))
        self.assertEqual(self.venue.admin("open", "ACME").returncode, 0)
        self.assertEqual(self.venue.admin("cancel-all", "2").returncode, 0)
        self.assertEqual(clients[1].read_line(), "CANCELLED 1 5 mass_cancel")
        self.assertTrue(clients[0].is_idle())
        self.assertEqual(self.venue.admin("cancel-all").returncode, 0)
        self.assertEqual(len(set(clients[0].read_lines(2))), 2)
        self.end_well()

    def leave_with_an_order(self, number):
        """Another session of the account, which then sends something."""
        client = self.venue.client("desk-2")
        order_of(client.ask(f"SUBMIT {number} ACME SELL 10.00 5"))
        client.close()

    def test_cancel_on_disconnect_of_a_login(self):
        self.serve("--record-conversation", "bytes")
        watcher = self.venue.client("desk-1")
        self.assertEqual(self.venue.admin("cancel-on-disconnect", "desk-2", "on").returncode, 0)
        self.leave_with_an_order(1)
        self.assertEqual(watcher.read_line(), "CANCELLED 1 5 requested")
        self.assertEqual(self.venue.admin("cancel-on-disconnect", "desk-2", "off").returncode, 0)
        self.leave_with_an_order(2)
        unknown = self.venue.admin("cancel-on-disconnect", "desk-9", "on")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("expected a login of", unknown.stderr)
        watcher.close()
        self.end_well()
        cancels = self.venue.records("client_order_id", where="kind == cancel")
        self.assertEqual(cancels, [["1"]])
        replayed = self.venue.run("serve", self.venue.folder, "--replay")
        self.assertEqual(replayed.returncode, 0, replayed.stdout)

    def test_a_start_gives_logins_what_the_file_says(self):
        self.serve()
        self.assertEqual(self.venue.admin("cancel-on-disconnect", "desk-2", "on").returncode, 0)
        self.end_well()
        for number in (1, 2):
            self.venue.start()
            self.leave_with_an_order(number)
            self.end_well()
        self.assertEqual(self.venue.records("client_order_id", where="kind == cancel"), [])
        notes = self.venue.records("sequence", where="kind == note")
        self.assertEqual(len(notes), 2, notes)

    def test_exit_codes(self):
        self.venue.create()
        self.assertEqual(self.venue.admin("halt").returncode, 6)
        self.venue.start()
        self.assertEqual(self.venue.admin("halt").returncode, 0)
        refused = self.venue.admin("pause", "ACME")
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stdout.splitlines()[-1], r"^REFUSED @\d+ exchange_halted$")
        for words in [["suspend"], ["pause", "NONE"], ["send", "no_such_command"], ["jump"]]:
            self.assertEqual(self.venue.admin(*words).returncode, 2, words)
        self.end_well()
        gone = self.venue.admin("halt")
        self.assertEqual(gone.returncode, 6)
        self.assertIn("no venue serves", gone.stderr)

    def test_answers_as_json(self):
        self.serve()
        report = json.loads(self.venue.admin("pause", "ACME", "--json").stdout)
        self.assertEqual(report["outcome"], "done")
        self.assertEqual(report["sequence"], 32)
        self.end_well()


if __name__ == "__main__":
    venue_process.main()
