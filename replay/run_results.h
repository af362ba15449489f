// The results of a run over a log, kept so that later runs can be compared with them.
//
//   checkpoints   digests after every 4096 records and after the last: that something differs
//   marks         16 bits of the digest of each record's outputs: at which record
//   outputs       their text: what

#ifndef REPLAY_RUN_RESULTS_H_
#define REPLAY_RUN_RESULTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/output.h"
#include "replay/vocabulary.h"

namespace replay {

// A regular value type.
struct RunResults {
  uint32_t semantics_version = 0;
  uint64_t output_count = 0;
  // With all three digests; ascending; the last is at the end of the log.
  std::vector<journal::Checkpoint> checkpoints = {};
  std::vector<uint16_t> marks = {};                      // Of every record, or empty.
  std::optional<std::vector<std::string>> outputs = {};  // Nullopt: not kept.

  // The number of the last record; 0 for an empty log.
  uint64_t last() const { return checkpoints.empty() ? 0 : checkpoints.back().sequence.value(); }

  friend bool operator==(const RunResults&, const RunResults&) = default;
};

// Marks are kept for logs of up to this many records.
inline constexpr uint64_t kMarkedRecordsMax = uint64_t{1} << 18;

uint16_t MarkOf(std::span<const Output> outputs);

// The first record whose outputs differ from the expected ones.
struct OutputDifference {
  engine::SequenceNumber sequence;
  std::string record;                                // In words, as the outputs are.
  std::vector<std::string> outputs;                  // From the engine, now.
  std::optional<std::vector<std::string>> expected;  // Nullopt: only their mark is known.
};

struct ExpectedRun {
  RunResults now;
  std::optional<OutputDifference> difference;
};

// Applies the whole log to `subject`, and looks for the first record whose outputs are not as
// `expected`, unless that is null. `vocabulary` has followed no record. Errors: the source's, the
// subject's. REQUIRES: `keeps_outputs` if `expected` has outputs.
absl::StatusOr<ExpectedRun> TakeResults(LogSource& source, Subject& subject, Vocabulary& vocabulary,
                                        bool keeps_outputs, const RunResults* expected,
                                        absl::FunctionRef<void(uint64_t done)> progress);

// Returns one line per difference; empty if there is none.
std::vector<std::string> DescribeDifferences(const RunResults& expected, const ExpectedRun& run);

// The first difference between the digests of two runs over the records from `first` on.
struct DigestDifference {
  std::string what;                               // "trace digest differs at 8192 ...".
  std::optional<engine::SequenceNumber> command;  // The first whose events differ, if known.
};
// Returns nullopt if all expected checkpoints are there and equal.
std::optional<DigestDifference> FindDifference(const RunResults& expected, const RunResults& now,
                                               engine::SequenceNumber first);

// ---- Checkpoints and marks as text, for files that expect a run's results.

// "4096 <log digest> <trace digest> <state digest>"; a missing digest is zero.
std::string CheckpointText(const journal::Checkpoint& checkpoint);

// Parses a checkpoint and appends it. Returns false if the text is malformed or not of a later
// record than the last one.
bool ParseCheckpointText(absl::string_view text, std::vector<journal::Checkpoint>& checkpoints);

// A mark is 16 bits of the digest of a command's events: four hexadecimal digits. Appends lines of
// 64 marks; `prefix_of` returns what precedes the mark with this index.
void AppendMarks(std::string& text, const std::vector<uint16_t>& marks,
                 const std::function<std::string(size_t)>& prefix_of);

// Appends the marks of a line, without its prefix. Returns false if the digits are malformed.
bool ParseMarks(absl::string_view digits, std::vector<uint16_t>& marks);

}  // namespace replay

#endif  // REPLAY_RUN_RESULTS_H_
