// The digests of a run at each checkpoint, and the run of 4096 records in which two engines
// diverge, found by them alone.
//
//   run 1   T_1  T_2  T_3  T_4  T_5        a trace digest that differs once differs from then on,
//   run 2   T_1  T_2  T_3' T_4' T_5'       so a binary search finds the first that differs
//
// The digests of the recorded run are in the journal's sidecar; those of an engine are in the
// cache, or are taken in one pass. The cache keeps them by log and build, so that the next
// bisection need not take them again.
//
//   <log digest>-<digest of the build> / checkpoints.trace
//                                      / states    some states within the log
//
// Everything in it is derived, and may be deleted at any time.

#ifndef REPLAY_COMPARE_DIGEST_BISECTION_H_
#define REPLAY_COMPARE_DIGEST_BISECTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"
#include "replay/compare/snapshot_states.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

// Two runs are equal up to `equal` and differ at `differs`. A regular value type.
struct DivergingRun {
  engine::SequenceNumber equal;
  engine::SequenceNumber differs;

  friend bool operator==(const DivergingRun&, const DivergingRun&) = default;
};

struct TraceComparison {
  uint64_t common = 0;  // Checkpoints with a trace digest that both have.
  uint64_t looked_at = 0;
  engine::SequenceNumber last;  // The last common checkpoint.
  std::optional<DivergingRun> differing;
  // False if one run was taken with states and the other without: their digests are not comparable.
  bool comparable = true;
};

// Compares by binary search. REQUIRES: both are in ascending order.
TraceComparison CompareTraces(std::span<const journal::Checkpoint> a,
                              std::span<const journal::Checkpoint> b);

// Resets `subject`, applies the log, and calls `seen` with each checkpoint, including one at the
// last record, and the records that it ends; stops if `seen` returns false. Errors: the source's,
// the subject's, those of `seen`.
absl::Status TakeTrace(
    LogSource& source, Subject& subject,
    absl::FunctionRef<absl::StatusOr<bool>(const journal::Checkpoint&, const journal::Batch&)>
        seen);

// What the digests of two runs show. A regular value type.
struct DigestBisection {
  // Where the digests of one run are from.
  struct Trace {
    enum class From { kRecording, kCache, kPass };
    From from = From::kPass;
    std::string engine = {};  // Empty for a recording.
    size_t digest_count = 0;
    engine::SequenceNumber parted_at = {};  // Of a pass that ended early there; else zero.
    bool has_ended = false;                 // A pass, because the engine ended.
  };
  std::vector<Trace> traces;
  TraceComparison comparison;
};

struct DigestBisectionOptions {
  // Opens a folder of the cache: an existing one, or an empty one that replaces it. Null: no cache.
  std::function<absl::StatusOr<std::unique_ptr<journal::Directory>>(const std::string& name,
                                                                    bool make_new)>
      open_cache = nullptr;
  // Called before each pass; the result is called with each checkpoint of it. May be null.
  std::function<std::function<void(engine::SequenceNumber)>()> begin_pass = nullptr;
};

// `directory` is the journal's; a null `a` is the recorded run. Traces that are not known are taken
// in one pass, in which both engines work at the same time. A run in which an engine ends differs
// from every other one. `states` learns the states that both had, among them the one where they are
// last equal. Errors: FAILED_PRECONDITION if the recording has no digests, or digests cannot be
// compared; the reader's, the storage's, the subjects' other than ABORTED.
absl::StatusOr<DigestBisection> BisectByDigests(const journal::Directory& directory,
                                                journal::Reader& reader, Subject* a, Subject& b,
                                                SnapshotStates& states,
                                                const DigestBisectionOptions& options = {});

// Returns the digest of the whole log. Continues from the sidecar's checkpoint at the end of the
// last complete run, if the journal confirms it; else reads the whole journal.
absl::StatusOr<engine::Digest> LogDigestOf(const journal::Directory& directory,
                                           journal::Reader& reader);

}  // namespace replay

#endif  // REPLAY_COMPARE_DIGEST_BISECTION_H_
