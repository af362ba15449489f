#include "tools/cli/record/lobster_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/record/itch_import.h"

namespace tools {
namespace {

constexpr absl::string_view kMessage = "_message_";
constexpr absl::string_view kOrderBook = "_orderbook_";

// What a message file's name begins with.
std::string SymbolIn(absl::string_view path) {
  const absl::string_view name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.find('_')));
}

absl::Status CheckSymbol(const std::string& symbol) {
  return engine::Validate({.id = engine::MarketId(1), .symbol = symbol});
}

// The order book file beside a message file; its compression may be another. Empty if there is
// none.
std::string BooksBeside(const std::string& messages) {
  std::string path = messages;
  path.replace(path.rfind(kMessage.data(), path.npos, kMessage.size()), kMessage.size(),
               kOrderBook.data(), kOrderBook.size());
  absl::string_view plain = path;
  if (!absl::ConsumeSuffix(&plain, ".gz")) absl::ConsumeSuffix(&plain, ".zst");
  for (const std::string& candidate :
       {path, std::string(plain), absl::StrCat(plain, ".gz"), absl::StrCat(plain, ".zst")}) {
    std::error_code error;
    if (std::filesystem::exists(candidate, error)) return candidate;
  }
  return "";
}

}  // namespace

bool IsLobsterName(absl::string_view path) {
  const absl::string_view name = path.substr(path.rfind('/') + 1);
  return absl::StrContains(name, kMessage) && absl::StrContains(name, ".csv");
}

absl::StatusOr<LobsterFiles> OpenLobster(const LobsterOptions& options) {
  LobsterFiles files;
  ASSIGN_OR_RETURN(files.messages, Input::OpenUntilInterrupt(options.messages));
  const bool is_named = IsLobsterName(options.messages);
  if (!is_named && options.symbol.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", options.messages, "' is not called as LOBSTER's files are, e.g. ",
                     "AAPL_2012-06-21_34200000_57600000_message_10.csv; expected --symbol"));
  }
  files.symbol = options.symbol.empty() ? SymbolIn(options.messages) : options.symbol;
  RETURN_IF_ERROR(CheckSymbol(files.symbol));
  ASSIGN_OR_RETURN(files.midnight, MidnightOf(options.messages, options.date, kNasdaqTimeZone));
  const std::string books =
      options.books.empty() && is_named ? BooksBeside(options.messages) : options.books;
  if (!books.empty()) {
    ASSIGN_OR_RETURN(std::unique_ptr<Input> input, Input::Open(books));
    files.books = std::make_unique<InputLines>(std::move(input));
  }
  return files;
}

}  // namespace tools
