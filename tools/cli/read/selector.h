// Selects records: positions and ranges, in the same syntax for every verb.
//
//   position  1234567  @1234567                       that record
//             @-1                                     the last; @-1000 the thousandth from the end
//             @2026-08-22T09:30:00.123456789Z         the first record at or after that time
//             @+5s                                    ... at or after the journal's first time plus
//                                                     5 s (ns, us, ms, s, m, h)
//             @order:998877                           the command that created the order
//   range     A..B   A..   ..B   ..   A (just that record)
//             A..+500                                 500 records from A
//             A..+10ms                                those of the 10 ms that begin with A
//
// Both ends of a range are included. A time as the end of a range means the last record that is not
// after it. Parsing needs no journal; resolving does.

#ifndef TOOLS_CLI_READ_SELECTOR_H_
#define TOOLS_CLI_READ_SELECTOR_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/reader.h"

namespace tools {

// A regular value type.
struct Position {
  enum class Kind {
    kSequence,    // `number`; for an order, the sequence number of its command.
    kFromEnd,     // `number` is 1 for the last record.
    kTime,        // `time`.
    kSinceStart,  // `number` nanoseconds after the journal's first time.
  };
  Kind kind = Kind::kSequence;
  uint64_t number = 0;
  engine::Timestamp time;

  friend bool operator==(const Position&, const Position&) = default;
};

// A regular value type.
struct Range {
  std::optional<Position> first;       // Nullopt: from the journal's first record.
  std::optional<Position> last;        // Nullopt: up to what follows, or the journal's last record.
  std::optional<uint64_t> count;       // At least 1; only without `last`. Cut at the journal's end.
  std::optional<uint64_t> nanos = {};  // After `first`; only without `last` and `count`.

  friend bool operator==(const Range&, const Range&) = default;
};

// Errors: INVALID_ARGUMENT with the text and what was expected.
absl::StatusOr<Position> ParsePosition(absl::string_view text);
absl::StatusOr<Range> ParseRange(absl::string_view text);

// Returns what a user typed where only a position is possible, with one '@', which may have been
// left out.
std::string MarkedPosition(absl::string_view typed);

// Records first to last, both included. Empty if last < first, which only an empty journal gives. A
// regular value type.
struct SequenceRange {
  engine::SequenceNumber first;
  engine::SequenceNumber last;

  bool empty() const { return last < first; }
  uint64_t record_count() const { return empty() ? 0 : last - first + 1; }

  friend bool operator==(const SequenceRange&, const SequenceRange&) = default;
};

// Finds the records in a journal. Leaves the reader at an unspecified position. Errors:
// OUT_OF_RANGE with the journal's range, INVALID_ARGUMENT for a range that runs backwards, the
// reader's.
absl::StatusOr<engine::SequenceNumber> Resolve(const Position& position, journal::Reader& reader);
absl::StatusOr<SequenceRange> Resolve(const Range& range, journal::Reader& reader);

// Parses and resolves.
absl::StatusOr<engine::SequenceNumber> ResolvePosition(absl::string_view text,
                                                       journal::Reader& reader);
// The same; an empty `text` is the whole journal.
absl::StatusOr<SequenceRange> ResolveRange(const std::string& text, journal::Reader& reader);

}  // namespace tools

#endif  // TOOLS_CLI_READ_SELECTOR_H_
