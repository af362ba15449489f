// The numbers that a strategy is tuned with: named, within a range, changed by records only.
//
//   Parameter half_spread_{*this, "half_spread", {.decimals = 4, .value = 100, .low = 0, ...}};
//
//   "0.0100" ─► 100 units ─► an input kParameter ─► half_spread_.value()

#ifndef TOOLS_STRATEGY_PARAMETERS_H_
#define TOOLS_STRATEGY_PARAMETERS_H_

#include <cstdint>
#include <deque>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace strategy {

// A whole number of units; a unit has `decimals` decimals, as prices and quantities of markets do.
struct ParameterTerms {
  int decimals = 0;   // At most engine::kDecimalsMax.
  int64_t value = 0;  // Until a record changes it.
  int64_t low = 0;
  int64_t high = 1'000'000'000'000;
  absl::string_view summary = {};  // For --help.
};

// All parameters of a strategy. Not thread-safe: owned by the strategy.
class Parameters {
 public:
  struct Entry {
    std::string name;
    ParameterTerms terms;
    int64_t value = 0;
  };

  Parameters() = default;
  Parameters(const Parameters&) = delete;  // Entries are pointed to.
  Parameters& operator=(const Parameters&) = delete;

  // Valid as long as this. REQUIRES: a new name; low <= value <= high.
  const Entry& Add(absl::string_view name, const ParameterTerms& terms);

  // In the order in which they were added.
  const std::deque<Entry>& all() const { return all_; }

  // Null if there is none of that name.
  const Entry* Find(absl::string_view name) const;

  // Errors: INVALID_ARGUMENT with all names, or with the range. Nothing has changed then.
  absl::Status Set(absl::string_view name, int64_t value);

  // The value that "half_spread=0.01" gives a parameter. Errors: those of Set(), and if it
  // is no such text.
  struct Assignment {
    std::string name;
    int64_t value = 0;
  };
  absl::StatusOr<Assignment> Parse(absl::string_view text) const;

 private:
  absl::Status Check(absl::string_view name, int64_t value) const;

  std::deque<Entry> all_;
};

// The text of a value: "0.0100".
std::string ParameterText(const Parameters::Entry& entry, int64_t value);

}  // namespace strategy

#endif  // TOOLS_STRATEGY_PARAMETERS_H_
