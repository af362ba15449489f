#include "tools/cli/read/where.h"

#include <algorithm>

#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"

namespace tools {
namespace {

using engine::Field;
using engine::FieldType;

__int128 PowerOfTen(int exponent) {
  __int128 power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

}  // namespace

bool Where::Matches(const engine::Command& command, bool has_attachment,
                    const engine::MarketDirectory& markets) {
  return MatchesMessage(command, has_attachment, markets);
}

bool Where::Matches(const engine::Event& event, const engine::MarketDirectory& markets) {
  return MatchesMessage(event, false, markets);
}

template <typename Message>
bool Where::MatchesMessage(const Message& message, bool has_attachment,
                           const engine::MarketDirectory& markets) {
  if (nodes_.empty()) return true;
  if (markets.all().size() != bound_market_count_) Bind(markets);
  return Holds(nodes_.front(), message, has_attachment, markets);
}

void Where::Bind(const engine::MarketDirectory& markets) {
  bound_market_count_ = markets.all().size();
  for (Node& node : nodes_) {
    if (node.symbol.empty()) continue;
    const engine::MarketDefinition* market = markets.FindSymbol(node.symbol);
    // No message has market -1.
    const Wide id = market != nullptr ? Wide{market->id.value()} : Wide{-1};
    for (Operand& operand : node.operands) operand.value = id;
  }
}

// One place for each kind; orders that are good till a time have other fields, in the last place.
size_t Where::PlaceOf(const engine::Command& command) {
  if (&engine::FieldsOf(command) != &engine::FieldsOf(command.kind)) {
    return engine::kCommandKinds.size();
  }
  return command.kind <= engine::kLastCommandKind ? static_cast<size_t>(command.kind) : 0;
}

size_t Where::PlaceOf(const engine::Event& event) {
  return event.kind <= engine::kLastEventKind ? static_cast<size_t>(event.kind) : 0;
}

template <typename Message>
bool Where::Holds(const Node& node, const Message& message, bool has_attachment,
                  const engine::MarketDirectory& markets) const {
  switch (node.op) {
    case Op::kCompare:
      return Compare(node, message, markets);
    case Op::kHasAttachment:
      return has_attachment;
    case Op::kNot:
      return !Holds(nodes_[node.first_child], message, has_attachment, markets);
    case Op::kAll:
    case Op::kAny:
      break;
  }
  const bool any = node.op == Op::kAny;
  for (size_t child = node.first_child; child != 0; child = nodes_[child].next) {
    if (Holds(nodes_[child], message, has_attachment, markets) == any) return any;
  }
  return !any;
}

template <typename Message>
bool Where::Compare(const Node& node, const Message& message,
                    const engine::MarketDirectory& markets) {
  const Operand& operand = node.operands[PlaceOf(message)];
  if (operand.field == nullptr) return false;
  const FieldType type = operand.field->type;
  const uint64_t bits = operand.field->Get(message);
  Wide value = engine::IsSigned(type) ? Wide{static_cast<int64_t>(bits)} : Wide{bits};
  if (operand.is_decimal) {
    const engine::MarketDefinition* market = markets.Find(message.market);
    if (market == nullptr) return false;
    const int decimals =
        type == FieldType::kPrice ? market->price_decimals : market->quantity_decimals;
    value *= PowerOfTen(engine::kDecimalsMax - decimals);
  }
  switch (node.comparison) {
    case Comparison::kEqual:
      return value == operand.value;
    case Comparison::kNotEqual:
      return value != operand.value;
    case Comparison::kLess:
      return value < operand.value;
    case Comparison::kLessEqual:
      return value <= operand.value;
    case Comparison::kGreater:
      return value > operand.value;
    case Comparison::kGreaterEqual:
      return value >= operand.value;
  }
  return false;
}

std::vector<std::string> Where::UnknownSymbols(const engine::MarketDirectory& markets) const {
  std::vector<std::string> unknown;
  for (const Node& node : nodes_) {
    if (!node.symbol.empty() && markets.FindSymbol(node.symbol) == nullptr) {
      unknown.push_back(node.symbol);
    }
  }
  return unknown;
}

}  // namespace tools
