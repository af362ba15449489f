"""The C++ rules of this repository: native rules with our warnings, and nothing else."""

_COPTS = [
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wno-sign-conversion",
    "-Werror",
]

def _if_precompiled(values):
    """Clang reads no precompiled headers, so its build checks that each file includes what it uses. Nor
    does link-time optimisation, so the builds that are measured stay as they were."""
    return select({
        "//tools/build_defs:clang": [],
        "//tools/build_defs:link_time_optimisation": [],
        "//conditions:default": values,
    })

def _with_copts(kwargs, headers = "common_headers"):
    """Adds our warnings and the precompiled headers."""
    include = ["-include", "tools/build_defs/precompiled_%s.h" % headers]
    kwargs["copts"] = _COPTS + kwargs.pop("copts", []) + _if_precompiled(include)
    kwargs["deps"] = kwargs.pop("deps", []) + _if_precompiled(["//tools/build_defs:" + headers])
    return kwargs

def cc_library(name, srcs = [], hdrs = [], **kwargs):
    """A library. One of headers only also gets, in the layers build, a source that includes them, so
    that every header is compiled with nothing but its own dependencies in reach."""
    if hdrs and not srcs:
        native.genrule(
            name = name + "_includes",
            outs = [name + "_includes.cc"],
            cmd = "printf '#include \"%s\"\\n' " + " ".join(
                [native.package_name() + "/" + header for header in hdrs],
            ) + " > $@",
            visibility = ["//visibility:private"],
        )
        srcs = select({
            "//tools/build_defs:layers": [name + "_includes.cc"],
            "//conditions:default": [],
        })
    native.cc_library(name = name, srcs = srcs, hdrs = hdrs, **_with_copts(kwargs))

def cc_binary(name, **kwargs):
    native.cc_binary(name = name, **_with_copts(kwargs))

def cc_test(name, **kwargs):
    """A GoogleTest: small unless it says otherwise. No test is about speed, so that none is killed on
    a slow machine, under a sanitizer or beside other work, each may take five minutes."""
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
    """A libFuzzer target: LLVMFuzzerTestOneInput and nothing else. Built only when asked for, with
    --config=fuzz; .ci/fuzz runs all of them, each on the corpus testdata/fuzz/NAME."""
    native.cc_binary(
        name = name,
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = [
            "fuzz",
            "manual",
        ],
        **_with_copts(kwargs)
    )
