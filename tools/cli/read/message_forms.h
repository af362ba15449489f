// Commands and events as JSON, as rows of a table, and by their fields: one format of each for the
// whole program.

#ifndef TOOLS_CLI_READ_MESSAGE_FORMS_H_
#define TOOLS_CLI_READ_MESSAGE_FORMS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_directory.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "journal/record.h"
#include "replay/output.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/csv.h"
#include "tools/cli/base/json.h"

namespace tools {

// ---- message_json.cc: objects.
//
//   {"schema":"ticktape.command/1","sequence":7,"time":"2020-01-30T09:30:00.000000000Z",
//    "kind":"new_order","market":"AAPL","market_id":1,"side":"bid","type":"limit","tif":"gtc",
//    "price":"320.1400","price_units":3201400,"quantity":"100","quantity_units":100}
//
// Decimal numbers are strings, next to the counts of units, which are exact. A field that is zero
// is omitted, as in the text form; market, price and quantity are also omitted if the market is
// unknown. client_order_id is a string: it may use all 64 bits.

// Returns a message as an object of its own, with its schema.
std::string CommandJson(const engine::Command& command, engine::Bytes attachment,
                        const engine::MarketDirectory& markets);
std::string EventJson(const engine::Event& event, engine::Timestamp time,
                      const engine::MarketDirectory& markets);

// The same for a row or an output of any application, by its vocabulary.
std::string RowJson(const journal::Record& record, const replay::Vocabulary& vocabulary);
std::string OutputJson(const replay::Output& output, engine::Timestamp time,
                       const replay::Vocabulary& vocabulary);
void WriteRow(JsonObject& json, const journal::Record& record,
              const replay::Vocabulary& vocabulary);
void WriteOutput(JsonObject& json, const replay::Output& output, engine::Timestamp time,
                 const replay::Vocabulary& vocabulary);
void WriteNamedValues(JsonObject& json, const std::vector<replay::NamedValue>& values);

// Writes the fields of a message into the open object. An attachment becomes "definition" if it is
// a market definition, likewise limits, fees and note; any other is "attachment", in hexadecimal.
void WriteCommand(JsonObject& json, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets);
void WriteEvent(JsonObject& json, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets);

// Writes a price or quantity as NAME and NAME_units; NAME only if the market is known.
void WritePrice(JsonObject& json, absl::string_view name, engine::Price price,
                const engine::MarketDefinition* market);
void WriteQuantity(JsonObject& json, absl::string_view name, engine::Quantity quantity,
                   const engine::MarketDefinition* market);

// Whether the field is there also if it is zero: if it is not, an import takes a default.
bool IsAlwaysThere(const engine::Command& command, const engine::Field& field);

// ---- message_csv.cc: every row has every column, in a fixed order.
//
// Prices and quantities are given twice: as decimal numbers of their market, empty if the market is
// unknown or the field is zero, and as counts of units (the _units columns), which are exact and
// complete. A name column is empty if the value is zero, but type and tif of a new order are then
// 0, because an empty one is the default. No part of a command is lost.

// flags is the byte (engine/types/order_flags.h). For kinds that use the words of the order and the
// price for another purpose, expires, amount and window_ns contain that value too; an expiry of
// zero is an empty field. attachment is hexadecimal.
inline constexpr absl::string_view kCommandCsvHeader =
    "sequence,time,time_ns,kind,market,market_id,order,side,type,tif,price,price_units,quantity,"
    "quantity_units,account,client_order_id,flags,group,expires,amount,window_ns,attachment";

// A trade has a maker and a taker and no order; `from` is, for a replace, the order that ended.
// Events about money, positions or groups use columns of their own and leave
// those of orders empty; a position limit is the quantity. detail is the reason of a rejection or
// cancel, the new state of a market or of the exchange, or the effect of an amend on the priority.
inline constexpr absl::string_view kEventCsvHeader =
    "sequence,index,time,time_ns,kind,market,market_id,order,maker,taker,from,side,price,price_"
    "units,"
    "quantity,quantity_units,remaining,remaining_units,account,group,change,fee,balance,reserved,"
    "position,position_units,expires,detail";

void WriteCommand(CsvRow& row, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets);
void WriteEvent(CsvRow& row, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets);

// ---- command_fields.cc: the fields of a command by name, for `--fields`.
//
//   sequence time kind market order side type tif price quantity account client_order_id
//   flags group attachment, and for the kinds that have them expires amount window_ns

// "price,quantity". Errors: INVALID_ARGUMENT that lists the known fields.
absl::StatusOr<std::vector<std::string>> ParseFieldNames(absl::string_view text);

// Appends the field as text; "-" for a field that is zero or that the kind does not have. Prices
// and quantities are in the decimals of their market, or '#' and a count of units if the market is
// unknown.
void AppendField(absl::string_view name, const engine::Command& command, engine::Bytes attachment,
                 const engine::MarketDirectory& markets, std::string& out);

// The same texts of single values. `market` is null if unknown.
std::string PriceText(engine::Price price, const engine::MarketDefinition* market);
std::string QuantityText(engine::Quantity quantity, const engine::MarketDefinition* market);
std::string MarketText(engine::MarketId id, const engine::MarketDefinition* market);

}  // namespace tools

#endif  // TOOLS_CLI_READ_MESSAGE_FORMS_H_
