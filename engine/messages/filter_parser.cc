// Recursive descent over:
//
//   any      = all { ("||" | "or") all }
//   all      = unary { ("&&" | "and") unary }
//   unary    = ("!" | "not") unary | "(" any ")" | "attachment" | kind
//            | [kind "."] field comparison value

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/fields.h"
#include "engine/messages/filter.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"

namespace engine {
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

bool IsSymbol(absl::string_view text) { return absl::c_linear_search(kSymbols, text); }

// Calls `visit` for each place of Filter::Node::operands, with its kind and its fields.
template <typename Visit>
void VisitPlaces(Messages messages, const Visit& visit) {
  if (messages == Messages::kEvents) {
    for (const EventKindInfo& info : kEventKinds) visit(info.kind, FieldsOf(info.kind));
    return;
  }
  for (const CommandKindInfo& info : kCommandKinds) visit(info.kind, FieldsOf(info.kind));
  constexpr CommandKind kNewOrder = CommandKind::kNewOrder;
  visit(kNewOrder, FieldsOf(kNewOrder, TimeInForce::kGoodTillTime));
}

}  // namespace

class FilterParser {
 public:
  FilterParser(absl::string_view text, Messages messages, absl::string_view name)
      : text_(text), messages_(messages), name_(name) {}

  absl::StatusOr<Filter> Parse() {
    filter_.nodes_.emplace_back();  // The root, which has one child.
    RETURN_IF_ERROR(Advance());
    ASSIGN_OR_RETURN(filter_.nodes_.front().first_child, ParseAny());
    if (!token_.text.empty()) return Refuse("expected &&, || or the end");
    return std::move(filter_);
  }

 private:
  using Op = Filter::Op;
  using Node = Filter::Node;
  using Operand = Filter::Operand;
  using Wide = Filter::Wide;

  static constexpr uint8_t kUnequal = Filter::kLess | Filter::kGreater;
  static constexpr std::array<std::pair<absl::string_view, uint8_t>, 6> kComparisons = {
      {{"==", Filter::kEqual},
       {"!=", kUnequal},
       {"<", Filter::kLess},
       {"<=", Filter::kLess | Filter::kEqual},
       {">", Filter::kGreater},
       {">=", Filter::kGreater | Filter::kEqual}}};

  absl::StatusOr<size_t> ParseAny() { return ParseList("||", Op::kAny, &FilterParser::ParseAll); }
  absl::StatusOr<size_t> ParseAll() { return ParseList("&&", Op::kAll, &FilterParser::ParseUnary); }

  absl::StatusOr<size_t> ParseList(absl::string_view separator, Op op,
                                   absl::StatusOr<size_t> (FilterParser::*parse)()) {
    ASSIGN_OR_RETURN(const size_t first, (this->*parse)());
    if (!token_.Is(separator)) return first;
    const size_t list = Add({.op = op, .first_child = first});
    for (size_t previous = first; token_.Is(separator);) {
      RETURN_IF_ERROR(Advance());
      ASSIGN_OR_RETURN(const size_t next, (this->*parse)());
      filter_.nodes_[previous].next = next;
      previous = next;
    }
    return list;
  }

  absl::StatusOr<size_t> ParseUnary() {
    if (token_.Is("!")) {
      RETURN_IF_ERROR(Descend());
      ASSIGN_OR_RETURN(const size_t child, ParseUnary());
      --depth_;
      return Add({.op = Op::kNot, .first_child = child});
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

  // KIND, KIND.FIELD == VALUE or FIELD == VALUE.
  absl::StatusOr<size_t> ParseComparison() {
    if (messages_ == Messages::kCommands && token_.Is("attachment")) {
      RETURN_IF_ERROR(Advance());
      return Add({.op = Op::kHasAttachment});
    }
    const Token name = token_;
    const size_t dot = name.is_quoted ? absl::string_view::npos : name.text.find('.');
    absl::string_view field_name = name.text;
    std::optional<uint64_t> kind;
    if (dot != absl::string_view::npos) {
      kind = KindOf(name.text.substr(0, dot));
      if (!kind.has_value()) return RefuseField();
      field_name.remove_prefix(dot + 1);
    }
    if (name.is_quoted || name.text.empty() || IsSymbol(name.text)) return RefuseField();
    RETURN_IF_ERROR(Advance());
    if (dot == absl::string_view::npos && !IsComparison()) {
      kind = KindOf(name.text);
      if (kind.has_value()) return Add(KindNode(*kind));
    }
    Node node = {.op = Op::kCompare};
    const std::optional<FieldType> type = FindOperands(field_name, kind, node);
    if (!type.has_value()) {
      token_ = name;
      return RefuseField();
    }
    RETURN_IF_ERROR(ParseOperator(field_name, *type, node));
    if (token_.text.empty() || (!token_.is_quoted && IsSymbol(token_.text))) {
      return Refuse(absl::StrCat("expected ", Expected(*type)));
    }
    if (!ParseValues(token_.text, node)) {
      return Refuse(absl::StrCat("'", token_.text, "' is not ", Expected(*type)));
    }
    RETURN_IF_ERROR(Advance());
    return Add(std::move(node));
  }

  absl::Status RefuseField() const {
    return Refuse(absl::StrCat("expected a field: ", absl::StrJoin(FieldNames(messages_), ", "),
                               "; or a kind of ",
                               messages_ == Messages::kCommands ? "command" : "event"));
  }

  bool IsComparison() const {
    return std::ranges::any_of(kComparisons,
                               [&](const auto& entry) { return token_.Is(entry.first); });
  }

  FieldType KindType() const {
    return messages_ == Messages::kCommands ? FieldType::kCommandKind : FieldType::kEventKind;
  }

  std::optional<uint64_t> KindOf(absl::string_view text) const {
    const Names names = NamesOf(KindType());
    const auto found = std::ranges::find(names, text);
    if (text.empty() || found == names.end()) return std::nullopt;
    return found - names.begin();
  }

  Node KindNode(uint64_t kind) const {
    Node node = {.op = Op::kCompare};
    FindOperands("kind", std::nullopt, node);
    for (Operand& operand : node.operands) operand.value = kind;
    return node;
  }

  // Sets the field of every kind, or only of `kind`. Returns its type; nullopt if there is no such
  // field.
  std::optional<FieldType> FindOperands(absl::string_view name, std::optional<uint64_t> kind,
                                        Node& node) const {
    std::optional<FieldType> type;
    VisitPlaces(messages_, [&](auto kind_of_place, const auto& fields) {
      const bool is_wanted = !kind.has_value() || *kind == static_cast<uint64_t>(kind_of_place);
      const Field* field = is_wanted ? FindField(name, fields) : nullptr;
      if (field != nullptr && !type.has_value()) type = field->type;
      node.operands.push_back({.field = field});
    });
    return type;
  }

  absl::Status ParseOperator(absl::string_view name, FieldType type, Node& node) {
    const bool has_order = NamesOf(type).empty() && type != FieldType::kMarket;
    for (const auto& [symbol, accepted] : kComparisons) {
      if (!token_.Is(symbol)) continue;
      if (!has_order && accepted != Filter::kEqual && accepted != kUnequal) break;
      node.accepted = accepted;
      return Advance();
    }
    return Refuse(absl::StrCat("after ", name, " expected ",
                               has_order ? "==, !=, <, <=, > or >=" : "== or !="));
  }

  static std::string Expected(FieldType type) {
    switch (type) {
      case FieldType::kTime:
        return "a time, e.g. 2020-01-30T09:30:00.5Z";
      case FieldType::kCommandKind:
        return "a kind, e.g. define_market, new_order, cancel, reduce, replace, amend, "
               "advance_time";
      case FieldType::kMarket:
        return "a symbol, or a market's number, e.g. #7";
      case FieldType::kPrice:
      case FieldType::kPosition:
      case FieldType::kQuantity:
        return "a decimal number of at most 9 decimals, or a count of units, e.g. #5600";
      case FieldType::kMoney:
        return "an amount in dollars, e.g. 12.34";
      default:
        break;
    }
    constexpr size_t kShown = 6;
    std::vector<absl::string_view> names;
    for (const absl::string_view name : NamesOf(type)) {
      if (!name.empty() && name != "none" && names.size() < kShown) names.push_back(name);
    }
    if (names.empty()) return "a whole number";
    const absl::string_view last = names.back();
    names.pop_back();
    return absl::StrCat(NamesOf(type).size() > kShown + 1 ? "a name, e.g. " : "",
                        absl::StrJoin(names, ", "), " or ", last);
  }

  // Returns false if `text` is a value for no kind. Where kinds have different names, one of
  // another kind is a value that no message has.
  static bool ParseValues(absl::string_view text, Node& node) {
    bool is_value = false;
    for (Operand& operand : node.operands) {
      if (operand.field == nullptr) continue;
      operand.value = -1;
      is_value = ParseValue(text, node, operand) || is_value;
    }
    return is_value;
  }

  static bool ParseValue(absl::string_view text, Node& node, Operand& operand) {
    const FieldType type = operand.field->type;
    switch (type) {
      case FieldType::kMarket:
        if (absl::StartsWith(text, "#")) return ParseWhole<uint32_t>(text.substr(1), operand);
        node.symbol = std::string(text);
        return true;
      case FieldType::kPrice:
      case FieldType::kPosition:
      case FieldType::kQuantity:
        return ParseDecimal(text, operand);
      case FieldType::kNanos:
        return ParseWhole<int64_t>(text, operand);
      default:
        break;
    }
    // A number is compared with any field, a name only with the field that has it.
    const bool is_named = !NamesOf(type).empty();
    uint64_t bits = 0;
    const size_t size = is_named ? operand.field->size : sizeof(bits);
    if (!ParseFieldText("", type, size, text, nullptr, bits).ok()) return false;
    operand.value = IsSigned(type) ? Wide{static_cast<int64_t>(bits)} : Wide{bits};
    return true;
  }

  template <typename Int>
  static bool ParseWhole(absl::string_view text, Operand& operand) {
    Int value = 0;
    if (!ParseInteger(text, value)) return false;
    operand.value = value;
    return true;
  }

  // "320.14" is 320140000000 units of 10^-9, so both sides of the comparison are whole numbers for
  // any market's decimals.
  static bool ParseDecimal(absl::string_view text, Operand& operand) {
    const bool is_signed = IsSigned(operand.field->type);
    if (absl::StartsWith(text, "#")) {
      return is_signed ? ParseWhole<int64_t>(text.substr(1), operand)
                       : ParseWhole<uint64_t>(text.substr(1), operand);
    }
    const bool is_negative = absl::StartsWith(text, "-");
    if (is_negative && !is_signed) return false;
    const absl::string_view magnitude = text.substr(is_negative ? 1 : 0);
    const size_t point = magnitude.find('.');
    const auto whole = ParseQuantity(magnitude.substr(0, point), 0);
    if (!whole.ok()) return false;
    Wide fraction = 0;
    if (point != absl::string_view::npos) {
      const auto parsed = ParseQuantity(absl::StrCat("0", magnitude.substr(point)), kDecimalsMax);
      if (!parsed.ok()) return false;
      fraction = parsed->units();
    }
    operand.value = Wide{whole->units()} * 1'000'000'000 + fraction;
    if (is_negative) operand.value = -operand.value;
    operand.is_decimal = true;
    return true;
  }

  absl::Status Descend() {
    if (++depth_ > kDepthMax) return Refuse("nested too deeply");
    return Advance();
  }

  size_t Add(Node node) {
    filter_.nodes_.push_back(std::move(node));
    return filter_.nodes_.size() - 1;
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

  // The words for the operators are the same tokens as their signs.
  absl::Status Take(size_t length) {
    token_.text = text_.substr(at_, length);
    if (token_.text == "and") token_.text = "&&";
    if (token_.text == "or") token_.text = "||";
    if (token_.text == "not") token_.text = "!";
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
    return absl::InvalidArgumentError(absl::StrCat(name_, ": ", WithBlanks(why), "\n  ",
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
  const Messages messages_;
  const absl::string_view name_;
  size_t at_ = 0;
  Token token_;
  int depth_ = 0;
  Filter filter_;
};

std::vector<absl::string_view> FieldNames(Messages messages) {
  std::vector<absl::string_view> names;
  const auto add = [&](absl::string_view name) {
    if (!absl::c_linear_search(names, name)) names.push_back(name);
  };
  const auto add_all = [&](const auto& fields) {
    for (const Field& field : fields) add(field.name == "from" ? "counter" : field.name);
  };
  if (messages == Messages::kCommands) {
    add_all(FieldsOf(CommandKind()));
    add("attachment");
    add_all(FieldsOf(CommandKind::kNewOrder, TimeInForce::kGoodTillTime));
  }
  VisitPlaces(messages, [&](auto /*kind*/, const auto& fields) { add_all(fields); });
  return names;
}

absl::StatusOr<Filter> Filter::Parse(absl::string_view text, Messages messages,
                                     absl::string_view name) {
  return FilterParser(text, messages, name).Parse();
}

}  // namespace engine
