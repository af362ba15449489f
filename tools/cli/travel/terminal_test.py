#!/usr/bin/env python3
"""Walks through a journal with `ticktape inspect -i` on a pseudo-terminal, and reads the screen.

Usage: terminal_test.py TICKTAPE
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios

ENGLISH = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm"}
PATIENCE_SECONDS = 120  # For a loaded machine; otherwise the wait ends immediately.


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


class Screen:
    """As much of a terminal as ncurses needs of one that it takes for an xterm.

    What was drawn for a larger screen may arrive after it has shrunk, hence no place is outside.
    """

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.top, self.bottom = 0, rows  # What scrolls.
        self.rest = b""

    def resize(self, rows, columns):
        kept = [line[:columns] + [" "] * (columns - len(line)) for line in self.cells[:rows]]
        self.cells = kept + [[" "] * columns for _ in range(rows - len(kept))]
        self.rows, self.columns = rows, columns
        self.top, self.bottom = 0, rows
        self.row, self.column = min(self.row, rows - 1), min(self.column, columns - 1)

    def lines(self):
        return ["".join(line).rstrip() for line in self.cells]

    def hear(self, piece):
        data = self.rest + piece
        while data:
            taken = self.take(data)
            if taken == 0:
                break  # The rest of it comes later.
            data = data[taken:]
        self.rest = data

    def take(self, data):
        first = data[0]
        if first == 0x1B:
            return self.escape(data)
        if first < 0x20:
            self.control(first)
            return 1
        length = 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        if len(data) < length:
            return 0
        self.put(data[:length].decode("utf-8", "replace"))
        return length

    def put(self, character):
        if self.column == self.columns:
            self.column = 0
            self.row = min(self.row + 1, self.rows - 1)
        self.cells[self.row][self.column] = character
        self.last = character
        self.column += 1

    def control(self, code):
        if code == 8:
            self.column = max(0, self.column - 1)
        elif code == 9:
            self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
        elif code == 10:
            if self.row + 1 == self.bottom:
                self.scroll_up(self.top, 1)
            else:
                self.row = min(self.row + 1, self.rows - 1)
        elif code == 13:
            self.column = 0

    def escape(self, data):
        sequence = re.match(rb"\x1b\[([?>]?)([0-9;]*)([@-~])", data)
        if sequence:
            if not sequence[1]:
                numbers = [int(n) if n else 0 for n in sequence[2].split(b";")]
                self.order(chr(sequence[3][0]), numbers)
            return sequence.end()
        other = re.match(rb"\x1b(?:[()][A-Z0-9]|[78=>M])", data)
        if other:
            if other[0] == b"\x1bM":
                if self.row == self.top:
                    self.scroll_down(self.top, 1)
                else:
                    self.row = max(0, self.row - 1)
            return other.end()
        expect(len(data) < 20, f"an order that is not known here: {data[:20]}")
        return 0

    def scroll_up(self, top, count):
        for _ in range(count):
            del self.cells[top]
            self.cells.insert(self.bottom - 1, [" "] * self.columns)

    def scroll_down(self, top, count):
        for _ in range(count):
            del self.cells[self.bottom - 1]
            self.cells.insert(top, [" "] * self.columns)

    def order(self, name, numbers):
        n = max(1, numbers[0])
        if name in "Hf":
            self.row = min(n, self.rows) - 1
            self.column = min(max(1, numbers[1] if len(numbers) > 1 else 1), self.columns) - 1
        elif name == "A":
            self.row = max(0, self.row - n)
        elif name == "B":
            self.row = min(self.rows - 1, self.row + n)
        elif name == "C":
            self.column = min(self.columns - 1, self.column + n)
        elif name == "D":
            self.column = max(0, self.column - n)
        elif name == "G":
            self.column = min(n, self.columns) - 1
        elif name == "d":
            self.row = min(n, self.rows) - 1
        elif name == "J":
            begin = 0 if numbers[0] == 2 else self.row * self.columns + self.column
            for at in range(begin, self.rows * self.columns):
                self.cells[at // self.columns][at % self.columns] = " "
        elif name == "K":
            begin, end = [(self.column, self.columns), (0, self.column + 1)][numbers[0]]
            self.cells[self.row][begin:end] = [" "] * (end - begin)
        elif name == "X":
            end = min(self.column + n, self.columns)
            self.cells[self.row][self.column : end] = [" "] * (end - self.column)
        elif name == "P":
            del self.cells[self.row][self.column : self.column + n]
            self.cells[self.row] += [" "] * (self.columns - len(self.cells[self.row]))
        elif name == "@":
            line = self.cells[self.row]
            line[self.column : self.column] = [" "] * n
            self.cells[self.row] = line[: self.columns]
        elif name == "L":
            self.scroll_down(self.row, n)
        elif name == "M":
            self.scroll_up(self.row, n)
        elif name == "S":
            self.scroll_up(self.top, n)
        elif name == "T":
            self.scroll_down(self.top, n)
        elif name == "r":
            last = numbers[1] if len(numbers) > 1 and numbers[1] else self.rows
            self.bottom = min(last, self.rows)
            self.top = min(n, self.bottom) - 1
            self.row = self.column = 0
        elif name == "b":
            for _ in range(n):
                self.put(self.last)
        else:
            expect(name in "mhlt", f"CSI {numbers} {name} is not known here")


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, words, rows=30, columns=100, environment=None):
        self.screen = Screen(rows, columns)
        self.master, slave = pty.openpty()
        self.set_size(rows, columns)
        self.process = subprocess.Popen(
            words, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**os.environ, **ENGLISH, **(environment or {})},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.everything = b""

    def set_size(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.set_size(rows, columns)
        self.screen.resize(rows, columns)
        os.killpg(self.process.pid, signal.SIGWINCH)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def read(self, seconds):
        """False: nothing came, or nothing will come any more."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.master, 1 << 16)
        except OSError:  # The program has gone.
            return False
        self.everything += piece
        self.screen.hear(piece)
        return bool(piece)

    def until(self, *patterns):
        """Waits until each pattern is found on some line; the lines."""
        while True:
            lines = self.screen.lines()
            if all(any(re.search(p, line) for line in lines) for p in patterns):
                return lines
            picture = "\n".join(lines)
            expect(self.read(PATIENCE_SECONDS), f"{patterns} did not come:\n{picture}")

    def end(self):
        while self.read(PATIENCE_SECONDS):
            pass
        code = self.process.wait(PATIENCE_SECONDS)
        os.close(self.master)
        return code


def shrinks_under_a_drawing():
    screen = Screen(40, 130)
    screen.hear(b"\x1b[40;130Ha\x1b[3")
    screen.resize(10, 50)
    screen.hear(b"9d\x1b[129Gb\x1b[12;40r\x1b[20;60H\n\x1b[Mc\x1b[88Xd")
    expect(len(screen.cells) == 10 and all(len(line) == 50 for line in screen.cells), "the size")
    screen.hear(b"\x1b[r\x1b[H\x1b[2Je")
    expect(screen.lines() == ["e"] + [""] * 9, screen.lines())


def record(ticktape, folder):
    orders = os.path.join(folder, "orders.txt")
    with open(orders, "w", encoding="ascii") as file:
        for i in range(1, 401):
            side = "BUY" if i % 2 else "SELL"
            price = 100 - i % 7 / 100 if i % 2 else 100 + i % 5 / 100
            file.write(f"SUBMIT {i} AAPL {side} {price:.2f} {10 + i % 9}\n")
    journal = os.path.join(folder, "a.tape")
    command = [ticktape, "record", "--from", "text", orders, "-o", journal, "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return journal


def walks(ticktape, journal):
    terminal = Terminal([ticktape, "inspect", journal, "-i"])
    terminal.until(r"^ @401 of @0\.\.@401  100\.0 %", r"── AAPL ", r"^\? help  q quit")
    terminal.press("\x7f")
    terminal.until(r"^ @400 of")
    terminal.press("\x1bOD")
    terminal.until(r"^ @399 of")
    terminal.press("\x1bOH")
    terminal.until(r"^ @0 of", "before the first command")
    terminal.press("t")
    lines = terminal.until(r"^ @\d+ of", r"\.1 trade maker=")
    first = re.search(r"@(\d+) of", lines[0])[1]
    terminal.press("t")
    terminal.until(rf"^ @(?!{first} )\d+ of", r"\.1 trade maker=")
    terminal.press("T")
    terminal.until(rf"^ @{first} of")
    terminal.press("g300\n")
    terminal.until(r"^ @300 of")
    terminal.press("g@301\n")
    terminal.until(r"^ @301 of")
    terminal.press("h")
    terminal.until(r"^ @300 of")
    terminal.press("o2\n")
    terminal.until(r"── order 2  ")
    terminal.press("/quantity==10\n")
    terminal.until(r"quantity=10 ")
    terminal.press("?")
    terminal.until(r"next, previous trade in this market")
    terminal.press(" ")
    terminal.resize(40, 130)
    terminal.until(r"^ @\d+ of .*", r"^─{2} AAPL .*─{60}")
    terminal.resize(10, 50)
    terminal.until("The terminal is too small:", "50 x 10, and 64 x 16 is needed")
    terminal.resize(24, 80)
    terminal.until(r"^ @\d+ of")
    terminal.press("xq")
    expect(terminal.end() == 0, "quit with another code than 0")
    expect(b"\x1b[?1049l" in terminal.everything, "the terminal was not given back")


def speaks_ascii(ticktape, journal):
    terminal = Terminal([ticktape, "inspect", journal, "order:50", "-i"],
                        environment={"LC_ALL": "C", "LANG": "C"})  # fmt: skip
    lines = terminal.until(r"^ @50 of", r"^-- AAPL .*-{9}", r"bid .*#")
    expect(all(line.isascii() for line in lines), "ASCII was asked for")
    terminal.press("\x03")
    expect(terminal.end() == 0, "Ctrl-C ends it like q")


def is_killed_politely(ticktape, journal):
    terminal = Terminal([ticktape, "inspect", journal, "-i"])
    terminal.until(r"^ @401 of")
    terminal.process.terminate()
    terminal.end()
    expect(b"\x1b[?1049l" in terminal.everything, "the terminal was not given back")


def refuses(ticktape, journal):
    piped = subprocess.run([ticktape, "inspect", journal, "-i"], capture_output=True, text=True,
                           stdin=subprocess.DEVNULL, check=False)  # fmt: skip
    expect(piped.returncode == 2, "no terminal is a usage error")
    expect("-i needs a terminal" in piped.stderr, piped.stderr)
    for words, environment, message in [
        (["@402", "-i"], {}, b"@402 is outside: the journal holds 1..401"),
        (["-i", "--json"], {}, b"-i and --json exclude each other"),
        (["-i"], {"TERM": "no-such-terminal"}, b"'no-such-terminal', a terminal that is not"),
        (["-i"], {"TERM": "dumb"}, b"a terminal that cannot place its cursor"),
    ]:
        terminal = Terminal([ticktape, "inspect", journal, *words], environment=environment)
        expect(terminal.end() == 2, f"{words} was not refused")
        shown = terminal.everything.replace(b"\r\n", b"\n")
        expect(message in shown, f"{words}: {shown}")


def main():
    ticktape = os.path.abspath(sys.argv[1])
    shrinks_under_a_drawing()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        journal = record(ticktape, folder)
        for check in (walks, speaks_ascii, is_killed_politely, refuses):
            check(ticktape, journal)
            print(f"{check.__name__}: as it should be")


if __name__ == "__main__":
    main()
