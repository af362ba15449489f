"""The C++ rules of this repository: native rules with our warnings, and nothing else."""

_COPTS = [
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wno-sign-conversion",
    "-Werror",
]

# What tests run is optimised a little, which halves their time; the tests are not, for the compiler's time.
OPTIMISED = select({
    "//tools/build_defs:fastbuild": ["-O1"],
    "//conditions:default": [],
})

def _if_precompiled(values):
    """Link-time optimisation reads no precompiled headers, so the builds that are measured do without."""
    return select({
        "//tools/build_defs:link_time_optimisation": [],
        "//conditions:default": values,
    })

def _with_copts(kwargs, headers = "common_headers"):
    """Adds our warnings and the precompiled headers. The lint checks that a file includes what it uses of these."""
    repository = native.repository_name()[1:]  # Empty, unless another workspace uses this one.
    folder = "external/%s/" % repository if repository else ""
    include = ["-include", "$(BINDIR)/%stools/build_defs/precompiled_%s.h" % (folder, headers)]
    if headers == "common_headers":
        kwargs["copts"] = kwargs.pop("copts", []) + OPTIMISED
    kwargs["copts"] = _COPTS + kwargs.pop("copts", []) + _if_precompiled(include)
    kwargs["deps"] = kwargs.pop("deps", []) + _if_precompiled(["//tools/build_defs:" + headers])
    return kwargs

def cc_library(name, srcs = [], hdrs = [], **kwargs):
    """A library. A header without a source of its name also gets, in the sanitizers' build, a source that
    includes it, so that every header is compiled on its own."""
    alone = [h for h in hdrs if ":" not in h and h.endswith(".h") and h[:-2] + ".cc" not in srcs]
    for header in alone:
        native.genrule(
            name = "%s_%s_alone" % (name, header),
            outs = ["%s_%s_alone.cc" % (name, header)],
            cmd = "echo '#include \"%s/%s\"' > $@" % (native.package_name(), header),
            visibility = ["//visibility:private"],
        )
    native.cc_library(
        name = name,
        srcs = srcs + (select({
            "//tools/build_defs:sanitizers": ["%s_%s_alone.cc" % (name, header) for header in alone],
            "//conditions:default": [],
        }) if alone else []),
        hdrs = hdrs,
        **_with_copts(kwargs)
    )

# Sources of a folder that are programs of their own.
_PROGRAMS = ["*_test.cc", "*_bench.cc", "*_fuzz.cc"]

def cc_room(name, exclude = [], folders = [], **kwargs):
    """All sources and headers of a folder and of its `folders`, except tests, benches, fuzz targets and
    `exclude`, as one library."""
    places = [""] + [folder + "/" for folder in folders]
    cc_library(
        name = name,
        srcs = native.glob([place + "*.cc" for place in places], exclude = _PROGRAMS + exclude),
        hdrs = native.glob([place + "*.h" for place in places], exclude = exclude),
        **kwargs
    )

def cc_room_tests(deps, exclude = [], **kwargs):
    """A test of its own name for each *_test.cc of a folder, except `exclude`."""
    for source in native.glob(["*_test.cc"], exclude = exclude):
        cc_test(name = source[:-len(".cc")], srcs = [source], deps = deps, **kwargs)

def cc_binary(name, **kwargs):
    native.cc_binary(name = name, **_with_copts(kwargs))

def cc_test(name, **kwargs):
    """A GoogleTest: small unless it says otherwise. No test is about speed, so that none is killed on
    a slow machine, under a sanitizer or under other load, each may take five minutes."""
    kwargs.setdefault("size", "small")
    kwargs.setdefault("timeout", "moderate")
    native.cc_test(name = name, **_with_copts(kwargs, "test_headers"))

def cc_bench(name, deps, smoke_args = ["--benchmark_min_time=0.001"], **kwargs):
    """A Google Benchmark program, and NAME_smoke, a test that runs it at its smallest size."""
    native.cc_binary(
        name = name,
        testonly = True,
        **_with_copts(dict(kwargs, deps = deps + ["@com_github_google_benchmark//:benchmark_main"]))
    )
    native.sh_test(
        name = name + "_smoke",
        size = "small",
        srcs = ["//tools/build_defs:run_quietly.sh"],
        args = ["$(location :%s)" % name] + smoke_args,
        data = [":" + name],
    )

def cc_fuzz(name, **kwargs):
    """A libFuzzer target: LLVMFuzzerTestOneInput and nothing else. Every build compiles it, as NAME_code; only
    --config=fuzz links the program. .ci/fuzz runs all of them, each on the corpus testdata/fuzz/NAME."""
    cc_library(
        name = name + "_code",
        testonly = True,
        alwayslink = True,
        **kwargs
    )
    native.cc_binary(
        name = name,
        testonly = True,
        deps = [":" + name + "_code"],
        linkopts = ["-fsanitize=fuzzer"],
        tags = [
            "fuzz",
            "manual",
        ],
    )
