#include "tools/cli/read/message_csv.h"

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/time_in_force.h"

namespace tools {
namespace {

using engine::MarketDefinition;

template <typename Enum>
void WriteEnum(CsvRow& row, Enum value) {
  value == Enum() ? row.EmptyField() : row.Field(engine::NameOf(value));
}

void WriteMarket(CsvRow& row, engine::MarketId id, const MarketDefinition* market) {
  market == nullptr ? row.EmptyField() : row.Field(market->symbol);
  row.Field(id.value());
}

void WritePrice(CsvRow& row, engine::Price price, const MarketDefinition* market) {
  const bool is_shown = market != nullptr && price != engine::Price();
  is_shown ? row.Field(engine::FormatPrice(price, market->price_decimals)) : row.EmptyField();
  row.Field(price.units());
}

void WriteQuantity(CsvRow& row, engine::Quantity quantity, const MarketDefinition* market) {
  const bool is_shown = market != nullptr && !quantity.is_zero();
  is_shown ? row.Field(engine::FormatQuantity(quantity, market->quantity_decimals))
           : row.EmptyField();
  row.Field(quantity.units());
}

std::string DetailOf(const engine::Event& event) {
  if (event.detail == 0) return "";
  switch (event.kind) {
    case engine::EventKind::kRejected:
      return engine::NameOf(event.reject_reason());
    case engine::EventKind::kCancelled:
      return engine::NameOf(event.cancel_reason());
    case engine::EventKind::kAmended:
      return engine::NameOf(event.priority());
    case engine::EventKind::kMarketState:
      return engine::NameOf(event.market_state());
    case engine::EventKind::kExchangeState:
      return engine::NameOf(event.exchange_state());
    default:
      return absl::StrCat(event.detail);
  }
}

template <typename Value>
void WriteIf(CsvRow& row, bool is_there, Value value) {
  is_there ? row.Field(value) : row.EmptyField();
}

// Writes the words of the order and the price for kinds that give them another meaning.
void WriteOtherWords(CsvRow& row, const engine::Command& command) {
  const bool is_till_time = command.kind == engine::CommandKind::kNewOrder &&
                            command.tif == engine::TimeInForce::kGoodTillTime;
  WriteIf(row, is_till_time, command.expires_at().ToString());
  const bool is_transfer = command.kind == engine::CommandKind::kDeposit ||
                           command.kind == engine::CommandKind::kWithdraw;
  WriteIf(row, is_transfer, command.amount().ToString());
  WriteIf(row, command.kind == engine::CommandKind::kDefineGroup, command.window_nanos());
}

bool IsAboutGroup(engine::EventKind kind) {
  return kind == engine::EventKind::kGroupDefined || kind == engine::EventKind::kGroupReset ||
         kind == engine::EventKind::kGroupTripped;
}

// Writes the columns that are not about orders.
void WriteAccountWords(CsvRow& row, const engine::Event& event, const MarketDefinition* market) {
  WriteIf(row, IsAboutGroup(event.kind), event.group().value());
  const bool is_balance = event.kind == engine::EventKind::kBalance;
  WriteIf(row, is_balance, event.change().ToString());
  WriteIf(row, is_balance, event.fee().ToString());
  WriteIf(row, is_balance, event.balance().ToString());
  WriteIf(row, is_balance, event.reserved().ToString());
  const bool is_position = event.kind == engine::EventKind::kPosition;
  const int decimals = market == nullptr ? 0 : market->quantity_decimals;
  WriteIf(row, is_position && market != nullptr,
          engine::FormatPrice(engine::Price::FromUnits(event.position()), decimals));
  WriteIf(row, is_position, event.position());
}

// Returns the event without the words that are not about an order.
engine::Event OrderPartOf(engine::Event event) {
  switch (event.kind) {
    case engine::EventKind::kBalance:
      event.counter_order_id = {};
      event.price = {};
      event.quantity = {};
      event.quantity_remaining = {};
      return event;
    case engine::EventKind::kPosition:
      event.price = {};
      return event;
    default:
      if (IsAboutGroup(event.kind)) event.order_id = {};
      return event;
  }
}

}  // namespace

void WriteCommand(CsvRow& row, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(command.market);
  row.Field(command.sequence.value());
  row.Field(command.timestamp.ToString());
  row.Field(command.timestamp.nanos());
  row.Field(engine::NameOf(command.kind));
  WriteMarket(row, command.market, market);
  row.Field(command.order_id.value());
  WriteEnum(row, command.side);
  WriteEnum(row, command.type);
  WriteEnum(row, command.tif);
  WritePrice(row, command.price, market);
  WriteQuantity(row, command.quantity, market);
  row.Field(command.account.value());
  row.Field(command.client_order_id.value());
  row.Field(static_cast<int>(command.flags.bits()));
  row.Field(static_cast<int>(command.group.value()));
  WriteOtherWords(row, command);
  row.Field(engine::ToHex(attachment));
}

void WriteEvent(CsvRow& row, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(event.market);
  const engine::Event order = OrderPartOf(event);
  row.Field(event.sequence.value());
  row.Field(event.index);
  row.Field(time.ToString());
  row.Field(time.nanos());
  row.Field(engine::NameOf(event.kind));
  WriteMarket(row, event.market, market);
  row.Field(order.order_id.value());
  row.Field(order.counter_order_id.value());
  WriteEnum(row, order.side);
  WritePrice(row, order.price, market);
  WriteQuantity(row, order.quantity, market);
  WriteQuantity(row, order.quantity_remaining, market);
  row.Field(event.account.value());
  WriteAccountWords(row, event, market);
  row.Field(DetailOf(event));
}

}  // namespace tools
