#include "replay/run_results.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/checkpoint_check.h"
#include "replay/compare/digest_bisection.h"

namespace replay {
namespace {

using Outputs = std::span<const Output>;
using Texts = std::vector<std::string>;

uint64_t SequenceOf(absl::string_view output_text) {
  uint64_t sequence = 0;
  const absl::string_view number = output_text.substr(0, output_text.find('.'));
  return engine::ParseInteger(number, sequence) ? sequence : 0;
}

// Receives the outputs of each record in order.
class Watcher {
 public:
  Watcher(Vocabulary& vocabulary, const RunResults* expected, ExpectedRun& run)
      : vocabulary_(vocabulary), expected_(expected), run_(run) {}

  void WatchAll(const journal::Batch& batch, Outputs outputs) {
    std::span<const journal::AttachmentView> attachments = batch.attachments;
    for (const journal::Row& row : batch.rows) {
      const engine::Bytes attachment = journal::TakeAttachment(attachments, row.sequence);
      Watch({.row = &row, .attachment = attachment}, TakeOutputsOf(row.sequence, outputs));
    }
  }

 private:
  void Watch(const journal::Record& record, Outputs outputs) {
    vocabulary_.Follow(record);
    RunResults& now = run_.now;
    now.marks.push_back(MarkOf(outputs));
    Texts texts;
    if (now.outputs.has_value()) {
      texts = TextsOf(outputs);
      now.outputs->insert(now.outputs->end(), texts.begin(), texts.end());
    }
    if (expected_ == nullptr || run_.difference.has_value()) return;
    std::optional<Texts> expected;
    if (expected_->outputs.has_value()) expected = ExpectedOf(record.sequence());
    const size_t index = now.marks.size() - 1;
    const bool is_marked = index < expected_->marks.size();
    const bool same = expected.has_value()
                          ? *expected == texts
                          : !is_marked || expected_->marks[index] == now.marks[index];
    if (same) return;
    run_.difference = {.sequence = record.sequence(),
                       .record = vocabulary_.Text(record),
                       .outputs = TextsOf(outputs),
                       .expected = std::move(expected)};
  }

  Texts TextsOf(Outputs outputs) const {
    Texts texts;
    for (const Output& output : outputs) texts.push_back(vocabulary_.Text(output));
    return texts;
  }

  Texts ExpectedOf(engine::SequenceNumber sequence) {
    const Texts& all = *expected_->outputs;
    const size_t first = next_expected_;
    while (next_expected_ < all.size() && SequenceOf(all[next_expected_]) <= sequence.value()) {
      ++next_expected_;
    }
    return {all.begin() + static_cast<ptrdiff_t>(first),
            all.begin() + static_cast<ptrdiff_t>(next_expected_)};
  }

  Vocabulary& vocabulary_;
  const RunResults* const expected_;
  ExpectedRun& run_;
  size_t next_expected_ = 0;
};

// "trace digest at @8192 is ...; expected ... (equal at @4096)"
void AppendDigests(const RunResults& expected_run, const RunResults& run,
                   std::optional<engine::Digest> journal::Checkpoint::*which,
                   absl::string_view name, Texts& lines) {
  engine::SequenceNumber equal;
  const size_t common = std::min(expected_run.checkpoints.size(), run.checkpoints.size());
  for (size_t i = 0; i < common; ++i) {
    const journal::Checkpoint& expected = expected_run.checkpoints[i];
    const journal::Checkpoint& now = run.checkpoints[i];
    if (expected.sequence != now.sequence) return;
    if (expected.*which != now.*which) {
      lines.push_back(
          absl::StrCat(name, " digest at @", now.sequence.value(), " is ", (now.*which)->ToString(),
                       "; expected ", (expected.*which)->ToString(),
                       equal.value() == 0 ? "" : absl::StrCat(" (equal at @", equal.value(), ")")));
      return;
    }
    equal = now.sequence;
  }
}

}  // namespace

uint16_t MarkOf(Outputs outputs) {
  return static_cast<uint16_t>(engine::DigestOf(std::as_bytes(outputs)).low);
}

absl::StatusOr<ExpectedRun> TakeResults(LogSource& source, Subject& subject, Vocabulary& vocabulary,
                                        bool keeps_outputs, const RunResults* expected,
                                        absl::FunctionRef<void(uint64_t done)> progress) {
  ExpectedRun run;
  run.now.semantics_version = subject.identity().semantics_version;
  if (keeps_outputs) run.now.outputs.emplace();
  Watcher watcher(vocabulary, expected, run);
  journal::LogDigest log;
  const auto seen = [&](journal::Checkpoint checkpoint,
                        const journal::Batch& batch) -> absl::StatusOr<bool> {
    ASSIGN_OR_RETURN(const Outputs outputs, subject.Outputs());
    log.Add(batch.rows, batch.attachments);
    checkpoint.log = log.Value();
    run.now.output_count += outputs.size();
    run.now.checkpoints.push_back(checkpoint);
    watcher.WatchAll(batch, outputs);
    progress(checkpoint.sequence.value());
    return true;
  };
  RETURN_IF_ERROR(TakeTrace(source, subject, seen));
  if (run.now.last() > kMarkedRecordsMax) run.now.marks.clear();
  return run;
}

std::vector<std::string> DescribeDifferences(const RunResults& expected, const ExpectedRun& run) {
  Texts lines;
  const RunResults& now = run.now;
  if (expected.last() != now.last()) {
    lines.push_back(
        absl::StrCat("the journal has ", now.last(), " commands; expected ", expected.last()));
  }
  AppendDigests(expected, now, &journal::Checkpoint::log, "log", lines);
  // A run of other commands says nothing about the engine.
  if (!lines.empty()) {
    lines.emplace_back("this is another journal than the one that is expected");
    return lines;
  }
  if (expected.output_count != now.output_count) {
    lines.push_back(absl::StrCat("the engine says ", now.output_count, " events; expected ",
                                 expected.output_count));
  }
  AppendDigests(expected, now, &journal::Checkpoint::trace, "trace", lines);
  AppendDigests(expected, now, &journal::Checkpoint::state, "state", lines);
  if (lines.empty() && run.difference.has_value()) {
    lines.emplace_back("the digests are the expected ones, the marks or events kept are not");
  }
  if (!lines.empty() && expected.semantics_version != now.semantics_version) {
    lines.push_back(absl::StrCat("the engine follows rules of semantics version ",
                                 now.semantics_version, "; expected ", expected.semantics_version));
  }
  return lines;
}

std::optional<DigestDifference> FindDifference(const RunResults& expected, const RunResults& now,
                                               engine::SequenceNumber first) {
  CheckpointCheck check(expected.checkpoints);
  for (const journal::Checkpoint& here : now.checkpoints) check.Compare(here);
  DigestDifference difference;
  if (check.divergence().has_value()) {
    difference.what = check.divergence()->ToString();
  } else if (check.compared_count() != expected.checkpoints.size()) {
    difference.what = absl::StrCat("only ", check.compared_count(), " of ",
                                   expected.checkpoints.size(), " expected checkpoints were met");
  } else {
    return std::nullopt;
  }
  const auto [mark, other] = std::ranges::mismatch(expected.marks, now.marks);
  if (mark != expected.marks.end() && other != now.marks.end()) {
    difference.command = first + static_cast<uint64_t>(mark - expected.marks.begin());
  }
  return difference;
}

std::string CheckpointText(const journal::Checkpoint& checkpoint) {
  const engine::Digest none;
  return absl::StrCat(checkpoint.sequence.value(), " ", checkpoint.log.value_or(none).ToString(),
                      " ", checkpoint.trace.value_or(none).ToString(), " ",
                      checkpoint.state.value_or(none).ToString());
}

bool ParseCheckpointText(absl::string_view text, std::vector<journal::Checkpoint>& checkpoints) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ');
  uint64_t sequence = 0;
  if (words.size() != 4 || !engine::ParseInteger(words[0], sequence)) return false;
  const auto log = engine::Digest::Parse(words[1]);
  const auto trace = engine::Digest::Parse(words[2]);
  const auto state = engine::Digest::Parse(words[3]);
  const uint64_t before = checkpoints.empty() ? 0 : checkpoints.back().sequence.value();
  if (!log.ok() || !trace.ok() || !state.ok() || sequence <= before) return false;
  checkpoints.push_back({.sequence = engine::SequenceNumber(sequence),
                         .log = *log,
                         .trace = *trace,
                         .state = *state});
  return true;
}

void AppendMarks(std::string& text, const std::vector<uint16_t>& marks,
                 const std::function<std::string(size_t)>& prefix_of) {
  constexpr size_t kMarksOfALine = 64;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (i % kMarksOfALine == 0) absl::StrAppend(&text, i == 0 ? "" : "\n", prefix_of(i));
    absl::StrAppendFormat(&text, "%04x", marks[i]);
  }
  if (!marks.empty()) text += '\n';
}

bool ParseMarks(absl::string_view digits, std::vector<uint16_t>& marks) {
  constexpr size_t kDigits = 4;
  while (digits.size() >= kDigits) {
    uint32_t mark = 0;
    const bool good = engine::ParseInteger(digits.substr(0, kDigits), mark, 16);
    marks.push_back(static_cast<uint16_t>(mark));
    if (!good || mark > UINT16_MAX) return false;
    digits.remove_prefix(kDigits);
  }
  return digits.empty();
}

}  // namespace replay
