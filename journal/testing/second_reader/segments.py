"""Sections 6 and 7 of FORMAT.md: a segment, its index, and its row of the table of verdicts."""

import struct

import zstandard
from blocks import (
    DATA, LONGEST_PREAMBLE, SEAL, Position, decode_records, header_at, is_whole, read_preamble, stored_bytes,
)  # fmt: skip
from fields import PAGE, Fields, Malformed, expect, hash64, hash128
from message import Message

# Section 7: last, preamble, trace, sealed, footer, tail, island, promised.
TABLE = {
    "A": ("100-----", "TORN"),
    "B": ("000-----", "DAMAGED"),
    "C": ("-01-----", "DAMAGED"),
    "D": ("01-0----", "DAMAGED"),
    "E": ("01-10-0-", "CLEAN"),
    "F": ("-1-10-1-", "DAMAGED"),
    "G": ("-1-11---", "CLEAN"),
    "H": ("11-1000-", "CLEAN"),
    "I": ("11-1010-", "TORN"),
    "J": ("11-01---", "DAMAGED"),
    "K": ("11-00--1", "DAMAGED"),
    "L": ("11-00-10", "TORN"),
    "M": ("11-00100", "TORN"),
    "N": ("11-00000", "CLEAN"),
}

TRAILER = [
    ("magic", 0, "8s"), ("footer_offset", 8, "Q"), ("footer_bytes", 16, "Q"),
    ("footer_hash", 24, "16s"), ("reserved", 40, "16s"), ("hash", 56, "Q"),
]  # fmt: skip


class Index:
    """What stands between SEAL block and trailer. Malformed unless both are right by themselves."""

    def __init__(self, data, seed):
        expect(len(data) >= 64 and len(data) % PAGE == 0, "trailer: no place")
        trailer = Fields(data[-64:], TRAILER)
        expect(trailer.magic == b"TAPEFOOT", "trailer: magic")
        expect(hash64(data[-64:-8], seed) == trailer.hash, "trailer: hash")
        self.end = trailer.footer_offset
        footer = data[self.end : -64]
        expect(self.end % PAGE == 0 and len(footer) == trailer.footer_bytes, "trailer: place")
        expect(hash128(footer) == trailer.footer_hash, "index: hash")
        (words,) = struct.unpack_from("<I", footer, 4)
        message = Message(footer[: 8 + 8 * words])
        root, data_words, _ = message.struct_at(0)
        fields = [message.word(root + i) for i in range(10)]
        self.sequence, self.number, self.hash, self.incarnation = fields[:4]
        self.incarnation &= 0xFFFFFFFF
        self.timestamp = fields[4] - (fields[4] >> 63 << 64)
        self.log_digest = struct.pack("<QQ", *fields[5:7])
        # number, offset, first sequence, first and last timestamp, record count, stored bytes
        self.blocks = [
            struct.unpack("<QQQqqII", entry[:48].ljust(48, b"\0"))
            for entry, _ in message.structs_at(root + data_words)
        ]
        entries_max = self.end // PAGE
        expect(len(footer) <= 64 * entries_max + 4096, "trailer: more than the blocks need")
        expect(len(self.blocks) <= entries_max, "index: more entries than blocks")
        offset, time = 0, -(1 << 63)
        nexts = [block[2] for block in self.blocks[1:]] + [self.sequence]
        for block, next_sequence in zip(self.blocks, nexts):
            _, at, first, begin, end, count, stored = block
            right = at % PAGE == 0 and stored % PAGE == 0 and offset <= at < self.end
            right = right and at + stored <= self.end and count > 0 and time <= begin <= end
            expect(right and 0 < first and first + count == next_sequence, "index: an entry")
            offset, time = at + stored, end
        expect(not self.blocks or self.timestamp == time, "index: its last time")
        self.first_time = self.blocks[0][3] if self.blocks else self.timestamp
        self.first_sequence = self.blocks[0][2] if self.blocks else self.sequence


class Segment:
    def __init__(self, index, data, last, watermark=None):
        """data: None where the name is not that of a regular file."""
        self.index, self.data = index, data or b""
        self.watermark_file = watermark
        self.preamble = read_preamble(self.data)
        self.records = []
        self.body_error = None
        self.index_read = None
        facts = [last, self.preamble is not None, False, False, False, False, False, False]
        if data is None:
            facts[2] = True
        elif not self.preamble:
            facts[2] = len(data) > 2 * LONGEST_PREAMBLE or any(
                data[at : at + 4] == b"TBLK" for at in range(0, len(data), PAGE)
            )
        else:
            low, high = struct.unpack("<QQ", self.preamble.segment_uuid)
            self.seed = low ^ high
            self.read_prefix()
            facts[3] = self.sealed
            facts[4] = self.has_footer()
            facts[5:8] = self.read_tail()
        rows = [name for name, (pattern, _) in TABLE.items()
                if all(p == "-" or int(p) == f for p, f in zip(pattern, facts))]  # fmt: skip
        expect(len(rows) == 1, f"segment {index}: cases {rows} for {facts}")
        self.case, self.verdict = rows[0], TABLE[rows[0]][1]

    def read_prefix(self):
        self.position = Position(self.preamble)
        self.watermark = 0
        self.end = 2 * self.preamble.copy_bytes
        self.sealed = False
        self.blocks = []
        while not self.sealed:
            block = header_at(self.data, self.end, self.seed)
            if not block or not is_whole(block, self.data, self.end):
                return
            if not self.position.is_followed_by(block):
                return
            if block.kind == DATA:
                self.blocks.append((
                    block.block_number, self.end, block.first_sequence, block.first_timestamp,
                    block.last_timestamp, block.record_count, stored_bytes(block),
                ))  # fmt: skip
                begin = self.end + 128
                payload = self.data[begin : begin + block.payload_bytes]
                try:
                    if not self.body_error:
                        self.records += decode_records(block, payload)
                except (Malformed, zstandard.ZstdError) as error:
                    self.body_error = error
            self.position.advance(block)
            self.watermark = max(self.watermark, block.durable_block)
            self.sealed = block.kind == SEAL
            self.end += stored_bytes(block)

    def read_tail(self):
        """tail, island, promised"""
        island = False
        at = self.end
        left = 4 * (len(self.data) - at)
        while at < len(self.data):
            block = header_at(self.data, at, self.seed)
            step = PAGE
            if block:
                self.watermark = max(self.watermark, block.durable_block)
                size = min(stored_bytes(block), len(self.data) - at)
                if block.block_number >= self.position.number and size <= left:
                    left -= size
                    if is_whole(block, self.data, at):
                        island = True
                        step = size
            at += step
        cut = len(self.data) < self.end
        if cut and self.watermark_file:
            uuid, incarnation, durable_block = self.watermark_file
            here = self.preamble
            if uuid == here.journal_uuid and incarnation >= here.incarnation:
                self.watermark = max(self.watermark, durable_block)
        return cut or any(self.data[self.end :]), island, self.watermark >= self.position.number

    def has_footer(self):
        try:
            index = Index(self.data, self.seed)
        except (Malformed, struct.error):
            return False
        if index.first_sequence != self.preamble.first_sequence:
            return False
        if index.first_time < self.preamble.previous_timestamp:
            return False
        agrees = index.blocks == self.blocks and index.end == self.end
        if self.sealed and not (agrees and vars(self.position).items() <= vars(index).items()):
            return False
        self.index_read = index
        return True

    def continues(self, before):
        """Whether this segment begins where that one's SEAL block leads."""
        here = Position(self.preamble)
        if before is None:
            return (here.sequence, here.number, here.hash, here.timestamp) == (1, 1, 0, 0)
        there = before.position
        return (
            before.sealed
            and here.incarnation >= there.incarnation
            and self.preamble.journal_uuid == before.preamble.journal_uuid
            and (here.sequence, here.number, here.hash, here.timestamp)
            == (there.sequence, there.number, there.hash, there.timestamp)
        )
