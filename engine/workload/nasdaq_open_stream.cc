#include "engine/workload/nasdaq_open_stream.h"

#include <cstddef>

// Created by the linker (BUILD.bazel, nasdaq_open_object).
extern "C" const std::byte _binary_nasdaq_open_start[];
extern "C" const std::byte _binary_nasdaq_open_end[];

namespace bench {

engine::Bytes NasdaqOpenStream() { return {_binary_nasdaq_open_start, _binary_nasdaq_open_end}; }

}  // namespace bench
