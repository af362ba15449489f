#include "tools/cli/read/where.h"

#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"

namespace tools {

bool Where::Matches(const engine::Command& command, bool has_attachment,
                    const engine::MarketDirectory& markets) {
  if (nodes_.empty()) return true;
  if (markets.all().size() != bound_market_count_) Bind(markets);
  return Holds(nodes_.front(), command, has_attachment, markets);
}

void Where::Bind(const engine::MarketDirectory& markets) {
  bound_market_count_ = markets.all().size();
  for (Node& node : nodes_) {
    if (node.symbol.empty()) continue;
    const engine::MarketDefinition* market = markets.FindSymbol(node.symbol);
    node.value = market != nullptr ? Wide{market->id.value()} : Wide{-1};  // No command has it.
  }
}

bool Where::Holds(const Node& node, const engine::Command& command, bool has_attachment,
                  const engine::MarketDirectory& markets) const {
  switch (node.op) {
    case Op::kCompare:
      return Compare(node, command, markets);
    case Op::kHasAttachment:
      return has_attachment;
    case Op::kNot:
      return !Holds(nodes_[node.first_child], command, has_attachment, markets);
    case Op::kAll:
    case Op::kAny:
      break;
  }
  const bool any = node.op == Op::kAny;
  for (size_t child = node.first_child; child != 0; child = nodes_[child].next) {
    if (Holds(nodes_[child], command, has_attachment, markets) == any) return any;
  }
  return !any;
}

namespace {

__int128 Raw(CommandField field, const engine::Command& command) {
  switch (field) {
    case CommandField::kSequence:
      return command.sequence.value();
    case CommandField::kTime:
      return command.timestamp.nanos();
    case CommandField::kKind:
      return static_cast<int>(command.kind);
    case CommandField::kMarket:
      return command.market.value();
    case CommandField::kSide:
      return static_cast<int>(command.side);
    case CommandField::kType:
      return static_cast<int>(command.type);
    case CommandField::kTif:
      return static_cast<int>(command.tif);
    case CommandField::kPrice:
      return command.price.units();
    case CommandField::kQuantity:
      return command.quantity.units();
    case CommandField::kOrder:
      return command.order_id.value();
    case CommandField::kAccount:
      return command.account.value();
    case CommandField::kClientOrderId:
      return command.client_order_id.value();
    case CommandField::kFlags:
      return command.flags.bits();
    case CommandField::kGroup:
      return command.group.value();
    case CommandField::kAttachment:
      break;
  }
  return 0;
}

__int128 PowerOfTen(int exponent) {
  __int128 power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

}  // namespace

bool Where::Compare(const Node& node, const engine::Command& command,
                    const engine::MarketDirectory& markets) {
  Wide value = Raw(node.field, command);
  if (node.is_decimal) {
    const engine::MarketDefinition* market = markets.Find(command.market);
    if (market == nullptr) return false;
    const int decimals =
        node.field == CommandField::kPrice ? market->price_decimals : market->quantity_decimals;
    value *= PowerOfTen(engine::kDecimalsMax - decimals);
  }
  switch (node.comparison) {
    case Comparison::kEqual:
      return value == node.value;
    case Comparison::kNotEqual:
      return value != node.value;
    case Comparison::kLess:
      return value < node.value;
    case Comparison::kLessEqual:
      return value <= node.value;
    case Comparison::kGreater:
      return value > node.value;
    case Comparison::kGreaterEqual:
      return value >= node.value;
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
