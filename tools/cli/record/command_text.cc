#include "tools/cli/record/command_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/fields.h"
#include "engine/messages/names.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"

namespace tools {
namespace {

using engine::Command;
using engine::CommandWord;
using engine::FieldType;
using engine::OrderFlags;

// A field, the word of the command that it gives, and its form. Several fields may give one word.
struct Form {
  absl::string_view name;
  CommandWord word;
  FieldType type;
  absl::string_view expected = {};  // Empty: follows from the type.
};
constexpr auto kForms = std::to_array<Form>({
    {"kind", CommandWord::kKind, FieldType::kCommandKind, "e.g. new_order or cancel, or a number"},
    {"side", CommandWord::kSide, FieldType::kSide, "bid or ask"},
    {"type", CommandWord::kType, FieldType::kOrderType, "limit or market"},
    {"tif", CommandWord::kTif, FieldType::kTimeInForce, "gtc, gtt, day, ioc or fok"},
    {"time_ns", CommandWord::kTime, FieldType::kNanos},
    {"time", CommandWord::kTime, FieldType::kTime, "e.g. 2020-01-30T09:30:00.000000001Z"},
    {"sequence", CommandWord::kSequence, FieldType::kNumber},
    {"order", CommandWord::kOrder, FieldType::kNumber},
    {"expires", CommandWord::kOrder, FieldType::kTime, "e.g. 2020-01-30T16:00:00Z"},
    {"price_units", CommandWord::kPrice, FieldType::kNanos},
    {"window_ns", CommandWord::kPrice, FieldType::kNanos},
    {"amount", CommandWord::kPrice, FieldType::kMoney, "dollars, e.g. 12.340000"},
    {"price", CommandWord::kPrice, FieldType::kPrice},
    {"quantity_units", CommandWord::kQuantity, FieldType::kNumber},
    {"quantity", CommandWord::kQuantity, FieldType::kQuantity},
    {"account", CommandWord::kAccount, FieldType::kNumber},
    {"client_order_id", CommandWord::kClientOrderId, FieldType::kNumber},
    {"group", CommandWord::kGroup, FieldType::kNumber},
});

// The fields that are read one by one.
constexpr std::array<absl::string_view, 6> kOtherFields = {"market", "market_id",  "flags",
                                                           "stp",    "attachment", "schema"};

// Builds one command from its fields.
class Assembler {
 public:
  Assembler(const NamedFields& fields, const engine::MarketDirectory& markets)
      : fields_(fields), markets_(markets) {}

  absl::StatusOr<ParsedCommand> Assemble() {
    for (const auto& [field, text] : fields_) {
      if (!IsCommandField(field)) return FieldError(field, text, "a field of a command");
    }
    if (Find("kind") == nullptr) return FieldError("kind", "", "e.g. new_order");
    for (const Form& form : kForms) {
      if (form.name == "order") RETURN_IF_ERROR(TakeMarket());
      RETURN_IF_ERROR(TakeWord(form));
    }
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

  static absl::StatusOr<uint64_t> ParseNumber(absl::string_view name, const std::string& text,
                                              size_t size, bool is_signed) {
    const uint64_t max = is_signed ? INT64_MAX : UINT64_MAX >> (64 - 8 * size);
    uint64_t value = 0;
    int64_t signed_value = 0;
    if (is_signed ? engine::ParseInteger(text, signed_value)
                  : engine::ParseInteger(text, value) && value <= max) {
      return is_signed ? static_cast<uint64_t>(signed_value) : value;
    }
    return FieldError(name, text,
                      absl::StrCat("a whole number from ", is_signed ? INT64_MIN : 0, " to ", max));
  }

  absl::StatusOr<uint64_t> Parse(const Form& form, const std::string& text, size_t size) const {
    const bool is_decimal = form.type == FieldType::kPrice || form.type == FieldType::kQuantity;
    if (form.type == FieldType::kNumber || form.type == FieldType::kNanos) {
      return ParseNumber(form.name, text, size, engine::IsSigned(form.type));
    }
    if (is_decimal && market_ == nullptr) {
      return FieldError(form.name, text,
                        absl::StrCat(form.name,
                                     "_units: the market is not defined before, so its "
                                     "decimals are not known"));
    }
    uint64_t bits = 0;
    // '#' and a count of units is no decimal number.
    const bool is_units = is_decimal && absl::StartsWith(text, "#");
    if (!is_units && engine::ParseFieldText("", form.type, size, text, market_, bits).ok()) {
      return bits;
    }
    if (!is_decimal) return FieldError(form.name, text, form.expected);
    return FieldError(form.name, text,
                      absl::StrCat("a number with at most ",
                                   form.type == FieldType::kPrice ? market_->price_decimals
                                                                  : market_->quantity_decimals,
                                   " decimals"));
  }

  // Sets the word that the form gives. All forms that are given must agree.
  absl::Status TakeWord(const Form& form) {
    const std::string* text = Find(form.name);
    if (text == nullptr) return absl::OkStatus();
    const engine::Field& field =
        engine::FieldsOf(engine::CommandKind())[static_cast<size_t>(form.word)];
    ASSIGN_OR_RETURN(const uint64_t bits, Parse(form, *text, field.size));
    // A zero next to an expiry time is an empty field.
    if (form.name == "order" && bits == 0 && Find("expires") != nullptr) return absl::OkStatus();
    absl::string_view& given_by = given_by_[static_cast<size_t>(form.word)];
    const auto word = static_cast<int64_t>(field.Get(command_));
    const auto value = static_cast<int64_t>(bits);
    if (!given_by.empty() && word != value) {
      return FieldError(form.name, *text,
                        absl::StrCat("the value of ", given_by, ", ", word, ", not ", value));
    }
    if (given_by.empty()) given_by = form.name;
    field.Set(bits, command_);
    return absl::OkStatus();
  }

  absl::Status TakeMarket() {
    const std::string* symbol = Find("market");
    const std::string* id = Find("market_id");
    if (id != nullptr) {
      ASSIGN_OR_RETURN(const uint64_t value, ParseNumber("market_id", *id, 4, false));
      command_.market = engine::MarketId(static_cast<uint32_t>(value));
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

  // `flags` is the byte. The named flags must agree with it, or may be given alone.
  absl::Status TakeFlags() {
    OrderFlags named;
    for (const OrderFlags::NamedBit& flag : OrderFlags::kNamedBits) {
      const std::string* text = Find(flag.name);
      if (text == nullptr || *text == "0") continue;
      if (*text != "1") return FieldError(flag.name, *text, "1 or 0");
      named = OrderFlags::FromBits(named.bits() | flag.bit);
    }
    engine::SelfTradePrevention prevention = {};
    const std::string* stp = Find("stp");
    if (stp != nullptr && !engine::ParseName(*stp, prevention)) {
      return FieldError("stp", *stp, "none, taker, maker or both");
    }
    named = named.WithSelfTradePrevention(prevention);
    command_.flags = named;
    const std::string* text = Find("flags");
    if (text == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const uint64_t number, ParseNumber("flags", *text, 1, false));
    const auto bits = static_cast<uint8_t>(number);
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
  std::array<absl::string_view, std::tuple_size_v<engine::CommandFields>> given_by_;
  Command& command_ = parsed_.command;
  const engine::MarketDefinition* market_ = nullptr;  // Null: unknown.
};

}  // namespace

absl::Status FieldError(absl::string_view field, absl::string_view text,
                        absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": '", text, "', expected ", expected));
}

bool IsCommandField(absl::string_view name) {
  return std::ranges::count(kForms, name, &Form::name) != 0 ||
         std::ranges::count(kOtherFields, name) != 0 ||
         std::ranges::any_of(OrderFlags::kNamedBits,
                             [&](const auto& flag) { return flag.name == name; });
}

absl::StatusOr<ParsedCommand> ParseCommandFields(const NamedFields& fields,
                                                 const engine::MarketDirectory& markets) {
  return Assembler(fields, markets).Assemble();
}

}  // namespace tools
