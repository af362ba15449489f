#include "tools/cli/serve/kalshi_fields.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/tiers.h"
#include "engine/messages/kinds.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "tools/os/crypto/public_key.h"

namespace tools {
namespace {

constexpr size_t kTickerBytesMax = 64;
constexpr size_t kTextBytesMax = 4096;
constexpr size_t kTagsMax = 64;
constexpr int kPriceDecimals = 4;
constexpr int kQuantityDecimals = 2;
constexpr int64_t kMultiplierMax = 1428;  // 0.07 times it is below 1.
constexpr absl::string_view kFeeTypes[] = {"quadratic", "quadratic_with_maker_fees",
                                           "quadratic_with_combo_maker_fees", "flat"};

// What a path and a list with commas can carry as it is.
bool IsTicker(absl::string_view text) {
  return !text.empty() && text.size() <= kTickerBytesMax && absl::c_all_of(text, [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_';
  });
}

// 8-4-4-4-12 digits.
bool IsUuid(absl::string_view text) {
  constexpr absl::string_view kForm = "00000000-0000-0000-0000-000000000000";
  const auto fits = [](char c, char form) {
    return form == '-' ? c == '-' : absl::ascii_isdigit(c) || (c >= 'a' && c <= 'f');
  };
  return text.size() == kForm.size() && std::ranges::equal(text, kForm, fits);
}

class KalshiReader {
 public:
  explicit KalshiReader(const VenueConfig& venue) {
    for (const AccountConfig& account : venue.accounts) accounts_.insert(account.id);
    for (const MarketConfig& market : venue.markets) markets_[market.definition.id] = &market;
  }

  absl::StatusOr<KalshiConfig> Read(JsonFields& fields) {
    const std::string listen = fields.Text("listen");
    if (!absl::c_all_of(listen, [](unsigned char c) { return absl::ascii_isgraph(c); })) {
      fields.Refuse("listen", "", "e.g. 127.0.0.1:7002");
    }
    kalshi_.listen = listen;
    ReadCount(fields, "connections_max", kalshi_.connections_max);
    ReadCount(fields, "connections_per_user_max", kalshi_.connections_per_user_max);
    ReadCount(fields, "signature_window_seconds", kalshi_.signature_window_seconds);
    fields.Bool("send_date", kalshi_.sends_date);
    ReadTlsFiles(fields);
    fields.Objects("series", [this](JsonFields& series) { return ReadSeries(series); });
    fields.Objects("events", [this](JsonFields& event) { return ReadEvent(event); });
    fields.Objects("markets", [this](JsonFields& market) { return ReadMarket(market); });
    fields.Objects("keys", [this](JsonFields& key) { return ReadKey(key); });
    fields.Objects("tiers", [this](JsonFields& tier) { return ReadTier(tier); });
    RETURN_IF_ERROR(fields.Finish());
    return std::move(kalshi_);
  }

 private:
  void ReadTlsFiles(JsonFields& fields) {
    kalshi_.certificate = fields.Text("certificate");
    kalshi_.private_key = fields.Text("private_key");
    if (kalshi_.certificate.empty() == kalshi_.private_key.empty()) return;
    const absl::string_view missing = kalshi_.certificate.empty() ? "certificate" : "private_key";
    fields.Refuse(missing, "", "a file, because there is one of the other half");
  }

  absl::Status ReadSeries(JsonFields& fields) {
    engine::KalshiSeries series;
    series.ticker = ReadTicker(fields, series_, "series");
    series.title = ReadTitle(fields);
    series.category = ReadText(fields, "category");
    series.frequency = ReadText(fields, "frequency");
    series.fee_type = fields.Has("fee_type") ? fields.Text("fee_type") : std::string(kFeeTypes[0]);
    if (!absl::c_linear_search(kFeeTypes, series.fee_type)) {
      fields.Refuse("fee_type", "", absl::StrJoin(kFeeTypes, ", "));
    }
    ReadMultiplier(fields, series.fee_multiplier);
    fields.Texts("tags", series.tags);
    const auto is_long = [](const std::string& tag) { return tag.size() > kTickerBytesMax; };
    if (series.tags.size() > kTagsMax || absl::c_any_of(series.tags, is_long)) {
      fields.Refuse(
          "tags", "",
          absl::StrCat("at most ", kTagsMax, " texts of at most ", kTickerBytesMax, " bytes"));
    }
    kalshi_.series.push_back(std::move(series));
    return fields.Finish();
  }

  absl::Status ReadEvent(JsonFields& fields) {
    engine::KalshiEvent event;
    event.ticker = ReadTicker(fields, events_, "event");
    event.series = ReadOneOf(fields, "series", series_, "the ticker of one of the series");
    event.title = ReadTitle(fields);
    event.sub_title = ReadText(fields, "sub_title");
    fields.Bool("mutually_exclusive", event.is_mutually_exclusive);
    kalshi_.events.push_back(std::move(event));
    return fields.Finish();
  }

  absl::Status ReadMarket(JsonFields& fields) {
    engine::KalshiMarket market;
    const MarketConfig* const traded = ReadTraded(fields);
    if (traded == nullptr) return fields.status();
    market.id = traded->definition.id;
    market.event = ReadOneOf(fields, "event", events_, "the ticker of one of the events");
    market.title = ReadTitle(fields);
    market.yes_sub_title = ReadText(fields, "yes_sub_title");
    market.no_sub_title = ReadText(fields, "no_sub_title");
    market.rules_primary = ReadText(fields, "rules_primary");
    market.rules_secondary = ReadText(fields, "rules_secondary");
    market.price_level_structure = fields.Text("price_level_structure");
    if (!IsTicker(market.price_level_structure)) {
      fields.Refuse("price_level_structure", "", "the name of a price grid, e.g. linear_cent");
    }
    for (const ScheduledAction& action : traded->schedule) SetTime(action, market);
    kalshi_.markets.push_back(std::move(market));
    return fields.Finish();
  }

  // Null if it is refused.
  const MarketConfig* ReadTraded(JsonFields& fields) {
    constexpr absl::string_view kExpected = "the id of one of the venue's markets";
    uint32_t id = 0;
    fields.Require("market", kExpected);
    fields.Number("market", id);
    const auto found = markets_.find(engine::MarketId(id));
    if (found == markets_.end()) {
      fields.Refuse("market", "", kExpected);
      return nullptr;
    }
    const engine::MarketDefinition& definition = found->second->definition;
    if (definition.kind != engine::MarketKind::kBinary ||
        definition.price_decimals != kPriceDecimals ||
        definition.quantity_decimals != kQuantityDecimals) {
      fields.Refuse("market", "", "a binary market with price_decimals 4 and quantity_decimals 2");
    }
    if (!IsTicker(definition.symbol)) {
      fields.Refuse("market", "", "a market whose symbol has only letters, digits and - . _");
    }
    if (!listed_.insert(definition.id).second) {
      fields.Refuse("market", "", "a market that none before it has");
    }
    return fields.status().ok() ? found->second : nullptr;
  }

  static void SetTime(const ScheduledAction& action, engine::KalshiMarket& market) {
    if (action.kind == engine::CommandKind::kOpenMarket) market.opens_at = action.at;
    if (action.kind == engine::CommandKind::kCloseMarket) market.closes_at = action.at;
    if (action.kind == engine::CommandKind::kDetermineMarket) market.determines_at = action.at;
    if (action.kind == engine::CommandKind::kSettleMarket) market.settles_at = action.at;
  }

  absl::Status ReadKey(JsonFields& fields) {
    KalshiKeyConfig key;
    key.id = fields.Text("id");
    if (!IsUuid(key.id)) {
      fields.Refuse("id", "", "a UUID in lower case, e.g. 6f9619ff-8b86-4d01-b42d-00cf4fc964ff");
    }
    if (fields.status().ok() && !keys_.insert(key.id).second) {
      fields.Refuse("id", "", "an id that no key before it has");
    }
    key.account = ReadAccount(fields);
    key.public_key = fields.Text("public_key");
    const auto parsed = PublicKey::Parse(key.public_key);
    if (!parsed.ok() && fields.status().ok()) {
      // It may be a private key.
      fields.RefuseHidden(
          "public_key", absl::StrCat("another value of ", key.public_key.size(), " bytes"),
          absl::StrCat("the public half of an RSA or Ed25519 key: ", parsed.status().message()));
    }
    kalshi_.keys.push_back(std::move(key));
    return fields.Finish();
  }

  absl::Status ReadTier(JsonFields& fields) {
    KalshiTierConfig tier;
    tier.account = ReadAccount(fields);
    if (fields.status().ok() && !tiered_.insert(tier.account).second) {
      fields.Refuse("account", "", "an account that no tier before it has");
    }
    tier.tier = fields.Text("tier");
    if (engine::FindKalshiTier(tier.tier) == nullptr) {
      fields.Refuse("tier", "", "basic, advanced, expert, premier, paragon, prime or prestige");
    }
    kalshi_.tiers.push_back(std::move(tier));
    return fields.Finish();
  }

  engine::AccountId ReadAccount(JsonFields& fields) const {
    constexpr absl::string_view kExpected = "the id of one of the accounts";
    uint32_t id = 0;
    fields.Require("account", kExpected);
    fields.Number("account", id);
    if (!accounts_.contains(engine::AccountId(id))) fields.Refuse("account", "", kExpected);
    return engine::AccountId(id);
  }

  // Adds it to `known`.
  static std::string ReadTicker(JsonFields& fields, std::set<std::string>& known,
                                absl::string_view what) {
    std::string ticker = fields.Text("ticker");
    if (!IsTicker(ticker)) {
      fields.Refuse("ticker", "",
                    absl::StrCat("1 to ", kTickerBytesMax, " letters, digits and - . _"));
    } else if (!known.insert(ticker).second) {
      fields.Refuse("ticker", "", absl::StrCat("a ticker that no ", what, " before it has"));
    }
    return ticker;
  }

  static std::string ReadOneOf(JsonFields& fields, const std::string& field,
                               const std::set<std::string>& known, absl::string_view expected) {
    std::string ticker = fields.Text(field);
    if (!known.contains(ticker)) fields.Refuse(field, "", expected);
    return ticker;
  }

  static std::string ReadText(JsonFields& fields, const std::string& field) {
    std::string text = fields.Text(field);
    if (text.size() > kTextBytesMax) {
      fields.Refuse(field, "", absl::StrCat("at most ", kTextBytesMax, " bytes"));
    }
    return text;
  }

  static std::string ReadTitle(JsonFields& fields) {
    std::string title = ReadText(fields, "title");
    if (title.empty()) fields.Refuse("title", "", "a text");
    return title;
  }

  static void ReadMultiplier(JsonFields& fields, uint32_t& into) {
    if (!fields.Has("fee_multiplier")) return;
    const auto multiplier = engine::ParsePrice(fields.Text("fee_multiplier"), 2);
    if (!multiplier.ok() || multiplier->units() < 0 || multiplier->units() > kMultiplierMax) {
      return fields.Refuse("fee_multiplier", "", "0 to 14.28 with at most 2 decimals");
    }
    into = static_cast<uint32_t>(multiplier->units());
  }

  static void ReadCount(JsonFields& fields, const std::string& field, uint32_t& into) {
    fields.Number(field, into);
    if (into == 0) fields.Refuse(field, "", "a whole number from 1");
  }

  KalshiConfig kalshi_;
  std::set<engine::AccountId> accounts_;                     // Of the venue.
  std::map<engine::MarketId, const MarketConfig*> markets_;  // Of the venue.
  std::set<std::string> series_;
  std::set<std::string> events_;
  std::set<engine::MarketId> listed_;
  std::set<std::string> keys_;
  std::set<engine::AccountId> tiered_;
};

}  // namespace

absl::StatusOr<KalshiConfig> TakeKalshi(JsonFields& fields, const VenueConfig& venue) {
  return KalshiReader(venue).Read(fields);
}

}  // namespace tools
