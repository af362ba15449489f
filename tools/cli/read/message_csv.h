// Commands and events as rows of a table: every row has every column, in a fixed order.
//
// Prices and quantities are given twice: as decimal numbers of their market, empty if the market is
// unknown or the field is zero, and as counts of units (the _units columns), which are exact and
// complete. A name column is empty if the value is zero. No part of a command is lost.

#ifndef TOOLS_CLI_READ_MESSAGE_CSV_H_
#define TOOLS_CLI_READ_MESSAGE_CSV_H_

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "tools/cli/base/csv.h"

namespace tools {

// flags is the byte (engine/types/order_flags.h). For kinds that use the words of the order and the
// price for another purpose, expires, amount and window_ns contain that value too. attachment is
// hexadecimal.
inline constexpr absl::string_view kCommandCsvHeader =
    "sequence,time,time_ns,kind,market,market_id,order,side,type,tif,price,price_units,quantity,"
    "quantity_units,account,client_order_id,flags,group,expires,amount,window_ns,attachment";

// For a trade, order is the maker and counter_order the taker; for a replace, counter_order is the
// order that ended. Events about money, positions or groups use columns of their own and leave
// those of orders empty. detail is the reason of a rejection or cancel, the new state of a market
// or of the exchange, or the effect of an amend on the priority.
inline constexpr absl::string_view kEventCsvHeader =
    "sequence,index,time,time_ns,kind,market,market_id,order,counter_order,side,price,price_units,"
    "quantity,quantity_units,remaining,remaining_units,account,group,change,fee,balance,reserved,"
    "position,position_units,detail";

void WriteCommand(CsvRow& row, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets);
void WriteEvent(CsvRow& row, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets);

}  // namespace tools

#endif  // TOOLS_CLI_READ_MESSAGE_CSV_H_
