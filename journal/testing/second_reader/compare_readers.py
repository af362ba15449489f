#!/usr/bin/env python3
"""Compares the second reader with the C++ reader, line for line.

Usage: compare_readers.py PRINT_JOURNAL JOURNALS [--damaged N] [--seed S]

First every journal in the folder JOURNALS as it is, then N copies that were damaged at random: bits
flipped, lengths cut, pages zeroed or moved, and headers changed with their hashes recomputed,
so that every rule of FORMAT.md is asked for and not only the hashes. The seed of a copy that the
two read differently is printed.
"""

import argparse
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import second_reader
import xxhash
from blocks import read_preamble
from fields import Newer

PAGE = 4096


def segments_of(journal):
    return sorted(name for name in os.listdir(journal) if name.endswith(".tape"))


def flip_a_bit(data, dice):
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def cut_off(data, dice):
    del data[dice.randrange(len(data)) :]


def cut_off_at_a_page(data, dice):
    del data[PAGE * dice.randrange(len(data) // PAGE) :]


def zero_a_page(data, dice):
    at = PAGE * dice.randrange(len(data) // PAGE)
    data[at : at + PAGE] = bytes(len(data[at : at + PAGE]))


def copy_a_page(data, dice):
    source, target = (PAGE * dice.randrange(len(data) // PAGE) for _ in range(2))
    data[target : target + PAGE] = data[source : source + PAGE]


def append_garbage(data, dice):
    data += bytes(PAGE * dice.randrange(3)) + dice.randbytes(dice.randrange(1, 2 * PAGE))


def change_bytes(data, begin, end, dice):
    width = dice.choice([1, 2, 4, 8])
    at = dice.randrange(begin, end - width + 1) // width * width
    old = int.from_bytes(data[at : at + width], "little")
    new = dice.choice([0, old + 1, max(old, 1) - 1, 2 ** (8 * width) - 1, dice.getrandbits(8 * width)])
    data[at : at + width] = (new % 2 ** (8 * width)).to_bytes(width, "little")


def change_a_header(data, dice):
    """Changes a field of a block's header or a byte of its payload, then recomputes the hashes."""
    preamble = read_preamble(data)
    blocks = [at for at in range(0, len(data), PAGE) if data[at : at + 4] == b"TBLK"]
    if not preamble or not blocks:
        return
    low, high = struct.unpack("<QQ", preamble.segment_uuid)
    at = dice.choice(blocks)
    (payload_bytes,) = struct.unpack_from("<I", data, at + 36)
    if payload_bytes and dice.randrange(2):
        change_bytes(data, at + 128, min(at + 128 + max(payload_bytes, 8), len(data)), dice)
        payload = bytes(data[at + 128 : at + 128 + payload_bytes])
        data[at + 88 : at + 96] = xxhash.xxh3_64_intdigest(payload).to_bytes(8, "little")
    else:
        change_bytes(data, at, at + 120, dice)
    header = xxhash.xxh3_64_intdigest(bytes(data[at : at + 120]), low ^ high)
    data[at + 120 : at + 128] = header.to_bytes(8, "little")


def change_a_preamble(data, dice):
    """Changes a field of both copies, then recomputes their hashes."""
    preamble = read_preamble(data)
    if not preamble:
        return
    size = preamble.copy_bytes
    copy = data[:size]
    change_bytes(copy, 8, 256, dice)
    copy[240:256] = bytes(16)
    copy[240:256] = xxhash.xxh3_128_intdigest(bytes(copy)).to_bytes(16, "little")
    for begin in dice.choice([(0, size), (0,), (size,)]):
        data[begin : begin + size] = copy


def change_a_trailer(data, dice):
    preamble = read_preamble(data)
    if not preamble or len(data) < 64:
        return
    low, high = struct.unpack("<QQ", preamble.segment_uuid)
    trailer = data[-64:]
    change_bytes(trailer, 0, 56, dice)
    trailer[56:] = xxhash.xxh3_64_intdigest(bytes(trailer[:56]), low ^ high).to_bytes(8, "little")
    data[-64:] = trailer


FAULTS = [
    flip_a_bit, cut_off, cut_off_at_a_page, zero_a_page, copy_a_page, append_garbage,
    change_a_header, change_a_header, change_a_header, change_a_preamble, change_a_trailer,
]  # fmt: skip


def damage(journal, seed):
    dice = random.Random(seed)
    names = segments_of(journal)
    for _ in range(dice.choice([1, 1, 2])):
        path = os.path.join(journal, dice.choice(names))
        with open(path, "rb") as file:
            data = bytearray(file.read())
        fault = dice.choice(FAULTS)
        try:
            if len(data) >= PAGE:
                fault(data, dice)
        except Newer:
            pass  # The fault before made it one.
        with open(path, "wb") as file:
            file.write(data)
        yield fault.__name__
    if dice.randrange(40) == 0:
        path = os.path.join(journal, dice.choice(names))
        os.rename(path, path + ".moved")
        os.symlink(path + ".moved", path)
        yield "a link to a segment"
    if len(names) > 1 and dice.randrange(20) == 0:
        os.remove(os.path.join(journal, dice.choice(names)))
        yield "remove a segment"
    if len(names) > 1 and dice.randrange(4) == 0:
        prune(journal, dice)
        yield "prune"


def prune(journal, dice=None):
    """The first segment is deleted on purpose; with dice, what says so may be wrong."""
    names = segments_of(journal)
    paths = [os.path.join(journal, name) for name in names]
    if len(paths) < 2:
        return
    with open(paths[1], "rb") as file:
        preamble = read_preamble(file.read())
    if not preamble:
        return
    journal_uuid, sequence = preamble.journal_uuid, preamble.first_sequence
    segment = preamble.segment_index
    fault = dice.randrange(7) if dice else 0
    if fault == 1:
        journal_uuid = dice.randbytes(16)
    if fault == 2:
        segment = dice.choice([0, segment + 1, segment + 6])
    if fault == 3:
        sequence += dice.choice([-1, 1])
    text = b"ticktape beginning 1\njournal %s\nsegment %d\nsequence %d\nreason a test\n" % (
        journal_uuid.hex().encode(), segment, sequence,
    )  # fmt: skip
    data = bytearray(text + b"xxh3 %016x\n" % xxhash.xxh3_64_intdigest(text))
    if fault == 4:
        flip_a_bit(data, dice)
    if fault != 5:
        with open(os.path.join(journal, "beginning"), "wb") as file:
            file.write(data)
    os.remove(paths[0])


def first_difference(ours, theirs):
    for i in range(max(len(ours), len(theirs))):
        pair = [lines[i][:120] if i < len(lines) else "(nothing)" for lines in (ours, theirs)]
        if pair[0] != pair[1]:
            return f"  second reader: {pair[0]}\n  C++ reader:    {pair[1]}"
    return "  (in the hexadecimal)"


def is_less(ours, theirs):
    """Of a damaged journal the C++ reader may show more, as it trusts the index of a sealed segment:
    FORMAT.md, section 7. Never other records."""
    records = [[line for line in lines if line.startswith("record ")] for lines in (ours, theirs)]
    others = [
        [line for line in lines if not line.startswith(("record ", "digest "))]
        for lines in (ours, theirs)
    ]
    return others[0] == others[1] and records[0] == records[1][: len(records[0])]


def agree(printer, journal, name):
    """What the two say, when it is the same."""
    theirs = subprocess.run([printer, journal], check=False, capture_output=True, text=True)
    theirs = theirs.stdout.splitlines() + ([f"exit {theirs.returncode}"] if theirs.returncode else [])
    try:
        ours = list(second_reader.describe(journal))
    except Newer:
        ours = ["error UNIMPLEMENTED"]
    if ours == theirs or ("verdict DAMAGED" in ours and is_less(ours, theirs)):
        return ours
    print(f"{name}: the readers differ\n{first_difference(ours, theirs)}")
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("printer")
    parser.add_argument("journals")
    parser.add_argument("--damaged", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    differences = 0
    journals = sorted(os.listdir(options.journals))
    for name in journals:
        lines = agree(options.printer, os.path.join(options.journals, name), name)
        differences += lines is None
        if lines:
            count = sum(line.startswith("record ") for line in lines)
            verdict = next(line for line in lines if line.startswith("verdict "))
            print(f"{name}: {count} records, {verdict}: the same")

    for name in journals:
        if len(segments_of(os.path.join(options.journals, name))) < 2:
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "journal")
            shutil.copytree(os.path.join(options.journals, name), copy)
            os.chmod(copy, 0o755)
            prune(copy)
            lines = agree(options.printer, copy, f"{name}, pruned")
        differences += lines is None
        if lines:
            count = sum(line.startswith("record ") for line in lines)
            print(f"{name}, pruned: {count} records: the same")

    small = [name for name in journals if name != "exchange_session"]
    seen = {}
    for seed in range(options.seed, options.seed + options.damaged):
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "journal")
            shutil.copytree(os.path.join(options.journals, small[seed % len(small)]), copy)
            for name in os.listdir(copy):
                os.chmod(os.path.join(copy, name), 0o644)
            faults = ", ".join(damage(copy, seed))
            lines = agree(options.printer, copy, f"seed {seed} ({small[seed % len(small)]}: {faults})")
        differences += lines is None
        for line in lines or []:
            if line.startswith("segment "):
                seen[line.split()[2]] = seen.get(line.split()[2], 0) + 1
    if options.damaged:
        print("damaged copies:", options.damaged, "cases of the table:",
              " ".join(f"{case}:{count}" for case, count in sorted(seen.items())))  # fmt: skip
    print("differences:", differences)
    return 1 if differences or not journals else 0


if __name__ == "__main__":
    sys.exit(main())
