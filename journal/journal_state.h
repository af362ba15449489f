// A journal as it lies in its directory: every segment's preamble, index or scan, and the verdict.
//
// What Reader, Writer::Open and Verify have in common. Changes nothing.

#ifndef JOURNAL_JOURNAL_STATE_H_
#define JOURNAL_JOURNAL_STATE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/beginning.h"
#include "journal/finding.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/journal_info.h"
#include "journal/parallel_work.h"
#include "journal/recovery.h"
#include "journal/segment_scan.h"
#include "journal/storage/storage.h"
#include "journal/verdict.h"

namespace journal {

enum class InspectDepth {
  kTail,    // Trusts the index of a sealed segment: reads what was not sealed, and little else.
  kBlocks,  // Reads every block of every segment.
};

struct SegmentState {
  uint64_t segment_index = 0;
  std::string file_name;
  uint64_t file_bytes = 0;
  std::optional<PreambleRead> preamble;      // Nothing: neither copy can be read.
  std::optional<engine::Digest> log_digest;  // From the footer, as log_chain.
  std::optional<engine::Digest> log_chain;
  bool has_footer = false;
  bool is_sealed = false;
  const RecoveryCase* recovery_case = nullptr;

  // Where the log stands after the segment's readable prefix, and what that prefix takes.
  LogPosition position;
  uint64_t end_offset = 0;
  uint64_t raw_bytes = 0;
  bool tail_not_zero = false;
  bool continues = true;  // The segment before, or it is one that the journal may begin with.

  // Data blocks in order of place: the prefix, and, where the segment is damaged, the islands.
  std::vector<BlockEntry> blocks;

  bool is_readable() const { return preamble.has_value(); }
  engine::SequenceNumber first_sequence() const { return preamble->preamble.first_sequence; }
};

struct JournalState {
  std::vector<SegmentState> segments;  // In order; never empty.
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;
  engine::SequenceNumber durable_sequence;
  std::optional<Beginning> beginning;  // Looked for where the first segment is not number 0.

  // The first finding that makes the verdict; empty when CLEAN.
  std::string VerdictReason() const;
};

// How far an inspection has come. Each may be empty.
struct InspectProgress {
  std::function<void(uint64_t bytes)> begin = nullptr;    // Of all segments. Once, first.
  std::function<void(uint64_t bytes)> advance = nullptr;  // From any thread of the work.
  std::function<void()> tend = nullptr;                   // Now and then, from this thread.
};

// Errors: NOT_FOUND (no segment there), UNIMPLEMENTED (a newer format), the storage's. Damage is no
// error: it is the verdict.
absl::StatusOr<JournalState> InspectJournal(const Directory& directory, InspectDepth depth,
                                            const ParallelWork& parallel = OneByOne,
                                            const InspectProgress& progress = {});

// For people and programs. REQUIRES: some segment is readable.
JournalInfo InfoOf(const Directory& directory, const JournalState& state);

}  // namespace journal

#endif  // JOURNAL_JOURNAL_STATE_H_
