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
#include "tools/cli/record/chunk_lines.h"
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
    lines_.Add(chunk);
    while (const auto line = lines_.Next()) {
      RETURN_IF_ERROR(TakeLine(*line));
      if (!input_status_.ok()) return false;
    }
    if (lines_.is_too_long()) {
      Refuse(lines_.number() + 1, absl::StrCat("a line of more than ", kLineBytesMax, " bytes"));
    }
    return input_status_.ok() && !chunk.empty();
  }

  // OK, or INVALID_ARGUMENT "NAME:LINE: FIELD: ..." for the first malformed line.
  const absl::Status& input_status() const { return input_status_; }

 private:
  // The hexadecimal digits of the longest attachment, and the other fields.
  static constexpr size_t kLineBytesMax = 2 * journal::kMaxAttachmentBytes + (64 << 10);

  absl::Status TakeLine(absl::string_view line) {
    if (lines_.number() == 1) absl::ConsumePrefix(&line, "\xef\xbb\xbf");  // The mark of UTF-8.
    const auto parsed = parse_(line, markets_);
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

  void Refuse(absl::string_view why) { Refuse(lines_.number(), why); }
  void Refuse(uint64_t line, absl::string_view why) {
    input_status_ = absl::InvalidArgumentError(absl::StrCat(name_, ":", line, ": ", why));
  }

  const std::string name_;
  const CommandLines parse_;
  engine::CommandSink& sink_;
  engine::ManualClock& clock_;
  engine::MarketDirectory markets_;
  ChunkLines lines_{kLineBytesMax};
  uint64_t command_count_ = 0;
  absl::Status input_status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TABLE_IMPORT_H_
