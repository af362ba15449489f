#include "engine/messages/filter.h"

#include <algorithm>

#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"

namespace engine {
namespace {

__int128 PowerOfTen(int exponent) {
  __int128 power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// One place for each kind; orders that are good till a time have other fields, in the last place.
size_t PlaceOf(const Command& command) {
  if (&FieldsOf(command) != &FieldsOf(command.kind)) return kCommandKinds.size();
  return command.kind <= kLastCommandKind ? static_cast<size_t>(command.kind) : 0;
}

size_t PlaceOf(const Event& event) {
  return event.kind <= kLastEventKind ? static_cast<size_t>(event.kind) : 0;
}

}  // namespace

bool Filter::Matches(const Command& command, bool has_attachment, const MarketDirectory& markets) {
  return MatchesMessage(command, has_attachment, markets);
}

bool Filter::Matches(const Event& event, const MarketDirectory& markets) {
  return MatchesMessage(event, false, markets);
}

template <typename Message>
bool Filter::MatchesMessage(const Message& message, bool has_attachment,
                            const MarketDirectory& markets) {
  if (nodes_.empty()) return true;
  if (markets.all().size() != bound_market_count_) {
    bound_market_count_ = markets.all().size();
    for (Node& node : nodes_) {
      if (node.symbol.empty()) continue;
      const MarketDefinition* market = markets.FindSymbol(node.symbol);
      // No message has market -1.
      const Wide id = market != nullptr ? Wide{market->id.value()} : Wide{-1};
      for (Operand& operand : node.operands) operand.value = id;
    }
  }
  return Holds(nodes_.front(), message, has_attachment, markets);
}

template <typename Message>
bool Filter::Holds(const Node& node, const Message& message, bool has_attachment,
                   const MarketDirectory& markets) const {
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
bool Filter::Compare(const Node& node, const Message& message, const MarketDirectory& markets) {
  const Operand& operand = node.operands[PlaceOf(message)];
  if (operand.field == nullptr) return false;
  const FieldType type = operand.field->type;
  const uint64_t bits = operand.field->Get(message);
  Wide value = IsSigned(type) ? Wide{static_cast<int64_t>(bits)} : Wide{bits};
  if (operand.is_decimal) {
    const MarketDefinition* market = markets.Find(message.market);
    if (market == nullptr) return false;
    const int decimals =
        type == FieldType::kPrice ? market->price_decimals : market->quantity_decimals;
    value *= PowerOfTen(kDecimalsMax - decimals);
  }
  const uint8_t relation = value < operand.value    ? kLess
                           : value == operand.value ? kEqual
                                                    : kGreater;
  return (node.accepted & relation) != 0;
}

std::vector<std::string> Filter::UnknownSymbols(const MarketDirectory& markets) const {
  std::vector<std::string> unknown;
  for (const Node& node : nodes_) {
    if (!node.symbol.empty() && markets.FindSymbol(node.symbol) == nullptr) {
      unknown.push_back(node.symbol);
    }
  }
  return unknown;
}

}  // namespace engine
