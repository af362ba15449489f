// Imports a table of commands: the inverse of `export`.

#ifndef TOOLS_CLI_RECORD_TABLE_IMPORT_H_
#define TOOLS_CLI_RECORD_TABLE_IMPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_directory.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/exchange_vocabulary.h"
#include "tools/cli/record/command_lines.h"

namespace tools {

// Not thread-safe: owned by the verb. Commands keep their times. Sequence numbers, where
// given, must be 1, 2, 3, ..., because an order's number is that of its command.
class TableImport {
 public:
  // `name` is the table's, for errors.
  TableImport(std::string name, CommandLines parse, engine::CommandSink& sink,
              engine::ManualClock& clock)
      : name_(std::move(name)), parse_(std::move(parse)), sink_(sink), clock_(clock) {}

  // As ItchImport::Take().
  absl::StatusOr<bool> Take(engine::Bytes chunk) {
    absl::string_view text = engine::AsText(chunk);
    for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
      rest_.append(text.data(), end);
      RETURN_IF_ERROR(TakeLine());
      if (!input_status_.ok()) return false;
      text.remove_prefix(end + 1);
    }
    rest_.append(text.data(), text.size());
    if (chunk.empty() && !rest_.empty()) RETURN_IF_ERROR(TakeLine());
    if (rest_.size() > kLineBytesMax) {
      ++line_number_;
      Refuse(absl::StrCat("a line of more than ", kLineBytesMax, " bytes"));
    }
    return input_status_.ok() && !chunk.empty();
  }

  // OK, or INVALID_ARGUMENT "NAME:LINE: FIELD: ..." for the first malformed line.
  const absl::Status& input_status() const { return input_status_; }

 private:
  // The hexadecimal digits of the longest attachment, and the other fields.
  static constexpr size_t kLineBytesMax = 2 * journal::kMaxAttachmentBytes + (64 << 10);

  // Takes the line in `rest_`.
  absl::Status TakeLine() {
    ++line_number_;
    absl::string_view line = absl::StripSuffix(rest_, "\r");
    if (line_number_ == 1) absl::ConsumePrefix(&line, "\xef\xbb\xbf");  // The mark of UTF-8.
    const auto parsed = parse_(line, markets_);
    rest_.clear();
    if (!parsed.ok()) Refuse(parsed.status().message());
    if (!parsed.ok() || !parsed->has_value()) return absl::OkStatus();
    const engine::Command& command = (*parsed)->command;
    Check(command);
    if (!input_status_.ok()) return absl::OkStatus();
    if (command.timestamp != engine::Timestamp()) clock_.Set(command.timestamp);
    RETURN_IF_ERROR(sink_.Submit(command, (*parsed)->attachment).status());
    ++command_count_;
    const journal::Row row = replay::ToRow(command);
    replay::FollowMarkets({.row = &row, .attachment = (*parsed)->attachment}, markets_);
    return absl::OkStatus();
  }

  void Check(const engine::Command& command) {
    const uint64_t expected = command_count_ + 1;
    const uint64_t sequence = command.sequence.value();
    if (sequence != 0 && sequence != expected) {
      return Refuse(absl::StrCat(
          "sequence: '", sequence, "', expected ", expected,
          expected == 1 ? ": an engine is driven from the first command on"
                        : ": none may be missing, as orders are named by the numbers of commands",
          "; 'ticktape cut' makes a journal of a part of one"));
    }
    const engine::Timestamp time = command.timestamp;
    if (time != engine::Timestamp() && time < clock_.Now()) {
      Refuse(absl::StrCat("time: '", time.ToString(), "', expected no earlier than ",
                          clock_.Now().ToString(), ", the command before"));
    }
  }

  void Refuse(absl::string_view why) {
    input_status_ = absl::InvalidArgumentError(absl::StrCat(name_, ":", line_number_, ": ", why));
  }

  const std::string name_;
  const CommandLines parse_;
  engine::CommandSink& sink_;
  engine::ManualClock& clock_;
  engine::MarketDirectory markets_;
  std::string rest_;  // A line without its end.
  uint64_t line_number_ = 0;
  uint64_t command_count_ = 0;
  absl::Status input_status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TABLE_IMPORT_H_
