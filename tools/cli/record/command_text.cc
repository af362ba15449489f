#include "tools/cli/record/command_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace tools {
namespace {

using engine::Command;
using engine::OrderFlags;

constexpr std::array<absl::string_view, 27> kFields = {
    "sequence",        "time",        "time_ns",  "kind",           "market",
    "market_id",       "order",       "side",     "type",           "tif",
    "price",           "price_units", "quantity", "quantity_units", "account",
    "client_order_id", "flags",       "group",    "expires",        "amount",
    "window_ns",       "attachment",  "schema",   "post_only",      "reduce_only",
    "cancel_on_pause", "stp"};

template <typename Int>
absl::StatusOr<Int> ParseInt(absl::string_view field, absl::string_view text) {
  Int value = 0;
  if (engine::ParseInteger(text, value)) return value;
  return FieldError(
      field, text,
      absl::StrCat("a whole number from ", static_cast<int64_t>(std::numeric_limits<Int>::min()),
                   " to ", static_cast<uint64_t>(std::numeric_limits<Int>::max())));
}

// Builds one command from its fields.
class Assembler {
 public:
  Assembler(const NamedFields& fields, const engine::MarketDirectory& markets)
      : fields_(fields), markets_(markets) {}

  absl::StatusOr<ParsedCommand> Assemble() {
    RETURN_IF_ERROR(CheckNames());
    RETURN_IF_ERROR(TakeKind());
    RETURN_IF_ERROR(TakeTime());
    RETURN_IF_ERROR(TakeMarket());
    RETURN_IF_ERROR(TakeOrderWord());
    RETURN_IF_ERROR(TakePriceWord());
    RETURN_IF_ERROR(TakeQuantity());
    RETURN_IF_ERROR(TakeNumbers());
    RETURN_IF_ERROR(TakeFlags());
    RETURN_IF_ERROR(TakeAttachment());
    return std::move(parsed_);
  }

 private:
  // Returns null if the field is missing or empty.
  const std::string* Find(absl::string_view name) const {
    for (const auto& [field, text] : fields_) {
      if (field == name) return text.empty() ? nullptr : &text;
    }
    return nullptr;
  }

  absl::Status CheckNames() const {
    for (const auto& [field, text] : fields_) {
      if (!IsCommandField(field)) return FieldError(field, text, "a field of a command");
    }
    return absl::OkStatus();
  }

  template <typename Enum>
  absl::Status TakeName(absl::string_view field, absl::string_view expected, Enum& into) {
    const std::string* text = Find(field);
    if (text == nullptr || engine::ParseName(*text, into)) return absl::OkStatus();
    return FieldError(field, *text, expected);
  }

  absl::Status TakeKind() {
    if (Find("kind") == nullptr) return FieldError("kind", "", "e.g. new_order");
    RETURN_IF_ERROR(TakeName("kind", "e.g. new_order or cancel, or a number", command_.kind));
    RETURN_IF_ERROR(TakeName("side", "bid or ask", command_.side));
    RETURN_IF_ERROR(TakeName("type", "limit or market", command_.type));
    return TakeName("tif", "gtc, gtt, day, ioc or fok", command_.tif);
  }

  // Sets a word that several fields may give; all given values must agree.
  absl::Status Agree(absl::string_view field, const std::string& text, int64_t value,
                     std::optional<int64_t>& word, absl::string_view& said_by) {
    if (!word.has_value()) {
      word = value;
      said_by = field;
      return absl::OkStatus();
    }
    if (*word == value) return absl::OkStatus();
    return FieldError(
        field, text, absl::StrCat("what ", said_by, " says, which is ", *word, " and not ", value));
  }

  absl::Status TakeTime() {
    std::optional<int64_t> nanos;
    absl::string_view said_by;
    if (const std::string* text = Find("time_ns")) {
      ASSIGN_OR_RETURN(const int64_t value, ParseInt<int64_t>("time_ns", *text));
      RETURN_IF_ERROR(Agree("time_ns", *text, value, nanos, said_by));
    }
    if (const std::string* text = Find("time")) {
      const auto time = engine::Timestamp::Parse(*text);
      if (!time.ok()) return FieldError("time", *text, "e.g. 2020-01-30T09:30:00.000000001Z");
      RETURN_IF_ERROR(Agree("time", *text, time->nanos(), nanos, said_by));
    }
    command_.timestamp = engine::Timestamp::FromNanos(nanos.value_or(0));
    if (const std::string* text = Find("sequence")) {
      ASSIGN_OR_RETURN(const uint64_t value, ParseInt<uint64_t>("sequence", *text));
      command_.sequence = engine::SequenceNumber(value);
    }
    return absl::OkStatus();
  }

  absl::Status TakeMarket() {
    const std::string* symbol = Find("market");
    const std::string* id = Find("market_id");
    if (id != nullptr) {
      ASSIGN_OR_RETURN(const uint32_t value, ParseInt<uint32_t>("market_id", *id));
      command_.market = engine::MarketId(value);
      market_ = markets_.Find(command_.market);
    }
    if (symbol == nullptr) return absl::OkStatus();
    const engine::MarketDefinition* named = markets_.FindSymbol(*symbol);
    if (id == nullptr) {
      if (named == nullptr) return FieldError("market", *symbol, "a market that is defined before");
      command_.market = named->id;
      market_ = named;
    } else if (named != nullptr && named->id != command_.market) {
      return FieldError(
          "market", *symbol,
          absl::StrCat("the market of market_id ", *id, ", and not of ", named->id.value()));
    }
    return absl::OkStatus();
  }

  absl::Status TakeOrderWord() {
    std::optional<int64_t> word;
    absl::string_view said_by;
    if (const std::string* text = Find("order")) {
      ASSIGN_OR_RETURN(const uint64_t value, ParseInt<uint64_t>("order", *text));
      // A zero next to an expiry time is an empty field.
      if (value != 0 || Find("expires") == nullptr) {
        RETURN_IF_ERROR(Agree("order", *text, static_cast<int64_t>(value), word, said_by));
      }
    }
    if (const std::string* text = Find("expires")) {
      const auto time = engine::Timestamp::Parse(*text);
      if (!time.ok()) return FieldError("expires", *text, "e.g. 2020-01-30T16:00:00Z");
      RETURN_IF_ERROR(Agree("expires", *text, time->nanos(), word, said_by));
    }
    command_.order_id = engine::OrderId(static_cast<uint64_t>(word.value_or(0)));
    return absl::OkStatus();
  }

  absl::Status NeedMarket(absl::string_view field, const std::string& text) const {
    if (market_ != nullptr) return absl::OkStatus();
    return FieldError(field, text,
                      absl::StrCat(field,
                                   "_units: the market is not defined before, so its "
                                   "decimals are not known"));
  }

  absl::Status TakePriceWord() {
    std::optional<int64_t> word;
    absl::string_view said_by;
    for (const absl::string_view field : {"price_units", "window_ns"}) {
      const std::string* text = Find(field);
      if (text == nullptr) continue;
      ASSIGN_OR_RETURN(const int64_t value, ParseInt<int64_t>(field, *text));
      RETURN_IF_ERROR(Agree(field, *text, value, word, said_by));
    }
    if (const std::string* text = Find("amount")) {
      const auto amount = engine::Money::Parse(*text);
      if (!amount.ok()) return FieldError("amount", *text, "dollars, e.g. 12.340000");
      RETURN_IF_ERROR(Agree("amount", *text, amount->micros(), word, said_by));
    }
    if (const std::string* text = Find("price")) {
      RETURN_IF_ERROR(NeedMarket("price", *text));
      const auto price = engine::ParsePrice(*text, market_->price_decimals);
      if (!price.ok()) return FieldError("price", *text, Decimals(market_->price_decimals));
      RETURN_IF_ERROR(Agree("price", *text, price->units(), word, said_by));
    }
    command_.price = engine::Price::FromUnits(word.value_or(0));
    return absl::OkStatus();
  }

  static std::string Decimals(int decimals) {
    return absl::StrCat("a number with at most ", decimals, " decimals");
  }

  absl::Status TakeQuantity() {
    std::optional<int64_t> word;
    absl::string_view said_by;
    if (const std::string* text = Find("quantity_units")) {
      ASSIGN_OR_RETURN(const uint64_t value, ParseInt<uint64_t>("quantity_units", *text));
      RETURN_IF_ERROR(Agree("quantity_units", *text, static_cast<int64_t>(value), word, said_by));
    }
    if (const std::string* text = Find("quantity")) {
      RETURN_IF_ERROR(NeedMarket("quantity", *text));
      const auto quantity = engine::ParseQuantity(*text, market_->quantity_decimals);
      if (!quantity.ok()) {
        return FieldError("quantity", *text, Decimals(market_->quantity_decimals));
      }
      RETURN_IF_ERROR(
          Agree("quantity", *text, static_cast<int64_t>(quantity->units()), word, said_by));
    }
    command_.quantity = engine::Quantity::FromUnits(static_cast<uint64_t>(word.value_or(0)));
    return absl::OkStatus();
  }

  absl::Status TakeNumbers() {
    if (const std::string* text = Find("account")) {
      ASSIGN_OR_RETURN(const uint32_t value, ParseInt<uint32_t>("account", *text));
      command_.account = engine::AccountId(value);
    }
    if (const std::string* text = Find("client_order_id")) {
      ASSIGN_OR_RETURN(const uint64_t value, ParseInt<uint64_t>("client_order_id", *text));
      command_.client_order_id = engine::ClientOrderId(value);
    }
    if (const std::string* text = Find("group")) {
      ASSIGN_OR_RETURN(const uint16_t value, ParseInt<uint16_t>("group", *text));
      command_.group = engine::GroupId(value);
    }
    return absl::OkStatus();
  }

  // `flags` is the byte. The named flags must agree with it, or may be given alone.
  absl::Status TakeFlags() {
    OrderFlags named;
    for (const absl::string_view field : {"post_only", "reduce_only", "cancel_on_pause"}) {
      const std::string* text = Find(field);
      if (text == nullptr || *text == "0") continue;
      if (*text != "1") return FieldError(field, *text, "1 or 0");
      named = field == "post_only"     ? named.WithPostOnly()
              : field == "reduce_only" ? named.WithReduceOnly()
                                       : named.WithCancelOnPause();
    }
    engine::SelfTradePrevention prevention = {};
    RETURN_IF_ERROR(TakeName("stp", "none, taker, maker or both", prevention));
    named = named.WithSelfTradePrevention(prevention);
    command_.flags = named;
    const std::string* text = Find("flags");
    if (text == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const uint8_t bits, ParseInt<uint8_t>("flags", *text));
    if ((bits & named.bits()) != named.bits()) {
      return FieldError(
          "flags", *text,
          absl::StrCat("the bits of the flags that are named, ", static_cast<int>(named.bits())));
    }
    command_.flags = OrderFlags::FromBits(bits);
    return absl::OkStatus();
  }

  absl::Status TakeAttachment() {
    const std::string* text = Find("attachment");
    if (text == nullptr) return absl::OkStatus();
    const auto digit = [](char c) {
      return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    parsed_.attachment.reserve(text->size() / 2);
    for (size_t i = 0; i + 1 < text->size(); i += 2) {
      const int high = digit((*text)[i]);
      const int low = digit((*text)[i + 1]);
      if (high < 0 || low < 0) break;
      parsed_.attachment.push_back(static_cast<std::byte>(high * 16 + low));
    }
    if (parsed_.attachment.size() * 2 == text->size()) return absl::OkStatus();
    return FieldError("attachment", absl::StrCat(text->substr(0, 40), text->size() > 40 ? "…" : ""),
                      "bytes as pairs of 0-9 a-f");
  }

  const NamedFields& fields_;
  const engine::MarketDirectory& markets_;
  ParsedCommand parsed_;
  Command& command_ = parsed_.command;
  const engine::MarketDefinition* market_ = nullptr;  // Null: unknown.
};

}  // namespace

absl::Status FieldError(absl::string_view field, absl::string_view text,
                        absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": '", text, "', expected ", expected));
}

bool IsCommandField(absl::string_view name) {
  return std::ranges::find(kFields, name) != kFields.end();
}

absl::StatusOr<ParsedCommand> ParseCommandFields(const NamedFields& fields,
                                                 const engine::MarketDirectory& markets) {
  return Assembler(fields, markets).Assemble();
}

}  // namespace tools
