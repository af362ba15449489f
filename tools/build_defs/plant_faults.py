#!/usr/bin/env python3
"""Copies sources with faults in them, each of which a test can switch on at run time. See faults.bzl.

A fault file has one entry for each fault:

    # A comment.
    fault kTailNotCut (recovery): recovery leaves a torn tail where it is
    in journal/recovery/repair.cc
    -  if (segment.file_bytes != segment.end_offset) {
    +  if (segment.file_bytes != segment.end_offset && !FAULT(kTailNotCut)) {

The text after `-` must be found exactly once in the file; the text after `+` replaces it. Several
lines are one text. An entry may change several places, each with a line `in FILE` of its own.
The word in parentheses may be left out: what is expected to notice the fault.
FAULT(name) is true while the test has that fault switched on.
"""

import argparse
import dataclasses
import os
import re
import sys


class FaultError(Exception):
    """The fault file or a source is not as it must be."""


@dataclasses.dataclass
class Change:
    fault: str
    path: str
    find: str
    replacement: str


def parse_faults(text):
    """Returns [(name, noticed by, description)] and [Change]."""
    faults, changes = [], []
    lines = text.splitlines() + [""]
    at = 0
    while at < len(lines):
        line, number = lines[at], at + 1
        at += 1
        if not line.strip() or line.startswith("#"):
            continue
        if match := re.fullmatch(r"fault (k\w+)(?: \(([^)]+)\))?: (.+)", line):
            if match[1] in (name for name, _, _ in faults):
                raise FaultError(f"line {number}: {match[1]} is there twice")
            faults.append((match[1], match[2] or "", match[3]))
            continue
        match = re.fullmatch(r"in (\S+)", line)
        if not match or not faults:
            raise FaultError(f"line {number}: expected 'fault NAME: DESCRIPTION' or 'in FILE': {line}")
        old, new = [], []
        while lines[at][:1] in ("-", "+"):
            (old if lines[at][0] == "-" else new).append(lines[at][1:])
            at += 1
        if not old:
            raise FaultError(f"line {number}: {faults[-1][0]} has no line with '-'")
        changes.append(Change(faults[-1][0], match[1], "\n".join(old), "\n".join(new)))
    for name, _, _ in faults:
        if not any(f"FAULT({name})" in change.replacement for change in changes):
            raise FaultError(f"{name} is never asked for: no '+' line has FAULT({name})")
    return faults, changes


def apply_changes(path, text, changes):
    """Returns `text`, the source `path`, with the changes that concern it."""
    places = []
    for change in changes:
        if change.path != path:
            continue
        count = text.count(change.find)
        if count != 1:
            raise FaultError(f"{change.fault}: its text is {count} times in {path}, must be once:\n{change.find}")
        begin = text.index(change.find)
        places.append((begin, begin + len(change.find), change))
    places.sort(key=lambda place: place[0])
    for (_, end, one), (begin, _, other) in zip(places, places[1:]):
        if begin < end:
            raise FaultError(f"{one.fault} and {other.fault} change the same text of {path}")
    for begin, end, change in reversed(places):
        text = text[:begin] + change.replacement + text[end:]
    return text


def redirect_includes(text, paths, folder):
    """Lets the includes of `paths` name their copies in `folder`."""
    return re.sub(r'^#include "([^"]+)"', lambda match:
                  f'#include "{folder}/{match[1]}"' if match[1] in paths else match[0], text, flags=re.M)


def faults_header(faults, namespace, guard):
    """Returns the header that declares the faults, and the one in force."""
    enumerators = "".join(f"  {name},\n" for name, _, _ in faults)
    texts = "".join(f'    {{Fault::{name}, "{name}", "{noticed_by}", "{description}"}},\n'
                    for name, noticed_by, description in faults)
    return f"""#ifndef {guard}
#define {guard}

namespace {namespace} {{

enum class Fault {{
  kNone,
{enumerators}}};

struct FaultText {{
  Fault fault;
  const char* name;
  const char* noticed_by;
  const char* description;
}};

inline constexpr FaultText kFaults[] = {{
{texts}}};

// The fault in force. A test sets it before it starts another thread.
inline Fault fault_in_force = Fault::kNone;

}}  // namespace {namespace}

#define FAULT(name) (::{namespace}::fault_in_force == ::{namespace}::Fault::name)

#endif  // {guard}
"""


def plant(fault_text, sources, folder, namespace):
    """Returns {path: text} of the copies of `sources`, also {path: text}, and of faults.h."""
    faults, changes = parse_faults(fault_text)
    for change in changes:
        if change.path not in sources:
            raise FaultError(f"{change.fault}: {change.path} is not among the sources")
    include = f'#include "{folder}/faults.h"\n'
    copies = {}
    for path, text in sources.items():
        changed = apply_changes(path, text, changes)
        copy = redirect_includes(changed, sources, folder)
        copies[path] = include + copy if changed != text else copy
    guard = re.sub(r"\W", "_", f"{folder}/faults.h").upper() + "_"
    copies["faults.h"] = faults_header(faults, namespace, guard)
    return copies


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", required=True)
    parser.add_argument("--namespace", required=True)
    parser.add_argument("--folder", required=True, help="how an #include names the folder of the copies")
    parser.add_argument("--out", required=True, help="the folder of the copies")
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()
    sources = {}
    for path in args.sources:
        with open(path, encoding="utf-8") as file:
            sources[path] = file.read()
    try:
        with open(args.faults, encoding="utf-8") as file:
            copies = plant(file.read(), sources, args.folder, args.namespace)
    except FaultError as error:
        sys.exit(f"{args.faults}: {error}")
    for path, text in copies.items():
        target = os.path.join(args.out, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
