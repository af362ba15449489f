"""Tests that a journal stands for, in this workspace or in another one.

    load("@ticktape//tools/build_defs:ticktape.bzl", "ticktape_golden_test")

    ticktape_golden_test(
        name = "opening_golden",
        journal = ["opening.tape/segment-000000.tape"],  # Or a glob, or a filegroup of such files.
        expect = "opening.golden",
    )

A journal is the files of its folder: a label, or a list of labels and globs. An engine is "fast",
"reference", or the label of a program: another ticktape, or with `engine_args` any that speaks
replay/compare/EVENT_STREAM.md.
"""

_PROGRAM = Label("//tools/build_defs:ticktape")
_STRATEGY = [Label("//tools/build_defs:program"), Label("//tools/build_defs:strategy")]
_RUNNER = Label("//tools/build_defs:run_ticktape.sh")
_ENGINES = ("fast", "reference")

def _files(journal):
    return [journal] if type(journal) == "string" else journal

# Words of the runner that stand for the folder in which these files are.
def _folder(files):
    return ["@folder"] + ["$(rootpaths %s)" % file for file in files] + ["@end"]

# For glob()s, which are files of this package: their labels make sure that they are.
def _labels(files):
    return [file if file.startswith((":", "/", "@")) else ":" + file for file in files]

def _engine(engine, engine_args):
    """The word that names an engine, and what must be there to run it."""
    if engine in _ENGINES:
        if engine_args:
            fail("engine '%s' takes no arguments" % engine)
        return [engine], []
    return ["@program", "$(rootpath %s)" % engine] + engine_args + ["@end"], [engine]

# Bazel takes no label twice.
def _once(labels):
    return {str(label): None for label in labels}.keys()

def _test(name, words, data, **kwargs):
    kwargs.setdefault("size", "small")
    kwargs.setdefault("timeout", "moderate")
    native.sh_test(
        name = name,
        srcs = [_RUNNER],
        args = ["$(rootpath %s)" % _PROGRAM] + words,
        data = _once([_PROGRAM] + data),
        **kwargs
    )

def ticktape_golden_test(name, journal, expect, engine = "fast", engine_args = [], **kwargs):
    """Replays a journal and compares it with what is expected of it.

    A failure names the first command that does not do what it did, its events, and the command line
    that accepts them: `bazel run :NAME.update -- --reason TEXT`.

    Args:
      name: of the test; NAME.update is the program that changes the expectation.
      journal: its files.
      expect: the expectation, as `ticktape golden add` writes it.
      engine: "fast", "reference" or a program.
      engine_args: its arguments; without, it is started as another ticktape is.
      **kwargs: as of any test.
    """
    files = _labels(_files(journal))
    engine_words, engine_data = _engine(engine, engine_args)
    words = ["@source", "$(rootpath %s)" % expect, "--journal"] + _folder(files) + ["--engine"] + engine_words
    hint = "bazel run //%s:%s.update -- --reason TEXT" % (native.package_name(), name)
    _test(
        name = name,
        words = ["golden", "check", "--update-hint", "'%s'" % hint] + words,
        data = files + [expect] + engine_data,
        **kwargs
    )
    native.sh_binary(
        name = name + ".update",
        testonly = True,
        srcs = [_RUNNER],
        args = ["$(rootpath %s)" % _PROGRAM, "golden", "update"] + words,
        data = _once([_PROGRAM, expect] + files + engine_data),
        tags = ["manual"],
    )

def ticktape_differential_test(
        name,
        journal,
        engine_a = "fast",
        engine_b = "reference",
        engine_a_args = [],
        engine_b_args = [],
        state_every = 4096,
        **kwargs):
    """Puts a journal to two engines; a failure is the report of `ticktape diff`.

    Args:
      name: of the test.
      journal: its files.
      engine_a: "fast", "reference" or a program.
      engine_b: the other.
      engine_a_args: its arguments; without, it is started as another ticktape is.
      engine_b_args: its arguments.
      state_every: commands from one comparison of states to the next; 1 misses nothing.
      **kwargs: as of any test.
    """
    files = _labels(_files(journal))
    words_a, data_a = _engine(engine_a, engine_a_args)
    words_b, data_b = _engine(engine_b, engine_b_args)
    _test(
        name = name,
        words = ["diff"] + _folder(files) + ["--state-every", str(state_every)] +
                ["--engine-a"] + words_a + ["--engine-b"] + words_b,
        data = files + data_a + data_b,
        **kwargs
    )

def ticktape_latency_test(
        name,
        journal,
        baseline,
        threshold_percent = None,
        runs = 10,
        gate = "typical",
        engine = "fast",
        count = False,
        **kwargs):
    """Times a journal and compares with runs that were kept: `ticktape retime --save`.

    Manual and exclusive, because a time is of a machine and of what else that does. `worse` fails. A
    baseline of another machine or build is refused, which fails. An inconclusive comparison passes, and says
    so: look at the log for INCONCLUSIVE.

    With `count` it counts instructions under valgrind, which are equal on every machine: then it is a test like
    any other, of a baseline that `ticktape retime --count --save` made with the same compiler and flags.

    Args:
      name: of the test.
      journal: its files.
      baseline: the file, made on the machine that the test runs on.
      threshold_percent: what counts as a difference; 3, of instructions 1.
      runs: how many; at least 10. Not with `count`, as the next.
      gate: what is judged: typical, p99, p99-latency, with commas.
      engine: "fast" or "reference".
      count: whether instructions are counted.
      **kwargs: as of any test.
    """
    files = _labels(_files(journal))
    kwargs.setdefault("timeout", "long")
    tags = kwargs.pop("tags", [])
    words = ["--count"] if count else ["--runs", str(runs), "--gate", gate]
    if threshold_percent != None:
        words += ["--threshold", str(threshold_percent)]
    _test(
        name = name,
        words = ["retime"] + _folder(files) + ["--baseline", "$(rootpath %s)" % baseline] +
                ["--engine", engine] + words,
        data = files + [baseline],
        tags = tags + ([] if count else ["exclusive", "manual"]),
        **kwargs
    )

def ticktape_schema_compat_test(name, journal = None, schema = None, allow_renames = False, **kwargs):
    """What an old journal's records are made of must be what today's program reads, and at most more.

    Args:
      name: of the test.
      journal: its files; or else
      schema: a schema that `ticktape schema save` wrote.
      allow_renames: whether another name for the same bytes passes.
      **kwargs: as of any test.
    """
    if (journal == None) == (schema == None):
        fail("a journal or a schema, and not both")
    files = _labels(_files(journal if journal != None else schema))
    where = _folder(files) if journal != None else ["$(rootpath %s)" % files[0]]
    _test(
        name = name,
        words = ["schema", "compat"] + where + (["--allow-renames"] if allow_renames else []),
        data = files,
        **kwargs
    )

def ticktape_strategy(name, srcs, deps = [], **kwargs):
    """A strategy as a program: `ticktape` with this strategy in it.

    Its verbs know the strategy: `NAME backtest STRATEGY MARKET` runs it, `NAME replay RUN`, `diff`, `bisect`,
    `minimize` and `retime` drive it over the journal of a run.

    Args:
      name: of the program.
      srcs: sources, one of which ends with TICKTAPE_STRATEGY("name", Class): tools/strategy/registry.h.
      deps: what they need besides `tools/strategy` and what that has.
      **kwargs: as of any cc_binary.
    """
    native.cc_binary(
        name = name,
        srcs = srcs,
        deps = [str(label) for label in _STRATEGY] + deps,
        **kwargs
    )
