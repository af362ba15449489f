#include "replay/compare/event_condition.h"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"

namespace replay {
namespace {

using engine::Event;
using engine::EventKind;

constexpr std::array<absl::string_view, 10> kFields = {"order",     "counter", "price",  "quantity",
                                                       "remaining", "account", "market", "side",
                                                       "reason",    "priority"};

bool IsDecimal(absl::string_view field) {
  return field == "price" || field == "quantity" || field == "remaining";
}
bool IsName(absl::string_view field) {
  return field == "market" || field == "side" || field == "reason" || field == "priority";
}

std::string NameIn(const Event& event, absl::string_view field,
                   const engine::MarketDefinition* market) {
  if (field == "market") {
    return market == nullptr ? absl::StrCat("#", event.market.value()) : market->symbol;
  }
  if (field == "side") return engine::NameOf(event.side);
  if (field == "priority") return engine::NameOf(event.priority());
  return event.kind == EventKind::kRejected ? engine::NameOf(event.reject_reason())
                                            : engine::NameOf(event.cancel_reason());
}

int64_t NumberIn(const Event& event, absl::string_view field) {
  if (field == "order") return static_cast<int64_t>(event.order_id.value());
  if (field == "counter") return static_cast<int64_t>(event.counter_order_id.value());
  if (field == "price") return event.price.units();
  if (field == "quantity") return static_cast<int64_t>(event.quantity.units());
  if (field == "remaining") return static_cast<int64_t>(event.quantity_remaining.units());
  return static_cast<int64_t>(event.account.value());
}

// Returns the value in units of the field; nullopt if it is not a number.
std::optional<int64_t> NumberOf(absl::string_view value, absl::string_view field,
                                const engine::MarketDefinition* market) {
  int64_t number = 0;
  if (absl::ConsumePrefix(&value, "#") || !IsDecimal(field)) {
    if (engine::ParseInteger(value, number)) return number;
    return std::nullopt;
  }
  if (market == nullptr) return std::nullopt;
  const auto price = engine::ParsePrice(
      value, field == "price" ? market->price_decimals : market->quantity_decimals);
  if (!price.ok()) return std::nullopt;
  return price->units();
}

}  // namespace

absl::StatusOr<EventCondition> EventCondition::Parse(absl::string_view text) {
  EventCondition condition;
  for (const absl::string_view part : absl::StrSplit(text, "&&")) {
    ASSIGN_OR_RETURN(Term term, ParseTerm(absl::StripAsciiWhitespace(part)));
    condition.terms_.push_back(std::move(term));
  }
  return condition;
}

absl::StatusOr<EventCondition::Term> EventCondition::ParseTerm(absl::string_view text) {
  constexpr std::array<std::pair<absl::string_view, Comparison>, 6> kComparisons = {{
      {"==", Comparison::kEqual},
      {"!=", Comparison::kNotEqual},
      {"<=", Comparison::kLessEqual},
      {">=", Comparison::kGreaterEqual},
      {"<", Comparison::kLess},
      {">", Comparison::kGreater},
  }};
  Term term;
  absl::string_view name = text;
  const size_t at = text.find_first_of("=!<>");
  if (at != absl::string_view::npos) {
    absl::string_view rest = text.substr(at);
    name = absl::StripAsciiWhitespace(text.substr(0, at));
    const auto found = std::ranges::find_if(kComparisons, [&](const auto& comparison) {
      return absl::ConsumePrefix(&rest, comparison.first);
    });
    if (found == kComparisons.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", text, "': expected one of == != < <= > >="));
    }
    term.comparison = found->second;
    term.value = std::string(absl::StripAsciiWhitespace(rest));
  }
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(name, absl::MaxSplits('.', 1));
  if (!engine::ParseName(parts.first, term.kind)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", parts.first, "' is not a kind of event; expected trade, rejected, ..."));
  }
  term.field = std::string(parts.second);
  const bool is_field = std::ranges::find(kFields, parts.second) != kFields.end();
  if (term.field.empty() && term.value.empty()) return term;
  if (!is_field || term.value.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "': expected KIND.FIELD OPERATOR ",
                                                   "VALUE with a field of ",
                                                   absl::StrJoin(kFields, ", ")));
  }
  RETURN_IF_ERROR(CheckValue(term));
  return term;
}

absl::Status EventCondition::CheckValue(const Term& term) {
  if (IsName(term.field)) {
    if (term.comparison == Comparison::kEqual || term.comparison == Comparison::kNotEqual) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(absl::StrCat(term.field, " has no order; expected == or !="));
  }
  engine::MarketDefinition any;
  any.price_decimals = any.quantity_decimals = 9;
  if (NumberOf(term.value, term.field, &any).has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("'", term.value, "' is no ", term.field, "; expected a number"));
}

bool EventCondition::Holds(const Term& term, const Event& event,
                           const engine::MarketDirectory& markets) {
  if (event.kind != term.kind) return false;
  if (term.field.empty()) return true;
  const engine::MarketDefinition* market = markets.Find(event.market);
  if (IsName(term.field)) {
    const bool equal = NameIn(event, term.field, market) == term.value;
    return equal == (term.comparison == Comparison::kEqual);
  }
  const std::optional<int64_t> value = NumberOf(term.value, term.field, market);
  if (!value.has_value()) return false;
  const std::strong_ordering order = NumberIn(event, term.field) <=> *value;
  switch (term.comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kNotEqual:
      return order != 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kGreaterEqual:
      return order >= 0;
  }
  return false;
}

bool EventCondition::Matches(const Event& event, const engine::MarketDirectory& markets) const {
  return std::ranges::all_of(terms_, [&](const Term& term) { return Holds(term, event, markets); });
}

}  // namespace replay
