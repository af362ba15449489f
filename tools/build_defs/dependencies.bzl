"""The repositories that a workspace with Ticktape needs in addition: Debian's packages under upstream's names.

    # WORKSPACE.bazel
    local_repository(
        name = "ticktape",
        path = "../ticktape",
    )

    load("@ticktape//tools/build_defs:dependencies.bzl", "ticktape_dependencies")

    ticktape_dependencies(path = "../ticktape")

The packages are those of tools/deps/packages.txt; C++ is C++20: `build --cxxopt=-std=c++20` and
`build --host_cxxopt=-std=c++20` in .bazelrc.
"""

# Overlays in tools/deps.
_OVERLAYS = [
    "boost",
    "capnp-cpp",
    "cli11",
    "com_github_google_benchmark",
    "com_google_absl",
    "com_google_googletest",
    "libarchive",
    "libedit",
    "ncurses",
    "openssl",
    "rapidcheck",
    "rapidjson",
    "remote_coverage_tools",
    "rules_cc",
    "simdjson",
    "wslay",
    "xxhash",
    "zlib",
    "zstd",
]

# Folders of Debian's bazel packages.
_PACKAGES = {
    "platforms": "/usr/share/bazel/tools/platforms",
    "rules_java": "/usr/share/bazel/rules/java",
}

def ticktape_dependencies(path):
    """Declares what is not declared yet.

    Args:
      path: of Ticktape's folder, as `local_repository` takes it.
    """
    folders = dict(_PACKAGES)
    folders.update({name: path + "/tools/deps/" + name for name in _OVERLAYS})
    for name, folder in folders.items():
        if not native.existing_rule(name):
            native.local_repository(name = name, path = folder)
