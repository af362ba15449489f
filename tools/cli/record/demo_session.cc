#include "tools/cli/record/demo_session.h"

// Created by the linker from the file (BUILD.bazel, demo_session_object).
extern "C" const std::byte _binary_demo_session_start[];
extern "C" const std::byte _binary_demo_session_end[];

namespace tools {

engine::Bytes DemoSession() { return {_binary_demo_session_start, _binary_demo_session_end}; }

}  // namespace tools
