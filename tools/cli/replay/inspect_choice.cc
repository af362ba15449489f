#include "tools/cli/replay/inspect_choice.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/types/decimal.h"
#include "tools/cli/read/selector.h"

namespace tools {
namespace {

// Returns an error that lists some markets that exist.
absl::Status NoSuchMarket(absl::string_view name, const engine::MarketDirectory& markets) {
  constexpr size_t kShown = 8;
  std::vector<std::string> symbols;
  for (const auto& [id, market] : markets.all()) {
    if (symbols.size() == kShown) break;
    symbols.push_back(market.symbol);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no market '", name, "' is defined up to there; ",
      symbols.empty() ? "none is"
                      : absl::StrCat("there ", markets.all().size() == 1 ? "is " : "are ",
                                     absl::StrJoin(symbols, ", "),
                                     markets.all().size() > kShown ? ", ..." : "")));
}

}  // namespace

absl::StatusOr<const engine::MarketDefinition*> FindMarket(const std::string& words,
                                                           const engine::MarketDirectory& markets) {
  uint32_t id = 0;
  const engine::MarketDefinition* market =
      absl::StartsWith(words, "#") && engine::ParseInteger(words.substr(1), id)
          ? markets.Find(engine::MarketId(id))
          : markets.FindSymbol(words);
  if (market == nullptr) return NoSuchMarket(words, markets);
  return market;
}

absl::StatusOr<std::pair<engine::Side, engine::Price>> ParseQueue(
    const std::string& queue, const engine::MarketDefinition* market) {
  const std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(queue, absl::MaxSplits('@', 1));
  if (words.first != "bid" && words.first != "ask") {
    return absl::InvalidArgumentError(
        absl::StrCat("--queue '", queue, "': expected a side and a price, e.g. bid@320.14"));
  }
  if (market == nullptr) {
    return absl::InvalidArgumentError("--queue: no market is defined up to there");
  }
  const auto price = engine::ParsePrice(words.second, market->price_decimals);
  if (!price.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--queue '", queue, "': ", price.status().message(), "; expected e.g. bid@320.14"));
  }
  return std::pair{words.first == "bid" ? engine::Side::kBid : engine::Side::kAsk, *price};
}

absl::StatusOr<engine::OrderId> ParseOrderNumber(const std::string& words) {
  const auto position = ParsePosition(words);
  if (!position.ok() || position->kind != Position::Kind::kSequence) {
    return absl::InvalidArgumentError(
        absl::StrCat("--order '", words, "' is not an order's number; expected e.g. 4711"));
  }
  return engine::OrderId(position->number);
}

}  // namespace tools
