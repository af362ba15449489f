// The judgements of `doctor --latency`: what may interrupt a thread on a core, what that costs, and
// how to change it. Pure functions, so that every sentence can be tested.

#ifndef TOOLS_CLI_MAINTENANCE_ISOLATION_H_
#define TOOLS_CLI_MAINTENANCE_ISOLATION_H_

#include <vector>

#include "tools/cli/maintenance/examination.h"
#include "tools/os/core_facts.h"

namespace tools {

// One core, while a thread spun on it.
struct SpunCore {
  int core = 0;
  Hiccups hiccups = {};
  CoreCounts before = {};
  CoreCounts after = {};
};

// Of the cores of `facts`, in the order in which they are to be read. `spun`: the same cores.
std::vector<Diagnosis> ExamineIsolation(const IsolationFacts& facts,
                                        const std::vector<SpunCore>& spun);

}  // namespace tools

#endif  // TOOLS_CLI_MAINTENANCE_ISOLATION_H_
