#include "tools/cli/serve/venue_file.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/itch/itch_snapshots.h"
#include "engine/gateway/native/account_streams.h"
#include "engine/gateway/ouch/ledger.h"
#include "engine/messages/kinds.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/views/login_setting.h"
#include "tools/cli/base/json_fields.h"
#include "tools/cli/base/json_text.h"
#include "tools/cli/serve/agents_fields.h"
#include "tools/cli/serve/flow_fields.h"
#include "tools/cli/serve/itch_fields.h"
#include "tools/cli/serve/kalshi_fields.h"
#include "tools/cli/serve/native_fields.h"
#include "tools/cli/serve/ouch_fields.h"
#include "tools/os/private_file.h"

namespace tools {
namespace {

using engine::CommandKind;

constexpr absl::string_view kSchema = "ticktape.venue/1";
constexpr size_t kWordBytesMax = engine::kLoginNameBytesMax;  // Secrets also.
constexpr size_t kSecretBytesMin = 8;

// What a schedule may do, in the order in which a market passes it.
struct Action {
  absl::string_view name;
  CommandKind kind;
};
constexpr auto kActions = std::to_array<Action>({{"open", CommandKind::kOpenMarket},
                                                 {"close", CommandKind::kCloseMarket},
                                                 {"determine", CommandKind::kDetermineMarket},
                                                 {"settle", CommandKind::kSettleMarket}});

bool IsPrintable(absl::string_view text) {
  return absl::c_all_of(text,
                        [](char c) { return absl::ascii_isgraph(static_cast<unsigned char>(c)); });
}

bool IsWord(absl::string_view text, size_t bytes_min) {
  return text.size() >= bytes_min && text.size() <= kWordBytesMax && IsPrintable(text);
}

// Reads a venue, part by part; what must be unique among the parts is kept.
class VenueReader {
 public:
  absl::StatusOr<VenueConfig> Read(const JsonText& text) {
    JsonFields fields("", text.root(), text, JsonText::PlaceOf(text.root()));
    fields.Require("schema", absl::StrCat("'", kSchema, "'"));
    const std::string schema = fields.Text("schema");
    if (schema != kSchema) fields.Refuse("schema", schema, absl::StrCat("'", kSchema, "'"));
    for (const char* list : {"accounts", "markets", "logins"}) fields.Require(list, "a list [...]");
    // Position limits of accounts are of markets, in their units.
    fields.Objects("markets", [this](JsonFields& market) { return ReadMarket(market); });
    fields.Objects("accounts", [this](JsonFields& account) { return ReadAccount(account); });
    fields.Objects("logins", [this](JsonFields& login) { return ReadLogin(login); });
    fields.Object("text", [this](JsonFields& options) { return ReadText(options); });
    fields.Object("kalshi", [this](JsonFields& kalshi) {
      auto taken = TakeKalshi(kalshi, venue_);
      if (taken.ok()) venue_.kalshi = *std::move(taken);
      return taken.status();
    });
    fields.Object("ouch", [this](JsonFields& ouch) {
      auto taken = TakeOuch(ouch, venue_);
      if (taken.ok()) venue_.ouch = *std::move(taken);
      return taken.status();
    });
    fields.Object("itch", [this](JsonFields& itch) {
      auto taken = TakeItch(itch);
      if (taken.ok()) venue_.itch = *std::move(taken);
      return taken.status();
    });
    fields.Object("native", [this](JsonFields& native) {
      auto taken = TakeNative(native, venue_);
      if (taken.ok()) venue_.native = *std::move(taken);
      return taken.status();
    });
    fields.Object("agents", [this](JsonFields& agents) { return TakeAgents(agents, venue_); });
    fields.Objects("flows", [this](JsonFields& flow) { return TakeFlow(flow, venue_); });
    RETURN_IF_ERROR(fields.Finish());
    return std::move(venue_);
  }

 private:
  absl::Status ReadAccount(JsonFields& fields) {
    AccountConfig account;
    account.id = ReadAccountId(fields, "id");
    if (fields.status().ok() && !account_ids_.insert(account.id).second) {
      fields.Refuse("id", "", "a number that no account before it has");
    }
    ReadMoney(fields, account.money);
    fields.Object("limits", [&account](JsonFields& limits) {
      const auto taken = TakeRiskLimits(limits);
      if (taken.ok()) account.limits = *taken;
      return taken.status();
    });
    std::set<engine::MarketId> limited;
    fields.Objects("position_limits", [&](JsonFields& limit) {
      return ReadPositionLimit(limit, limited, account.position_limits);
    });
    venue_.accounts.push_back(std::move(account));
    return fields.Finish();
  }

  // `limited`: the markets in `into`.
  absl::Status ReadPositionLimit(JsonFields& fields, std::set<engine::MarketId>& limited,
                                 std::vector<PositionLimitConfig>& into) const {
    constexpr absl::string_view kExpected = "the id of one of the markets";
    uint32_t id = 0;
    fields.Require("market", kExpected);
    fields.Number("market", id);
    const engine::MarketId market(id);
    const auto found = quantity_decimals_.find(market);
    if (found == quantity_decimals_.end()) {
      fields.Refuse("market", "", kExpected);
      return fields.status();
    }
    if (!limited.insert(market).second) {
      fields.Refuse("market", "", "a market that no limit before it has");
    }
    into.push_back({.market = market, .limit = TakeLimit(fields, found->second)});
    return fields.Finish();
  }

  // "limit", or "limit_units".
  static engine::Quantity TakeLimit(JsonFields& fields, int decimals) {
    const bool is_units = fields.Has("limit_units");
    const std::string units = fields.Text("limit_units");
    const std::string text = fields.Text("limit");
    if (is_units && fields.Has("limit")) {
      fields.Refuse("limit", "", "none beside limit_units");
    }
    const auto limit =
        is_units ? engine::ParseQuantity(units, 0) : engine::ParseQuantity(text, decimals);
    if (limit.ok() && *limit <= engine::kPositionLimitMax) return *limit;
    fields.Refuse(is_units ? "limit_units" : "limit", "",
                  absl::StrCat("a quantity of at most ", engine::kPositionLimitMax.units(),
                               " quantity units of its market"));
    return engine::Quantity();
  }

  static engine::AccountId ReadAccountId(JsonFields& fields, const std::string& field) {
    constexpr absl::string_view kExpected = "a number of an account, from 1 to 4294967295";
    fields.Require(field, kExpected);
    uint32_t id = 0;
    fields.Number(field, id);
    if (id == 0) fields.Refuse(field, "", kExpected);
    return engine::AccountId(id);
  }

  // Deposits must be multiples of a step, and the exchange counts only so much (RULES.md, 7).
  void ReadMoney(JsonFields& fields, engine::Money& into) {
    const bool is_given = fields.Has("money");
    const std::string text = fields.Text("money");
    if (!is_given || !fields.status().ok()) return;
    const auto money = engine::Money::Parse(text);
    if (!money.ok() || *money < engine::Money() ||
        money->micros() % engine::kBalanceStepMicros != 0) {
      return fields.Refuse("money", "", "dollars, not below zero, with at most 4 decimals");
    }
    if (*money > engine::kMoneyMax - money_) {
      return fields.Refuse("money", "", "at most 100000000000 dollars in all accounts together");
    }
    money_ += *money;
    into = *money;
  }

  absl::Status ReadMarket(JsonFields& fields) {
    MarketConfig market;
    fields.Require("definition", "an object {...}");
    fields.Object("definition", [this, &market](JsonFields& definition) {
      return ReadDefinition(definition, market.definition);
    });
    fields.Objects("schedule",
                   [&market](JsonFields& action) { return ReadAction(action, market); });
    venue_.markets.push_back(std::move(market));
    return fields.Finish();
  }

  absl::Status ReadDefinition(JsonFields& fields, engine::MarketDefinition& into) {
    fields.Require("id", "a number of a market");
    fields.Require("symbol", "the name of a market");
    ASSIGN_OR_RETURN(into, TakeMarketDefinition(fields));
    if (!quantity_decimals_.emplace(into.id, into.quantity_decimals).second) {
      fields.Refuse("id", "", "a number that no market before it has");
    }
    if (!symbols_.insert(into.symbol).second) {
      fields.Refuse("symbol", "", "a symbol that no market before it has");
    }
    return fields.status();
  }

  static absl::Status ReadAction(JsonFields& fields, MarketConfig& market) {
    ScheduledAction action;
    fields.Require("at", "a time, e.g. 2026-11-25T14:30:00Z");
    const auto at = engine::Timestamp::Parse(fields.Text("at"));
    if (!at.ok()) fields.Refuse("at", "", "a time, e.g. 2026-11-25T14:30:00Z");
    action.at = at.value_or(engine::Timestamp());
    if (!market.schedule.empty() && action.at < market.schedule.back().at) {
      fields.Refuse("at", "",
                    absl::StrCat("no time before that of the action before it, ",
                                 market.schedule.back().at.ToString()));
    }
    ReadKind(fields, market, action.kind);
    ReadValue(fields, market.definition, action);
    market.schedule.push_back(action);
    return fields.Finish();
  }

  static void ReadKind(JsonFields& fields, const MarketConfig& market, CommandKind& into) {
    const bool is_binary = market.definition.kind == engine::MarketKind::kBinary;
    const absl::string_view expected =
        is_binary ? "open, close, determine or settle" : "open or close in an equity market";
    fields.Require("do", expected);
    const std::string name = fields.Text("do");
    const auto* found = std::ranges::find(kActions, absl::string_view(name), &Action::name);
    const auto* end = is_binary ? kActions.end() : kActions.begin() + 2;
    if (found >= end) return fields.Refuse("do", "", expected);
    into = found->kind;
    if (into == CommandKind::kOpenMarket && !market.definition.starts_unopened) {
      return fields.Refuse("do", "", "another action: the market has no \"unopened\": 1");
    }
    if (market.schedule.empty()) return;
    const auto* before = std::ranges::find(kActions, market.schedule.back().kind, &Action::kind);
    if (found <= before) {
      fields.Refuse("do", "", "each action once, in the order open, close, determine, settle");
    }
  }

  static void ReadValue(JsonFields& fields, const engine::MarketDefinition& market,
                        ScheduledAction& action) {
    const int decimals = market.price_decimals;
    const std::string expected = absl::StrCat("0 to 1 dollar with at most ", decimals, " decimals");
    const bool is_given = fields.Has("value");
    const std::string text = fields.Text("value");
    if (!fields.status().ok()) return;
    if (action.kind != CommandKind::kDetermineMarket) {
      if (is_given) fields.Refuse("value", "", "none: only determine has a value");
      return;
    }
    const auto dollar = engine::ParsePrice("1", decimals);
    const auto value = engine::ParsePrice(text, decimals);
    if (!value.ok() || *value < engine::Price() || *value > *dollar) {
      return fields.Refuse("value", "", expected);
    }
    action.value = *value;
  }

  absl::Status ReadLogin(JsonFields& fields) {
    LoginConfig login;
    ReadNameAndSecret(fields, login);
    login.account = ReadAccountId(fields, "account");
    if (fields.status().ok() && account_ids_.count(login.account) == 0) {
      fields.Refuse("account", "", "the id of one of the accounts");
    }
    fields.Bool("cancel_on_disconnect", login.cancel_on_disconnect);
    venue_.logins.push_back(std::move(login));
    return fields.Finish();
  }

  void ReadNameAndSecret(JsonFields& fields, LoginConfig& login) {
    const std::string name_expected =
        absl::StrCat("1 to ", kWordBytesMax, " printable ASCII characters without spaces");
    login.name = fields.Text("name");
    if (!engine::IsLoginName(login.name)) return fields.Refuse("name", "", name_expected);
    if (!names_.insert(login.name).second) {
      return fields.Refuse("name", "", "a name that no login before it has");
    }
    const bool is_given = fields.Has("secret");
    login.secret = fields.Text("secret");
    if (IsWord(login.secret, kSecretBytesMin)) return;
    const std::string found =
        is_given ? absl::StrCat("another value of ", login.secret.size(), " bytes") : "nothing";
    fields.RefuseHidden("secret", found,
                        absl::StrCat(kSecretBytesMin, " to ", kWordBytesMax,
                                     " printable ASCII characters without spaces"));
  }

  absl::Status ReadText(JsonFields& fields) {
    TextConfig& text = venue_.text;
    const bool has_listen = fields.Has("listen");
    const std::string listen = fields.Text("listen");
    if (!IsPrintable(listen)) fields.Refuse("listen", "", "e.g. 127.0.0.1:7001");
    if (has_listen) text.listen = listen;
    ReadCount(fields, "connections_max", text.connections_max);
    ReadCount(fields, "login_seconds_max", text.login_seconds_max);
    return fields.Finish();
  }

  static void ReadCount(JsonFields& fields, const std::string& field, uint32_t& into) {
    fields.Number(field, into);
    if (into == 0) fields.Refuse(field, "", "a whole number from 1");
  }

  VenueConfig venue_;
  engine::Money money_;  // Of all accounts.
  std::set<engine::AccountId> account_ids_;
  std::map<engine::MarketId, int> quantity_decimals_;  // Of all markets.
  std::set<std::string> symbols_;
  std::set<std::string> names_;  // Of logins.
};

// What logs a client in. Refers to the configuration.
struct Secret {
  absl::string_view name;
  absl::string_view secret;
};

std::vector<Secret> SecretsOf(const VenueConfig& config) {
  std::vector<Secret> secrets;
  for (const LoginConfig& login : config.logins) secrets.push_back({login.name, login.secret});
  for (const engine::OuchLogin& login : config.ouch.logins) {
    secrets.push_back({login.user, login.password});
  }
  for (const engine::ItchLogin& login : config.itch.logins) {
    secrets.push_back({login.user, login.password});
  }
  for (const engine::NativeLogin& login : config.native.logins) {
    secrets.push_back({login.user, login.password});
  }
  return secrets;
}

}  // namespace

absl::StatusOr<VenueConfig> ParseVenueFile(std::string text, absl::string_view name) {
  if (text.size() > kVenueFileBytesMax) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ":1: found ", text.size(), " bytes, expected at most ", kVenueFileBytesMax));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<const JsonText> json,
                   JsonText::Parse(std::move(text), name));
  if (!json->root().IsObject()) {
    return json->Error(JsonText::PlaceOf(json->root()),
                       "the file is not a JSON object, expected {...}");
  }
  return VenueReader().Read(*json);
}

absl::StatusOr<VenueConfig> ReadVenueFile(const std::string& path) {
  ASSIGN_OR_RETURN(std::string text, ReadPrivateFile(path, kVenueFileBytesMax));
  return ParseVenueFile(std::move(text), path);
}

absl::StatusOr<std::string> ReadVenueFileWithoutSecrets(const std::string& path) {
  ASSIGN_OR_RETURN(std::string text, ReadPrivateFile(path, kVenueFileBytesMax));
  ASSIGN_OR_RETURN(const VenueConfig config, ParseVenueFile(text, path));
  for (const Secret& each : SecretsOf(config)) {
    const std::string hidden(each.secret.size(), 'x');
    absl::StrReplaceAll({{absl::StrCat("\"", each.secret, "\""), absl::StrCat("\"", hidden, "\"")}},
                        &text);
  }
  ASSIGN_OR_RETURN(const VenueConfig without, ParseVenueFile(text, path));
  for (const Secret& each : SecretsOf(without)) {
    if (each.secret.find_first_not_of('x') == absl::string_view::npos) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": the secret of ", each.name,
        " has an escape, expected letters and digits, for a conversation to be recorded"));
  }
  return text;
}

}  // namespace tools
