"""Cap'n Proto schemas compiled to C++ by the capnp of the package `capnproto`."""

def cc_capnp_library(name, src, testonly = False, **kwargs):
    """The generated C++ of one .capnp file."""
    native.genrule(
        name = name + "_generated",
        testonly = testonly,
        srcs = [src],
        outs = [src + ".h", src + ".c++"],
        cmd = "/usr/bin/capnp compile -o/usr/bin/capnpc-c++:$(@D) --src-prefix=$$(dirname $<) $<",
        message = "Compiling schema",
        visibility = ["//visibility:private"],
    )
    native.cc_library(
        name = name,
        testonly = testonly,
        srcs = [src + ".c++"],
        hdrs = [src + ".h"],
        deps = ["@capnp-cpp//src/capnp"],
        **kwargs
    )
