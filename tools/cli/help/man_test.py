#!/usr/bin/env python3
"""Every verb, option and argument of the program's own help stands in its manual page.

Usage: man_test.py PROGRAM
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def section(text, title):
    """The lines of a part of a help, up to the next empty line."""
    found = re.search(rf"^{title}:\n((?:.+\n)*)", text, re.MULTILINE)
    return found.group(1) if found else ""


def escaped(text):
    return text.replace("-", "\\-")


def check(program, path, page):
    """Returns how many names were looked for."""
    text = run(program, *path, "--help")
    heading = f'.SS "{escaped(" ".join(["ticktape", *path]))}"\n'
    if path:
        assert heading in page, f"the page has no section {heading}"
        page = page.split(heading, 1)[1].split(".SS ", 1)[0]
    names = re.findall(r"--[a-z][a-z-]*", "".join(re.findall(
        r"^  (?:-\w,)?--[a-z-]+", section(text, "Options"), re.MULTILINE)))
    for name in names:
        if path and name != "--help":
            assert f"\\fB{escaped(name)}\\fR" in page, f"{path} has {name}, the page does not"
    return len(names)


def commands(program, path):
    text = run(program, *path, "--help")
    return re.findall(r"^  ([a-z][a-z-]*)", section(text, "Subcommands"), re.MULTILINE)


def main():
    program = sys.argv[1]
    page = run(program, "man")
    verbs = commands(program, [])
    assert len(verbs) > 20, verbs
    options = page.split(".SH OPTIONS\n", 1)[1].split(".SH ", 1)[0]
    assert f"\\fB{escaped('--machine')}\\fR" in options, options
    looked_for = 0
    for verb in verbs:
        looked_for += check(program, [verb], page)
        for command in commands(program, [verb]):
            looked_for += check(program, [verb, command], page)
    assert looked_for > 100, looked_for
    # What must be given, and what is taken where it is not.
    cut = page.split('.SS "ticktape cut"\n', 1)[1].split(".SS ", 1)[0]
    output = cut.split("\\fB\\-\\-output\\fR", 2)[2].split(".TP", 1)[0]
    assert output.rstrip().endswith("Required."), output
    assert cut.count("Required.") == 1, "only what is required"
    minimize = page.split('.SS "ticktape minimize"\n', 1)[1].split(".SS ", 1)[0]
    assert "Default: 60." in minimize, minimize
    # No line begins a request that was not meant to.
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests <= {'.\\"', ".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi"}, requests
    with tempfile.TemporaryDirectory() as folder:
        run(program, "man", "-o", folder)
        check_pages(program, verbs, folder)


def check_pages(program, verbs, folder):
    """A page for each verb, with all sections, that a formatter takes without a warning."""
    assert sorted(os.listdir(folder)) == sorted(["ticktape.1", *(f"ticktape-{verb}.1" for verb in verbs)])
    for verb in verbs:
        with open(os.path.join(folder, f"ticktape-{verb}.1"), encoding="utf-8") as file:
            page = file.read()
        assert page == run(program, "man", verb)
        for title in ("NAME", "SYNOPSIS", "OPTIONS", '"EXIT STATUS"', '"ENVIRONMENT"', '"FILES"', "SEE ALSO"):
            assert f"\n.SH {title}\n" in page, (verb, title)
        names = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", section(run(program, verb, "--help"), "Options"), re.MULTILINE)
        for name in names:
            assert name == "--help" or f"\\fB{escaped(name)}\\fR" in page, (verb, name)
    record = run(program, "man", "record")
    assert "segment\\-NNNNNN.tape" in record and "minimize" not in record.split('"EXIT STATUS"')[1], record
    for name in sorted(os.listdir(folder)):
        for checker in (["groff", "-ww", "-man", "-Tascii", "-z"], ["mandoc", "-Tlint", "-Wwarning"]):
            if shutil.which(checker[0]):
                path = os.path.join(folder, name)
                result = subprocess.run([*checker, path], capture_output=True, text=True, check=False)
                assert not result.stdout + result.stderr, result.stdout + result.stderr


main()
