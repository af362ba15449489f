#!/usr/bin/env python3
"""Types into `ticktape shell` on a pseudo-terminal: prompt, editing, history, HELP and QUIT; and through a
pipe, where there is none of it.

Usage: shell_terminal_test.py TICKTAPE
"""

import datetime
import fcntl
import os
import pty
import re
import select
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time

PATIENCE_SECONDS = 120  # For a loaded machine; otherwise the wait ends immediately.
NO_LEAKS = "detect_leaks=0"  # libedit keeps what it has read of the terminal.
UP, LEFT, CTRL_A, CTRL_C, CTRL_D = "\x1b[A", "\x1b[D", "\x01", "\x03", "\x04"


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


class Shell:
    """The shell on a terminal of its own."""

    def __init__(self, ticktape, state, *words, **environment):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.modes = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [ticktape, "shell", *words], stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm", "XDG_STATE_HOME": state, "ASAN_OPTIONS": NO_LEAKS, **environment},
        )  # fmt: skip
        self.shown = b""
        self.seen = 0

    def type(self, keys):
        # Until the editor has the terminal, the system itself echoes what is typed.
        patience = time.monotonic() + PATIENCE_SECONDS
        while termios.tcgetattr(self.slave)[3] & termios.ECHO and time.monotonic() < patience:
            time.sleep(0.001)
        os.write(self.master, keys if isinstance(keys, bytes) else keys.encode())

    def until(self, pattern):
        """Waits until the pattern follows what was waited for before."""
        while True:
            found = re.compile(pattern, re.DOTALL).search(self.shown, self.seen)
            if found:
                self.seen = found.end()
                return found
            expect(self.read(), f"{pattern} did not come: {self.shown[self.seen:]}")

    def read(self):
        if not select.select([self.master], [], [], PATIENCE_SECONDS)[0]:
            return False
        piece = os.read(self.master, 1 << 16)
        self.shown += piece
        return bool(piece)

    def end(self):
        code = self.process.wait(PATIENCE_SECONDS)
        while select.select([self.master], [], [], 0)[0]:
            self.read()
        now = termios.tcgetattr(self.slave)
        expect(now == self.modes, f"the terminal was not given back: {self.modes}, now {now}")
        os.close(self.slave)
        os.close(self.master)
        return code


def answers_and_edits(ticktape, folder):
    shell = Shell(ticktape, folder + "/state")
    shell.until(rb"Ticktape shell: the orders of account 1, in a temporary journal; -o keeps one\.\r\n"
                rb"HELP shows what to type, QUIT ends\.\r\n> ")  # fmt: skip
    shell.type("SUBMIT 1 ACME SELL 10.05 100\n")
    shell.until(rb"DEFINED ACME market=1 .*ACK 1 order=2\r\n.*> ")
    # An edited line: the number is typed last.
    shell.type(" ACME BUY 10.05 40" + CTRL_A + "SUBMIT 2\n")
    shell.until(rb"ACK 2 order=3\r\n.*FILL 2 40 @ 10\.0500 taker .*> ")
    # The line before, again, with another number.
    shell.type(UP + LEFT * 18 + "\x7f3\n")
    shell.until(rb"ACK 3 order=4\r\n.*> ")
    shell.type("help\n")
    shell.until(rb"Lines:\r\n  SUBMIT <id> .*POLICY.*HELP.*> ")
    shell.type("CANCEL 99" + CTRL_C)
    shell.until(rb"\^C\r\n.*> ")
    shell.type("CANCEL 1\n")
    shell.until(rb"CANCELLED 1 .*> ")
    expect(b"REJECT 99" not in shell.shown, "Ctrl-C drops the line")
    # No byte of the terminal comes back that could control it.
    shell.type(b"CANCEL \xc2\x9b2J\xe2\x80\xae\x07x\n")
    shell.until(rb"ERROR .*> ")
    expect(b"\xc2" not in shell.shown and b"\xae" not in shell.shown, "it was echoed")
    shell.type("PRINT ACME\nPRINT\nQUIT\n")
    shell.until(rb"ACME  0 bid levels.*\n1 market without orders\r\n.*journal: 5 commands, temporary: gone now")
    expect(shell.end() == 0, "QUIT is no failure")


def remembers(ticktape, folder):
    state = folder + "/remembered"
    journal = folder + "/mine.tape"
    shell = Shell(ticktape, state, "-o", journal)
    shell.until(rb"in the journal [^\r\n]*mine\.tape\.\r\n.*> ")
    shell.type("SUBMIT 7 ACME BUY 9 1\n")
    shell.until(rb"ACK 7 .*> ")
    shell.type(CTRL_D)
    expect(shell.end() == 0, "Ctrl-D ends as QUIT does")
    path = state + "/ticktape/shell_history"
    expect(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "the history is private")
    with open(path, "ab") as file:
        file.write(b"PRINT \x1b[2J\xc2\x9b\n")
    shell = Shell(ticktape, state, "-o", journal)
    shell.until(rb"continues after @2.*> ")
    shell.type(UP)
    shell.until(rb"SUBMIT 7 ACME BUY 9 1")
    expect(b"\x1b[2J" not in shell.shown, "what is not printable is no history")
    shell.type("\n")
    shell.until(rb"REJECT 7 duplicate_id\r\n.*> ")
    shell.type("quit\n")
    expect(shell.end() == 0, "keywords may be in lower case")
    os.chmod(path, 0o644)
    shell = Shell(ticktape, state)
    shell.until(rb"note: the history is not kept: [^\r\n]*chmod 600.*> ")
    shell.type("QUIT\n")
    expect(shell.end() == 0, "it works without a history")


def gives_the_terminal_back(ticktape, folder):
    shell = Shell(ticktape, folder + "/state")
    shell.until(rb"> ")
    shell.process.send_signal(signal.SIGTERM)
    expect(shell.end() == -signal.SIGTERM, "SIGTERM ends it")


def shows_what_happens_meanwhile(ticktape, folder):
    shell = Shell(ticktape, folder + "/state")
    shell.until(rb"> ")
    for order, seconds in enumerate((2, 10, 60), start=1):  # Longer where the machine is slow.
        expires = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
        shell.type(f"SUBMIT {order} ACME BUY 10 5 GTT={expires:%Y-%m-%dT%H:%M:%SZ}\nPRI")
        if shell.until(rb"(ACK|REJECT) %d " % order)[1] == b"ACK":
            break
        shell.type(CTRL_C)
    shell.until(rb"> PRI.*\r\nCANCELLED \d 5 expired\r\n.*> PRI")
    shell.type("NT\n")
    shell.until(rb"1 market without orders.*> ")
    shell.type("QUIT\n")
    expect(shell.end() == 0, "")


def pipes_are_as_before(ticktape, folder):
    environment = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": folder + "/piped"}
    lines = b"SUBMIT 1 ACME SELL 10.05 100\nHELP\nSUBMIT 2 ACME BUY 10.05 40\nQUIT\nCANCEL 1\n"
    done = subprocess.run([ticktape, "shell"], input=lines, capture_output=True, env=environment,
                          check=True)  # fmt: skip
    expected = (
        b"DEFINED ACME market=1 price_decimals=4 quantity_decimals=0\n"
        b"ACK 1 order=2\n"
        b"ERROR line 2: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'HELP'\n"
        b"ACK 2 order=3\n"
        b"FILL 1 40 @ 10.0500 maker remaining=60 trade=3.1\n"
        b"FILL 2 40 @ 10.0500 taker remaining=0 trade=3.1\n"
        b"ERROR line 4: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'QUIT'\n"
        b"CANCELLED 1 60 requested\n"
    )
    expect(done.stdout == expected, done.stdout.decode())
    expect(done.stderr == b"journal: 4 commands, temporary: gone now; -o keeps it\n", done.stderr)
    expect(not os.path.exists(folder + "/piped"), "a pipe has no history")


def main():
    ticktape = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        for check in (answers_and_edits, remembers, gives_the_terminal_back,
                      shows_what_happens_meanwhile, pipes_are_as_before):  # fmt: skip
            check(ticktape, folder)
            print(f"{check.__name__}: as it should be")


if __name__ == "__main__":
    main()
