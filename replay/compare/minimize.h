// Minimizes a failing log: delta debugging that keeps the log meaningful.
//
//   1,000,000 records
//     │  cut after the failure; remove stretches of time, then single records
//     ▼
//   9 records that fail in the same way (failure_class.h)
//
// Every candidate is renumbered and tried. Deterministic: the same log, machines and seed give the
// same result, unless time runs out. minimize_commands.h knows more about the exchange's logs.

#ifndef REPLAY_COMPARE_MINIMIZE_H_
#define REPLAY_COMPARE_MINIMIZE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/prng.h"
#include "replay/compare/failure_check.h"
#include "replay/log_source.h"

namespace replay {

struct MinimizeOptions {
  // Chooses which of several equal candidates is tried first. Another seed may find another small
  // log.
  uint64_t seed = 0;
  // Called before each candidate and every 4,096 records of one; null: no limit. Once it returns
  // true, the best log so far is the result.
  std::function<bool()> out_of_time = nullptr;
  // Called after each candidate with the records left and the candidates tried; may be null.
  std::function<void(size_t, uint64_t)> progress = nullptr;
};

struct Minimized {
  Log log;  // Fails at its last record.
  uint64_t tried = 0;
  bool complete = true;  // False: time ran out, and a smaller log may exist.
};

// REQUIRES: `log` fails in the way of `test`, and at test.fails_at() if that is known. Errors:
// FAILED_PRECONDITION if it does not; those of `test`.
absl::StatusOr<Minimized> Minimize(Log log, FailureTest& test, const MinimizeOptions& options = {});

// A record of a log from which others can be removed. A regular value type.
struct LogItem {
  uint64_t key = 0;  // Its sequence number in the original log.
  LogEntry entry;    // Names other records, such as orders, by keys.
};
using LogItems = std::vector<LogItem>;

LogItems ToItems(Log log);

// One minimization. What is particular to an application overrides the virtual functions. Not
// thread-safe: owned by its caller. `test` outlives it.
class Minimizer {
 public:
  Minimizer(Log log, FailureTest& test, const MinimizeOptions& options);
  virtual ~Minimizer();
  Minimizer(const Minimizer&) = delete;
  Minimizer& operator=(const Minimizer&) = delete;

  // Call it once. Errors: as Minimize().
  absl::StatusOr<Minimized> Run();

 protected:
  // Sets of item indices that are removed together.
  using Units = std::vector<std::vector<size_t>>;

  // Tries to replace the log by a much smaller one in one step, before a run of the whole log.
  virtual absl::StatusOr<bool> Guess(const Log&) { return false; }
  // The same after the whole log was seen to fail; `items()` are all of it.
  virtual absl::Status GuessFromAll() { return absl::OkStatus(); }
  // Called with the items of the whole log.
  virtual void Learn(const LogItems&) {}
  // Removes records that belong together.
  virtual absl::Status RemoveGroups() { return absl::OkStatus(); }
  // Makes the record at index `i` simpler, without removing it.
  virtual absl::Status SimplifyItem(size_t /*i*/) { return absl::OkStatus(); }
  // Returns the log of these items, in their order, renumbered.
  virtual Log ToLog(const LogItems& items) const;

  const LogItems& items() const { return items_; }
  FailureTest& test() { return test_; }
  const MinimizeOptions& options() const { return options_; }
  bool time_is_up() const { return time_is_up_; }

  // If `items` fail in the same way, keeps them up to the failure.
  absl::StatusOr<bool> Try(LogItems items);

  // Whether time ran out during a run of a log.
  bool GaveUp(const absl::Status& status) { return absl::IsDeadlineExceeded(status) && TimeIsUp(); }

  // Groups items by a number that they share; zero belongs to no group. The last item stays.
  template <typename NumberOf>
  Units Group(NumberOf number_of) const {
    std::map<uint64_t, std::vector<size_t>> groups;
    for (size_t i = 0; i + 1 < items_.size(); ++i) {
      const uint64_t number = number_of(items_[i]);
      if (number != 0) groups[number].push_back(i);
    }
    Units units;
    for (auto& [number, indices] : groups) units.push_back(std::move(indices));
    return units;
  }

  // Removes as many units as possible: first many together, finally one at a time, until no single
  // unit can be removed.
  absl::Status Remove(const std::function<Units()>& make_units);

 private:
  Minimized Result(Log log) const;
  bool TimeIsUp();
  absl::Status StartFromAll();
  absl::Status RemoveAll();
  Units Stretches() const;
  LogItems Without(const Units& units, size_t begin, size_t end) const;
  absl::Status Simplify();

  FailureTest& test_;
  const MinimizeOptions options_;
  engine::Prng prng_;
  Log log_;  // Until there are items.
  LogItems items_;
  uint64_t tried_ = 0;
  bool time_is_up_ = false;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_MINIMIZE_H_
