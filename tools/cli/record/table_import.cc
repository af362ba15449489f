#include "tools/cli/record/table_import.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/types/market_definition.h"
#include "journal/record.h"
#include "tools/cli/record/command_text.h"

namespace tools {
namespace {

// The hexadecimal digits of the longest attachment, and the other fields.
constexpr size_t kLineBytesMax = 2 * journal::kMaxAttachmentBytes + (64 << 10);

class Importer {
 public:
  Importer(CommandLines& lines, engine::CommandSink& sink, engine::ManualClock& clock)
      : lines_(lines), sink_(sink), clock_(clock) {}

  // Errors: the sink's. Errors in the line go to result.table_status.
  absl::Status Take(absl::string_view line) {
    ++line_number_;
    line = absl::StripSuffix(line, "\r");
    absl::StatusOr<std::optional<ParsedCommand>> parsed = lines_.Parse(line, markets_);
    if (!parsed.ok()) {
      Refuse(parsed.status().message());
      return absl::OkStatus();
    }
    if (!parsed->has_value()) return absl::OkStatus();
    const engine::Command& command = (*parsed)->command;
    Check(command);
    if (!result.table_status.ok()) return absl::OkStatus();
    if (command.timestamp != engine::Timestamp()) clock_.Set(command.timestamp);
    RETURN_IF_ERROR(sink_.Submit(command, (*parsed)->attachment).status());
    ++result.command_count;
    Follow(**parsed);
    return absl::OkStatus();
  }

  void Refuse(absl::string_view why) {
    result.table_status = absl::InvalidArgumentError(absl::StrCat(line_number_, ": ", why));
  }

  // Rejects the line after the last one.
  void RefuseNext(absl::string_view why) {
    ++line_number_;
    Refuse(why);
  }

  TableImport result;

 private:
  void Check(const engine::Command& command) {
    const uint64_t expected = result.command_count + 1;
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

  void Follow(const ParsedCommand& parsed) {
    if (parsed.command.kind != engine::CommandKind::kDefineMarket) return;
    absl::StatusOr<engine::MarketDefinition> definition =
        engine::DecodeMarketDefinition(parsed.attachment);
    if (definition.ok() && definition->id == parsed.command.market) {
      markets_.Add(*std::move(definition));
    }
  }

  CommandLines& lines_;
  engine::CommandSink& sink_;
  engine::ManualClock& clock_;
  engine::MarketDirectory markets_;
  uint64_t line_number_ = 0;
};

}  // namespace

absl::StatusOr<TableImport> ImportTable(absl::FunctionRef<absl::StatusOr<engine::Bytes>()> read,
                                        CommandLines& lines, engine::CommandSink& sink,
                                        engine::ManualClock& clock,
                                        absl::FunctionRef<void(uint64_t)> progress) {
  Importer importer(lines, sink, clock);
  std::string rest;  // An incomplete last line.
  uint64_t bytes_read = 0;
  while (importer.result.table_status.ok()) {
    ASSIGN_OR_RETURN(const engine::Bytes chunk, read());
    if (chunk.empty()) break;
    bytes_read += chunk.size();
    absl::string_view text = engine::AsText(chunk);
    for (size_t end = text.find('\n');
         end != absl::string_view::npos && importer.result.table_status.ok();
         end = text.find('\n')) {
      rest.append(text.data(), end);
      RETURN_IF_ERROR(importer.Take(rest));
      rest.clear();
      text.remove_prefix(end + 1);
    }
    if (!importer.result.table_status.ok()) break;
    rest.append(text.data(), text.size());
    if (rest.size() > kLineBytesMax) {
      importer.RefuseNext(absl::StrCat("a line of more than ", kLineBytesMax, " bytes"));
    }
    progress(bytes_read);
  }
  if (importer.result.table_status.ok() && !rest.empty()) {
    RETURN_IF_ERROR(importer.Take(rest));
  }
  return importer.result;
}

}  // namespace tools
