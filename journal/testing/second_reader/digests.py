"""Sections 8 and 9 of FORMAT.md: the log digest, and the sidecar of checkpoints."""

import os
import struct

from fields import digest_text, hash64, hash128

RUN = 4096  # Records.


def log_digest(records, chain=bytes(16)):
    """The log digest of records that begin with a run, after the runs whose digest is `chain`."""
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


def read_checkpoints(directory, journal_uuid, last):
    """Those that count, of a journal whose last record is `last`."""
    path = os.path.join(directory, "checkpoints.trace")
    if not os.path.exists(path):
        return
    with open(path, "rb") as file:
        data = file.read(64 + 96 * (last // RUN + 2**20))
    header = b"TAPETRCE" + struct.pack("<II", 1, 96) + journal_uuid
    is_whole = data[:8] == header[:8] and hash64(data[:56]) == int.from_bytes(data[56:64], "little")
    if is_whole and data[:32] != header:
        return
    low, high = struct.unpack("<QQ", journal_uuid)
    before = 0
    for at in range(64, len(data) - 95, 96):
        entry = data[at : at + 96]
        magic, flags, sequence = struct.unpack_from("<4sIQ", entry)
        if hash64(entry[:88], low ^ high) != int.from_bytes(entry[88:], "little"):
            continue
        if magic != b"THPK" or sequence <= before:
            continue
        digests = [entry[16 + 16 * i : 32 + 16 * i] for i in range(3)]
        yield sequence, [digest_text(d) if flags >> i & 1 else "-" for i, d in enumerate(digests)]
        before = sequence


def chain_before(segment, first):
    """(last sequence, L_k) of the runs before the segment, as its preamble says. None where nothing
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
