"""Cap'n Proto, as far as one segment with structs, lists and bytes needs it."""

import struct

from fields import expect


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
