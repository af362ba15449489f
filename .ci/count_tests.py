#!/usr/bin/env python3
"""Counts test results from Bazel's build events, and the stages of .ci/run that failed otherwise.

Usage: count_tests.py FOLDER, with FOLDER/stages ("NAME EXIT_CODE" lines) and FOLDER/NAME.json.
"""

import json
import os
import sys


def test_results(path):
    """{label: passed} of one bazel test."""
    results = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            event = json.loads(line)
            identity = event.get("id", {})
            if "testSummary" in identity and "testSummary" in event:
                status = event["testSummary"]["overallStatus"]
                results[identity["testSummary"]["label"]] = status in ("PASSED", "FLAKY")
            elif "targetCompleted" in identity and not event.get("completed", {}).get("success"):
                if identity["targetCompleted"]["label"].endswith(("_test", "_smoke")):
                    results.setdefault(identity["targetCompleted"]["label"], False)
    return results


def main():
    folder = sys.argv[1]
    passed = failed = 0
    with open(os.path.join(folder, "stages"), encoding="utf-8") as file:
        stages = [line.split() for line in file]
    for name, code in stages:
        events = os.path.join(folder, name + ".json")
        results = test_results(events) if os.path.exists(events) else {}
        good = sum(results.values())
        bad = len(results) - good
        for label in sorted(label for label, ok in results.items() if not ok):
            print(f"FAILED in {name}: {label}")
        if not results and code == "0" and not os.path.exists(events):
            good = 1  # A stage without tests, such as the layer check.
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
