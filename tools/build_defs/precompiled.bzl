"""Precompiled headers: GCC or Clang parses the headers of other projects once for all files."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_COMPILE = "c++-compile"

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    header = ctx.actions.declare_file(ctx.attr.out)
    ctx.actions.symlink(output = header, target_file = ctx.file.src)
    headers = [header] + ctx.files.hdrs

    # Most compilations are position-independent, but not those with -c opt. GCC falls back to the
    # header itself where this does not match. Clang also finds a file whose name ends in .gch.
    compiled = ctx.actions.declare_file(ctx.attr.out + ".gch")
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts + ["-x", "c++-header"],
        quote_include_directories = depset([ctx.label.workspace_root or "."]),
        source_file = header.path,
        output_file = compiled.path,
        use_pic = ctx.var["COMPILATION_MODE"] != "opt",
    )
    ctx.actions.run(
        inputs = depset(headers, transitive = [toolchain.all_files]),
        outputs = [compiled],
        executable = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = _COMPILE,
        ),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = _COMPILE,
            variables = variables,
        ),
        # Clang writes absolute paths: with this, they are the same in every sandbox. Compilations have it as well.
        env = dict(cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = _COMPILE,
            variables = variables,
        ), PWD = "/proc/self/cwd"),
        mnemonic = "PrecompileHeader",
        progress_message = "Precompiling %s" % header.short_path,
    )
    return [
        DefaultInfo(files = depset([header, compiled])),
        CcInfo(compilation_context = cc_common.create_compilation_context(
            headers = depset(headers + [compiled]),
        )),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = "Makes OUT, a header for `-include`, and OUT.gch, its compiled form.",
    attrs = {
        "src": attr.label(allow_single_file = [".h"], mandatory = True),
        "out": attr.string(mandatory = True),
        "copts": attr.string_list(),
        "hdrs": attr.label_list(allow_files = [".h"], doc = "What SRC includes of this repository."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
