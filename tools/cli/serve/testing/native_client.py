"""A client of the native protocol for tests, from the specification alone: it shares no code with the venue.

    Session ─► login ─► commands ─► events, numbered from 1
"""

import socket
import struct

PATIENCE_SECONDS = 60  # For a loaded machine; otherwise the wait ends immediately.
FRAME_BYTES = 64
LOGIN, COMMAND, CLIENT_HEARTBEAT, LOGOUT = 1, 2, 3, 4
ACCEPTED, REFUSED_LOGIN, EVENT, REFUSED, HEARTBEAT, ENDED = 17, 18, 19, 20, 21, 22

NEW, CANCEL, REPLACE, AMEND, MASS_CANCEL, DEPOSIT = 2, 3, 5, 6, 9, 19
BUY, SELL = 1, 2
LIMIT = 1
GOOD_TILL_CANCELLED, IMMEDIATE_OR_CANCEL = 1, 2
EVENT_NAMES = {2: "accepted", 3: "trade", 4: "cancelled", 5: "reduced", 6: "replaced", 7: "amended", 9: "rejected",
               13: "account_opened", 14: "balance", 15: "position", 21: "mass_cancelled"}  # fmt: skip


def login(user, password, session=0, number=0, version=1):
    return struct.pack("<BB6x16s24sQQ", LOGIN, version, user.encode(), password.encode(), session, number)


def command(kind, client=0, order=0, price=0, quantity=0, market=1, side=0, order_type=0, tif=0):
    return struct.pack(
        "<B15xQqQQ4xIBxBBBB2x", COMMAND, order, price, quantity, client, market, kind, side, order_type, tif, 0
    )


def new(client, side, quantity, price, tif=GOOD_TILL_CANCELLED, market=1):
    return command(NEW, client, 0, price, quantity, market, side, LIMIT, tif)


def cancel(client, order, market=1):
    return command(CANCEL, client, order, market=market)


class Event:
    """Of its frame. `content` is what is the same whenever the event is sent: all but the times."""

    def __init__(self, frame):
        (kind, self.side, self.detail, self.market, self.sequence, self.client, self.order, self.price, self.quantity,
         self.received_at, self.waited, self.engine) = struct.unpack("<xBBBIQQQqQQII", frame)  # fmt: skip
        self.name = EVENT_NAMES.get(kind, kind)
        self.content = frame[:48]

    def brief(self):
        return (self.name, self.client, self.order, self.quantity)


class Session:
    """A connection. Keeps the events that it has received: events[0] has the number that the login gave."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        self.session = None
        self.first_number = None
        self.events = []

    def send(self, *frames):
        self.socket.sendall(b"".join(frames))

    def read_frame(self):
        """None where the venue has ended the connection."""
        while len(self.rest) < FRAME_BYTES:
            try:
                piece = self.socket.recv(1 << 16)
            except ConnectionResetError:
                piece = b""
            if not piece:
                assert not self.rest, "the connection ended within a frame"
                return None
            self.rest += piece
        frame, self.rest = self.rest[:FRAME_BYTES], self.rest[FRAME_BYTES:]
        return frame

    def login(self, user, password, session=0, number=0, version=1):
        """Returns whether it is accepted, or the reason of its refusal."""
        self.send(login(user, password, session, number, version))
        frame = self.read_frame()
        if frame[0] == REFUSED_LOGIN:
            return frame[1]
        assert frame[0] == ACCEPTED, frame
        self.session, self.first_number = struct.unpack("<QQ", frame[8:24])
        return True

    def next_number(self):
        return self.first_number + len(self.events)

    def read(self):
        """The next event, or ("refused", reason, client); None where the connection ends. Answers heartbeats."""
        while True:
            frame = self.read_frame()
            if frame is None or frame[0] == ENDED:
                return None
            if frame[0] == HEARTBEAT:
                assert struct.unpack("<Q", frame[8:16])[0] == self.next_number(), frame
                self.send(bytes([CLIENT_HEARTBEAT]) + bytes(FRAME_BYTES - 1))
            elif frame[0] == REFUSED:
                return ("refused", frame[1], struct.unpack("<Q", frame[8:16])[0])
            else:
                assert frame[0] == EVENT, frame
                self.events.append(Event(frame))
                return self.events[-1]

    def read_all(self, count):
        return [self.read() for _ in range(count)]

    def read_to(self, number):
        """Reads up to the event of this number."""
        while self.next_number() <= number:
            assert self.read() is not None, f"ended before event {self.next_number()}"

    def read_end(self):
        """The reason with which the venue ends the connection; events before it are dropped."""
        reason = None
        for frame in iter(self.read_frame, None):
            if frame[0] == ENDED:
                reason = frame[1]
        return reason

    def close(self):
        self.socket.close()
