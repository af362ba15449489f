#!/usr/bin/env python3
"""layers.py finds each include that is out of reach, and accepts what is in reach."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import layers  # pylint: disable=wrong-import-position


def rule(name, srcs=(), hdrs=(), deps=()):
    lists = "".join(f'<list name="{attribute}">' + "".join(f'<label value="{label}"/>' for label in labels) + "</list>"
                    for attribute, labels in (("srcs", srcs), ("hdrs", hdrs), ("deps", deps)))
    return f'<rule class="cc_library" name="{name}">{lists}</rule>'


VALUES = rule("//values:values", srcs=["//values:price.cc", "//values:digits.h"], hdrs=["//values:price.h"])
BOOK = rule("//book:book", hdrs=["//book:side/book.h"], deps=["//values:values"])


class LayersTest(unittest.TestCase):

    def found(self, text, deps=(), path="core/core.cc"):
        """What layers.py finds in a target //core:core whose one source has that text."""
        with tempfile.TemporaryDirectory() as root:
            for name, content in {"values/price.h": "", "values/digits.h": "", "values/price.cc": "",
                                  "book/side/book.h": '#include "values/price.h"\n', "old/unused.h": "", path: text}.items():
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(content)
            core = rule("//core:core", srcs=["//core:core.cc"], hdrs=["//core:made_by_the_build.h"], deps=deps)
            alias = '<rule class="alias" name="//book:alias"><label name="actual" value="//book:book"/></rule>'
            targets, aliases = layers.read_targets(f"<query>{VALUES}{BOOK}{core}{alias}</query>")
            return [(name, line, what.split()[-1]) for name, line, what in layers.findings(root, targets, aliases)]

    def test_a_direct_dependency_is_in_reach(self):
        text = '#include <vector>\n#include "values/price.h"\n#include "gtest/gtest.h"\n#include "core/made_by_the_build.h"\n'
        self.assertEqual(self.found(text, ["//values:values"]), [])
        self.assertEqual(self.found('#include "book/side/book.h"\n', ["//book:alias"]), [])

    def test_what_a_dependency_depends_on_is_not(self):
        text = '#include <vector>\n#include "values/price.h"\n'
        self.assertEqual(self.found(text, ["//book:book"]), [("core/core.cc", 2, "deps")])
        self.assertEqual(self.found("  #  include \"values/price.h\"\n"), [("core/core.cc", 1, "deps")])

    def test_private_headers_are_not(self):
        self.assertEqual(self.found('#include "values/digits.h"\n', ["//values:values"]),
                         [("core/core.cc", 1, "//values:values")])

    def test_a_header_of_no_target_is_not(self):
        self.assertEqual(self.found('#include "old/unused.h"\n'), [("core/core.cc", 1, "has")])


if __name__ == "__main__":
    unittest.main()
