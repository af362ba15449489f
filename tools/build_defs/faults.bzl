"""Sources that are broken on purpose: copies of the product's, with faults that a test switches on."""

# No copies of these.
_PROGRAMS = ("_test.cc", "_bench.cc", "_fuzz.cc")

def _faulty_sources_impl(ctx):
    folder = ctx.label.package + "/" + ctx.label.name
    sources = [source for source in ctx.files.srcs if not source.basename.endswith(_PROGRAMS)]
    paths = [source.short_path for source in sources]
    copies = [ctx.actions.declare_file(ctx.label.name + "/" + path) for path in paths + ["faults.h"]]
    args = ctx.actions.args()
    args.add(ctx.file._program)
    args.add("--faults", ctx.file.faults)
    args.add("--namespace", ctx.attr.namespace)
    args.add("--folder", folder)
    args.add("--out", copies[-1].dirname)
    args.add_all(paths)
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = [args],
        inputs = sources + [ctx.file.faults, ctx.file._program],
        outputs = copies,
        mnemonic = "PlantFaults",
        progress_message = "Planting the faults of %s" % ctx.file.faults.short_path,
    )
    return [
        DefaultInfo(files = depset(copies)),
        OutputGroupInfo(
            headers = [copy for copy in copies if copy.extension == "h"],
            sources = [copy for copy in copies if copy.extension == "cc"],
        ),
    ]

_faulty_sources = rule(
    implementation = _faulty_sources_impl,
    attrs = {
        "faults": attr.label(allow_single_file = True),
        "namespace": attr.string(),
        "srcs": attr.label_list(allow_files = [".cc", ".h"]),
        "_program": attr.label(
            allow_single_file = True,
            default = "//tools/build_defs:plant_faults.py",
        ),
    },
)

def faulty_sources(name, srcs, faults, namespace):
    """Copies `srcs` and plants `faults` in them: see plant_faults.py for the file's form.

    The build fails if the text that a fault replaces is not exactly once in its file. A copy's path
    is PACKAGE/NAME/ and the path of its source, and an include of a source names the copy, so that a
    program with copies never uses the sources as well. PACKAGE/NAME/faults.h has `enum class Fault`,
    `kFaults` (fault, name, noticed by, description) and `fault_in_force` in `namespace`.
    NAME_headers and NAME_sources are for a cc_library.
    """
    _faulty_sources(name = name, srcs = srcs, faults = faults, namespace = namespace, testonly = True)
    for group in ("headers", "sources"):
        native.filegroup(
            name = "%s_%s" % (name, group),
            testonly = True,
            srcs = [":" + name],
            output_group = group,
        )
