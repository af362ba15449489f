// Caches the reference engine's outcome of a log between runs. The reference is slow, and the same
// program produces the same outcome for the same log.

#ifndef BENCH_OUTCOME_CACHE_H_
#define BENCH_OUTCOME_CACHE_H_

#include <optional>
#include <string>
#include <utility>

#include "bench/apply_run.h"
#include "engine/base/digest.h"

namespace bench {

class OutcomeCache {
 public:
  // `program` is the digest of the executable; another build does not use its entries.
  OutcomeCache(std::string folder, const engine::Digest& program)
      : folder_(std::move(folder)), program_(program) {}

  // Nullopt: not in the cache, or unreadable.
  std::optional<Outcome> Find(const engine::Digest& log) const;
  // Stores the outcome; failures are ignored.
  void Keep(const engine::Digest& log, const Outcome& outcome) const;

 private:
  std::string PathOf(const engine::Digest& log) const;

  const std::string folder_;
  const engine::Digest program_;
};

}  // namespace bench

#endif  // BENCH_OUTCOME_CACHE_H_
