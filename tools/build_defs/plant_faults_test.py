#!/usr/bin/env python3
"""A fault that does not fit its source fails the build and says which."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__))))
import plant_faults  # pylint: disable=wrong-import-position

SOURCES = {"a/a.h": "int A();\n", "a/a.cc": '#include "a/a.h"\n#include "b/b.h"\n\nint A() { return 1; }\n'}
FAULTS = """# What A() returns.
fault kWrong: A() is 2
in a/a.cc
-  { return 1; }
+  { return FAULT(kWrong) ? 2 : 1; }
""".replace("-  ", "-").replace("+  ", "+")


class PlantFaultsTest(unittest.TestCase):
    def assert_refused(self, faults, message):
        with self.assertRaises(plant_faults.FaultError) as refusal:
            plant_faults.plant(faults, SOURCES, "x/faulty", "a")
        self.assertIn(message, str(refusal.exception))

    def test_replaces_the_text(self):
        copies = plant_faults.plant(FAULTS, SOURCES, "x/faulty", "a")
        self.assertEqual(copies["a/a.cc"], '#include "x/faulty/faults.h"\n#include "x/faulty/a/a.h"\n'
                         '#include "b/b.h"\n\nint A() { return FAULT(kWrong) ? 2 : 1; }\n')
        self.assertEqual(copies["a/a.h"], SOURCES["a/a.h"])
        self.assertIn('{Fault::kWrong, "kWrong", "", "A() is 2"},', copies["faults.h"])
        self.assertIn("namespace a {", copies["faults.h"])

    def test_names_what_notices_the_fault(self):
        copies = plant_faults.plant(FAULTS.replace("kWrong:", "kWrong (first look):"), SOURCES, "x/faulty", "a")
        self.assertIn('{Fault::kWrong, "kWrong", "first look", "A() is 2"},', copies["faults.h"])

    def test_text_that_is_not_there_is_refused(self):
        self.assert_refused(FAULTS.replace("return 1", "return 3"), "kWrong: its text is 0 times in a/a.cc")

    def test_text_that_is_there_twice_is_refused(self):
        self.assert_refused(FAULTS.replace("-{ return 1; }", "-#include"), "kWrong: its text is 2 times in a/a.cc")

    def test_another_file_is_refused(self):
        self.assert_refused(FAULTS.replace("a/a.cc", "a/b.cc"), "kWrong: a/b.cc is not among the sources")

    def test_two_faults_of_one_text_are_refused(self):
        second = FAULTS.replace("kWrong", "kAlsoWrong")
        self.assert_refused(FAULTS + second, "kWrong and kAlsoWrong change the same text of a/a.cc")

    def test_a_fault_that_nothing_depends_on_is_refused(self):
        self.assert_refused(FAULTS.replace("FAULT(kWrong) ? 2 : 1", "2"), "kWrong is never asked for")
        self.assert_refused(FAULTS + "fault kEmpty: nothing\n", "kEmpty is never asked for")

    def test_a_name_that_is_there_twice_is_refused(self):
        self.assert_refused(FAULTS + FAULTS, "kWrong is there twice")

    def test_a_line_without_meaning_is_refused(self):
        self.assert_refused("kWrong\n", "line 1")
        self.assert_refused(FAULTS + "in a/a.cc\n", "has no line with '-'")


if __name__ == "__main__":
    unittest.main()
