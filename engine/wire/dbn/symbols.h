// The symbols of a DBN stream's instruments, each at its days.

#ifndef ENGINE_WIRE_DBN_SYMBOLS_H_
#define ENGINE_WIRE_DBN_SYMBOLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "engine/base/timestamp.h"
#include "engine/wire/dbn/metadata.h"

namespace engine {

// Not thread-safe: owned by the reader of the stream.
class DbnSymbols {
 public:
  // A symbol that two instruments have on one day is none; an instrument with two symbols on one
  // day has the one whose interval begins first. Errors: INVALID_ARGUMENT if a date is not a day.
  static absl::StatusOr<DbnSymbols> Of(const DbnMetadata& metadata);

  // What an instrument is called from one time to another, which is excluded.
  struct Period {
    Timestamp from = Timestamp::Min();
    Timestamp to = Timestamp::Max();
    std::string symbol = {};  // Empty if it has none.

    bool Contains(Timestamp time) const { return from <= time && time < to; }
  };
  // The longest known period around `time`.
  Period Find(uint32_t instrument, Timestamp time) const;

 private:
  // In ascending order, none overlaps.
  absl::flat_hash_map<uint32_t, std::vector<Period>> periods_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_SYMBOLS_H_
