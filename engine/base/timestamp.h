// A point in log time: nanoseconds since 1970-01-01T00:00:00Z, as stamped by the sequencer.

#ifndef ENGINE_BASE_TIMESTAMP_H_
#define ENGINE_BASE_TIMESTAMP_H_

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace engine {

// A regular value type. Text form: RFC 3339 in UTC with nine decimals,
// "2020-01-30T09:30:00.123456789Z".
class Timestamp {
 public:
  constexpr Timestamp() = default;
  static constexpr Timestamp FromNanos(int64_t nanos) { return Timestamp(nanos); }
  static constexpr Timestamp Min() { return Timestamp(INT64_MIN); }
  static constexpr Timestamp Max() { return Timestamp(INT64_MAX); }
  constexpr int64_t nanos() const { return nanos_; }

  std::string ToString() const;

  // Accepts the text form with zero to nine decimals, with a blank instead of the T, and with an
  // offset from UTC, such as -05:00, instead of the Z. Errors: INVALID_ARGUMENT for any other text,
  // and for times outside 1678..2261.
  static absl::StatusOr<Timestamp> Parse(absl::string_view text);

  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;
  friend std::ostream& operator<<(std::ostream& out, Timestamp time) {
    return out << time.ToString();
  }

 private:
  explicit constexpr Timestamp(int64_t nanos) : nanos_(nanos) {}
  int64_t nanos_ = 0;
};

}  // namespace engine

#endif  // ENGINE_BASE_TIMESTAMP_H_
