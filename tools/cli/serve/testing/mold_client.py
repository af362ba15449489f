"""A receiver of ITCH 5.0 over MoldUDP64 for tests, from the specifications alone: it shares no code with the venue.

    lines ─► Feed ─► messages, by their numbers      request() ─► answers
    snapshot() ─► messages, and the number of the one that comes next
"""

import socket
import struct

PATIENCE_SECONDS = 60  # For a loaded machine; otherwise the wait ends immediately.
HEADER = struct.Struct(">10sQH")
END_OF_SESSION = 0xFFFF


def address_of(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


def free_address(host="127.0.0.1"):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((host, 0))
        return f"{host}:{probe.getsockname()[1]}"


def line_socket(address):
    """Receives what is sent to the address; a multicast group is joined on the loopback interface."""
    host, port = address_of(address)
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    line.bind((host, port))
    if 224 <= int(host.split(".")[0]) < 240:
        membership = socket.inet_aton(host) + socket.inet_aton("127.0.0.1")
        line.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    return line


def split(packet):
    """(session, number of the first message, messages, whether the session ends)."""
    session, number, count = HEADER.unpack_from(packet)
    messages, at = [], HEADER.size
    for _ in range(0 if count == END_OF_SESSION else count):
        (size,) = struct.unpack_from(">H", packet, at)
        messages.append(packet[at + 2 : at + 2 + size])
        at += 2 + size
    assert at == len(packet), packet
    return session.decode().rstrip(), number, messages, count == END_OF_SESSION


class Feed:
    """What has arrived of a session. `loses()` says of each packet of a line whether it is lost."""

    def __init__(self, address, loses=lambda: False):
        self.line = line_socket(address)
        self.requests = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.requests.settimeout(0.5)
        self.loses = loses
        self.session = None
        self.messages = {}  # By number.
        self.next = 1  # The number of the next message, as far as it is known.
        self.has_ended = False

    def close(self):
        self.line.close()
        self.requests.close()

    def take(self, packet):
        session, number, messages, is_end = split(packet)
        if self.session is None:
            self.session = session
        assert session == self.session, (session, self.session)
        for offset, message in enumerate(messages):
            before = self.messages.setdefault(number + offset, message)
            assert before == message, f"message {number + offset} has two forms"
        self.next = max(self.next, number + len(messages))
        self.has_ended |= is_end

    def receive(self, seconds=PATIENCE_SECONDS):
        """Takes one packet; returns whether one came."""
        self.line.settimeout(seconds)
        try:
            packet = self.line.recv(65_535)
        except TimeoutError:
            return False
        if not self.loses():
            self.take(packet)
        return True

    def drain(self):
        """Takes what has arrived: what a client of the venue has had an answer to was sent before the answer."""
        while self.receive(0.01):
            pass

    def request(self, address, number, count=65_535):
        """Asks for messages; returns whether an answer came."""
        self.requests.sendto(HEADER.pack(self.session.encode().ljust(10), number, count), address_of(address))
        try:
            self.take(self.requests.recv(65_535))
        except TimeoutError:
            return False
        return True

    def recover(self, address, first=1):
        """Asks until no message from `first` on is missing."""
        for number in range(first, self.next):
            while number not in self.messages:
                self.request(address, number)

    def all(self, first=1):
        return [self.messages[number] for number in range(first, self.next)]


def soup_packet(kind, payload=b""):
    return struct.pack(">H", len(payload) + 1) + kind + payload


class Snapshot:
    """A session of the snapshot server. `refusal`: the letter of its answer, if it refuses."""

    def __init__(self, address, user="", password="", session="", number=1):
        self.socket = socket.create_connection(address_of(address), timeout=PATIENCE_SECONDS)
        self.rest = b""
        self.session, self.refusal, self.messages, self.has_ended = None, None, [], False
        fields = (user.ljust(6), password.ljust(10), session.ljust(10), str(number).rjust(20))
        self.socket.sendall(soup_packet(b"L", "".join(fields).encode()))
        kind, payload = self.read_packet()
        if kind == b"J":
            self.refusal = payload.decode()
        else:
            assert kind == b"A", kind
            self.session = payload[:10].decode().rstrip()

    def read_packet(self):
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

    def read(self):
        """Reads to the end; returns the number of the feed's message that comes next."""
        for kind, payload in iter(self.read_packet, None):
            if kind == b"Z":
                self.has_ended = True
            elif kind == b"S":
                self.messages.append(payload)
        self.socket.close()
        assert self.has_ended and self.messages[-1][:1] == b"G", self.messages[-1:]
        return int(self.messages.pop()[1:])

    def close(self):
        self.socket.close()


class Books:
    """The orders that rest: reference to (locate, side, shares, price)."""

    def __init__(self, messages=()):
        self.orders = {}
        self.apply(messages)

    def apply(self, messages):
        for message in messages:
            kind = message[:1]
            if kind in b"AEXDUCF":
                (locate,) = struct.unpack_from(">H", message, 1)
                (reference,) = struct.unpack_from(">Q", message, 11)
            if kind in b"AF":
                side, shares, _, price = struct.unpack_from(">cI8sI", message, 19)
                assert reference not in self.orders, reference
                self.orders[reference] = (locate, side, shares, price)
            elif kind in b"EXC":
                (shares,) = struct.unpack_from(">I", message, 19)
                self.reduce(reference, shares)
            elif kind == b"D":
                del self.orders[reference]
            elif kind == b"U":
                new, shares, price = struct.unpack_from(">QII", message, 19)
                locate, side, _, _ = self.orders.pop(reference)
                self.orders[new] = (locate, side, shares, price)

    def reduce(self, reference, shares):
        locate, side, before, price = self.orders[reference]
        assert shares <= before, (reference, shares, before)
        if shares == before:
            del self.orders[reference]
        else:
            self.orders[reference] = (locate, side, before - shares, price)
