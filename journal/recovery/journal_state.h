// A journal in its directory: every segment's preamble, index or scan, and the verdict.
//
// The common first step of Reader, Writer::Open and Verify. Changes nothing.

#ifndef JOURNAL_RECOVERY_JOURNAL_STATE_H_
#define JOURNAL_RECOVERY_JOURNAL_STATE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/finding.h"
#include "journal/format/beginning.h"
#include "journal/format/watermark_file.h"
#include "journal/journal_info.h"
#include "journal/parallel_work.h"
#include "journal/recovery/segment_inspection.h"
#include "journal/storage/storage.h"

namespace journal {

struct JournalState {
  std::vector<SegmentState> segments;  // In order; never empty.
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;
  engine::SequenceNumber durable_sequence;
  std::optional<Beginning> beginning;  // Read only if the first segment is not number 0.
  std::optional<Watermark> watermark;  // As read before the segments.

  // The first finding with this verdict, as text; empty when CLEAN.
  std::string VerdictReason() const;
};

struct InspectOptions {
  InspectDepth depth = InspectDepth::kTail;
  uint64_t from_segment = 0;  // Segments before it are inspected with kTail.
  ParallelWork parallel = OneByOne;
  // Progress; each may be empty.
  std::function<void(uint64_t bytes)> begin = nullptr;    // The total, once, before the work.
  std::function<void(uint64_t bytes)> advance = nullptr;  // From any thread of the work.
  std::function<void()> tend = nullptr;                   // At intervals, from the calling thread.
};

// Errors: NOT_FOUND (no segment there), UNIMPLEMENTED (a newer format), the storage's. Damage is
// reported in the verdict, not as an error.
absl::StatusOr<JournalState> InspectJournal(const Directory& directory,
                                            const InspectOptions& options);
inline absl::StatusOr<JournalState> InspectJournal(const Directory& directory, InspectDepth depth) {
  return InspectJournal(directory, InspectOptions{.depth = depth});
}

// Summarises the state. REQUIRES: at least one segment is readable.
JournalInfo InfoOf(const Directory& directory, const JournalState& state);

}  // namespace journal

#endif  // JOURNAL_RECOVERY_JOURNAL_STATE_H_
