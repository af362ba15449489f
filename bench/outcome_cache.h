// What the reference made of a log, kept from run to run: it is slow, and the same program given
// the same log says the same.

#ifndef BENCH_OUTCOME_CACHE_H_
#define BENCH_OUTCOME_CACHE_H_

#include <optional>
#include <string>

#include "bench/apply_run.h"
#include "engine/base/digest.h"

namespace bench {

class OutcomeCache {
 public:
  // `program` is the digest of the executable: another build asks the reference again.
  OutcomeCache(std::string folder, const engine::Digest& program)
      : folder_(std::move(folder)), program_(program) {}

  // Nullopt: it is not known, or cannot be read.
  std::optional<Outcome> Find(const engine::Digest& log) const;
  // Keeps it if that is possible.
  void Keep(const engine::Digest& log, const Outcome& outcome) const;

 private:
  std::string PathOf(const engine::Digest& log) const;

  const std::string folder_;
  const engine::Digest program_;
};

}  // namespace bench

#endif  // BENCH_OUTCOME_CACHE_H_
