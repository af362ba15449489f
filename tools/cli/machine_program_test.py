#!/usr/bin/env python3
"""ticktape --machine PROGRAM: the journal of a run whose strategy only another program has.

Usage: machine_program_test.py TICKTAPE JOINER CHANGED
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

OK, DIFFERENT, USAGE, NOT_COMPARABLE, IO, SKIP = 0, 1, 2, 5, 6, 125
PATIENCE_SECONDS = 10

TICKTAPE, JOINER, CHANGED = (os.path.abspath(path) for path in sys.argv[1:4])
MACHINE = ("--machine", JOINER)


def run(*words, code=OK, program=TICKTAPE):
    """Returns what the program printed and its errors. It ends with `code`."""
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def without_times(text):
    return [line for line in text.splitlines() if " ms" not in line and " s," not in line]


def check_verbs():
    for words in [
        ("replay", "run.tape"),
        ("replay", "run.tape", "--to", "@200", "--emit", "-"),
        ("replay", "run.tape", "--json"),
        ("verify", "run.tape", "--replay"),
        ("cat", "run.tape", "@1..+30"),
        ("inspect", "run.tape", "@100"),
        ("diff", "run.tape", "run.tape"),
        ("diff", "run.tape", "--engine-b", "fast"),
        ("bisect", "run.tape", "--engine-b", "fast", "--cache", ""),
        ("minimize", "run.tape", "--engine-b", "fast"),
    ]:
        by_itself, _ = run(*words, program=JOINER)
        for asked in [MACHINE + words, words + MACHINE, words + ("--machine=" + JOINER,)]:
            printed, _ = run(*asked)
            if "--json" in words:
                assert json.loads(printed)["trace_digest"] == json.loads(by_itself)["trace_digest"]
            else:
                assert without_times(printed) == without_times(by_itself), (asked, printed, by_itself)
    assert "equal to the recorded run's" in run(*MACHINE, "replay", "run.tape")[0]
    assert "new_order" in run(*MACHINE, "replay", "run.tape", "--emit", "-")[0]
    assert "market market=MKT001" in run(*MACHINE, "cat", "run.tape", "@1..+30")[0]
    timed = json.loads(run(*MACHINE, "retime", "run.tape", "--one-run")[0])
    assert timed["schema"] == "ticktape.retime.run/1", timed


def check_two_builds():
    """The exit code is the program's, too."""
    other = ("--engine-b", CHANGED)
    assert "DIFFERENT" in run(*MACHINE, "diff", "run.tape", *other, code=DIFFERENT)[0]
    assert json.loads(run(*MACHINE, "bisect", "run.tape", *other, "--cache", "", "--json", code=DIFFERENT)[0])
    small = json.loads(run(*MACHINE, "minimize", "run.tape", *other, "-o", "small", "--json", code=DIFFERENT)[0])
    assert small["commands"] <= 20, small
    run("--machine", CHANGED, "replay", "run.tape", code=DIFFERENT)


def check_exchange():
    """The exchange is a machine of every ticktape."""
    assert "equal to the recorded run's" in run(*MACHINE, "replay", "flow.tape")[0]


def check_without():
    """What can be done without the machine; the rest says what to give."""
    assert "ticktape strategy joiner" in run("info", "run.tape")[0]
    assert "market market=MKT001" in run("cat", "run.tape", "@1..+30")[0]
    run("verify", "run.tape")
    row, note = run("inspect", "run.tape", "@2")
    assert row.startswith("@2  market") and "--machine PROGRAM" in note, (row, note)
    assert "desk " in run(*MACHINE, "inspect", "run.tape", "@2")[0]
    for code, *words in [
        (NOT_COMPARABLE, "replay"),
        (NOT_COMPARABLE, "verify", "--replay"),
        (NOT_COMPARABLE, "diff", "--engine-b", "fast"),
        (SKIP, "bisect", "--engine-b", "fast"),
        (NOT_COMPARABLE, "minimize", "--engine-b", "fast"),
        (NOT_COMPARABLE, "retime", "--one-run"),
        (NOT_COMPARABLE, "inspect", "--market", "MKT001"),
    ]:
        _, error = run(words[0], "run.tape", *words[1:], code=code)
        assert "'ticktape strategy joiner'" in error and "--machine PROGRAM" in error, (words, error)


def script(name, text, mode=0o755):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(name, mode)
    return os.path.join(".", name)


def refused(program, code, *texts, words=("replay", "run.tape")):
    began = time.monotonic()
    printed, error = run("--machine", program, *words, code=code)
    took = time.monotonic() - began
    assert took < 3 * PATIENCE_SECONDS, (program, took)
    assert printed == "" and error.startswith(f"ticktape {words[0]}: "), (printed, error)
    for text in texts:
        assert text in error, (program, text, error)
    assert len(error) < 8192, len(error)


def check_programs():
    """Programs that are none, or none of ticktape."""
    refused("./missing", IO, "./missing cannot be started", "No such file")
    refused("no-such-program-in-the-path", IO, "cannot be started")
    refused("", IO, "cannot be started")
    refused(".", IO, "cannot be started")
    refused(script("not_executable", "#!/bin/sh\n", 0o644), IO, "not_executable cannot be started")
    refused(script("no_program", "words\n"), IO, "no_program cannot be started")
    no = "it is not a ticktape: "
    refused("true", USAGE, "--machine true: " + no)
    refused("false", USAGE, no + "exit code 1")
    refused("cat", USAGE, no)
    refused("echo", USAGE, no + "event stream")
    refused(script("dies", "#!/bin/sh\nkill -SEGV $$\n"), USAGE, no + "killed by signal 11")
    refused(script("flood", "#!/bin/sh\nexec yes\n"), USAGE, no + "event stream")
    refused(script("zeros", "#!/bin/sh\nexec cat /dev/zero\n"), USAGE, no + "event stream")
    refused(script("long_words", "#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x >&2\nexit 2\n"), USAGE, no + "exit code 2")
    refused(script("escape", "#!/bin/sh\nprintf '\\033[2J' >&2\nexit 2\n"), USAGE, "\\x1b[2J")
    # The last sends a frame of 100 MB, a byte at a time.
    endless = {
        "hangs": "exec sleep 100",
        "closes": "exec sleep 100 >&- 2>&-",
        "slow": "printf '\\000\\000\\000\\006\\001\\000\\000\\000'\nwhile sleep 0.1; do printf x; done",
    }
    for name, text in endless.items():
        script(name, f"#!/bin/sh\n{text}\n")
    with concurrent.futures.ThreadPoolExecutor() as threads:
        list(threads.map(lambda name: refused(f"./{name}", USAGE, f"{no}./{name} does not answer"), endless))
    # Nothing that was refused has run the verb.
    ran = script("notes", "#!/bin/sh\necho \"$1\" >> ran.txt\n")
    refused(ran, USAGE, no)
    with open("ran.txt", encoding="utf-8") as file:
        assert file.read() == "engine-server\n"
    # Also where the journal cannot be read, and where there is none.
    refused("true", USAGE, no, words=("replay", "missing.tape"))
    _, error = run(*MACHINE, "replay", "missing.tape", code=IO)
    assert "missing.tape" in error, error


def check_other_machines():
    refused(TICKTAPE, NOT_COMPARABLE, "it has no machine 'ticktape strategy joiner', which run.tape names")
    for words in [("diff", "flow.tape", "run.tape"), ("verify", "flow.tape", "run.tape")]:
        refused(TICKTAPE, NOT_COMPARABLE, "which run.tape names", words=words)
    _, error = run("--machine", TICKTAPE, "replay", "run.tape", "--json", code=NOT_COMPARABLE)
    assert "no machine" in error


def check_usage():
    def wrong(text, *words):
        _, error = run(*words, code=USAGE)
        assert text in error, (words, error)

    wrong("it takes no --machine, as cat, replay", *MACHINE, "seal", "run.tape")
    wrong("no option '--machine'", "seal", "run.tape", *MACHINE)
    wrong("no verb 'repaly'; did you mean 'replay'?", *MACHINE, "repaly", "run.tape")
    wrong("--machine", "--machine")
    wrong("--machine", "replay", "run.tape", "--machine")
    wrong("journal is required", *MACHINE, "replay")
    assert "--machine PROGRAM" in run("replay", "--help")[0]
    assert "--machine PROGRAM" in run("--help")[0]
    # After -- it is a word like others.
    _, error = run("replay", "--", "--machine", code=IO)
    assert "--machine" in error, error


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        os.chdir(folder)
        run("record", "-o", "flow.tape", "--from", "workload", "--commands", "30k", "--seed", "3")
        run("backtest", "joiner", "flow.tape", "--data-latency", "50us", "--order-latency", "80us", "-o", "run.tape",
            program=JOINER)
        check_verbs()
        check_two_builds()
        check_exchange()
        check_without()
        check_programs()
        check_other_machines()
        check_usage()
    print("passed")


if __name__ == "__main__":
    main()
