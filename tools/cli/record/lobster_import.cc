#include "tools/cli/record/lobster_import.h"

#include <array>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

using engine::LobsterCounters;

constexpr std::array<absl::string_view, engine::kLobsterTypeCount + 1> kTypeNames = {
    "", "new_order", "reduced", "deleted", "executed", "executed_hidden", "cross", "halt"};

std::map<std::string, uint64_t> ByName(const LobsterCounters::PerType& counts) {
  std::map<std::string, uint64_t> named;
  for (size_t i = 1; i < counts.size(); ++i) {
    if (counts[i] > 0) named.emplace(kTypeNames[i], counts[i]);
  }
  return named;
}

uint64_t Sum(const LobsterCounters::PerType& counts) {
  uint64_t sum = 0;
  for (const uint64_t count : counts) sum += count;
  return sum;
}

// "3 (deleted 1, executed 2)".
std::string PerType(const LobsterCounters::PerType& counts) {
  std::string text;
  for (const auto& [name, count] : ByName(counts)) {
    absl::StrAppend(&text, text.empty() ? " (" : ", ", name, " ", WithCommas(count));
  }
  return absl::StrCat(WithCommas(Sum(counts)), text, text.empty() ? "" : ")");
}

}  // namespace

absl::StatusOr<bool> LobsterImport::Take(engine::Bytes chunk) {
  lines_.Add(chunk);
  while (const auto line = lines_.Next()) {
    RETURN_IF_ERROR(TakeLine(*line));
    if (!input_status_.ok()) return false;
  }
  if (lines_.is_too_long()) {
    Refuse(files_.messages->name(), lines_.number() + 1,
           absl::StrCat("a line of more than ", kLineBytesMax, " bytes"));
    return false;
  }
  if (!chunk.empty()) return true;
  RETURN_IF_ERROR(FinishBooks());
  return false;
}

absl::Status LobsterImport::TakeLine(absl::string_view line) {
  const auto message = engine::ParseLobsterMessage(line);
  if (!message.ok()) {
    Refuse(files_.messages->name(), lines_.number(), message.status().message());
    return absl::OkStatus();
  }
  if (files_.books == nullptr) return translator_.Take(*message, nullptr);
  RETURN_IF_ERROR(ReadBook());
  if (!input_status_.ok()) return absl::OkStatus();
  RETURN_IF_ERROR(translator_.Take(*message, &book_));
  check_.Expect(translator_.last_sequence(), lines_.number(), book_);
  return absl::OkStatus();
}

absl::Status LobsterImport::ReadBook() {
  ASSIGN_OR_RETURN(const bool has_line, files_.books->Next(book_line_));
  if (!has_line) {
    Refuse(files_.books->name(), lines_.number(),
           "the file ends here, expected a line for each message");
    return absl::OkStatus();
  }
  const absl::Status parsed = engine::ParseLobsterBook(book_line_, book_);
  if (!parsed.ok()) {
    Refuse(files_.books->name(), lines_.number(), parsed.message());
  } else if (lines_.number() > 1 && book_.depth != depth_) {
    Refuse(files_.books->name(), lines_.number(),
           absl::StrCat(book_.depth, " levels, expected ", depth_, " as on the first line"));
  }
  depth_ = book_.depth;
  return absl::OkStatus();
}

absl::Status LobsterImport::FinishBooks() {
  if (files_.books == nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const bool has_line, files_.books->Next(book_line_));
  if (has_line) {
    Refuse(files_.books->name(), lines_.number() + 1,
           absl::StrCat("a line without a message: ", files_.messages->name(), " has ",
                        lines_.number()));
  }
  return absl::OkStatus();
}

void LobsterImport::Refuse(absl::string_view file, uint64_t line, absl::string_view why) {
  input_status_ = absl::InvalidArgumentError(absl::StrCat(file, ":", line, ": ", why));
}

void AddLobsterRows(Report& report, const LobsterFiles& files, const LobsterCounters& counters,
                    const LobsterCheck& check) {
  report.Row("market", files.symbol, ", times from ", files.midnight.ToString());
  report.Row("messages", PerType(counters.messages));
  report.Row("unknown orders", PerType(counters.unknown_orders));
  if (files.books == nullptr) {
    report.Row("order book file",
               "none: orders from before the first message are not known (--orderbook)");
  } else {
    const bool is_good = check.different() == 0;
    report.Row("order book file", files.books->name());
    report.Row("corrected", WithCommas(counters.corrected_first_view),
               " levels when first in view, ", WithCommas(counters.corrected_later_views),
               " later");
    report.Row("books", Styled(Style::kGreen, absl::StrCat(WithCommas(check.equal()), " equal")),
               ", ",
               Styled(is_good ? Style::kPlain : Style::kRed,
                      absl::StrCat(WithCommas(check.different()), " different")),
               is_good ? "" : absl::StrCat(", first on line ", check.first_different_line()));
  }
  for (const auto& [name, count] :
       {std::pair("orders under a number that is live", counters.orders_repeated),
        std::pair("executions and cancels of more than was left", counters.quantities_exceeded),
        std::pair("orders during a halt, which opened the market", counters.opened_by_orders),
        std::pair("messages before the time of the one before", counters.times_before)}) {
    if (count > 0) report.Row("oddity", WithCommas(count), " ", name);
  }
}

void AddLobsterFields(JsonObject& json, const LobsterCounters& counters,
                      const LobsterCheck& check) {
  json.BeginObject("lobster");
  json.Field("messages", Sum(counters.messages));
  json.Named("types", ByName(counters.messages));
  json.Named("unknown_orders", ByName(counters.unknown_orders));
  json.Field("commands", counters.commands);
  json.Field("corrected_first_view", counters.corrected_first_view);
  json.Field("corrected_later_views", counters.corrected_later_views);
  json.Field("books_equal", check.equal());
  json.Field("books_different", check.different());
  json.Field("orders_repeated", counters.orders_repeated);
  json.Field("quantities_exceeded", counters.quantities_exceeded);
  json.Field("opened_by_orders", counters.opened_by_orders);
  json.Field("times_before", counters.times_before);
  json.EndObject();
}

}  // namespace tools
