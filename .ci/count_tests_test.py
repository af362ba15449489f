#!/usr/bin/env python3
"""Tests count_tests.py on build events of the shapes that Bazel 4.2.3 writes.

Usage: count_tests_test.py COUNT_TESTS
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

COUNT_TESTS = sys.argv.pop(1)

LAST = {"id": {"buildFinished": {}}, "finished": {}, "lastMessage": True}


def configured(label, tags=()):
    return {
        "id": {"targetConfigured": {"label": label}},
        "configured": {"targetKind": "cc_test rule", "testSize": "SMALL", "tag": list(tags)},
    }


def options(*explicit):
    return {"id": {"optionsParsed": {}}, "optionsParsed": {"explicitCmdLine": list(explicit)}}


def completed(label, **outcome):
    return {"id": {"targetCompleted": {"label": label}}, **outcome}


def summary(label, status):
    return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}


def ran(label, status):
    return [configured(label), completed(label, completed={"success": True}), summary(label, status)]


def aborted(kind, label, reason):
    return {"id": {kind: {"label": label}}, "aborted": {"reason": reason}}


class CountTests(unittest.TestCase):
    def count(self, stages, **events):
        """The last line for these stages and the events of each, given as a list or as text."""
        with tempfile.TemporaryDirectory() as folder:
            for name, lines in events.items():
                if not isinstance(lines, str):
                    lines = "".join(json.dumps(line) + "\n" for line in lines)
                with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                    file.write(lines)
            with open(os.path.join(folder, "stages"), "w", encoding="utf-8") as file:
                file.write("".join(stage + "\n" for stage in stages))
            run = subprocess.run([sys.executable, "-B", COUNT_TESTS, folder], capture_output=True, text=True)
            lines = run.stdout.splitlines()
            self.assertTrue(lines, run.stderr)
            self.assertEqual(run.returncode, 0 if lines[-1].endswith(" 0 failed") else 1, run.stdout)
            self.output = run.stdout
            return lines[-1]

    def one_stage(self, code, events):
        return self.count(["tests readme", f"tests readme {code}"], readme=events)

    def test_what_passed(self):
        events = ran("//a:x_test", "PASSED") + ran("//a:y_smoke", "PASSED") + [LAST]
        self.assertEqual(self.one_stage(0, events), "2 passed, 0 failed")

    def test_a_program_counts_as_one_test(self):
        self.assertEqual(self.count(["program parquet", "program parquet 0"]), "1 passed, 0 failed")
        self.assertEqual(self.count(["program parquet", "program parquet 2"]), "0 passed, 1 failed")

    def test_a_test_that_failed_or_took_too_long(self):
        events = ran("//a:x_test", "PASSED") + ran("//a:y_test", "FAILED") + ran("//a:z_test", "TIMEOUT") + [LAST]
        self.assertEqual(self.one_stage(3, events), "1 passed, 2 failed")
        self.assertIn("FAILED in readme: //a:y_test (FAILED)", self.output)

    def test_a_flaky_test_has_failed(self):
        events = ran("//a:x_test", "FLAKY") + ran("//a:y_test", "PASSED") + [LAST]
        self.assertEqual(self.one_stage(0, events), "1 passed, 1 failed")

    def test_a_test_without_a_status_has_failed(self):
        events = ran("//a:x_test", "NO_STATUS") + ran("//a:y_test", "PASSED") + [LAST]
        self.assertEqual(self.one_stage(0, events), "1 passed, 1 failed")

    def test_a_test_that_was_not_built_counts_once(self):
        events = ran("//a:y_test", "PASSED") + [
            configured("//a:x_test"),
            completed("//a:x_test", completed={"failureDetail": {"message": "g++ failed"}}),
            LAST,
        ]
        self.assertEqual(self.one_stage(1, events), "1 passed, 1 failed")

    def test_a_test_of_which_nothing_is_known_has_failed(self):
        self.assertEqual(self.one_stage(0, [configured("//a:x_test"), LAST]), "0 passed, 1 failed")

    def test_a_test_that_a_tag_leaves_out_was_not_asked_for(self):
        tests = [
            *ran("//a:y_test", "PASSED"),
            configured("//a:x_test", ["campaign", "other"]),
            configured("//a:z_test", ["large"]),
            LAST,
        ]
        left_out = options("--keep_going", "--test_tag_filters=-campaign,-large")
        self.assertEqual(self.one_stage(0, [left_out, *tests]), "1 passed, 0 failed")
        self.assertEqual(self.one_stage(0, [options("--test_tag_filters=-campaign"), *tests]), "1 passed, 1 failed")
        self.assertEqual(self.one_stage(0, [options("--test_tag_filters=none"), *tests]), "1 passed, 0 failed")
        self.assertEqual(self.one_stage(0, [options("--test_tag_filters=large,none"), *tests]), "1 passed, 1 failed")

    def test_an_aborted_analysis_has_failed(self):
        events = ran("//a:y_test", "PASSED") + [
            configured("//a:x_test"),
            aborted("configuredLabel", "//nowhere:nothing", "ANALYSIS_FAILURE"),
            aborted("targetCompleted", "//a:x_test", "ANALYSIS_FAILURE"),
            LAST,
        ]
        self.assertEqual(self.one_stage(1, events), "1 passed, 2 failed")

    def test_a_pattern_that_cannot_be_loaded_has_failed(self):
        events = [
            {"id": {"pattern": {"pattern": ["//nowhere/..."]}}, "aborted": {"reason": "LOADING_FAILURE"}},
            *ran("//a:y_test", "PASSED"),
            LAST,
        ]
        self.assertEqual(self.one_stage(1, events), "1 passed, 1 failed")

    def test_a_library_that_cannot_be_built_has_failed(self):
        events = ran("//a:y_test", "PASSED") + [completed("//a:lib", completed={}), LAST]
        self.assertEqual(self.one_stage(1, events), "1 passed, 1 failed")

    def test_a_stage_that_an_interrupt_ended_has_failed(self):
        interrupted = aborted("testSummary", "//a:x_test", "USER_INTERRUPTED")
        events = ran("//a:y_test", "PASSED") + [configured("//a:x_test"), {**interrupted, "lastMessage": True}]
        for code in (8, 124, 137):
            self.assertEqual(self.one_stage(code, events), "1 passed, 1 failed")

    def test_a_stage_that_time_ended_after_its_last_test_has_failed(self):
        self.assertEqual(self.one_stage(124, ran("//a:y_test", "PASSED") + [LAST]), "1 passed, 1 failed")

    def test_events_that_are_cut_short_are_a_failure(self):
        self.assertEqual(self.one_stage(0, ran("//a:y_test", "PASSED")), "1 passed, 1 failed")
        self.assertEqual(self.one_stage(0, json.dumps(configured("//a:x_test"))[:-9]), "0 passed, 1 failed")
        self.assertEqual(self.one_stage(0, ""), "0 passed, 2 failed")

    def test_a_stage_without_events_has_failed(self):
        self.assertEqual(self.count(["tests readme", "tests readme 0"]), "0 passed, 1 failed")

    def test_a_stage_without_tests_has_failed(self):
        self.assertEqual(self.one_stage(0, [LAST]), "0 passed, 1 failed")
        self.assertEqual(self.one_stage(4, [LAST]), "0 passed, 1 failed")

    def test_a_stage_that_did_not_end_has_failed(self):
        events = ran("//a:y_test", "PASSED") + [LAST]
        self.assertEqual(self.count(["tests readme"], readme=events), "0 passed, 1 failed")

    def test_an_exit_code_that_no_test_explains_is_a_failure(self):
        self.assertEqual(self.one_stage(1, ran("//a:y_test", "PASSED") + [LAST]), "1 passed, 1 failed")

    def test_a_run_without_stages_has_failed(self):
        self.assertEqual(self.count([]), "0 passed, 1 failed")

    def test_stages_are_added_up(self):
        events = ran("//a:y_test", "PASSED") + [LAST]
        stages = ["tests a", "tests a 0", "program b", "program b 0", "tests c", "tests c 0"]
        self.assertEqual(self.count(stages, a=events, c=events), "3 passed, 0 failed")


if __name__ == "__main__":
    unittest.main()
