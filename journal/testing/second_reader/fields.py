"""What every part of the format is made of: hashes, and fields at their offsets."""

import struct

import xxhash

PAGE = 4096
MINOR = 2  # Of format 1, as far as this reader knows it.


class Malformed(Exception):
    """Bytes that FORMAT.md does not allow."""


class Newer(Exception):
    """A later format, which this reader must refuse."""


def expect(condition, what):
    if not condition:
        raise Malformed(what)


def hash64(data, seed=0):
    return xxhash.xxh3_64_intdigest(data, seed)


def hash128(data):
    """As stored: the low 64 bits, then the high."""
    return xxhash.xxh3_128_intdigest(data).to_bytes(16, "little")


def digest_text(stored):
    return stored[::-1].hex()


class Fields:
    """Fixed-size fields at their offsets, as the tables give them."""

    def __init__(self, data, layout):
        for name, offset, kind in layout:
            (value,) = struct.unpack_from("<" + kind, data, offset)
            setattr(self, name, value)
