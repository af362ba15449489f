// Lines of a table: every command is read as it was written, and nothing is a number that is none.

#include "tools/cli/record/command_lines.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "tools/cli/base/csv.h"
#include "tools/cli/read/message_forms.h"

namespace tools {
namespace {

using engine::Command;

engine::MarketDirectory Markets() {
  engine::MarketDirectory markets;
  markets.Add(
      {.id = engine::MarketId(7), .symbol = "RAIN", .price_decimals = 4, .quantity_decimals = 2});
  return markets;
}

// Every kind with every field, few of them zero: what a kind does not read is kept all the same.
Command AnyCommand() {
  Command command;
  command.sequence = engine::SequenceNumber(*rc::gen::arbitrary<uint64_t>());
  command.timestamp = engine::Timestamp::FromNanos(*rc::gen::arbitrary<int64_t>());
  command.order_id = engine::OrderId(*rc::gen::arbitrary<uint64_t>());
  command.price = engine::Price::FromUnits(*rc::gen::arbitrary<int64_t>());
  command.quantity = engine::Quantity::FromUnits(*rc::gen::arbitrary<uint64_t>());
  command.client_order_id = engine::ClientOrderId(*rc::gen::arbitrary<uint64_t>());
  command.account = engine::AccountId(*rc::gen::arbitrary<uint32_t>());
  command.market = engine::MarketId(*rc::gen::element<uint32_t>(0, 7, 9));
  const int last_kind = static_cast<int>(engine::kLastCommandKind);
  command.kind = static_cast<engine::CommandKind>(*rc::gen::inRange(0, last_kind + 2));
  command.side = static_cast<engine::Side>(*rc::gen::inRange(0, 4));
  command.type = static_cast<engine::OrderType>(*rc::gen::inRange(0, 4));
  command.tif = static_cast<engine::TimeInForce>(*rc::gen::inRange(0, 7));
  command.flags = engine::OrderFlags::FromBits(*rc::gen::arbitrary<uint8_t>());
  command.set_group(
      engine::GroupId(*rc::gen::inRange<uint32_t>(0, engine::kGroupIdMax.value() + 1)));
  return command;
}

Command Read(const CommandLines& lines, absl::string_view line,
             const engine::MarketDirectory& markets) {
  const auto parsed = lines(line, markets);
  RC_ASSERT(parsed.ok());
  RC_ASSERT(parsed->has_value());
  RC_ASSERT((*parsed)->attachment.empty());
  return (*parsed)->command;
}

RC_GTEST_PROP(CommandLinesTest, EveryCommandIsReadAsItWasWritten, ()) {
  const engine::MarketDirectory markets = Markets();
  const Command command = AnyCommand();
  RC_ASSERT(Read(MakeJsonLines(), CommandJson(command, {}, markets), markets) == command);
  const CommandLines csv = MakeCsvLines();
  RC_ASSERT(csv(kCommandCsvHeader, markets).ok());
  CsvRow row;
  WriteCommand(row, command, {}, markets);
  RC_ASSERT(Read(csv, absl::StripSuffix(row.Finish(), "\n"), markets) == command);
}

std::vector<std::string> NoNumbers() {
  return {std::string(44, '9'),
          "1" + std::string(43, '0'),
          "-" + std::string(44, '9'),
          "340282366920938463463374607431768211456",  // 2^128
          "18446744073709551616",                     // 2^64
          "+1",
          " 1",
          "1 ",
          "0x1",
          "1e3",
          "1.0",
          "--1",
          "-",
          "one"};
}

constexpr const char* kNumbers[] = {"sequence", "time_ns",     "market_id",      "order",
                                    "account",  "price_units", "quantity_units", "client_order_id",
                                    "flags",    "group",       "window_ns"};

TEST(CommandLinesTest, ANewOrderWithoutTypeIsALimitOrder) {
  using engine::OrderType;
  using engine::TimeInForce;
  const engine::MarketDirectory markets = Markets();
  const auto parse = [&](absl::string_view json, absl::string_view csv) {
    const Command command = MakeJsonLines()(json, markets).value().value().command;
    CommandLines lines = MakeCsvLines();
    EXPECT_FALSE(lines("kind,market_id,type,tif", markets).value().has_value());
    const Command other = lines(csv, markets).value().value().command;
    EXPECT_EQ(command, other);
    return std::pair(command.type, command.tif);
  };
  EXPECT_EQ(parse(R"({"kind":"new_order","market_id":7})", "new_order,7,,"),
            std::pair(OrderType::kLimit, TimeInForce::kGoodTillCancelled));
  EXPECT_EQ(parse(R"({"kind":"new_order","market_id":7,"type":"market"})", "new_order,7,market,"),
            std::pair(OrderType::kMarket, TimeInForce::kImmediateOrCancel));
  EXPECT_EQ(
      parse(R"({"kind":"new_order","market_id":7,"type":0,"tif":"ioc"})", "new_order,7,0,ioc"),
      std::pair(OrderType(), TimeInForce::kImmediateOrCancel));
  EXPECT_EQ(parse(R"({"kind":"cancel","market_id":7})", "cancel,7,,"),
            std::pair(OrderType(), TimeInForce()));
}

TEST(CommandLinesTest, NothingIsANumberThatIsNone) {
  const engine::MarketDirectory markets = Markets();
  for (const char* field : kNumbers) {
    for (const std::string& text : NoNumbers()) {
      SCOPED_TRACE(absl::StrCat(field, " ", text));
      const CommandLines csv = MakeCsvLines();
      ASSERT_TRUE(csv(absl::StrCat("kind,", field), markets).ok());
      EXPECT_FALSE(csv(absl::StrCat("new_order,", text), markets).ok());
      EXPECT_FALSE(
          MakeJsonLines()(absl::StrCat(R"({"kind":"new_order",")", field, R"(":")", text, R"("})"),
                          markets)
              .ok());
    }
  }
  for (const char* part : {R"("definition":{"id":$})", R"("definition":{"price_decimals":$})",
                           R"("limits":{"open_orders_max":$})", R"("fees":{"multiplier":$})",
                           R"("note":{"version":$})"}) {
    for (const std::string& text : NoNumbers()) {
      const std::string whole = part;
      const size_t at = whole.find('$');
      const std::string line = absl::StrCat(R"({"kind":"advance_time",)", whole.substr(0, at), "\"",
                                            text, "\"", whole.substr(at + 1), "}");
      EXPECT_FALSE(MakeJsonLines()(line, markets).ok()) << line;
    }
  }
}

}  // namespace
}  // namespace tools
