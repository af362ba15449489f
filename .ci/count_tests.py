#!/usr/bin/env python3
"""Counts the test results of .ci/run from Bazel's build events.

Usage: count_tests.py FOLDER

FOLDER/stages has a line `KIND NAME` for each stage that began, and then `KIND NAME EXIT_CODE` if it ended. KIND is
`tests` for `bazel test`, whose build events are in FOLDER/NAME.json, and `program` for a program that counts as one
test.

A test passed if Bazel says PASSED. Everything else has failed: FAILED, TIMEOUT, FLAKY, a test that did not run or
was not built, a stage that was cut, ran no test or exited with another code than 0. A test left out
by --test_tag_filters was not asked for.

The last line is `N passed, N failed`. Exits with 1 if anything failed, with 0 otherwise.
"""

import json
import os
import sys


class BadEvents(Exception):
    """The build events cannot be read; the text says why."""


def read_events(path):
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]
    except OSError as error:
        raise BadEvents(f"no build events: {error.strerror}") from error
    except ValueError as error:
        raise BadEvents(f"the build events are cut short: {error}") from error


def tag_filters(events):
    """(tags of which a test must have one, tags of which it must have none), of --test_tag_filters."""
    options = [option for event in events for option in event.get("optionsParsed", {}).get("explicitCmdLine", [])]
    values = [option.partition("=")[2] for option in options if option.startswith("--test_tag_filters=")]
    filters = values[-1].split(",") if values else []
    return {tag for tag in filters if not tag.startswith("-")}, {tag[1:] for tag in filters if tag.startswith("-")}


def test_results(events):
    """{label: status} of every test that was asked for; "NOT RUN" if Bazel says nothing of it."""
    wanted, unwanted = tag_filters(events)
    results = {}
    for event in events:
        identity = event.get("id", {})
        tags = set(event.get("configured", {}).get("tag", []))
        is_asked_for = not tags & unwanted and (not wanted or tags & wanted)
        if is_asked_for and "testSize" in event.get("configured", {}):
            results.setdefault(identity["targetConfigured"]["label"], "NOT RUN")
        if "testSummary" in event:
            results[identity["testSummary"]["label"]] = event["testSummary"]["overallStatus"]
    return results


def other_failures(events):
    """What failed and may have no test result: targets that were not analysed or built, a build that was cut."""
    failures = {}
    for event in events:
        label = next((value["label"] for value in event.get("id", {}).values() if "label" in value), "the build")
        if "aborted" in event:
            failures[label] = event["aborted"].get("reason", "ABORTED")
        elif "completed" in event and not event["completed"].get("success"):
            failures[label] = "NOT BUILT"
    if not events or not events[-1].get("lastMessage"):
        failures["the build"] = "its events are cut short"
    return failures


def count(kind, code, path):
    """(how many passed, what failed) of one stage that ended."""
    if kind == "program":
        return (1, []) if code == 0 else (0, [f"exit code {code}"])
    try:
        events = read_events(path)
    except BadEvents as error:
        return 0, [str(error)]
    results = test_results(events)
    statuses = other_failures(events) | results
    failures = [f"{label} ({status})" for label, status in sorted(statuses.items()) if status != "PASSED"]
    if not results:
        failures.append("no test ran")
    if code != 0 and not failures:
        failures.append(f"exit code {code}")
    return sum(status == "PASSED" for status in results.values()), failures


def main():
    folder = sys.argv[1]
    stages = {}
    with open(os.path.join(folder, "stages"), encoding="utf-8") as file:
        for line in file:
            kind, name, *code = line.split()
            stages[name] = (kind, int(code[0]) if code else None)
    passed = failed = 0
    for name, (kind, code) in stages.items():
        if code is None:
            good, failures = 0, ["the stage was cut"]
        else:
            good, failures = count(kind, code, os.path.join(folder, name + ".json"))
        for failure in failures:
            print(f"FAILED in {name}: {failure}")
        print(f"{name}: {good} passed, {len(failures)} failed")
        passed += good
        failed += len(failures)
    if not stages:
        print("FAILED: no stage ran")
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
