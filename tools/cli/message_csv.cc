#include "tools/cli/message_csv.h"

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"

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
    default:
      return absl::StrCat(event.detail);
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
  const auto& reserved = command.reserved;
  row.Field(reserved[0] | reserved[1] << 8 | reserved[2] << 16);
  row.Field(engine::ToHex(attachment));
}

void WriteEvent(CsvRow& row, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(event.market);
  row.Field(event.sequence.value());
  row.Field(event.index);
  row.Field(time.ToString());
  row.Field(time.nanos());
  row.Field(engine::NameOf(event.kind));
  WriteMarket(row, event.market, market);
  row.Field(event.order_id.value());
  row.Field(event.counter_order_id.value());
  WriteEnum(row, event.side);
  WritePrice(row, event.price, market);
  WriteQuantity(row, event.quantity, market);
  WriteQuantity(row, event.quantity_remaining, market);
  row.Field(event.account.value());
  row.Field(DetailOf(event));
}

}  // namespace tools
