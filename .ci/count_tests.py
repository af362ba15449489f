#!/usr/bin/env python3
"""Counts test results from Bazel's build events, and the stages of .ci/run that failed otherwise.

Usage: count_tests.py FOLDER, with FOLDER/stages ("NAME EXIT_CODE" lines) and FOLDER/NAME.json.

Exit code 124 is `timeout`'s: of a stage that time has ended, what ran counts.
"""

import json
import os
import sys


OUT_OF_TIME = "124"


def test_results(path):
    """{label: passed} of one bazel test, and how many tests did not run because it was ended."""
    results, not_run = {}, set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            event = json.loads(line)
            identity = event.get("id", {})
            label = identity.get("targetCompleted", {}).get("label", "")
            if "aborted" in event and label.endswith(("_test", "_smoke")):
                not_run.add(label)
            elif "testSummary" in identity and "testSummary" in event:
                status = event["testSummary"]["overallStatus"]
                name = identity["testSummary"]["label"]
                if status == "NO_STATUS":
                    not_run.add(name)
                else:
                    results[name] = status in ("PASSED", "FLAKY")
            elif "targetCompleted" in identity and not event.get("completed", {}).get("success"):
                if label.endswith(("_test", "_smoke")):
                    results.setdefault(label, False)
    return results, len(not_run - set(results))


def main():
    folder = sys.argv[1]
    passed = failed = 0
    with open(os.path.join(folder, "stages"), encoding="utf-8") as file:
        stages = [line.split() for line in file]
    for name, code in stages:
        events = os.path.join(folder, name + ".json")
        results, not_run = test_results(events) if os.path.exists(events) else ({}, 0)
        good = sum(results.values())
        bad = len(results) - good
        for label in sorted(label for label, ok in results.items() if not ok):
            print(f"FAILED in {name}: {label}")
        if code == OUT_OF_TIME:
            print(f"{name}: ended by time, {not_run} tests did not run")
        elif not results and code == "0" and not os.path.exists(events):
            good = 1  # A stage without tests, such as the second reader.
        elif code != "0" and bad == 0:
            bad = 1
            print(f"FAILED: stage {name}, exit {code}")
        elif not results and code == "0":
            bad = 1
            print(f"FAILED: stage {name} ran no test")
        print(f"{name}: {good} passed, {bad} failed")
        passed += good
        failed += bad
    if not stages:
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
