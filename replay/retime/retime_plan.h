// The speed of a timed replay, and a journal prepared for it: everything that a timed run must not
// spend time on.
//
//   journal ─► commands in memory, and applied once, untimed ─► the class of each command
//
// The untimed pass is an ordinary replay, so every timed run must end in its state.

#ifndef REPLAY_RETIME_RETIME_PLAN_H_
#define REPLAY_RETIME_RETIME_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/machine.h"
#include "replay/vocabulary.h"

namespace replay {

// When each command is due.
//
//   1x, 10x, 0.5x   at the recorded intervals, divided by the factor
//   1M/s, 50k/s     at equal intervals, independent of the recorded ones
//   max             closed loop: each command when the one before is done
//
// Re-timing changes when commands are issued, but not their order or their timestamps. Timestamps
// are data, so the engine's events are the same at every speed (R3).
//
// A regular value type.
struct RetimeSpeed {
  enum class Kind { kMax, kRecorded, kRate };

  Kind kind = Kind::kMax;
  uint64_t thousandths = 1000;  // Of kRecorded: how many times as fast.
  uint64_t per_second = 0;      // Of kRate.

  bool is_open_loop() const { return kind != Kind::kMax; }

  // Returns the due time of the command with that index, in nanoseconds after the first command.
  // The command was recorded `recorded_nanos` after the first. At most 2^63. REQUIRES:
  // is_open_loop().
  uint64_t DueNanos(uint64_t index, uint64_t recorded_nanos) const;

  // Returns text that Parse() reads.
  std::string ToString() const;

  // Errors: INVALID_ARGUMENT that names the text and what was expected.
  static absl::StatusOr<RetimeSpeed> Parse(absl::string_view text);

  friend bool operator==(const RetimeSpeed&, const RetimeSpeed&) = default;
};

struct RetimePlan {
  std::vector<journal::Row> rows;  // From the journal's first record on.
  // Ascending by index into `rows`.
  std::vector<std::pair<size_t, std::vector<std::byte>>> attachments;
  size_t timed_from = 0;  // Earlier rows are applied untimed.

  // For the timed commands, by index from 0.
  std::vector<uint64_t> due_nanos;  // After the first; empty in closed loop.
  std::vector<uint16_t> class_of;   // Index into `classes`.
  std::vector<RecordClass> classes;

  engine::Digest log;    // Of all rows.
  engine::Digest state;  // Of the machine after them.

  size_t timed_count() const { return rows.size() - timed_from; }
};

// The records of a plan, one after the other. REQUIRES: the plan outlives it.
class PlannedRecords {
 public:
  explicit PlannedRecords(const RetimePlan& plan)
      : plan_(plan), attachment_(plan.attachments.begin()) {}

  // REQUIRES: called at most once for each row.
  journal::Record Next() {
    journal::Record record{.row = &plan_.rows[next_]};
    if (attachment_ != plan_.attachments.end() && attachment_->first == next_) [[unlikely]] {
      record.attachment = (attachment_++)->second;
    }
    ++next_;
    return record;
  }

 private:
  const RetimePlan& plan_;
  size_t next_ = 0;
  decltype(RetimePlan::attachments)::const_iterator attachment_;
};

// Reads `reader` from its first record to `last`; the records from `first` on will be timed, and
// are classified by `vocabulary`. REQUIRES: `machine` is new. Errors: the reader's;
// RESOURCE_EXHAUSTED beyond 100 million commands.
absl::StatusOr<RetimePlan> MakeRetimePlan(journal::Reader& reader, Machine& machine,
                                          const Vocabulary& vocabulary,
                                          engine::SequenceNumber first, engine::SequenceNumber last,
                                          const RetimeSpeed& speed);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_PLAN_H_
