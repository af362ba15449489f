// Commands and events as JSON: one format for the whole program.
//
//   {"schema":"ticktape.command/1","sequence":7,"time":"2020-01-30T09:30:00.000000000Z",
//    "kind":"new_order","market":"AAPL","market_id":1,"side":"bid","type":"limit","tif":"gtc",
//    "price":"320.1400","price_units":3201400,"quantity":"100","quantity_units":100}
//
// Decimal numbers are strings, next to the counts of units, which are exact. A field that is zero
// is omitted, as in the text form; market, price and quantity are also omitted if the market is
// unknown. client_order_id is a string: it may use all 64 bits.

#ifndef TOOLS_CLI_READ_MESSAGE_JSON_H_
#define TOOLS_CLI_READ_MESSAGE_JSON_H_

#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/market_definition.h"
#include "journal/record.h"
#include "replay/output.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/json.h"

namespace tools {

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

// Writes the fields of a message into the open object. An attachment becomes "definition" if it is
// a market definition, likewise limits and fees; any other is "attachment", in hexadecimal.
void WriteCommand(JsonObject& json, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets);
void WriteEvent(JsonObject& json, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets);

// Writes a price or quantity as NAME and NAME_units; NAME only if the market is known.
void WritePrice(JsonObject& json, absl::string_view name, engine::Price price,
                const engine::MarketDefinition* market);
void WriteQuantity(JsonObject& json, absl::string_view name, engine::Quantity quantity,
                   const engine::MarketDefinition* market);

}  // namespace tools

#endif  // TOOLS_CLI_READ_MESSAGE_JSON_H_
