"""Runs `ticktape serve` for tests: its process, its clients, its operators.

    Venue ─► process: ticktape serve FOLDER
      │         ▲
      ├─ Client ┘ a session of the text protocol
      └─ admin(): ticktape admin FOLDER
"""

import concurrent.futures
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

PATIENCE_SECONDS = 60  # For a loaded machine; otherwise the wait ends immediately.


class Client:
    """A connection to a venue, with or without a session."""

    def __init__(self, address, login=None):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)
        self.rest = b""
        if login is not None:
            self.welcome = self.ask(f"LOGIN {login['name']} {login['secret']}")

    def send(self, *lines):
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def send_bytes(self, data):
        self.socket.sendall(data)

    def read_line(self):
        """The next line without its ending; None where the venue has ended the connection."""
        while b"\n" not in self.rest:
            try:
                piece = self.socket.recv(1 << 16)
            except ConnectionResetError:
                piece = b""
            if not piece:
                assert not self.rest, f"the connection ended within a line: {self.rest}"
                return None
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def read_lines(self, count):
        return [self.read_line() for _ in range(count)]

    def read_to_end(self):
        return list(iter(self.read_line, None))

    def ask(self, line):
        """Sends a line; returns the first line that comes next."""
        self.send(line)
        return self.read_line()

    def is_idle(self):
        """Whether no reply has come. PRINT's answer follows all that went before it."""
        return self.ask("PRINT NONE").startswith("ERROR ")

    def end_input(self):
        self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()


class Venue:
    """A folder with a venue file, and the process that serves it, if it runs."""

    def __init__(self, ticktape, folder):
        self.ticktape, self.folder = ticktape, folder
        self.file = os.path.join(folder, "venue.json")
        self.journal = os.path.join(folder, "journal")
        self.process = None
        self.address = None
        self.report = None  # What it has printed: where it listens.
        self.clients = []

    def run(self, *arguments):
        return subprocess.run(
            [self.ticktape, *arguments],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
        )  # fmt: skip

    def create(self):
        created = self.run("serve", "--init", self.folder)
        assert created.returncode == 0, created.stderr
        return created

    def config(self):
        with open(self.file, encoding="utf-8") as file:
            return json.load(file)

    def write_file(self, text, mode=0o600):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.file, mode)

    def edit(self, change):
        """`change` gets the venue file's object."""
        config = self.config()
        change(config)
        self.write_file(json.dumps(config, indent=1))

    def arguments(self, *options):
        return [self.ticktape, "serve", self.folder, "--text", "127.0.0.1:0", "--json", *options]

    def start(self, *options, environment=None):
        with open(self.errors_path(), "wb") as errors:
            self.process = subprocess.Popen(
                self.arguments(*options),
                stdout=subprocess.PIPE, stderr=errors, text=True,
                env=dict(os.environ, **(environment or {})),
            )  # fmt: skip
        line = self.process.stdout.readline()
        assert line, f"ended with {self.process.wait()}: {self.errors()}"
        self.report = json.loads(line)
        assert self.report["schema"] == "ticktape.serve/1", line
        self.address = self.report["text"]

    def start_fails(self, *options):
        """A start that is to fail. Returns the process that has ended."""
        ended = subprocess.run(
            self.arguments(*options),
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        assert json.loads(ended.stdout)["error"]["code"] == ended.returncode, ended.stdout
        return ended

    def errors_path(self):
        return self.folder + ".errors"

    def errors(self):
        with open(self.errors_path(), encoding="utf-8") as errors:
            return errors.read()

    def connect(self, login=None):
        self.clients.append(Client(self.address, login))
        return self.clients[-1]

    def client(self, name):
        """A session of this login."""
        login = next(login for login in self.config()["logins"] if login["name"] == name)
        client = self.connect(login)
        assert client.welcome == f"WELCOME {name} account={login['account']}", client.welcome
        return client

    def admin(self, *words):
        return self.run("admin", self.folder, *words)

    def close_clients(self):
        for client in self.clients:
            client.close()
        self.clients = []

    def end(self, how=signal.SIGTERM):
        """Sends the signal; returns the exit code."""
        self.process.send_signal(how)
        return self.wait()

    def wait(self):
        # It waits for clients, up to five seconds, so that they get all replies.
        self.close_clients()
        code = self.process.wait(PATIENCE_SECONDS)
        self.process.stdout.close()
        self.process = None
        return code

    def records(self, *fields, where=None):
        """The journal's records, as lists of the values of these fields."""
        filtered = [] if where is None else ["--where", where]
        listed = self.run("cat", "--fields", ",".join(fields), self.journal, *filtered)
        assert listed.returncode == 0, listed.stderr
        return [line.split("\t") for line in listed.stdout.splitlines()]

    def verdict(self):
        """What verify says, once a replay has given the digests that were recorded."""
        verified = self.run("verify", "--replay", "--json", self.journal)
        report = json.loads(verified.stdout)
        assert report["replay"]["equal"] is not False, verified.stdout
        return report["verdict"]


def popen(arguments, errors=subprocess.DEVNULL, **environment):
    return subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE, stderr=errors, text=True, env=dict(os.environ, **environment),
    )  # fmt: skip


def order_of(ack):
    """The order id that an ACK gives."""
    return int(re.fullmatch(r"ACK \d+ order=(\d+)", ack).group(1))


class VenueTest(unittest.TestCase):
    """Each test has a venue of its own, with the file that --init writes: accounts 1 and 2, desk-1
    and desk-2 of account 1, desk-3 of account 2; desk-1 cancels on disconnect."""

    ticktape = None

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.venue = Venue(self.ticktape, os.path.join(self.scratch.name, "exchange"))

    def tearDown(self):
        if self.venue.process is not None:
            self.venue.end(signal.SIGKILL)
        self.venue.close_clients()
        self.scratch.cleanup()

    def serve(self, *options, **settings):
        self.venue.create()
        self.venue.start(*options, **settings)

    def end_well(self, how=signal.SIGTERM):
        self.assertEqual(self.venue.end(how), 0, self.venue.errors())
        self.assertEqual(self.venue.verdict(), "CLEAN")


def main(at_a_time=1):
    """Runs the tests of a program whose first argument is ticktape: by default one after the other, in the order of
    their names. Tests that mostly wait may run in several processes at a time."""
    VenueTest.ticktape = os.path.abspath(sys.argv.pop(1))
    if at_a_time == 1 or len(sys.argv) > 1:
        unittest.main()
    names = [test.id().partition(".")[2] for suite in unittest.defaultTestLoader.loadTestsFromModule(
        sys.modules["__main__"]) for test in suite]

    def run_one(name):
        return subprocess.run([sys.executable, sys.argv[0], VenueTest.ticktape, name], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        runs = list(pool.map(run_one, names))
    failed = [run for run in runs if run.returncode != 0]
    for run in failed:
        print(run.stdout)
    print(f"{len(runs)} tests, {len(failed)} failed")
    sys.exit(1 if failed or not runs else 0)
