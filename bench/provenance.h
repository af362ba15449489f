// Describes how a result was measured: the machine, the build and the commit.

#ifndef BENCH_PROVENANCE_H_
#define BENCH_PROVENANCE_H_

#include <string>
#include <vector>

#include "engine/base/digest.h"

namespace bench {

struct Provenance {
  std::string command;     // As typed.
  std::string build;       // "ticktape 0.1.0, g++ 12.2.0, optimised".
  std::string commit;      // Of the work tree that `bazel run` was called in, or "unknown".
  std::string machine;     // "AMD EPYC, 2 cores".
  engine::Digest program;  // Of the executable's bytes.
};

Provenance FindProvenance(const std::vector<std::string>& arguments);

}  // namespace bench

#endif  // BENCH_PROVENANCE_H_
