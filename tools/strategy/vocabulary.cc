#include "tools/strategy/vocabulary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace strategy {
namespace {

using replay::NamedValue;

// The fields of a kind, in this order.
enum class Word : uint8_t {
  kMarket,
  kOrder,
  kSide,
  kPrice,
  kQuantity,
  kTif,
  kFlags,
  kExpires,
  kChange,    // amount: of a quantity.
  kPosition,  // amount.
  kFee,       // amount.
  kFilled,    // amount.
  kValue,     // amount, of a parameter; price, of a metric.
  kName,      // The attachment, or the text of an action.
  kState,
  kRefusal,
  kReason,
  kLast,
};

struct KindWords {
  absl::string_view name;
  std::initializer_list<Word> words;
};

using enum Word;

constexpr std::array<KindWords, kInputKindCount> kInputs = {{
    {"", {}},
    {"market", {kMarket}},
    {"parameter", {kName, kValue}},
    {"connection", {kState}},
    {"book_clear", {kMarket, kLast}},
    {"book_level", {kMarket, kSide, kPrice, kQuantity, kLast}},
    {"book_change", {kMarket, kSide, kPrice, kChange, kLast}},
    {"book_stale", {kMarket}},
    {"trade", {kMarket, kSide, kPrice, kQuantity}},
    {"order_accepted", {kMarket, kOrder}},
    {"order_refused", {kMarket, kOrder, kRefusal}},
    {"order_filled", {kMarket, kOrder, kPrice, kQuantity, kFee}},
    {"order_amended", {kMarket, kOrder, kPrice, kQuantity}},
    {"order_cancelled", {kMarket, kOrder}},
    {"request_refused", {kMarket, kOrder, kRefusal}},
    {"order_found", {kMarket, kOrder, kSide, kPrice, kQuantity, kFilled}},
    {"position", {kMarket, kPosition}},
    {"time", {}},
    {"settled", {kMarket, kPrice}},
}};

constexpr std::array<KindWords, kActionKindCount> kActions = {{
    {"", {}},
    {"new_order", {kMarket, kOrder, kSide, kPrice, kQuantity, kTif, kFlags, kExpires}},
    {"amend", {kMarket, kOrder, kSide, kPrice, kQuantity}},
    {"cancel", {kMarket, kOrder, kSide}},
    {"log", {kName}},
    {"metric", {kName, kValue}},
    {"stopped", {kReason}},
}};

constexpr std::array<absl::string_view, 3> kReasons = {"", "asked", "loss"};

template <typename Names>
std::string NameIn(const Names& names, size_t at) {
  return at < names.size() && !names[at].empty() ? std::string(names[at]) : absl::StrCat(at);
}

template <typename Table>
const KindWords& WordsOf(const Table& table, uint16_t kind) {
  return table[kind < table.size() ? kind : 0];
}

template <typename Table>
std::string KindName(const Table& table, uint16_t kind) {
  return kind == 0 || kind >= table.size() ? absl::StrCat(kind) : std::string(table[kind].name);
}

// The text of an action, without the zeros that fill it up.
absl::string_view TextOf(const replay::Output& output) {
  const absl::string_view text(reinterpret_cast<const char*>(&output) + kTextOffset,
                               Action::kTextBytes);
  return text.substr(0, text.find('\0'));
}

// The fields of an input or an action; both have the same names for the same words.
template <typename Message>
class FieldWriter {
 public:
  FieldWriter(const Message& message, const engine::MarketDefinition* market,
              absl::string_view text)
      : message_(message), market_(market), text_(text) {}

  std::vector<NamedValue> Write(const KindWords& kind) {
    for (const Word word : kind.words) Add(word);
    return std::move(fields_);
  }

 private:
  void AddText(absl::string_view name, std::string value) {
    fields_.push_back({.name = std::string(name), .value = std::move(value), .is_text = true});
  }
  void AddNumber(absl::string_view name, int64_t value) {
    fields_.push_back({.name = std::string(name), .value = absl::StrCat(value)});
  }
  void AddDecimal(absl::string_view name, int64_t units, int decimals) {
    const engine::Price price = engine::Price::FromUnits(units);
    if (market_ == nullptr) return AddNumber(name, units);
    AddText(name, engine::FormatPrice(price, decimals));
  }
  int quantity_decimals() const { return market_ == nullptr ? 0 : market_->quantity_decimals; }
  int price_decimals() const { return market_ == nullptr ? 0 : market_->price_decimals; }

  void Add(Word word) {
    constexpr bool kIsInput = std::is_same_v<Message, Input>;
    switch (word) {
      case kMarket:
        if (market_ != nullptr) return AddText("market", market_->symbol);
        return AddNumber("market", message_.market.value());
      case kOrder:
        return AddNumber("order", static_cast<int64_t>(message_.order.value()));
      case kSide:
        if (message_.side != engine::Side()) AddText("side", engine::NameOf(message_.side));
        return;
      case kPrice:
        return AddDecimal("price", message_.price.units(), price_decimals());
      case kQuantity:
        return AddDecimal("quantity", static_cast<int64_t>(message_.quantity.units()),
                          quantity_decimals());
      case kName:
        return AddText("text", absl::CEscape(text_));
      default:
        if constexpr (kIsInput) {
          return AddOfInput(word);
        } else {
          return AddOfAction(word);
        }
    }
  }
  void AddOfInput(Word word) {
    switch (word) {
      case kChange:
        return AddDecimal("change", message_.amount, quantity_decimals());
      case kPosition:
        return AddDecimal("position", message_.amount, quantity_decimals());
      case kFilled:
        return AddDecimal("filled", message_.amount, quantity_decimals());
      case kFee:
        return AddText("fee", engine::Money::FromMicros(message_.amount).ToString());
      case kValue:
        return AddNumber("value", message_.amount);
      case kState:
        return AddText("state", NameIn(kConnectionNames, message_.detail));
      case kRefusal:
        return AddText("reason", NameIn(kRefusalNames, message_.detail));
      case kLast:
        if (message_.is_last()) AddNumber("last", 1);
        return;
      default:
        return;
    }
  }
  // "post_only", "post_only+reduce_only".
  void AddFlags(engine::OrderFlags flags) {
    std::string names;
    for (const engine::OrderFlags::NamedBit& each : engine::OrderFlags::kNamedBits) {
      if ((flags.bits() & each.bit) == 0) continue;
      absl::StrAppend(&names, names.empty() ? "" : "+", each.name);
    }
    if (!names.empty()) AddText("flags", std::move(names));
  }
  void AddOfAction(Word word) {
    switch (word) {
      case kTif:
        return AddText("tif", engine::NameOf(message_.tif));
      case kFlags:
        return AddFlags(message_.flags);
      case kExpires:
        if (message_.expires != 0) {
          AddText("expires", engine::Timestamp::FromNanos(message_.expires).ToString());
        }
        return;
      case kValue:
        return AddNumber("value", message_.price.units());
      case kReason:
        return AddText("reason", NameIn(kReasons, std::to_integer<size_t>(message_.detail[0])));
      default:
        return;
    }
  }

  const Message& message_;
  const engine::MarketDefinition* const market_;
  const absl::string_view text_;
  std::vector<NamedValue> fields_;
};

}  // namespace

void StrategyVocabulary::Follow(const journal::Record& record) {
  const Input input = ToInput(*record.row);
  if (input.kind != InputKind::kMarket) return;
  absl::StatusOr<engine::MarketDefinition> definition =
      engine::DecodeMarketDefinition(record.attachment);
  if (definition.ok() && definition->id == input.market) markets_.Add(*std::move(definition));
}

uint16_t StrategyVocabulary::KindOf(const journal::Row& row) const {
  return static_cast<uint16_t>(ToInput(row).kind);
}

std::string StrategyVocabulary::RowKindName(uint16_t kind) const { return KindName(kInputs, kind); }

std::string StrategyVocabulary::OutputKindName(uint16_t kind) const {
  return KindName(kActions, kind);
}

std::vector<NamedValue> StrategyVocabulary::Fields(const journal::Record& record) const {
  const Input input = ToInput(*record.row);
  return FieldWriter(input, markets_.Find(input.market), engine::AsText(record.attachment))
      .Write(WordsOf(kInputs, static_cast<uint16_t>(input.kind)));
}

// Numbers that are independent of what was learned.
std::vector<NamedValue> StrategyVocabulary::Fields(const replay::Output& output) const {
  const Action action = ToAction(output);
  return FieldWriter(action, nullptr, TextOf(output)).Write(WordsOf(kActions, output.kind));
}

std::string StrategyVocabulary::Text(const replay::Output& output) const {
  const Action action = ToAction(output);
  std::string text =
      absl::StrCat(output.sequence.value(), ".", output.index, " ", OutputKindName(output.kind));
  for (const NamedValue& field : FieldWriter(action, markets_.Find(action.market), TextOf(output))
                                     .Write(WordsOf(kActions, output.kind))) {
    absl::StrAppend(&text, " ", field.name, "=", field.value);
  }
  return text;
}

std::string StrategyVocabulary::ClassOf(const replay::Output& output) const {
  const Action action = ToAction(output);
  std::string name = OutputKindName(output.kind);
  if (action.kind == ActionKind::kMetric) absl::StrAppend(&name, "(", TextOf(output), ")");
  if (IsValid(action.side)) absl::StrAppend(&name, "(", engine::NameOf(action.side), ")");
  return name;
}

uint16_t StrategyVocabulary::OutcomeOf(const journal::Row&,
                                       std::span<const replay::Output> outputs) const {
  return outputs.empty() ? uint16_t{0} : outputs.front().kind;
}

std::string StrategyVocabulary::OutcomeName(uint16_t outcome) const {
  return outcome == 0 ? "nothing" : OutputKindName(outcome);
}

}  // namespace strategy
