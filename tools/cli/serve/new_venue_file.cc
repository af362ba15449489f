#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "engine/base/check.h"
#include "tools/cli/serve/new_venue_keys.h"
#include "tools/cli/serve/venue_file.h"

namespace tools {
namespace {

constexpr char kNewVenue[] = R"({
  "schema": "ticktape.venue/1",
  "accounts": [
    {"id": 1, "money": "100000.00"},
    {"id": 2, "money": "100000.00"}
  ],
  "markets": [
    {
      "definition": {
        "id": 1, "symbol": "ACME",
        "price_decimals": 2, "tick": "0.01", "price_min": "0.01", "price_max": "9999.99",
        "quantity_decimals": 0
      }
    },
    {
      "definition": {
        "id": 2, "symbol": "BOLT",
        "price_decimals": 2, "tick": "0.01", "price_min": "0.01", "price_max": "9999.99",
        "quantity_decimals": 0
      }
    },
    {
      "definition": {
        "id": 3, "symbol": "RAIN", "kind": "binary",
        "price_decimals": 2, "tick": "0.01", "price_min": "0.01", "price_max": "0.99",
        "quantity_decimals": 0
      }
    }$3
  ],
  "logins": [
    {"name": "desk-1", "secret": "$0", "account": 1, "cancel_on_disconnect": true},
    {"name": "desk-2", "secret": "$1", "account": 1},
    {"name": "desk-3", "secret": "$2", "account": 2}
  ],
  "text": {
    "listen": "127.0.0.1:7001",
    "connections_max": 10000,
    "login_seconds_max": 10
  },
  "kalshi": {
    "listen": "$6",
    "send_date": true,
    "series": [
      {"ticker": "KXRAIN", "title": "Rain on the day", "category": "Climate and Weather",
       "frequency": "daily", "fee_type": "quadratic", "fee_multiplier": "1.00", "tags": ["Rain"]},
      {"ticker": "KXRATE", "title": "Interest rate", "category": "Economics",
       "frequency": "monthly", "fee_type": "quadratic_with_maker_fees", "fee_multiplier": "1.00",
       "tags": ["Rates"]},
      {"ticker": "KXCUP", "title": "Winner of the cup", "category": "Sports",
       "frequency": "annual", "fee_type": "quadratic_with_combo_maker_fees",
       "fee_multiplier": "0.50", "tags": ["Football", "Cup"]}
    ],
    "events": [
      {"ticker": "KXRAIN-26DEC31", "series": "KXRAIN", "title": "Rain on New Year's Eve?",
       "sub_title": "On Dec 31, 2026", "mutually_exclusive": false},
      {"ticker": "KXRATE-26DEC", "series": "KXRATE", "title": "Interest rate in December?",
       "sub_title": "In December 2026", "mutually_exclusive": true},
      {"ticker": "KXCUP-27", "series": "KXCUP", "title": "Who wins the cup?",
       "sub_title": "In 2027", "mutually_exclusive": true}
    ],
    "markets": [$4
    ],
    "keys": [$5
    ],
    "tiers": [
      {"account": 1, "tier": "prestige"},
      {"account": 2, "tier": "prestige"}
    ]
  }$7
}
)";

// The prices of a market, as its definition has them.
struct Grid {
  const char* name;
  const char* prices;
};
constexpr Grid kLinearCent = {
    .name = "linear_cent", .prices = R"("tick": "0.01", "price_min": "0.01", "price_max": "0.99")"};
constexpr Grid kDeciCent = {
    .name = "deci_cent",
    .prices = R"("tick": "0.001", "price_min": "0.001", "price_max": "0.999")"};
constexpr Grid kTapered = {.name = "tapered_deci_cent",
                           .prices = R"("price_min": "0.001", "price_max": "0.999",
        "bands": "0.001:0.001,0.10:0.01,0.90:0.001")"};
constexpr Grid kCustom = {.name = "custom",
                          .prices = R"("price_min": "0.0001", "price_max": "0.9999",
        "bands": "0.0001:0.0001,0.01:0.001,0.20:0.02,0.80:0.001,0.99:0.0001")"};

struct NewMarket {
  const char* event;
  const char* suffix;
  const char* yes;  // What happens.
  const Grid& grid;
  const char* fair;  // What its agents think at first.
};
constexpr NewMarket kKalshiMarkets[] = {
    {.event = "KXRAIN-26DEC31",
     .suffix = "NYC",
     .yes = "New York",
     .grid = kLinearCent,
     .fair = "0.55"},
    {.event = "KXRAIN-26DEC31",
     .suffix = "BOS",
     .yes = "Boston",
     .grid = kLinearCent,
     .fair = "0.30"},
    {.event = "KXRAIN-26DEC31",
     .suffix = "CHI",
     .yes = "Chicago",
     .grid = kLinearCent,
     .fair = "0.42"},
    {.event = "KXRAIN-26DEC31",
     .suffix = "SEA",
     .yes = "Seattle",
     .grid = kLinearCent,
     .fair = "0.81"},
    {.event = "KXRATE-26DEC", .suffix = "T325", .yes = "3.25%", .grid = kDeciCent, .fair = "0.081"},
    {.event = "KXRATE-26DEC", .suffix = "T350", .yes = "3.50%", .grid = kDeciCent, .fair = "0.62"},
    {.event = "KXRATE-26DEC", .suffix = "T375", .yes = "3.75%", .grid = kDeciCent, .fair = "0.24"},
    {.event = "KXRATE-26DEC", .suffix = "T400", .yes = "4.00%", .grid = kDeciCent, .fair = "0.055"},
    {.event = "KXCUP-27", .suffix = "RED", .yes = "Red", .grid = kTapered, .fair = "0.45"},
    {.event = "KXCUP-27", .suffix = "BLUE", .yes = "Blue", .grid = kTapered, .fair = "0.33"},
    {.event = "KXCUP-27", .suffix = "GREEN", .yes = "Green", .grid = kTapered, .fair = "0.07"},
    {.event = "KXCUP-27", .suffix = "WHITE", .yes = "White", .grid = kCustom, .fair = "0.15"},
};
constexpr uint32_t kFirstKalshiMarket = 4;

std::string Definitions() {
  std::string out;
  uint32_t id = kFirstKalshiMarket;
  for (const NewMarket& market : kKalshiMarkets) {
    absl::SubstituteAndAppend(&out, R"(,
    {
      "definition": {
        "id": $0, "symbol": "$1-$2", "kind": "binary",
        "price_decimals": 4, $3,
        "quantity_decimals": 2, "fok_becomes_ioc": true, "post_only_change_cancels": true
      }
    })",
                              id++, market.event, market.suffix, market.grid.prices);
  }
  return out;
}

std::string KalshiMarkets() {
  std::string out;
  uint32_t id = kFirstKalshiMarket;
  for (const NewMarket& market : kKalshiMarkets) {
    absl::SubstituteAndAppend(&out, R"($0
      {"market": $1, "event": "$2", "title": "$3",
       "yes_sub_title": "$3", "no_sub_title": "Not $3",
       "rules_primary": "If it is $3, the market resolves to Yes.",
       "price_level_structure": "$4"})",
                              out.empty() ? "" : ",", id++, market.event, market.yes,
                              market.grid.name);
  }
  return out;
}

// "agents", after a comma: a little less than a hundred, in the twelve markets.
std::string Agents() {
  std::string out;
  uint32_t id = kFirstKalshiMarket;
  for (const NewMarket& market : kKalshiMarkets) {
    absl::SubstituteAndAppend(&out, R"($0
      {"market": $1, "makers": 3, "noise": 3, "momentum": 1, "actions_per_minute": 60,
       "price": "$2", "volatility": "0.01", "depth": "200.00"})",
                              out.empty() ? "" : ",", id++, market.fair);
  }
  return absl::StrCat(R"(,
  "agents": {
    "seed": 1, "first_account": 1000000, "money": "1000000.00",
    "markets": [)",
                      out, "\n    ]\n  }");
}

std::string Keys(std::span<const NewVenueKey> keys) {
  std::string out;
  for (const NewVenueKey& key : keys) {
    absl::SubstituteAndAppend(&out, R"($0
      {"id": "$1", "account": $2,
       "public_key": "$3"})",
                              out.empty() ? "" : ",", key.id, key.account.value(),
                              absl::StrReplaceAll(key.public_key, {{"\n", "\\n"}}));
  }
  return out;
}

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

}  // namespace

std::string NewVenueFile(const std::array<std::string, kNewVenueLogins>& secrets,
                         std::span<const NewVenueKey> keys, bool is_demo) {
  for (const std::string& secret : secrets) CHECK(absl::c_all_of(secret, IsAlphanumeric));
  return absl::Substitute(kNewVenue, secrets[0], secrets[1], secrets[2], Definitions(),
                          KalshiMarkets(), Keys(keys), is_demo ? "127.0.0.1:7002" : "",
                          is_demo ? Agents() : "");
}

}  // namespace tools
