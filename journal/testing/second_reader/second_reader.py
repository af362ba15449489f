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

Reading records takes fields.py, message.py and blocks.py; segments.py and this file give the
verdicts, digests.py the digests. Needs the packages zstandard and xxhash.
"""
import os
import re
import struct
import sys

from digests import digests_hold, log_digest, read_checkpoints
from fields import digest_text, expect, hash64
from segments import Segment

VERDICTS = ("CLEAN", "TORN", "DAMAGED")

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


def is_regular(path):
    return os.path.isfile(path) and not os.path.islink(path)


def read_watermark(directory):
    """(journal, incarnation, block) of section 13, or None where it says nothing."""
    path = os.path.join(directory, "watermark")
    if not is_regular(path):
        return None
    with open(path, "rb") as file:
        data = file.read(65)
    if len(data) < 64 or data[:8] != b"TTWMARK1" or data[28:32] != bytes(4):
        return None
    if hash64(data[:56]) != struct.unpack_from("<Q", data, 56)[0]:
        return None
    return data[8:24], *struct.unpack_from("<I4xQ", data, 24)


def may_begin(segment, beginning):
    """Whether this may be the first segment, though it is not number 0."""
    if not beginning or not 0 < segment.index <= beginning[1]:
        return False
    preamble = segment.preamble
    return not preamble or (
        preamble.journal_uuid == beginning[0]
        and (segment.index < beginning[1] or preamble.first_sequence == beginning[2])
    )


# --- Sections 6 and 7: segment after segment.


def read_journal(directory):
    """(segments, verdict, records)"""
    names = {}
    watermark = read_watermark(directory)
    for name in os.listdir(directory):
        match = re.fullmatch(r"segment-(\d{6,})\.tape", name)
        if match:
            names[int(match[1])] = name
    expect(names, "no segment")
    segments, records, whole, before = [], [], True, None
    worst = 0
    for index in sorted(names):
        path = os.path.join(directory, names[index])
        data = None
        if is_regular(path):
            with open(path, "rb") as file:
                data = file.read()
        segment = Segment(index, data, index == max(names), watermark)
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


def begins_later(segments, directory):
    first = segments[0]
    begins = may_begin(first, read_beginning(directory))
    return begins and (not first.preamble or first.preamble.first_sequence != 1)


def describe(directory):
    """The lines of the usage above."""
    segments, verdict, records = read_journal(directory)
    readable = [segment.preamble for segment in segments if segment.preamble]
    last = records[-1][0] if records else 0
    uuid = readable[0].journal_uuid if readable else None
    checkpoints = list(read_checkpoints(directory, uuid, last)) if readable else []
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
