"""Sections 2 to 5 of FORMAT.md: preambles, blocks, and the records in them."""

import struct

import zstandard
from fields import MINOR, PAGE, Fields, Malformed, Newer, expect, hash64, hash128
from message import Message

LONGEST_PREAMBLE = 262144
DATA, HEARTBEAT, SEAL, RECOVERY, CONTROL = 1, 2, 3, 4, 5

# --- Section 2.

PREAMBLE = [
    ("magic", 0, "8s"), ("format_major", 8, "H"), ("format_minor", 10, "H"),
    ("min_reader_minor", 12, "H"), ("alignment_log2", 14, "H"), ("endian_probe", 16, "I"),
    ("row_bytes", 20, "I"), ("journal_uuid", 24, "16s"), ("segment_uuid", 40, "16s"),
    ("segment_index", 56, "Q"), ("first_sequence", 64, "Q"), ("first_block", 72, "Q"),
    ("incarnation", 80, "I"), ("flags", 84, "I"), ("previous_block_hash", 88, "Q"),
    ("log_chain", 96, "16s"), ("meta_bytes", 120, "I"), ("copy_bytes", 124, "I"), ("previous_timestamp", 128, "q"),
    ("hash", 240, "16s"),
]  # fmt: skip


def preamble_at(data, offset):
    if data[offset : offset + 8] != b"TICKTAPE" or len(data) < offset + 256:
        return None
    fields = Fields(data[offset : offset + 256], PREAMBLE)
    size = fields.copy_bytes
    copy = data[offset : offset + size]
    if size % PAGE or not 0 < size <= LONGEST_PREAMBLE or len(copy) != size:
        return None
    if hash128(copy[:240] + bytes(16) + copy[256:]) != fields.hash:
        return None
    if fields.format_major != 1 or fields.min_reader_minor > MINOR:
        raise Newer("format")
    fixed = (fields.format_major, fields.alignment_log2, fields.endian_probe, fields.row_bytes)
    if fixed != (1, 12, 0x01020304, 64) or fields.flags or 256 + fields.meta_bytes > size:
        return None
    if not fields.first_sequence or not fields.first_block:
        return None
    try:
        Message(copy[256 : 256 + fields.meta_bytes]).struct_at(0)
    except Malformed:
        return None
    return fields


def read_preamble(data):
    first = preamble_at(data, 0)
    if first:
        preamble_at(data, first.copy_bytes)  # May be a later format's.
        return first
    for offset in range(PAGE, LONGEST_PREAMBLE + 1, PAGE):
        second = preamble_at(data, offset)
        if second and second.copy_bytes == offset:
            return second
    return None


# --- Section 3.

BLOCK = [
    ("magic", 0, "4s"), ("header_bytes", 4, "H"), ("kind", 6, "B"), ("codec", 7, "B"),
    ("transform", 8, "B"), ("delta_mask", 9, "B"), ("reserved_a", 10, "H"),
    ("incarnation", 12, "I"), ("block_number", 16, "Q"), ("first_sequence", 24, "Q"),
    ("record_count", 32, "I"), ("payload_bytes", 36, "I"), ("raw_bytes", 40, "I"),
    ("reserved_b", 44, "I"), ("first_timestamp", 48, "q"), ("last_timestamp", 56, "q"),
    ("durable_block", 64, "Q"), ("durable_sequence", 72, "Q"), ("previous_block_hash", 80, "Q"),
    ("payload_hash", 88, "Q"), ("control", 96, "Q"), ("replaced_block", 104, "Q"), ("replaced_hash", 112, "Q"),
    ("header_hash", 120, "Q"),
]  # fmt: skip


def header_at(data, offset, seed):
    """The header there, when its hash is right and its fields keep the rules, or None."""
    header = data[offset : offset + 128]
    if header[:4] != b"TBLK" or len(header) != 128:
        return None
    block = Fields(header, BLOCK)
    if hash64(header[:120], seed) != block.header_hash or not keeps_the_rules(block):
        return None
    return block


def keeps_the_rules(block):
    if block.kind == DATA:
        right = (
            1 <= block.record_count <= 65536
            and block.codec in (0, 1)
            and block.transform in (0, 1)
            and block.raw_bytes % 8 == 0
            and block.raw_bytes <= 16777216
            and (block.raw_bytes >= 40 + 64 * block.record_count if block.transform
                 else block.delta_mask == 0)
            and (block.payload_bytes < block.raw_bytes if block.codec
                 else block.payload_bytes == block.raw_bytes)
        )  # fmt: skip
    else:
        right = not (block.record_count or block.payload_bytes or block.raw_bytes or block.codec
                     or block.transform or block.delta_mask)  # fmt: skip
    return (
        right
        and block.header_bytes == 128
        and DATA <= block.kind <= CONTROL
        and (is_control(block.control) if block.kind == CONTROL else not block.control)
        and not block.reserved_a and not block.reserved_b
        and (replaces_another(block) or not (block.replaced_block or block.replaced_hash))
        and block.durable_block < block.block_number
        and block.durable_sequence < block.first_sequence < 2**64 - 65536
        and block.first_timestamp <= block.last_timestamp
    )  # fmt: skip


def replaces_another(block):
    return block.kind == SEAL and block.block_number <= block.replaced_block < 2**64 - 1


def is_control(word):
    subject, before, after = (word >> shift & 0xFF for shift in (0, 8, 16))
    return subject == 1 and before <= 2 and after <= 2 and not word >> 24


def is_whole(block, data, offset):
    payload = data[offset + 128 : offset + 128 + block.payload_bytes]
    return offset + stored_bytes(block) <= len(data) and hash64(payload) == block.payload_hash


def stored_bytes(block):
    return -(-(128 + block.payload_bytes) // PAGE) * PAGE


class Position:
    """What the next block must follow: the preamble's values, then each block's."""

    def __init__(self, preamble):
        self.number = preamble.first_block
        self.hash = preamble.previous_block_hash
        self.sequence = preamble.first_sequence
        self.timestamp = preamble.previous_timestamp
        self.incarnation = preamble.incarnation

    def is_followed_by(self, block):
        return (
            block.block_number == self.number
            and block.previous_block_hash == self.hash
            and block.first_sequence == self.sequence
            and block.first_timestamp >= self.timestamp
            and block.incarnation == self.incarnation + (block.kind == RECOVERY)
        )

    def advance(self, block):
        self.number = (block.replaced_block or block.block_number) + 1
        self.hash = block.replaced_hash if block.replaced_block else block.header_hash
        self.sequence = block.first_sequence + block.record_count
        self.timestamp = block.last_timestamp
        self.incarnation = block.incarnation


# --- Sections 4 and 5.


def rows_from_columns(data, count, delta_mask):
    rows = bytearray(64 * count)
    for j in range(64):
        rows[j::64] = data[j * count : (j + 1) * count]
    for word in range(8):
        if delta_mask >> word & 1:
            value = 0
            for at in range(8 * word, 64 * count, 64):
                value = (value + int.from_bytes(rows[at : at + 8], "little")) % 2**64
                rows[at : at + 8] = value.to_bytes(8, "little")
    return rows


def decode_body(block, payload):
    body = bytes(payload)
    if block.codec == 1:
        frame = zstandard.get_frame_parameters(body)
        expect(frame.content_size == block.raw_bytes, "zstd: states another size")
        expect(not frame.has_checksum, "zstd: has a checksum")
        body = zstandard.ZstdDecompressor().decompress(body, allow_extra_data=False)
        expect(len(body) == block.raw_bytes, "zstd: decodes to another size")
    if block.transform == 1:
        end = 40 + 64 * block.record_count
        expect(end <= len(body), "columns: no room for the rows")
        rows = rows_from_columns(body[40:end], block.record_count, block.delta_mask)
        body = body[:40] + bytes(rows) + body[end:]
    return body


def decode_records(block, payload):
    """[(sequence, timestamp, row, attachment)]"""
    message = Message(decode_body(block, payload))
    root, data, pointers = message.struct_at(0)
    expect(pointers >= 1, "body: no rows")
    rows = []
    for row, others in message.structs_at(root + data):
        unknown = any(row[64:]) or any(message.word(at) for at in others)
        expect(not unknown, "body: this reader is too old")
        rows.append(row[:64].ljust(64, b"\0"))
    expect(len(rows) == block.record_count, "body: another number of rows")
    attachments = {}
    if pointers >= 2:
        for known, others in message.structs_at(root + data + 1):
            expect(len(known) >= 8 and others, "body: not an attachment")
            sequence = int.from_bytes(known[:8], "little")
            expect(not attachments or sequence > max(attachments), "body: attachments not ascending")
            attachments[sequence] = message.bytes_at(others[0])
            expect(attachments[sequence], "body: an attachment is empty")
    records = []
    timestamp = block.first_timestamp
    for i, row in enumerate(rows):
        sequence, at = struct.unpack_from("<Qq", row)
        expect(sequence == block.first_sequence + i and at >= timestamp, "body: out of order")
        expect(i or at == block.first_timestamp, "body: another first timestamp")
        timestamp = at
        records.append((sequence, at, row, attachments.pop(sequence, b"")))
    expect(timestamp == block.last_timestamp, "body: another last timestamp")
    expect(not attachments, "body: an attachment without a row")
    return records
