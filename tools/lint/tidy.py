#!/usr/bin/env python3
"""Checks what the compiler does not: see RULES. Prints path:line: rule: what; exit 1 if anything.

Usage: tidy.py ROOT
"""

import os
import re
import subprocess
import sys

SOURCE = (".h", ".cc")
BUILDABLE = (".h", ".cc", ".capnp")
BLOB_BYTES_MAX = 1 << 20
TODO_KINDS = ("perf", "soon", "someday", "security", "cleanup", "test")
WORDS_FILE = "CONTRIBUTING.md"
WORDS_TABLE = "| Not used | Write |"
# Bytes that a test pins, the source that makes them, and results as they were recorded.
WORDS_EXEMPT = re.compile(
    r"testdata/(fuzz|golden|itch|journals)/(?!README\.md$)|journal/testing/fixtures\.cc$|bench/RESULTS\.md$|LICENSE$")
HEX_DUMP = re.compile(r"^[0-9a-f]{8}  [0-9a-f]{2} ")

# Who holds an exchange that commands can be applied to: the machines, and what measures or tests the exchange
# itself. All others apply records through replay/driver.
HOLDS_AN_EXCHANGE = (
    "replay/exchange_machine.h", "replay/testing/known_bad_machine.h",
    "replay/snapshot/snapshot_fuzz.cc", "tools/cli/compare/fuzz_verb.cc", "tools/cli/compare/fuzz_verb_test.cc",
    "bench/contenders.h", "bench/allocation_test.cc", "bench/memory_test.cc",
)

# (rooms, what is banned there, why). Rooms are path prefixes. Tests and testing/ folders are exempt from
# those marked "product"; a tuple lists the exempt files.
ANYWHERE = ("engine/", "journal/", "replay/", "tools/", "bench/")
PURE = ("engine/", "replay/")
BANNED = [
    (PURE + ("journal/",), r"std::chrono::\w*_clock|\b(clock_gettime|gettimeofday|time\s*\(\s*(NULL|nullptr|0)\s*\))",
     "time is data: it comes from a record or from engine/base/clock.h", "all"),
    (ANYWHERE, r"absl::(Now|GetCurrentTimeNanos)\b", "time comes from engine/base/clock.h", "outside tools/os"),
    (ANYWHERE, r"\b(std::)?s?rand\s*\(|std::random_device|std::mt19937|std::uniform_\w+_distribution",
     "randomness comes from engine/base/prng.h", "outside tools/os"),
    (ANYWHERE, r"#include <(thread|mutex|condition_variable|future|semaphore|pthread\.h)>|std::j?thread\b",
     "threads exist only in tools/os", "outside tools/os"),
    (("engine/", "replay/"), r"#include <(fstream|filesystem|fcntl\.h|unistd\.h|sys/(?!mman)\w+\.h)>",
     "no files or sockets here", "product"),
    (("engine/", "replay/"), r"#include <sys/mman\.h>", "pages of memory belong to engine/base/large_block",
     "outside engine/base/large_block"),
    (("journal/",), r"#include <(fstream|filesystem|fcntl\.h|unistd\.h|sys/\w+\.h)>",
     "journal/storage is the only file I/O", "outside journal/storage"),
    (("engine/core/", "engine/book/"), r"\b(float|double)\b", "no floating point near the core", "product"),
    (("engine/core/", "engine/book/"), r"absl::Status(Or)?\b(?!.*Snapshot)",
     "a refusal is an event; a Status never enters the core", "product but snapshots"),
    (("engine/", "journal/", "replay/"), r"\bnew\s+[A-Za-z_:]+[\s({\[]|\bmalloc\s*\(",
     "owners are unique_ptr and containers", "product"),
    (("engine/", "journal/", "replay/"), r"std::(hash|unordered_(map|set))\b",
     "their order and values are not specified", "all"),
    (("tools/",), r"\bstd::(basic_)?o?fstream\b|\b(fopen|freopen|creat|mkstemp)\s*\(|\bO_CREAT\b(?!.*\bO_EXCL\b)",
     "tools/os/output writes files: it follows no link and overwrites nothing", "product"),
    (("tools/cli/",), r"\bstd::(cout|cerr|clog)\b|\bv?f?printf\s*\(|\bf?puts\s*\(|\b(fwrite|f?putc|putchar)\s*\(",
     "what is printed passes through the Console, which escapes it", "product outside tools/cli/main"),
    (("bench/", "engine/", "journal/", "replay/", "tools/"), r"\bSimple(Hex)?Atoi\b",
     "it takes blanks and signs: engine/base/integer_text.h takes digits", "product"),
    (("bench/", "replay/", "tools/"), r"(?<!const )\bengine::(Reference)?Exchange\b(?!::)",
     "only replay/driver applies records: drive a machine", HOLDS_AN_EXCHANGE),
    (("engine/",), r'#include "(journal|replay|tools|bench)/', "the engine knows nothing above it", "all"),
    (("journal/",), r'#include "(replay/|tools/|bench/|engine/(?!base/))', "the journal knows no orders", "all"),
]

# Only the files of verbs include it, and what it includes they do not include again.
VERB_INCLUDES = "tools/cli/base/verb_includes.h"

# Each header of tools/build_defs/{common,test}_headers.h, and the names for which it is included. The compiler does not
# see that a file forgot it, since it reads these headers before every file.
PRECOMPILED = {
    "<algorithm>": r"std::(ranges::)?(sort|stable_sort|min|max|minmax|clamp|find(_if)?|(any|all|none)_of|copy(_n)?|fill(_n)?|"
                   r"equal(_range)?|reverse|(lower|upper)_bound|count(_if)?|transform|remove(_if)?|unique|rotate|shuffle|"
                   r"(min|max)_element|is_sorted|mismatch|for_each|generate|partition(_point)?|binary_search|"
                   r"(push|pop)_heap|lexicographical_compare|search|adjacent_find|set_difference)\(",
    "<array>": r"std::array\b",
    "<chrono>": r"std::chrono\b",
    "<cstdint>": r"(?<!std::)\bu?int(8|16|32|64)_t\b",
    "<functional>": r"std::(function|greater|less)\b",
    "<map>": r"std::(multi)?map\b",
    "<memory>": r"std::((unique|shared|weak)_ptr|make_(unique|shared))\b",
    "<optional>": r"std::(optional|nullopt)\b",
    "<span>": r"std::(span|as_(writable_)?bytes)\b",
    "<string>": r"std::(string|to_string|getline)\b",
    "<utility>": r"std::(move|pair|swap|exchange|forward|make_pair|as_const|declval|in_place|to_underlying|cmp_\w+)\b",
    "<variant>": r"std::(variant|visit|get_if|holds_alternative|monostate)\b",
    "<vector>": r"std::vector\b",
    '"absl/container/flat_hash_map.h"': r"absl::flat_hash_map\b",
    '"absl/functional/function_ref.h"': r"absl::FunctionRef\b",
    '"absl/status/status.h"': r"absl::(Status|OkStatus|StatusCode|\w+Error)\b",
    '"absl/status/statusor.h"': r"absl::StatusOr\b",
    '"absl/strings/match.h"': r"absl::(StartsWith|EndsWith|StrContains|EqualsIgnoreCase|StartsWithIgnoreCase)\b",
    '"absl/strings/str_cat.h"': r"absl::(StrCat|StrAppend|AlphaNum|Hex|Dec)\b",
    '"absl/strings/str_format.h"': r"absl::(StrFormat|StrAppendFormat|SNPrintF|ParsedFormat)\b",
    '"absl/strings/str_join.h"': r"absl::StrJoin\b",
    '"absl/strings/str_split.h"': r"absl::(StrSplit|SkipEmpty|ByChar|ByAnyChar|MaxSplits)\b",
    '"absl/strings/string_view.h"': r"absl::string_view\b",
    '"gmock/gmock.h"': r"\b(EXPECT|ASSERT)_THAT\b",
    '"gtest/gtest.h"': r"\b(TEST|TEST_F|TEST_P)\(",
}


def is_test(path):
    return re.search(r"_(test|bench)\.cc$|/testing/", path) is not None


def tracked_files(root):
    """What git tracks or would track; every file where there is no git."""
    git = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if git.returncode == 0:
        names = git.stdout.decode().split("\0")
        return sorted(name for name in set(names) if name and os.path.isfile(os.path.join(root, name)))
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f != ".git" and not f.startswith("bazel-")]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def without_comments_and_strings(line):
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line) if not line.startswith("#include") else line
    return re.sub(r"//.*", "", line)


def exempt(path, scope):
    if isinstance(scope, tuple):
        return path in scope
    if scope == "product":
        return is_test(path)
    if scope == "product but snapshots":  # Whose bytes come from a file.
        return is_test(path) or "snapshot" in os.path.basename(path)
    if scope.startswith("product outside "):
        return is_test(path) or exempt(path, scope[len("product "):])
    if scope.startswith("outside "):
        place = scope[len("outside "):]  # A folder, or a file and its header.
        return path.startswith((place + "/", place + "."))
    return False


def check_banned(path, lines):
    for rooms, pattern, why, scope in BANNED:
        if not path.startswith(rooms) or exempt(path, scope):
            continue
        for number, line in enumerate(lines, 1):
            if re.search(pattern, without_comments_and_strings(line)):
                yield number, "banned", f"{line.strip()}: {why}"


def check_todo(_path, lines):
    for number, line in enumerate(lines, 1):
        if re.search(r"\bTODO\b(?!\((%s)\): )" % "|".join(TODO_KINDS), line):
            yield number, "todo", "write TODO(kind): with a kind of " + ", ".join(TODO_KINDS)


def check_guard(path, lines):
    if not path.endswith(".h"):
        return
    guard = re.sub(r"[/.]", "_", path).upper() + "_"
    if f"#ifndef {guard}" not in lines or f"#define {guard}" not in lines:
        yield 1, "guard", f"expected #ifndef {guard}"


def check_whitespace(_path, lines):
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "whitespace", "blanks at the end of the line"


def check_visibility(path, lines):
    if path.endswith("BUILD.bazel") and not path.startswith(("tools/build_defs/", "tools/deps/")):
        for number, line in enumerate(lines, 1):
            if "//visibility:public" in line:
                yield number, "visibility", "open targets to a package_group of the root BUILD.bazel"


def is_built(name, build):
    """Whether the BUILD.bazel with the text `build` has a target with the file `name` of its package."""
    exclude = r"exclude = \[[^\]]*\]"
    if f'"{name}"' in re.sub(exclude, "", build):
        return True
    if any(f'"{name}"' in excluded for excluded in re.findall(exclude, build)):
        return False
    folder = os.path.dirname(name)
    if name.endswith("_test.cc"):
        return "\ncc_room_tests(" in build and not folder
    if not name.endswith(SOURCE) or name.endswith(("_bench.cc", "_fuzz.cc")):
        return False
    folders = re.findall(r"folders = \[([^\]]*)\]", build)
    return "\ncc_room(" in build and (not folder or any(f'"{folder}"' in names for names in folders))


def unbuilt(root, paths):
    """Sources that no target of their package has."""
    builds = {os.path.dirname(p): read(root, p) for p in paths if os.path.basename(p) == "BUILD.bazel"}
    for path in paths:
        if not path.endswith(BUILDABLE):
            continue
        package = os.path.dirname(path)
        while package and package not in builds:
            package = os.path.dirname(package)
        if not is_built(os.path.relpath(path, package or "."), builds.get(package, "")):
            yield path, 1, "unbuilt", "no target of its package has this file"


def included(text):
    return set(re.findall(r'^#include ([<"][^>"]+[>"])', text, re.MULTILINE))


def not_included(root, paths):
    """Names of precompiled headers that neither the file nor the header of its name nor VERB_INCLUDES includes."""
    known = set(paths)
    for path in paths:
        if not path.endswith(SOURCE) or path.startswith("tools/build_defs/"):
            continue
        text = read(root, path)
        headers = included(text)
        own = re.sub(r"(_test|_bench|_fuzz)?\.cc$", ".h", path)
        if own != path and own in known:
            headers |= included(read(root, own))
        if f'"{VERB_INCLUDES}"' in headers:
            headers |= included(read(root, VERB_INCLUDES))
        lines = [without_comments_and_strings(line) for line in text.split("\n")]
        for header, names in PRECOMPILED.items():
            if header in headers:
                continue
            for number, line in enumerate(lines, 1):
                match = re.search(names, line)
                if match:
                    yield path, number, "include", f"{match[0].rstrip('(')} needs #include {header}"
                    break


def large(root, paths):
    for path in paths:
        size = os.path.getsize(os.path.join(root, path))
        if size > BLOB_BYTES_MAX and not path.startswith("testdata/"):
            yield path, 1, "large", f"{size} bytes; files over {BLOB_BYTES_MAX} belong in testdata/"


def unformatted(root, paths):
    sources = [p for p in paths if p.endswith(SOURCE)]
    if not sources:
        return
    result = subprocess.run(["clang-format-16", "--dry-run", "-Werror", "--style=file"] + sources,
                            cwd=root, capture_output=True, text=True, check=False)
    seen = set()
    for line in result.stderr.splitlines():
        match = re.match(r"(.+?):(\d+):\d+: error: ", line)
        if match and match[1] not in seen:
            seen.add(match[1])
            yield match[1], int(match[2]), "format", f"run clang-format-16 -i {match[1]}"
    if result.returncode != 0 and not seen:
        yield ".", 1, "format", result.stderr.strip()


def unused_words(contributing):
    """The table of CONTRIBUTING.md as {word or phrase: what to write}."""
    table = contributing.partition(WORDS_TABLE)[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (\w.*) \| (.+) \|$", table, re.MULTILINE)
    return {word: write for unused, write in cells for word in unused.split(", ")}


def words(root, paths):
    """The words that CONTRIBUTING.md does not use, in names, comments, messages and documents.

    Splits identifiers and file names into words; finds phrases across the lines of a comment.
    """
    unused = unused_words(read(root, WORDS_FILE)) if WORDS_FILE in paths else {}
    if not unused:
        yield WORDS_FILE, 1, "words", f"no table {WORDS_TABLE}"
        return
    phrases = [re.escape(word).replace(r"\ ", r"[\s/#]+") for word in sorted(unused, key=len, reverse=True)]
    pattern = re.compile(r"(?<!\.)\b(" + "|".join(phrases) + r")\b", re.IGNORECASE)
    for path in paths:
        if WORDS_EXEMPT.match(path):
            continue
        text = read(root, path)
        if path == WORDS_FILE:
            before, table, after = text.partition(WORDS_TABLE)
            rows, end, after = after.partition("\n\n")
            text = before + "\n" * (table + rows + end).count("\n") + after
        text = "\n".join("" if HEX_DUMP.match(line) else line for line in text.split("\n"))
        for number, where in ((1, path), (0, "\n" + text)):
            where = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", where).replace("_", " ")
            for match in pattern.finditer(where):
                word = " ".join(re.split(r"[\s/#]+", match[1].lower()))
                line = number + where.count("\n", 0, match.start())
                yield path, line, "words", f"{word}: write {unused[word]}"


LINE_RULES = {
    SOURCE: (check_banned, check_todo, check_guard, check_whitespace),
    (".bazel", ".bzl", ".py", ".sh", ".capnp", ".md"): (check_todo, check_visibility, check_whitespace),
}
TREE_RULES = (unbuilt, not_included, large, words, unformatted)


def findings(root):
    paths = tracked_files(root)
    for path in paths:
        if path.startswith("tools/lint/"):
            continue  # They name what they ban.
        for endings, rules in LINE_RULES.items():
            if path.endswith(endings):
                lines = read(root, path).split("\n")
                for rule in rules:
                    for number, name, what in rule(path, lines):
                        yield path, number, name, what
    for rule in TREE_RULES:
        yield from rule(root, paths)


def main():
    found = list(findings(sys.argv[1]))
    for path, number, name, what in found:
        print(f"{path}:{number}: {name}: {what}")
    print(f"tidy: {len(found)} findings" if found else "tidy: no findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
