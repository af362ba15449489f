// Counts the instructions that a piece of work takes, so that a test can assert how cost grows
// without measuring time.

#ifndef ENGINE_BASE_TESTING_COUNT_INSTRUCTIONS_H_
#define ENGINE_BASE_TESTING_COUNT_INSTRUCTIONS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace engine {

// Counting stops at this many.
inline constexpr uint64_t kInstructionsMax = 1'000'000;

// The processor traps after every instruction of this thread, and the trap is counted: the same
// number on every run, at up to twenty microseconds an instruction. Not for two threads at a time.
uint64_t CountInstructions(absl::FunctionRef<void()> work);

}  // namespace engine

#endif  // ENGINE_BASE_TESTING_COUNT_INSTRUCTIONS_H_
