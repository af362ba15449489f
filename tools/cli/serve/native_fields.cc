#include "tools/cli/serve/native_fields.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/native/account_streams.h"
#include "engine/types/ids.h"
#include "engine/wire/native/frames.h"
#include "tools/cli/serve/login_fields.h"

namespace tools {
namespace {

class NativeReader {
 public:
  explicit NativeReader(const VenueConfig& venue) : venue_(venue), accounts_(AccountIdsOf(venue)) {}

  absl::StatusOr<NativeConfig> Read(JsonFields& fields) {
    TakeListen(fields, "127.0.0.1:7004", native_.listen, native_.connections_max);
    fields.Number("events_kept", native_.events_kept);
    if (native_.events_kept == 0) fields.Refuse("events_kept", "", "a whole number from 1");
    fields.Objects("logins", [this](JsonFields& login) { return ReadLogin(login); });
    RETURN_IF_ERROR(fields.Finish());
    return std::move(native_);
  }

 private:
  absl::Status ReadLogin(JsonFields& fields) {
    engine::NativeLogin login;
    login.user = TakeUser(fields, sizeof(engine::native::Login::user));
    if (!users_.insert(login.user).second) {
      fields.Refuse("user", "", "a user that no login before it has");
    }
    login.password = TakePassword(fields, sizeof(engine::native::Login::password));
    login.account = TakeAccount(fields, accounts_);
    std::vector<std::string> symbols;
    fields.Texts("symbols", symbols);
    for (const std::string& symbol : symbols) ReadSymbol(fields, symbol, login);
    fields.Bool("cancel_on_disconnect", login.cancels_at_end);
    native_.logins.push_back(std::move(login));
    return fields.Finish();
  }

  void ReadSymbol(JsonFields& fields, const std::string& symbol, engine::NativeLogin& login) const {
    const auto market = std::ranges::find_if(venue_.markets, [&symbol](const MarketConfig& each) {
      return each.definition.symbol == symbol;
    });
    if (market != venue_.markets.end()) {
      login.markets.insert(market->definition.id);
      return;
    }
    fields.Refuse(
        "symbols", "",
        absl::StrCat("the symbol of one of the markets, unlike '", absl::CHexEscape(symbol), "'"));
  }

  const VenueConfig& venue_;
  const std::set<engine::AccountId> accounts_;
  NativeConfig native_;
  std::set<std::string> users_;
};

}  // namespace

absl::StatusOr<NativeConfig> TakeNative(JsonFields& fields, const VenueConfig& venue) {
  return NativeReader(venue).Read(fields);
}

}  // namespace tools
