#!/usr/bin/env python3
"""Checks that each target depends on what its sources include. Prints path:line: layer: what; exit 1 if anything.

Usage: layers.py [TARGETS]        default: //...; run it in the repository

A source may include a header of its own target, or a public header of a target that its own target names in `deps`.
What a dependency depends on is not in reach. Bazel says which targets have which files; ./bazelw must work here.
"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def path_of(label):
    """//a/b:c/d.h is a/b/c/d.h."""
    return label.removeprefix("//").replace(":", "/").removeprefix("/")


class Target:
    """A cc_library, cc_binary or cc_test: its own headers and sources, its public headers, its dependencies."""

    def __init__(self, rule):
        self.label = rule.get("name")
        self.srcs = self.labels(rule, "srcs")
        self.hdrs = self.labels(rule, "hdrs")
        self.deps = self.labels(rule, "deps")
        self.is_testonly = any(value.get("name") == "testonly" and value.get("value") == "true"
                               for value in rule.findall("boolean"))

    @staticmethod
    def labels(rule, name):
        return [label.get("value") for values in rule.findall("list") if values.get("name") == name
                for label in values.findall("label")]


def read_targets(text):
    """The C++ targets of `bazel query --output=xml`, and {label of an alias: what it stands for}."""
    targets, aliases = {}, {}
    for rule in xml.fromstring(text).findall("rule"):
        if rule.get("class") == "alias":
            aliases[rule.get("name")] = next(
                value.get("value") for value in rule.findall("label") if value.get("name") == "actual")
        elif rule.get("class").startswith("cc_"):
            target = Target(rule)
            targets[target.label] = target
    return targets, aliases


def includes(path):
    """(line number, path) of each include with quotes."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match[1]


def findings(root, targets, aliases):
    owners = {}  # Of each public header of this repository.
    private = {}
    for target in targets.values():
        for label in target.hdrs:
            owners.setdefault(path_of(label), []).append(target.label)
        for label in target.srcs:
            private.setdefault(path_of(label), []).append(target.label)
    for label, target in sorted(targets.items()):
        own = {path_of(file) for file in target.srcs + target.hdrs}
        in_reach = own | {path_of(header) for dep in target.deps
                          for header in getattr(targets.get(aliases.get(dep, dep)), "hdrs", ())}
        for source in sorted(own):
            path = os.path.join(root, source)
            if not os.path.isfile(path):
                continue  # Made by the build.
            for line, header in includes(path):
                if header in in_reach:
                    continue
                if header in owners:
                    yield source, line, f"{label} includes {header} of {' or '.join(owners[header])}, not in its deps"
                elif header in private:
                    yield source, line, f"{label} includes {header}, private to {' and '.join(private[header])}"
                elif os.path.isfile(os.path.join(root, header)):
                    yield source, line, f"{label} includes {header}, which no target has"


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else "//..."
    query = f"kind('cc_(library|binary|test) rule|alias rule', {wanted})"
    text = subprocess.run(["./bazelw", "query", "--noshow_progress", "--noimplicit_deps", "--output=xml", query],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    targets, aliases = read_targets(text)
    found = list(findings(".", targets, aliases))
    for path, line, what in found:
        print(f"{path}:{line}: layer: {what}")
    print(f"layers: {len(targets)} targets, {len(found)} findings")
    return 1 if found or not targets else 0


if __name__ == "__main__":
    sys.exit(main())
