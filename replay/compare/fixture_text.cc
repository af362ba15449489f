#include "replay/compare/fixture_text.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/exchange_vocabulary.h"

namespace replay {

std::string FixtureText(absl::string_view title, const Log& log) {
  engine::MarketDirectory markets;
  const engine::MessageText text(markets);
  std::string lines;
  for (const absl::string_view line : absl::StrSplit(title, '\n')) {
    absl::StrAppend(&lines, line.empty() ? "#" : "# ", line, "\n");
  }
  lines += "\n";
  bool any = false;
  engine::Timestamp now;
  for (const LogEntry& entry : log) {
    if (!any || entry.row.timestamp != now) {
      any = true;
      now = entry.row.timestamp;
      absl::StrAppend(&lines, "at ", now.ToString(), "\n");
    }
    engine::Command command = ToCommand(entry.row);
    command.sequence = engine::SequenceNumber();
    command.timestamp = engine::Timestamp();
    absl::StrAppend(&lines, text.Format(command, entry.bytes()), "\n");
    FollowMarkets(entry.record(), markets);
  }
  return lines;
}

absl::StatusOr<Log> ParseFixtureText(absl::string_view file, absl::string_view text) {
  engine::MarketDirectory markets;
  const engine::MessageText parser(markets);
  Log log;
  engine::Timestamp now;
  size_t line_number = 0;
  bool in_answers = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    line = absl::StripAsciiWhitespace(line);
    if (line == "----") in_answers = true;
    if (line.empty()) in_answers = false;
    if (line.empty() || in_answers || line.front() == '#') continue;
    const auto complain = [&](const absl::Status& status) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, ":", line_number, ": ", status.message()));
    };
    if (absl::ConsumePrefix(&line, "at ")) {
      const auto time = engine::Timestamp::Parse(line);
      if (!time.ok()) return complain(time.status());
      if (*time < now) return complain(absl::InvalidArgumentError("time does not go back"));
      now = *time;
      continue;
    }
    auto parsed = parser.ParseCommand(line);
    if (!parsed.ok()) return complain(parsed.status());
    LogEntry entry{.row = ToRow(parsed->command)};
    entry.row.sequence = engine::SequenceNumber(log.size() + 1);
    entry.row.timestamp = now;
    if (!parsed->attachment.empty()) {
      entry.attachment =
          std::make_shared<const std::vector<std::byte>>(std::move(parsed->attachment));
    }
    FollowMarkets(entry.record(), markets);
    log.push_back(std::move(entry));
  }
  return log;
}

bool SameLog(const Log& a, const Log& b, std::string& why) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    journal::Row row_a = a[i].row;
    journal::Row row_b = b[i].row;
    row_a.sequence = row_b.sequence = engine::SequenceNumber(i + 1);
    if (row_a == row_b && std::ranges::equal(a[i].bytes(), b[i].bytes())) continue;
    why = absl::StrCat("command ", i + 1, " differs");
    return false;
  }
  if (a.size() == b.size()) return true;
  why = absl::StrCat("there are ", a.size(), " commands against ", b.size());
  return false;
}

}  // namespace replay
