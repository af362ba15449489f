"""A client of OUCH 4.2 over SoupBinTCP for tests, from the specification alone: it shares no code with the venue.

    Session ─► login ─► requests ─► messages, numbered from 1
"""

import socket
import struct

PATIENCE_SECONDS = 60  # For a loaded machine; otherwise the wait ends immediately.
MARKET_HOURS, SYSTEM_HOURS = 99_998, 99_999

# By type: its name, and the layout after type and time.
OUTBOUND = {
    b"S": ("system", ">c"),
    b"A": ("accepted", ">14scI8sII4scQccIccc"),
    b"U": ("replaced", ">14scI8sII4scQccIcc14sc"),
    b"C": ("cancelled", ">14sIc"),
    b"D": ("self_trade", ">14sIcIIc"),
    b"E": ("executed", ">14sIIcQ"),
    b"B": ("broken", ">14sQc"),
    b"J": ("rejected", ">14sc"),
    b"P": ("cancel_pending", ">14s"),
    b"I": ("cancel_rejected", ">14s"),
    b"T": ("priority", ">14sIcQ"),
    b"M": ("modified", ">14scI"),
}


def packet(kind, payload=b""):
    return struct.pack(">H", len(payload) + 1) + kind + payload


def enter(token, side, shares, stock, price, time_in_force=SYSTEM_HOURS, firm="", display=b"Y"):
    """Prices are counts of 0.0001 dollar."""
    return struct.pack(
        ">c14scI8sII4scccIcc", b"O", token.encode().ljust(14), side, shares, stock.encode().ljust(8), price,
        time_in_force, firm.encode().ljust(4), display, b"A", b"N", 0, b"N", b" ",
    )  # fmt: skip


def replace(token, new_token, shares, price, time_in_force=SYSTEM_HOURS):
    return struct.pack(
        ">c14s14sIIIccI", b"U", token.encode().ljust(14), new_token.encode().ljust(14), shares, price,
        time_in_force, b"Y", b"N", 0,
    )  # fmt: skip


def cancel(token, shares=0):
    return struct.pack(">c14sI", b"X", token.encode().ljust(14), shares)


def modify(token, side, shares):
    return struct.pack(">c14scI", b"M", token.encode().ljust(14), side, shares)


def name_and_fields(message):
    """("executed", "T1", 5, 100000, "A", 8): a message without its time, texts without their padding."""
    name, layout = OUTBOUND[message[:1]]
    fields = struct.unpack(layout, message[9:])
    return (name, *(f.decode().rstrip() if isinstance(f, bytes) else f for f in fields))


class Session:
    """A connection. Keeps what it has received: messages[0] has the number that the login gave."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)
        self.rest = b""
        self.session = None
        self.first_number = None
        self.messages = []

    def send(self, *messages):
        self.socket.sendall(b"".join(packet(b"U", message) for message in messages))

    def send_bytes(self, data):
        self.socket.sendall(data)

    def read_packet(self):
        """Type and payload; None where the venue has ended the connection."""
        while True:
            if len(self.rest) >= 2:
                size = 2 + struct.unpack(">H", self.rest[:2])[0]
                if len(self.rest) >= size:
                    whole, self.rest = self.rest[:size], self.rest[size:]
                    return whole[2:3], whole[3:]
            try:
                piece = self.socket.recv(1 << 16)
            except ConnectionResetError:
                piece = b""
            if not piece:
                return None
            self.rest += piece

    def login(self, user, password, session="", number=0):
        """Returns whether it is accepted, or the letter of its refusal."""
        fields = (user.ljust(6), password.ljust(10), session.ljust(10), str(number).rjust(20))
        self.send_bytes(packet(b"L", "".join(fields).encode()))
        kind, payload = self.read_packet()
        if kind == b"J":
            return payload.decode()
        assert kind == b"A", kind
        self.session, self.first_number = payload[:10].decode().rstrip(), int(payload[10:])
        return True

    def next_number(self):
        return self.first_number + len(self.messages)

    def read(self):
        """The next message; None where the session or the connection ends. Answers heartbeats."""
        while True:
            got = self.read_packet()
            if got is None or got[0] == b"Z":
                return None
            if got[0] == b"H":
                self.send_bytes(packet(b"R"))
                continue
            assert got[0] == b"S", got
            self.messages.append(got[1])
            return name_and_fields(got[1])

    def read_all(self, count):
        return [self.read() for _ in range(count)]

    def read_to(self, number):
        """Reads up to the message of this number."""
        while self.next_number() <= number:
            assert self.read() is not None, f"ended before message {self.next_number()}"

    def read_to_end(self):
        return list(iter(self.read, None))

    def close(self):
        self.socket.close()
