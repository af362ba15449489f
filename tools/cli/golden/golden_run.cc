#include "tools/cli/golden/golden_run.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "journal/log_digest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"
#include "replay/log_source.h"
#include "replay/output.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/market_follower.h"

namespace tools {
namespace {

uint64_t SequenceOf(absl::string_view event_line) {
  uint64_t sequence = 0;
  return engine::ParseInteger(event_line.substr(0, event_line.find('.')), sequence) ? sequence : 0;
}

// Receives the events of each command in order.
class Watcher {
 public:
  Watcher(const GoldenOptions& options, GoldenRun& run) : options_(options), run_(run) {}

  void Watch(const journal::Record& record, std::span<const engine::Event> events) {
    markets_.Follow(record);
    const engine::Digest digest = engine::DigestOf(std::as_bytes(events));
    const auto mark = static_cast<uint16_t>(digest.low);
    run_.marks.push_back(mark);
    const bool compares_text = options_.against != nullptr && options_.against->has_events;
    std::vector<std::string> lines;
    if (options_.keep_events || compares_text) lines = Format(events);
    if (options_.keep_events) run_.events.insert(run_.events.end(), lines.begin(), lines.end());
    if (options_.against == nullptr || run_.difference.has_value()) return;
    std::optional<std::vector<std::string>> expected;
    if (compares_text) expected = ExpectedOf(record.sequence());
    const bool same = compares_text ? *expected == lines : MarkIsExpected(record, mark);
    if (same) return;
    run_.difference = {.sequence = record.sequence(),
                       .command = text_.Format(replay::ToCommand(*record.row), record.attachment),
                       .events = Format(events),
                       .expected = std::move(expected)};
  }

 private:
  std::vector<std::string> Format(std::span<const engine::Event> events) const {
    std::vector<std::string> lines;
    for (const engine::Event& event : events) lines.push_back(text_.Format(event));
    return lines;
  }

  bool MarkIsExpected(const journal::Record& record, uint16_t mark) const {
    const std::vector<uint16_t>& marks = options_.against->marks;
    const size_t index = record.sequence().value() - 1;
    return index >= marks.size() || marks[index] == mark;
  }

  std::vector<std::string> ExpectedOf(engine::SequenceNumber sequence) {
    std::vector<std::string> lines;
    const std::vector<std::string>& all = options_.against->events;
    while (next_expected_ < all.size() && SequenceOf(all[next_expected_]) <= sequence.value()) {
      lines.push_back(all[next_expected_++]);
    }
    return lines;
  }

  const GoldenOptions& options_;
  GoldenRun& run_;
  MarketFollower markets_;
  const engine::MessageText text_{markets_.markets()};
  size_t next_expected_ = 0;
};

void WatchAll(const journal::Batch& batch, std::span<const engine::Event> events,
              Watcher& watcher) {
  auto attachment = batch.attachments.begin();
  auto event = events.begin();
  for (const journal::Row& row : batch.rows) {
    journal::Record record{.row = &row};
    if (attachment != batch.attachments.end() && attachment->sequence == row.sequence) {
      record.attachment = (attachment++)->bytes;
    }
    const auto first = event;
    while (event != events.end() && event->sequence <= row.sequence) ++event;
    watcher.Watch(record, std::span(first, event));
  }
}

std::string Hex(const std::optional<engine::Digest>& digest) {
  return digest.has_value() ? digest->ToString() : "none";
}

// "trace digest at @8192 is ...; expected ... (equal at @4096)"
void AppendDigests(const Expectation& expectation, const GoldenRun& run,
                   std::optional<engine::Digest> journal::Checkpoint::*which,
                   absl::string_view name, std::vector<std::string>& lines) {
  engine::SequenceNumber equal;
  const size_t common = std::min(expectation.checkpoints.size(), run.checkpoints.size());
  for (size_t i = 0; i < common; ++i) {
    const journal::Checkpoint& expected = expectation.checkpoints[i];
    const journal::Checkpoint& now = run.checkpoints[i];
    if (expected.sequence != now.sequence) return;
    if (expected.*which != now.*which) {
      lines.push_back(absl::StrCat(
          name, " digest at @", now.sequence.value(), " is ", Hex(now.*which), "; expected ",
          Hex(expected.*which),
          equal.value() == 0 ? std::string() : absl::StrCat(" (equal at @", equal.value(), ")")));
      return;
    }
    equal = now.sequence;
  }
}

}  // namespace

absl::StatusOr<GoldenRun> RunGolden(journal::Reader& reader, replay::Subject& subject,
                                    const GoldenOptions& options) {
  RETURN_IF_ERROR(CheckBeginsWithFirst(reader.info()));
  GoldenRun run;
  run.engine = subject.identity();
  replay::JournalSource source(reader);
  RETURN_IF_ERROR(subject.Reset());
  RETURN_IF_ERROR(source.Seek(engine::SequenceNumber::First()));
  Watcher watcher(options, run);
  journal::LogDigest log;
  engine::Digest trace;
  while (log.last() < source.last()) {
    ASSIGN_OR_RETURN(const journal::Batch batch, source.NextRun());
    if (batch.empty()) break;
    ASSIGN_OR_RETURN(const replay::Answer answer, Put(subject, batch, {.state = true}));
    ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs, subject.Outputs());
    log.Add(batch.rows, batch.attachments);
    const engine::Digest links[] = {trace, answer.outputs, answer.state};
    trace = engine::DigestOf(std::as_bytes(std::span(links)));
    run.event_count += answer.output_count;
    run.checkpoints.push_back(
        {.sequence = answer.last, .log = log.Value(), .trace = trace, .state = answer.state});
    WatchAll(batch, replay::AsEvents(outputs), watcher);
    if (options.progress) options.progress(answer.last.value());
  }
  return run;
}

std::vector<std::string> Differences(const Expectation& expectation, const GoldenRun& run) {
  std::vector<std::string> lines;
  if (expectation.command_count != run.command_count()) {
    lines.push_back(absl::StrCat("the journal has ", run.command_count(), " commands; expected ",
                                 expectation.command_count));
  }
  AppendDigests(expectation, run, &journal::Checkpoint::log, "log", lines);
  // A run of other commands says nothing about the engine.
  if (!lines.empty()) {
    lines.emplace_back("this is another journal than the one that is expected");
    return lines;
  }
  if (expectation.event_count != run.event_count) {
    lines.push_back(absl::StrCat("the engine says ", run.event_count, " events; expected ",
                                 expectation.event_count));
  }
  AppendDigests(expectation, run, &journal::Checkpoint::trace, "trace", lines);
  AppendDigests(expectation, run, &journal::Checkpoint::state, "state", lines);
  if (lines.empty() && run.difference.has_value()) {
    lines.emplace_back("the digests are the expected ones, the marks or events kept are not");
  }
  if (!lines.empty() && expectation.semantics_version != run.engine.semantics_version) {
    lines.push_back(absl::StrCat("the engine follows rules of semantics version ",
                                 run.engine.semantics_version, "; expected ",
                                 expectation.semantics_version));
  }
  return lines;
}

Expectation Updated(const Expectation& expectation, const GoldenRun& run) {
  Expectation updated = expectation;
  updated.semantics_version = run.engine.semantics_version;
  updated.command_count = run.command_count();
  updated.event_count = run.event_count;
  updated.checkpoints = run.checkpoints;
  updated.marks.clear();
  if (run.command_count() <= kMarkedCommandsMax) updated.marks = run.marks;
  if (updated.has_events) updated.events = run.events;
  return updated;
}

}  // namespace tools
