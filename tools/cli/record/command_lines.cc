#include "tools/cli/record/command_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/fields.h"
#include "engine/messages/names.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "tools/cli/base/field_error.h"

namespace tools {
namespace {

using engine::CommandWord;
using engine::FieldType;
using engine::OrderFlags;
using engine::ParsedCommand;

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
    {"market_id", CommandWord::kMarket, FieldType::kNumber},
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
constexpr std::array<absl::string_view, 5> kOtherFields = {"market", "flags", "stp", "attachment",
                                                           "schema"};

bool IsCommandField(absl::string_view name) {
  return std::ranges::count(kForms, name, &Form::name) != 0 ||
         std::ranges::count(kOtherFields, name) != 0 ||
         std::ranges::any_of(OrderFlags::kNamedBits,
                             [&](const auto& flag) { return flag.name == name; });
}

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
    if (command_.kind == engine::CommandKind::kNewOrder) TakeDefaults();
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
    if (is_signed && engine::ParseInteger(text, signed_value)) {
      return static_cast<uint64_t>(signed_value);
    }
    if (!is_signed && engine::ParseInteger(text, value) && value <= max) return value;
    return FieldError(name, text,
                      absl::StrCat("a whole number from ", is_signed ? INT64_MIN : 0, " to ", max));
  }

  absl::StatusOr<uint64_t> Parse(const Form& form, const std::string& text, size_t size) const {
    if (form.type == FieldType::kNumber || form.type == FieldType::kNanos) {
      return ParseNumber(form.name, text, size, engine::IsSigned(form.type));
    }
    const bool is_decimal = form.type == FieldType::kPrice || form.type == FieldType::kQuantity;
    // '#' and a count of units is no decimal number.
    const bool is_units = is_decimal && absl::StartsWith(text, "#");
    uint64_t bits = 0;
    if (!is_units && engine::ParseFieldText("", form.type, size, text, market_, bits).ok()) {
      return bits;
    }
    if (!is_decimal) return FieldError(form.name, text, form.expected);
    if (market_ == nullptr) {
      return FieldError(form.name, text,
                        absl::StrCat(form.name,
                                     "_units: the market is not defined before, so its "
                                     "decimals are not known"));
    }
    const int decimals =
        form.type == FieldType::kPrice ? market_->price_decimals : market_->quantity_decimals;
    return FieldError(form.name, text,
                      absl::StrCat("a number with at most ", decimals, " decimals"));
  }

  // The word that the form gives in a command of this kind: set_expiry has its time in the price.
  CommandWord WordOf(const Form& form) const {
    const bool is_price = engine::InfoOf(command_.kind).price.name == form.name;
    return is_price ? CommandWord::kPrice : form.word;
  }

  // Sets the word that the form gives. All forms that are given must agree.
  absl::Status TakeWord(const Form& form) {
    const std::string* text = Find(form.name);
    if (text == nullptr) return absl::OkStatus();
    const CommandWord word_of_kind = WordOf(form);
    const engine::Field& field =
        engine::FieldsOf(engine::CommandKind())[static_cast<size_t>(word_of_kind)];
    ASSIGN_OR_RETURN(const uint64_t bits, Parse(form, *text, field.size));
    // A zero next to an expiry time is an empty field.
    if (form.name == "order" && bits == 0 && Find("expires") != nullptr) return absl::OkStatus();
    absl::string_view& given_by = given_by_[static_cast<size_t>(word_of_kind)];
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

  // Comes after market_id, and must name the same market.
  absl::Status TakeMarket() {
    const std::string* symbol = Find("market");
    const std::string* id = Find("market_id");
    if (id != nullptr) market_ = markets_.Find(command_.market);
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

  void TakeDefaults() {
    if (Find("type") == nullptr) command_.type = engine::kDefaultOrderType;
    if (Find("tif") == nullptr) command_.tif = engine::DefaultTimeInForce(command_.type);
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
    ASSIGN_OR_RETURN(parsed_.attachment, ParseHexField("attachment", *text));
    return absl::OkStatus();
  }

  const NamedFields& fields_;
  const engine::MarketDirectory& markets_;
  ParsedCommand parsed_;
  std::array<absl::string_view, std::tuple_size_v<engine::CommandFields>> given_by_;
  engine::Command& command_ = parsed_.command;
  const engine::MarketDefinition* market_ = nullptr;  // Null: unknown.
};

// The fields of a row (RFC 4180). Errors: INVALID_ARGUMENT with the column, counted from 1.
absl::StatusOr<std::vector<std::string>> SplitRow(absl::string_view line) {
  std::vector<std::string> fields;
  const auto refuse = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("column ", fields.size(), ": ", why));
  };
  while (true) {
    std::string& field = fields.emplace_back();
    if (absl::ConsumePrefix(&line, "\"")) {
      while (true) {
        const size_t end = line.find('"');
        if (end == line.npos) return refuse("a quote without its end, expected \"");
        field.append(line.data(), end);
        line.remove_prefix(end + 1);
        if (!absl::ConsumePrefix(&line, "\"")) break;
        field += '"';  // Two quotes are one that is part of the field.
      }
    } else {
      field = std::string(line.substr(0, line.find_first_of(",\"")));
      line.remove_prefix(field.size());
    }
    if (line.empty()) return fields;
    if (!absl::ConsumePrefix(&line, ",")) {
      return refuse("text beside quotes, expected the whole field in quotes");
    }
  }
}

// Parses the first line as the header.
class CsvLines {
 public:
  absl::StatusOr<std::optional<ParsedCommand>> operator()(absl::string_view line,
                                                          const engine::MarketDirectory& markets) {
    if (line.empty()) return std::nullopt;
    ASSIGN_OR_RETURN(std::vector<std::string> row, SplitRow(line));
    if (fields_.empty()) {
      RETURN_IF_ERROR(TakeHeader(row));
      return std::nullopt;
    }
    if (row.size() != fields_.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(row.size(), " columns, expected ", fields_.size(), " as in the first line"));
    }
    for (size_t i = 0; i < row.size(); ++i) fields_[i].second = std::move(row[i]);
    if (!has_definition_) return ParseCommandFields(fields_, markets);
    NamedFields fields = fields_;
    ASSIGN_OR_RETURN(std::vector<std::byte> definition, TakeDefinitionColumns(fields));
    ASSIGN_OR_RETURN(ParsedCommand parsed, ParseCommandFields(fields, markets));
    // As in JSON, attachment bytes take precedence.
    if (parsed.attachment.empty()) parsed.attachment = std::move(definition);
    return parsed;
  }

 private:
  absl::Status TakeHeader(std::vector<std::string>& row) {
    for (std::string& name : row) {
      absl::AsciiStrToLower(&name);
      const bool is_definition = absl::StartsWith(name, kDefinitionPrefix);
      if (absl::StrContains(name, '\r')) {
        return absl::InvalidArgumentError(
            "header: a carriage return within the line, expected lines that end with a line feed");
      }
      if (!is_definition && !IsCommandField(name)) {
        return FieldError("header", name,
                          "the names of columns, e.g. sequence,time_ns,kind,market_id,price_units");
      }
      if (std::ranges::count(row, name) > 1) {
        return FieldError("header", name, "each column only once");
      }
      has_definition_ = has_definition_ || is_definition;
    }
    for (std::string& name : row) fields_.emplace_back(std::move(name), "");
    return absl::OkStatus();
  }

  NamedFields fields_;  // Empty before the first line.
  bool has_definition_ = false;
};

}  // namespace

absl::StatusOr<std::vector<std::byte>> ParseHexField(absl::string_view field,
                                                     absl::string_view text) {
  if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdef") != text.npos) {
    return FieldError(field, absl::StrCat(text.substr(0, 40), text.size() > 40 ? "…" : ""),
                      "bytes as pairs of 0-9 a-f");
  }
  const std::string bytes = absl::HexStringToBytes(text);
  return std::vector<std::byte>(engine::AsBytes(bytes).begin(), engine::AsBytes(bytes).end());
}

absl::StatusOr<ParsedCommand> ParseCommandFields(const NamedFields& fields,
                                                 const engine::MarketDirectory& markets) {
  return Assembler(fields, markets).Assemble();
}

CommandLines MakeCsvLines() { return CsvLines(); }

}  // namespace tools
