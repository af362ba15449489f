// A run of a plan for a profiler that counts instructions, such as valgrind's callgrind.
//
//   command ─► the function of its class ─► Driver::Apply
//
// The commands of each class are applied through a function of their own, so the call graph has
// what each class cost, and no clock is read.

#ifndef REPLAY_RETIME_COUNTED_RUN_H_
#define REPLAY_RETIME_COUNTED_RUN_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "replay/machine.h"
#include "replay/retime/retime_plan.h"

namespace replay {

inline constexpr size_t kCountedClassesMax = 512;

// A pattern for the names of the functions.
inline constexpr absl::string_view kCountedFunctions = "*ApplyOfCountedClass*";

// The class, as an index into RetimePlan::classes, whose function has this name; demangled. Empty
// for all other functions.
std::optional<size_t> CountedClassOf(absl::string_view function);

// Applies all commands; those before `timed_from` through no such function. REQUIRES: `machine` is
// new and of the kind that the plan was made with; the plan has at most kCountedClassesMax classes.
void RunCounted(const RetimePlan& plan, Machine& machine);

}  // namespace replay

#endif  // REPLAY_RETIME_COUNTED_RUN_H_
