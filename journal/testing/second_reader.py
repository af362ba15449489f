#!/usr/bin/env python3
"""A second reader of journals, written from the words of journal/FORMAT.md and nothing else.

Usage: second_reader.py JOURNAL

It shares no line with the C++ reader, so what both say was read from the document and not from a
common mistake. Prints lines that //journal/testing:print_journal prints as well:

    segment INDEX CASE VERDICT                 a row of the table in section 7
    verdict VERDICT                            the worst of them
    record SEQUENCE TIMESTAMP ROW ATTACHMENT   hexadecimal, - for none; up to what is damaged
    digest DIGEST                              of these records, section 9; - where they begin later
    checkpoint SEQUENCE LOG TRACE STATE        section 8, - for none

Needs the packages zstandard and xxhash.
"""

import os
import re
import struct
import sys

import xxhash
import zstandard

MINOR = 1  # Of format 1, as far as this reader knows it.
PAGE = 4096
LONGEST_PREAMBLE = 262144
RUN = 4096  # Records.
DATA, HEARTBEAT, SEAL, RECOVERY, CONTROL = 1, 2, 3, 4, 5
VERDICTS = ("CLEAN", "TORN", "DAMAGED")

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


# --- Cap'n Proto, as far as one segment with structs, lists and bytes needs it.


class Message:
    def __init__(self, data):
        expect(len(data) >= 16 and len(data) % 8 == 0, "message: not whole words")
        others, words = struct.unpack_from("<II", data)
        expect(others == 0 and 8 + 8 * words == len(data), "message: not one segment")
        self.words = data[8:]
        self.count = words

    def word(self, at):
        expect(0 <= at < self.count, "message: points outside")
        return int.from_bytes(self.words[8 * at : 8 * at + 8], "little")

    def target(self, at):
        """What the pointer at word `at` is, where it leads, and its upper half."""
        pointer = self.word(at)
        if pointer & 3 == 2:  # A far pointer: to the pointer itself, or to its two parts.
            expect(pointer >> 32 == 0, "message: another segment")
            at = (pointer & 0xFFFFFFFF) >> 3
            if pointer & 4:
                far, pointer = self.word(at), self.word(at + 1)
                expect(far >> 32 == 0, "message: another segment")
                return pointer & 3, (far & 0xFFFFFFFF) >> 3, pointer >> 32
            pointer = self.word(at)
        offset = (pointer & 0xFFFFFFFF) >> 2
        if offset >= 1 << 29:
            offset -= 1 << 30
        return pointer & 3, at + 1 + offset, pointer >> 32

    def struct_at(self, at):
        """(first data word, data words, pointers)."""
        kind, where, sizes = self.target(at)
        expect(kind == 0, "message: not a struct")
        data, pointers = sizes & 0xFFFF, sizes >> 16
        expect(0 <= where and where + data + pointers <= self.count, "message: struct outside")
        return where, data, pointers

    def structs_at(self, at):
        """The structs of a list: [(data bytes, [words of the pointers])]. A list of something else
        than structs, but bits, reads as one of structs that begin with it."""
        if self.word(at) == 0:
            return []
        kind, where, sizes = self.target(at)
        count = sizes >> 3
        expect(kind == 1 and sizes & 7 != 1, "message: not a list of structs")
        if sizes & 7 == 7:
            tag, words = self.word(where), count
            count, data, pointers = (tag & 0xFFFFFFFF) >> 2, 8 * (tag >> 32 & 0xFFFF), tag >> 48
            expect(tag & 3 == 0 and count * (data // 8 + pointers) <= words, "message: list's tag")
            where += 1
            expect(where + words <= self.count, "message: list outside")
        else:
            data, pointers = {0: (0, 0), 2: (1, 0), 3: (2, 0), 4: (4, 0), 5: (8, 0), 6: (0, 1)}[sizes & 7]
        begin, stride = 8 * where, data + 8 * pointers
        expect(stride or not count, "message: structs of nothing, which no record or index is")
        expect(0 <= where and begin + count * stride <= len(self.words), "message: list outside")
        return [
            (self.words[at : at + data], [(at + data) // 8 + i for i in range(pointers)])
            for at in range(begin, begin + count * stride, stride or 1)
        ]

    def bytes_at(self, at):
        if self.word(at) == 0:
            return b""
        kind, where, sizes = self.target(at)
        expect(kind == 1 and sizes & 7 == 2, "message: not bytes")
        expect(0 <= where and 8 * where + (sizes >> 3) <= len(self.words), "message: bytes outside")
        return self.words[8 * where : 8 * where + (sizes >> 3)]


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
    if fields.format_major > 1 or fields.min_reader_minor > MINOR:
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
    ("payload_hash", 88, "Q"), ("control", 96, "Q"), ("reserved_c", 104, "16s"), ("header_hash", 120, "Q"),
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
        and not block.reserved_a and not block.reserved_b and not any(block.reserved_c)
        and block.durable_block < block.block_number
        and block.durable_sequence < block.first_sequence < 2**64 - 65536
        and block.first_timestamp <= block.last_timestamp
    )  # fmt: skip


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
        self.number = block.block_number + 1
        self.hash = block.header_hash
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


# --- Sections 6 and 7.

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
        offset = 0
        nexts = [block[2] for block in self.blocks[1:]] + [self.sequence]
        for block, next_sequence in zip(self.blocks, nexts):
            _, at, first, begin, end, count, stored = block
            right = at % PAGE == 0 and stored % PAGE == 0 and offset <= at < self.end
            right = right and at + stored <= self.end and count > 0 and begin <= end
            expect(right and 0 < first and first + count == next_sequence, "index: an entry")
            offset = at + stored
        self.first_sequence = self.blocks[0][2] if self.blocks else self.sequence


class Segment:
    def __init__(self, index, data, last):
        self.index, self.data = index, data
        self.preamble = read_preamble(data)
        self.records = []
        self.body_error = None
        self.index_read = None
        facts = [last, self.preamble is not None, False, False, False, False, False, False]
        if not self.preamble:
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
        for at in range(self.end, len(self.data), PAGE):
            block = header_at(self.data, at, self.seed)
            if block:
                self.watermark = max(self.watermark, block.durable_block)
                if block.block_number >= self.position.number and is_whole(block, self.data, at):
                    island = True
        return any(self.data[self.end :]), island, self.watermark >= self.position.number

    def has_footer(self):
        try:
            index = Index(self.data, self.seed)
        except (Malformed, struct.error):
            return False
        if index.first_sequence != self.preamble.first_sequence:
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


# --- Section 12.


def read_beginning(directory):
    """(journal, segment, sequence), or None where there is no such file or it is damaged."""
    path = os.path.join(directory, "beginning")
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        text = file.read()
    body, mark, _ = text.rpartition(b"\nxxh3 ")
    body += b"\n"
    if not mark or len(text) > 4096 or text != body + b"xxh3 %016x\n" % hash64(body):
        return None
    title, *lines = body.decode(errors="replace").splitlines()
    fields = dict(reversed([line.split(" ", 1) for line in lines if " " in line]))
    numbers = [fields.get(key, "") for key in ("segment", "sequence")]
    if title != "ticktape beginning 1" or not all(re.fullmatch(r"\d+", n) for n in numbers):
        return None
    if not re.fullmatch("[0-9a-f]{32}", fields.get("journal", "")) or "reason" not in fields:
        return None
    return bytes.fromhex(fields["journal"]), int(numbers[0]), int(numbers[1])


def may_begin(segment, beginning):
    """Whether this may be the first segment, though it is not number 0."""
    if not beginning or not 0 < segment.index <= beginning[1]:
        return False
    preamble = segment.preamble
    return not preamble or (
        preamble.journal_uuid == beginning[0]
        and (segment.index < beginning[1] or preamble.first_sequence == beginning[2])
    )


def read_journal(directory):
    """(segments, verdict, records)"""
    names = {}
    for name in os.listdir(directory):
        match = re.fullmatch(r"segment-(\d{6,})\.tape", name)
        if match:
            names[int(match[1])] = name
    expect(names, "no segment")
    segments, records, whole, before = [], [], True, None
    worst = 0
    for index in sorted(names):
        with open(os.path.join(directory, names[index]), "rb") as file:
            segment = Segment(index, file.read(), last=index == max(names))
        begins = not segments and may_begin(segment, read_beginning(directory))
        expected = segments[-1].index + 1 if segments else 0
        linked = (begins or index == expected) and (
            not segment.preamble
            or (segment.preamble.segment_index == index and (begins or segment.continues(before)))
        )
        whole_bodies = not segment.body_error
        worst = max(worst, VERDICTS.index(segment.verdict), 0 if linked and whole_bodies else 2)
        segments.append(segment)
        if whole and linked:
            records += segment.records
        whole = whole and linked and whole_bodies and segment.verdict != "DAMAGED"
        before = segment if segment.preamble else None
    return segments, VERDICTS[worst], records


# --- Sections 8 and 9.


def log_digest(records, chain=bytes(16)):
    """Of records that begin with a run, behind the runs that come to `chain`."""
    for begin in range(0, len(records), RUN):
        run = records[begin : begin + RUN]
        rows = b"".join(row for _, _, row, _ in run)
        attachments = b"".join(
            struct.pack("<QQ", sequence, len(attachment)) + attachment
            for sequence, _, _, attachment in run
            if attachment
        )
        leaf = hash128(hash128(rows) + hash128(attachments))
        chain = hash128(chain + leaf)
    return chain


def read_checkpoints(directory, journal_uuid):
    path = os.path.join(directory, "checkpoints.trace")
    if not os.path.exists(path):
        return
    with open(path, "rb") as file:
        data = file.read()
    header = b"TAPETRCE" + struct.pack("<II", 1, 96) + journal_uuid
    if data[:32] != header or hash64(data[:56]) != int.from_bytes(data[56:64], "little"):
        return
    low, high = struct.unpack("<QQ", journal_uuid)
    before = 0
    for at in range(64, len(data) - 95, 96):
        entry = data[at : at + 96]
        magic, flags, sequence = struct.unpack_from("<4sIQ", entry)
        if hash64(entry[:88], low ^ high) != int.from_bytes(entry[88:], "little"):
            return
        if magic != b"THPK" or sequence <= before:
            return
        digests = [entry[16 + 16 * i : 32 + 16 * i] for i in range(3)]
        yield sequence, [digest_text(d) if flags >> i & 1 else "-" for i, d in enumerate(digests)]
        before = sequence


def chain_before(segment, first):
    """(last sequence, L_k) of the runs before the segment, as its preamble says. None where nobody
    knew it, or where the records before the segment are needed and are not there: `first` is the
    first that is."""
    if not segment.preamble:
        return None
    begin = segment.preamble.first_sequence
    last = (begin - 1) // RUN * RUN
    if last + 1 < min(begin, first) or (last and not any(segment.preamble.log_chain)):
        return None
    return last, segment.preamble.log_chain if last else bytes(16)


def digests_hold(segments, records, checkpoints):
    """Whether the log digests that were written down are those of the records."""
    first = records[0][0] if records else 2**64

    def digest_at(last, start):
        return log_digest(records[start[0] + 1 - first : last + 1 - first], start[1])

    before = None
    for segment in segments:
        here = chain_before(segment, first)
        if before and here and digest_at(here[0], before) != segment.preamble.log_chain:
            return False
        before = here
        if not here:
            continue
        begin, end = segment.preamble.first_sequence, segment.position.sequence
        written = [(sequence, digests[0]) for sequence, digests in checkpoints
                   if begin <= sequence < end and digests[0] != "-"]  # fmt: skip
        if segment.index_read and any(segment.index_read.log_digest):
            written.append((end - 1, digest_text(segment.index_read.log_digest)))
        if any(digest_text(digest_at(last, here)) != digest for last, digest in written):
            return False
    return True


def begins_later(segments, directory):
    first = segments[0]
    begins = may_begin(first, read_beginning(directory))
    return begins and (not first.preamble or first.preamble.first_sequence != 1)


def describe(directory):
    """The lines of the usage above."""
    segments, verdict, records = read_journal(directory)
    readable = [segment.preamble for segment in segments if segment.preamble]
    checkpoints = list(read_checkpoints(directory, readable[0].journal_uuid)) if readable else []
    for segment in segments:
        yield f"segment {segment.index} {segment.case} {segment.verdict}"
    yield f"verdict {verdict if digests_hold(segments, records, checkpoints) else 'DAMAGED'}"
    for sequence, timestamp, row, attachment in records:
        yield f"record {sequence} {timestamp} {row.hex()} {attachment.hex() or '-'}"
    is_pruned = begins_later(segments, directory)
    yield f"digest {'-' if is_pruned else digest_text(log_digest(records))}"
    for sequence, digests in checkpoints:
        yield " ".join(["checkpoint", str(sequence)] + digests)


if __name__ == "__main__":
    for line in describe(sys.argv[1]):
        print(line)
