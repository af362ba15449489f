#include "tools/cli/serve/agents_fields.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/agents/agents.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace tools {
namespace {

constexpr uint32_t kAgentsMax = 1000;              // Of a market.
constexpr uint32_t kActionsPerMinuteMax = 60'000;  // Of an agent.
constexpr uint32_t kFirstAccount = 1'000'000;
constexpr engine::Money kMoney = engine::Money::FromDollars(1'000'000);

class AgentsReader {
 public:
  explicit AgentsReader(VenueConfig& venue) : venue_(venue) {
    for (const MarketConfig& market : venue.markets) markets_[market.definition.id] = &market;
  }

  absl::Status Read(JsonFields& fields) {
    fields.Number("seed", agents_.seed);
    uint32_t first = kFirstAccount;
    fields.Number("first_account", first);
    if (first == 0) fields.Refuse("first_account", "", "a number of an account, from 1");
    agents_.first_account = engine::AccountId(first);
    fields.Objects("markets", [this](JsonFields& market) { return ReadMarket(market); });
    AddAccounts(fields, ReadMoney(fields));
    RETURN_IF_ERROR(fields.Finish());
    venue_.agents = std::move(agents_);
    return absl::OkStatus();
  }

 private:
  absl::Status ReadMarket(JsonFields& fields) {
    constexpr absl::string_view kExpected = "the id of one of the markets, each at most once";
    fields.Require("market", kExpected);
    uint32_t id = 0;
    fields.Number("market", id);
    const auto found = markets_.find(engine::MarketId(id));
    if (found == markets_.end() || !taken_.insert(found->first).second) {
      fields.Refuse("market", "", kExpected);
      return fields.status();
    }
    const engine::MarketDefinition& definition = found->second->definition;
    engine::MarketAgents market = {.market = definition.id};
    ReadCounts(fields, market);
    ReadPrices(fields, definition, market);
    fields.Require("depth", "a quantity above zero");
    fields.Quantity("depth", definition.quantity_decimals, market.depth);
    if (market.depth.is_zero() || market.depth > engine::kQuantityMax) {
      fields.Refuse("depth", "", "a quantity above zero");
    }
    agents_.markets.push_back(market);
    return fields.Finish();
  }

  static void ReadCounts(JsonFields& fields, engine::MarketAgents& market) {
    ReadCount(fields, "makers", market.makers);
    ReadCount(fields, "noise", market.noise);
    ReadCount(fields, "momentum", market.momentum);
    uint32_t per_minute = 60;
    fields.Number("actions_per_minute", per_minute);
    if (per_minute == 0 || per_minute > kActionsPerMinuteMax) {
      fields.Refuse("actions_per_minute", "",
                    absl::StrCat("a whole number from 1 to ", kActionsPerMinuteMax));
    }
    market.actions_a_second = per_minute / 60.0;
  }

  static void ReadCount(JsonFields& fields, const char* field, uint32_t& into) {
    fields.Number(field, into);
    if (into <= kAgentsMax) return;
    fields.Refuse(field, "", absl::StrCat("at most ", kAgentsMax, " agents of a kind"));
  }

  static void ReadPrices(JsonFields& fields, const engine::MarketDefinition& definition,
                         engine::MarketAgents& market) {
    const int64_t low = definition.price_min.units();
    const int64_t high = definition.price_max.units();
    if (definition.kind == engine::MarketKind::kBinary) {
      market.start = engine::Price::FromUnits(low + (high - low) / 2);
    } else {
      fields.Require("price", "a price of the market");
    }
    fields.Price("price", definition.price_decimals, market.start);
    if (market.start < definition.price_min || market.start > definition.price_max) {
      fields.Refuse("price", "", "a price of the market");
    }
    fields.Price("volatility", definition.price_decimals, market.volatility);
    if (market.volatility < engine::Price() || market.volatility.units() > high - low) {
      fields.Refuse("volatility", "", "from 0 to the range of the market's prices");
    }
  }

  static engine::Money ReadMoney(JsonFields& fields) {
    if (!fields.Has("money")) return kMoney;
    const auto money = engine::Money::Parse(fields.Text("money"));
    if (money.ok() && *money >= engine::Money() && *money <= engine::kMoneyMax &&
        money->micros() % engine::kBalanceStepMicros == 0) {
      return *money;
    }
    fields.Refuse("money", "", "dollars, not below zero, with at most 4 decimals");
    return engine::Money();
  }

  // One for each agent of the market that has most.
  void AddAccounts(JsonFields& fields, engine::Money money) {
    uint32_t count = 0;
    for (const engine::MarketAgents& market : agents_.markets) {
      count = std::max(count, market.count());
    }
    std::set<engine::AccountId> accounts;
    engine::Money left = engine::kMoneyMax;
    for (const AccountConfig& account : venue_.accounts) {
      accounts.insert(account.id);
      left -= account.money;
    }
    const uint64_t first = agents_.first_account.value();
    for (uint64_t id = first; id < first + count && fields.status().ok(); ++id) {
      const engine::AccountId account(static_cast<uint32_t>(id));
      if (id > UINT32_MAX || accounts.contains(account)) {
        return fields.Refuse("first_account", "",
                             absl::StrCat("the first of ", count, " numbers of no other account"));
      }
      if (money > left) {
        return fields.Refuse("money", "", "at most 100000000000 dollars in all accounts together");
      }
      left -= money;
      venue_.accounts.push_back({.id = account, .money = money});
    }
  }

  VenueConfig& venue_;
  engine::AgentsOptions agents_;
  std::map<engine::MarketId, const MarketConfig*> markets_;
  std::set<engine::MarketId> taken_;
};

}  // namespace

absl::Status TakeAgents(JsonFields& fields, VenueConfig& venue) {
  return AgentsReader(venue).Read(fields);
}

}  // namespace tools
