// Recursive descent over:
//
//   any      = all { "||" all }
//   all      = unary { "&&" unary }
//   unary    = "!" unary | "(" any ")" | "attachment" | field comparison value

#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "tools/cli/read/where.h"

namespace tools {
namespace {

// Limit of nested parentheses and negations, so that no text can exhaust the stack.
constexpr int kDepthMax = 64;

struct Token {
  absl::string_view text;  // Empty: the end.
  size_t column = 0;
  bool is_quoted = false;

  bool Is(absl::string_view symbol) const { return !is_quoted && text == symbol; }
};

constexpr std::array<absl::string_view, 11> kSymbols = {"==", "!=", "<=", ">=", "&&", "||",
                                                        "<",  ">",  "!",  "(",  ")"};

bool IsSymbol(absl::string_view text) {
  for (const absl::string_view symbol : kSymbols) {
    if (text == symbol) return true;
  }
  return false;
}

}  // namespace

class WhereParser {
 public:
  explicit WhereParser(absl::string_view text) : text_(text) {}

  absl::StatusOr<Where> Parse() {
    where_.nodes_.emplace_back();  // The root, which has one child.
    RETURN_IF_ERROR(Advance());
    ASSIGN_OR_RETURN(where_.nodes_.front().first_child, ParseAny());
    if (!token_.text.empty()) return Refuse("expected &&, || or the end");
    return std::move(where_);
  }

 private:
  using Op = Where::Op;
  using Comparison = Where::Comparison;
  using Node = Where::Node;
  using Wide = Where::Wide;

  absl::StatusOr<size_t> ParseAny() { return ParseList("||", Op::kAny, &WhereParser::ParseAll); }
  absl::StatusOr<size_t> ParseAll() { return ParseList("&&", Op::kAll, &WhereParser::ParseUnary); }

  absl::StatusOr<size_t> ParseList(absl::string_view separator, Op op,
                                   absl::StatusOr<size_t> (WhereParser::*parse)()) {
    ASSIGN_OR_RETURN(const size_t first, (this->*parse)());
    if (!token_.Is(separator)) return first;
    const size_t list = Add({.op = op, .symbol = {}, .first_child = first});
    for (size_t previous = first; token_.Is(separator);) {
      RETURN_IF_ERROR(Advance());
      ASSIGN_OR_RETURN(const size_t next, (this->*parse)());
      where_.nodes_[previous].next = next;
      previous = next;
    }
    return list;
  }

  absl::StatusOr<size_t> ParseUnary() {
    if (token_.Is("!")) {
      RETURN_IF_ERROR(Descend());
      ASSIGN_OR_RETURN(const size_t child, ParseUnary());
      --depth_;
      return Add({.op = Op::kNot, .symbol = {}, .first_child = child});
    }
    if (token_.Is("(")) {
      RETURN_IF_ERROR(Descend());
      ASSIGN_OR_RETURN(const size_t inner, ParseAny());
      --depth_;
      if (!token_.Is(")")) return Refuse("expected ), && or ||");
      RETURN_IF_ERROR(Advance());
      return inner;
    }
    return ParseComparison();
  }

  absl::StatusOr<size_t> ParseComparison() {
    const std::optional<CommandField> field =
        token_.is_quoted ? std::nullopt : FindCommandField(token_.text);
    if (!field.has_value()) {
      return Refuse(absl::StrCat("expected a field: ", absl::StrJoin(kCommandFieldNames, ", ")));
    }
    RETURN_IF_ERROR(Advance());
    if (*field == CommandField::kAttachment) return Add({.op = Op::kHasAttachment, .symbol = {}});

    Node node = {.op = Op::kCompare, .field = *field, .symbol = {}};
    RETURN_IF_ERROR(ParseOperator(node));
    if (token_.text.empty() || (!token_.is_quoted && IsSymbol(token_.text))) {
      return Refuse(absl::StrCat("expected ", Expected(*field)));
    }
    if (!ParseValue(token_.text, node)) {
      return Refuse(absl::StrCat("'", token_.text, "' is not ", Expected(*field)));
    }
    RETURN_IF_ERROR(Advance());
    return Add(std::move(node));
  }

  absl::Status ParseOperator(Node& node) {
    constexpr std::array<std::pair<absl::string_view, Comparison>, 6> kComparisons = {
        {{"==", Comparison::kEqual},
         {"!=", Comparison::kNotEqual},
         {"<", Comparison::kLess},
         {"<=", Comparison::kLessEqual},
         {">", Comparison::kGreater},
         {">=", Comparison::kGreaterEqual}}};
    const bool has_order = HasOrder(node.field);
    for (const auto& [symbol, comparison] : kComparisons) {
      if (!token_.Is(symbol)) continue;
      if (!has_order && comparison > Comparison::kNotEqual) break;
      node.comparison = comparison;
      return Advance();
    }
    return Refuse(absl::StrCat("after ", NameOf(node.field), " expected ",
                               has_order ? "==, !=, <, <=, > or >=" : "== or !="));
  }

  static bool HasOrder(CommandField field) {
    switch (field) {
      case CommandField::kKind:
      case CommandField::kMarket:
      case CommandField::kSide:
      case CommandField::kType:
      case CommandField::kTif:
        return false;
      default:
        return true;
    }
  }

  static absl::string_view Expected(CommandField field) {
    switch (field) {
      case CommandField::kTime:
        return "a time, e.g. 2020-01-30T09:30:00.5Z";
      case CommandField::kKind:
        return "a kind, e.g. define_market, new_order, cancel, reduce, replace, amend, "
               "advance_time";
      case CommandField::kMarket:
        return "a symbol, or a market's number, e.g. #7";
      case CommandField::kSide:
        return "bid or ask";
      case CommandField::kType:
        return "limit or market";
      case CommandField::kTif:
        return "gtc, ioc, fok, gtt or day";
      case CommandField::kPrice:
      case CommandField::kQuantity:
        return "a decimal number of at most 9 decimals, or a count of units, e.g. #5600";
      default:
        return "a whole number";
    }
  }

  static bool ParseValue(absl::string_view text, Node& node) {
    switch (node.field) {
      case CommandField::kTime: {
        const auto time = engine::Timestamp::Parse(text);
        if (time.ok()) node.value = time->nanos();
        return time.ok();
      }
      case CommandField::kKind:
        return ParseEnum<engine::CommandKind>(text, node);
      case CommandField::kSide:
        return ParseEnum<engine::Side>(text, node);
      case CommandField::kType:
        return ParseEnum<engine::OrderType>(text, node);
      case CommandField::kTif:
        return ParseEnum<engine::TimeInForce>(text, node);
      case CommandField::kMarket:
        return ParseMarket(text, node);
      case CommandField::kPrice:
      case CommandField::kQuantity:
        return ParseDecimal(text, node);
      default:
        return ParseWhole<uint64_t>(text, node);
    }
  }

  template <typename Enum>
  static bool ParseEnum(absl::string_view text, Node& node) {
    Enum value = {};
    if (!engine::ParseName(text, value)) return false;
    node.value = static_cast<int>(value);
    return true;
  }

  template <typename Int>
  static bool ParseWhole(absl::string_view text, Node& node) {
    Int value = 0;
    if (!engine::ParseInteger(text, value)) return false;
    node.value = value;
    return true;
  }

  static bool ParseMarket(absl::string_view text, Node& node) {
    if (absl::StartsWith(text, "#")) return ParseWhole<uint32_t>(text.substr(1), node);
    node.symbol = std::string(text);
    node.value = -1;
    return true;
  }

  // "320.14" is 320140000000 units of 10^-9, so both sides of the comparison are whole numbers for
  // any market's decimals.
  static bool ParseDecimal(absl::string_view text, Node& node) {
    if (absl::StartsWith(text, "#")) {
      return node.field == CommandField::kPrice ? ParseWhole<int64_t>(text.substr(1), node)
                                                : ParseWhole<uint64_t>(text.substr(1), node);
    }
    const bool is_negative = absl::StartsWith(text, "-");
    if (is_negative && node.field == CommandField::kQuantity) return false;
    const absl::string_view magnitude = text.substr(is_negative ? 1 : 0);
    const size_t point = magnitude.find('.');
    const auto whole = engine::ParseQuantity(magnitude.substr(0, point), 0);
    if (!whole.ok()) return false;
    Wide fraction = 0;
    if (point != absl::string_view::npos) {
      const auto parsed =
          engine::ParseQuantity(absl::StrCat("0", magnitude.substr(point)), engine::kDecimalsMax);
      if (!parsed.ok()) return false;
      fraction = parsed->units();
    }
    node.value = Wide{whole->units()} * 1'000'000'000 + fraction;
    if (is_negative) node.value = -node.value;
    node.is_decimal = true;
    return true;
  }

  absl::Status Descend() {
    if (++depth_ > kDepthMax) return Refuse("nested too deeply");
    return Advance();
  }

  size_t Add(Node node) {
    where_.nodes_.push_back(std::move(node));
    return where_.nodes_.size() - 1;
  }

  // ---- Tokens

  // Moves to the next token. Errors: a character that begins no token, an unterminated quotation.
  absl::Status Advance() {
    while (at_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    token_ = {.text = {}, .column = at_};
    if (at_ == text_.size()) return absl::OkStatus();
    const absl::string_view rest = text_.substr(at_);
    if (rest.front() == '\'' || rest.front() == '"') return TakeQuotation(rest);
    for (const absl::string_view symbol : kSymbols) {
      if (absl::StartsWith(rest, symbol)) return Take(symbol.size());
    }
    const size_t end = rest.find_first_of(" \t\r\n\f\v'\"=!<>&|()");
    if (end == 0) return Refuse("expected ==, !=, <, <=, >, >=, &&, ||, ! or parentheses");
    return Take(end == absl::string_view::npos ? rest.size() : end);
  }

  absl::Status Take(size_t length) {
    token_.text = text_.substr(at_, length);
    at_ += length;
    return absl::OkStatus();
  }

  absl::Status TakeQuotation(absl::string_view rest) {
    const size_t end = rest.find(rest.front(), 1);
    if (end == absl::string_view::npos) return Refuse("this quotation does not end");
    if (end == 1) return Refuse("nothing is quoted");
    token_.is_quoted = true;
    token_.text = rest.substr(1, end - 1);
    at_ += end + 1;
    return absl::OkStatus();
  }

  // The message always has three lines, even if it quotes hostile text.
  absl::Status Refuse(absl::string_view why) const {
    return absl::InvalidArgumentError(absl::StrCat("--where: ", WithBlanks(why), "\n  ",
                                                   WithBlanks(text_), "\n  ",
                                                   std::string(token_.column, ' '), "^"));
  }

  // Replaces every control character by a space.
  static std::string WithBlanks(absl::string_view text) {
    std::string line(text);
    for (char& c : line) {
      if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = ' ';
    }
    return line;
  }

  const absl::string_view text_;
  size_t at_ = 0;
  Token token_;
  int depth_ = 0;
  Where where_;
};

absl::StatusOr<Where> Where::Parse(absl::string_view text) { return WhereParser(text).Parse(); }

}  // namespace tools
