#include "tools/cli/read/find_market.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/types/ids.h"
#include "tools/cli/base/nearest_word.h"

namespace tools {

absl::StatusOr<const engine::MarketDefinition*> FindMarket(absl::string_view option,
                                                           absl::string_view words,
                                                           const engine::MarketDirectory& markets) {
  const std::optional<engine::MarketId> id = markets.ParseMarket(words);
  const engine::MarketDefinition* market = id.has_value() ? markets.Find(*id) : nullptr;
  if (market != nullptr) return market;
  return absl::InvalidArgumentError(absl::StrCat(option, " '", words,
                                                 "': no such market is defined up to there",
                                                 NearestMarketHint(words, markets)));
}

std::string NearestMarketHint(absl::string_view words, const engine::MarketDirectory& markets) {
  std::vector<std::string> symbols;
  for (const auto& [_, known] : markets.all()) symbols.push_back(known.symbol);
  if (symbols.empty()) return "; none is";
  std::string nearest = NearestWord(absl::AsciiStrToUpper(words), symbols);
  if (nearest.empty()) nearest = NearestWord(words, symbols);
  if (!nearest.empty()) return absl::StrCat("; did you mean '", nearest, "'?");
  constexpr size_t kShown = 8;
  const bool shows_all = symbols.size() <= kShown;
  const char* const verb = symbols.size() == 1 ? "; there is " : "; there are ";
  if (!shows_all) symbols.resize(kShown);
  return absl::StrCat(verb, absl::StrJoin(symbols, ", "), shows_all ? "" : ", ...");
}

}  // namespace tools
