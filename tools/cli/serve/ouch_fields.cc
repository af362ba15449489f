#include "tools/cli/serve/ouch_fields.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/ouch/ledger.h"
#include "engine/gateway/ouch/units.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/ouch/messages.h"
#include "tools/cli/serve/login_fields.h"
#include "tools/cli/serve/soup_login_fields.h"

namespace tools {
namespace {

class OuchReader {
 public:
  explicit OuchReader(const VenueConfig& venue) : accounts_(AccountIdsOf(venue)) {
    for (const MarketConfig& market : venue.markets) {
      markets_[market.definition.symbol] = &market.definition;
    }
  }

  absl::StatusOr<OuchConfig> Read(JsonFields& fields) {
    TakeListen(fields, "127.0.0.1:7003", ouch_.listen, ouch_.connections_max);
    std::vector<std::string> symbols;
    fields.Texts("symbols", symbols);
    for (const std::string& symbol : symbols) ReadSymbol(fields, symbol);
    fields.Objects("logins", [this](JsonFields& login) { return ReadLogin(login); });
    RETURN_IF_ERROR(fields.Finish());
    return std::move(ouch_);
  }

 private:
  void ReadSymbol(JsonFields& fields, const std::string& symbol) {
    const auto refuse = [&](absl::string_view expected) {
      fields.Refuse("symbols", "",
                    absl::StrCat(expected, ", unlike '", absl::CHexEscape(symbol), "'"));
    };
    const auto found = markets_.find(symbol);
    if (found == markets_.end()) return refuse("the symbol of one of the markets");
    const engine::MarketDefinition& market = *found->second;
    if (absl::c_linear_search(ouch_.markets, market.id)) return refuse("each symbol once");
    if (const absl::Status fit = engine::CheckOuchMarket(market); !fit.ok()) {
      return refuse(fit.message());
    }
    ouch_.markets.push_back(market.id);
  }

  absl::Status ReadLogin(JsonFields& fields) {
    engine::OuchLogin login;
    login_fields_.Read(fields, login.user, login.password);
    login.firm = fields.Text("firm");
    if (!IsWord(login.firm, 1, sizeof(engine::ouch::Firm))) {
      fields.Refuse("firm", "", "1 to 4 printable ASCII characters without spaces");
    }
    login.account = TakeAccount(fields, accounts_);
    fields.Bool("cancel_on_disconnect", login.cancels_at_end);
    ouch_.logins.push_back(std::move(login));
    return fields.Finish();
  }

  OuchConfig ouch_;
  const std::set<engine::AccountId> accounts_;
  std::map<std::string, const engine::MarketDefinition*> markets_;  // By symbol.
  SoupLoginFields login_fields_;
};

}  // namespace

absl::StatusOr<OuchConfig> TakeOuch(JsonFields& fields, const VenueConfig& venue) {
  return OuchReader(venue).Read(fields);
}

}  // namespace tools
