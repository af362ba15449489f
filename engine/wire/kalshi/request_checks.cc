#include "engine/wire/kalshi/request_checks.h"

#include "absl/strings/str_cat.h"
#include "engine/types/quantity.h"

namespace engine::kalshi {
namespace {

constexpr size_t kClientOrderIdMax = 128;
constexpr int64_t kSecondsMax = 9'223'372'036;  // What a Timestamp holds.

}  // namespace

Refusal ReadTicker(const TextMember& text, absl::string_view& ticker) {
  ticker = text.value_or("");
  if (ticker.empty()) return Because(errors::kMissingParameters, "ticker");
  return std::nullopt;
}

Refusal ReadSide(const TextMember& text, Side& side) {
  if (text.value_or("").empty()) return Because(errors::kInvalidOrder, "side is required");
  if (text != "bid" && text != "ask") {
    return Because(errors::kInvalidOrder, "side must be bid or ask");
  }
  side = text == "bid" ? Side::kBid : Side::kAsk;
  return std::nullopt;
}

Refusal ReadCount(const TextMember& text, bool takes_zero, Count& count) {
  if (text.value_or("").empty()) return Because(errors::kInvalidOrder, "count is required");
  const std::optional<Count> read = ParseCount(*text);
  if (!read.has_value() || (*read == Count() && !takes_zero) || *read > Count::Of(kQuantityMax)) {
    return Because(errors::kInvalidOrderSize);
  }
  count = *read;
  return std::nullopt;
}

Refusal ReadPrice(const TextMember& text, Price& price) {
  if (text.value_or("").empty()) return Because(errors::kInvalidOrder, "price is required");
  const std::optional<Price> read = ParsePrice(*text);
  if (!read.has_value() || *read > kOneDollar) return Because(errors::kInvalidPrice);
  price = *read;
  return std::nullopt;
}

Refusal ReadTimeInForce(const TextMember& text, TimeInForce& tif) {
  if (text.value_or("").empty()) return Because(errors::kMissingParameters, "time_in_force");
  if (text == "good_till_canceled") {
    tif = TimeInForce::kGoodTillCancelled;
  } else if (text == "immediate_or_cancel") {
    tif = TimeInForce::kImmediateOrCancel;
  } else if (text == "fill_or_kill") {
    tif = TimeInForce::kFillOrKill;
  } else {
    return Because(errors::kInvalidOrder, "unknown time_in_force");
  }
  return std::nullopt;
}

std::optional<SelfTradePrevention> ParseSelfTradePrevention(absl::string_view text) {
  if (text == "taker_at_cross") return SelfTradePrevention::kCancelTaker;
  if (text == "maker") return SelfTradePrevention::kCancelMaker;
  return std::nullopt;
}

Refusal ReadSelfTradePrevention(const TextMember& text, SelfTradePrevention& prevention) {
  if (text.value_or("").empty()) {
    return Because(errors::kMissingParameters, "self_trade_prevention_type");
  }
  const std::optional<SelfTradePrevention> read = ParseSelfTradePrevention(*text);
  if (!read.has_value()) {
    return Because(errors::kInvalidOrder, "unknown self_trade_prevention_type");
  }
  prevention = *read;
  return std::nullopt;
}

Refusal ReadClientOrderId(const TextMember& text, absl::string_view name, absl::string_view& id) {
  id = text.value_or("");
  if (id.size() > kClientOrderIdMax) {
    return Because(errors::kInvalidOrder, absl::StrCat(name, " is too long"));
  }
  return std::nullopt;
}

Refusal CheckSubaccount(const IntegerMember& value) {
  if (value.value_or(0) == 0) return std::nullopt;
  return Because(errors::kInvalidParameters, "subaccount must be 0: there is no other");
}

Refusal ReadExchangeIndex(const IntegerMember& value, int32_t& index) {
  if (value.value_or(-1) != -1 && value.value_or(-1) != 0) {
    return Because(errors::kInvalidParameters, "unknown exchange_index");
  }
  index = static_cast<int32_t>(value.value_or(-1));
  return std::nullopt;
}

Refusal ReadContractsLimit(const TextMember& text, const IntegerMember& contracts, Count& limit) {
  std::optional<Count> read;
  if (text.has_value()) {
    read = ParseCount(*text);
  } else if (!contracts.has_value()) {
    return Because(errors::kMissingParameters, "contracts_limit");
  } else if (*contracts > 0 && *contracts <= Count::Of(kQuantityMax).hundredths()) {
    read = Count::FromHundredths(*contracts * 100);
  }
  if (!read.has_value() || *read == Count()) {
    return Because(errors::kInvalidParameters, "contracts_limit must be positive");
  }
  limit = *read;
  return std::nullopt;
}

Refusal CheckExpiration(const IntegerMember& expiration_s) {
  if (expiration_s.value_or(0) > kSecondsMax) {
    return Because(errors::kInvalidOrder, "expiration_time is too late");
  }
  if (expiration_s.value_or(0) < 0) return Because(errors::kExpirationInPast);
  return std::nullopt;
}

}  // namespace engine::kalshi
