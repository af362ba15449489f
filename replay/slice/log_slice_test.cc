// A slice of a log answers as the whole log does.

#include "replay/slice/log_slice.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/check.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/compare/fixture_text.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"

namespace replay {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Sliced {
  SliceReport report;
  Log log;
};

journal::Row RowOf(const Log& log, size_t i) {
  journal::Row row = log[i].row;
  row.sequence = engine::SequenceNumber(i + 1);
  return row;
}

// Commands first to last, both included.
Sliced SliceOf(const Log& log, size_t first, size_t last, Interest interest = {},
               bool (*wanted)(const engine::Command&) = nullptr) {
  ExchangeMachine whole;
  Driver whole_driver(whole, engine::SequenceNumber());
  for (size_t i = 0; i + 1 < first; ++i) {
    const journal::Row row = RowOf(log, i);
    whole_driver.Apply({.row = &row, .attachment = log[i].bytes()});
  }
  ExchangeMachine slice;
  Driver slice_driver(slice, engine::SequenceNumber());
  Sliced result;
  LogSlicer slicer(interest,
                   [&](const engine::Command& command,
                       engine::Bytes attachment) -> absl::StatusOr<std::span<const engine::Event>> {
                     EXPECT_EQ(command.sequence.value(), result.log.size() + 1);
                     result.log.push_back({.row = ToRow(command)});
                     if (!attachment.empty()) {
                       result.log.back().attachment =
                           std::make_shared<const std::vector<std::byte>>(attachment.begin(),
                                                                          attachment.end());
                     }
                     const journal::Row row = ToRow(command);
                     return AsEvents(slice_driver.Apply({.row = &row, .attachment = attachment}));
                   });
  ClientIds client_ids;
  for (size_t i = 0; i + 1 < first; ++i) client_ids[i + 1] = ToCommand(log[i].row).client_order_id;
  if (first > 1) {
    absl::StatusOr<StateParts> state = TakeStateApart(whole, interest);
    CHECK_OK(state.status());
    CHECK_OK(slicer.LeadIn(*std::move(state), client_ids));
  }
  for (size_t i = first - 1; i < last; ++i) {
    const journal::Row row = RowOf(log, i);
    const journal::Record record = {.row = &row, .attachment = log[i].bytes()};
    const std::span<const engine::Event> events = AsEvents(whole_driver.Apply(record));
    CHECK_OK(slicer.Next(record, events, wanted == nullptr || wanted(ToCommand(log[i].row))));
  }
  slice.CheckInvariants();
  result.report = slicer.report();
  return result;
}

std::string Explain(const SliceReport& report) {
  engine::MarketDirectory markets;
  const engine::MessageText text(markets);
  std::string all;
  for (const std::string& lost : report.lost) all += "\nlost: " + lost;
  for (const SliceDifference& difference : report.first_differences) {
    for (const engine::Event& event : difference.whole) all += "\n- " + text.Format(event);
    for (const engine::Event& event : difference.slice) all += "\n+ " + text.Format(event);
  }
  return all;
}

Log LogOf(const std::string& text) {
  auto log = ParseFixtureText("test", text);
  CHECK_OK(log.status());
  return *std::move(log);
}

constexpr char kContracts[] = R"(
define_market id=1 symbol=RAIN kind=binary price_decimals=2 quantity_decimals=2 tick=0.01 price_min=0.01 price_max=0.99 lot=0.01
define_market id=2 symbol=ACME price_decimals=2 lot=1 quantity_min=5
set_fees market=RAIN taker_coefficient=700 multiplier=100
open_account account=1
open_account account=2
deposit account=1 amount=100.000000
deposit account=2 amount=50.000000
bid market=RAIN price=0.52 quantity=10.00 account=1
ask market=RAIN price=0.52 quantity=4.00 account=2
bid market=ACME price=9.00 quantity=20 account=1
bid market=ACME price=9.00 quantity=20 account=2
amend market=ACME order=10 price=9.00 quantity=25 account=1
ask market=ACME price=9.00 quantity=18 account=0
set_risk_limits account=2 open_orders_max=3
)";

std::string WithContracts(const std::string& more) { return kContracts + more; }

TEST(LogSliceTest, ABeginningIsTheSameCommands) {
  const Log log = BusySession({.length = 3000});
  const Sliced sliced = SliceOf(log, 1, 2000);
  EXPECT_EQ(sliced.report.kept_count, 2000u);
  EXPECT_EQ(sliced.report.added_count, 0u);
  EXPECT_EQ(sliced.report.different_count, 0u);
  std::string why;
  EXPECT_TRUE(SameLog(sliced.log, Log(log.begin(), log.begin() + 2000), why)) << why;
}

TEST(LogSliceTest, AMiddleBeginsWithMoneyPositionsAndOrders) {
  const Log log = LogOf(WithContracts(R"(
ask market=RAIN price=0.52 quantity=8.00 account=2
amend market=RAIN order=8 price=0.50 quantity=11.00 account=1
ask market=ACME price=9.00 quantity=30 account=0
withdraw account=2 amount=40.000000
cancel market=ACME order=10 account=1
cancel market=RAIN order=15 account=2
)"));
  const Sliced sliced = SliceOf(log, 15, 20);
  EXPECT_THAT(sliced.report.lost, IsEmpty());
  EXPECT_EQ(sliced.report.kept_count, 6u);
  EXPECT_EQ(sliced.report.different_count, 0u) << Explain(sliced.report);
}

TEST(LogSliceTest, OrdersKeepTheirPlacesAndTheirOrderOfNumbers) {
  // 3 is older, and after 4 since it was amended; all of them end by number.
  const Log log = LogOf(R"(
define_market id=1 symbol=ACME price_decimals=0 lot=1
advance_time
bid market=ACME price=9 quantity=5 account=1
bid market=ACME price=9 quantity=5 account=1
amend market=ACME order=3 price=9 quantity=6 account=1
ask market=ACME price=9 quantity=2 account=2
mass_cancel account=1
)");
  const Sliced sliced = SliceOf(log, 6, 7);
  EXPECT_EQ(sliced.report.different_count, 0u);
  // Without priority, the orders would be in the opposite order.
  std::vector<uint64_t> quantities;
  for (const LogEntry& entry : sliced.log) {
    const engine::Command command = ToCommand(entry.row);
    if (command.kind == engine::CommandKind::kNewOrder) {
      quantities.push_back(command.quantity.units());
    }
  }
  EXPECT_THAT(quantities, ElementsAre(6, 5, 2));
}

TEST(LogSliceTest, WhatIsNotInTheSliceHasEnded) {
  const Log log = LogOf(WithContracts(R"(
cancel market=ACME order=13 account=0
cancel market=ACME order=10 account=1
cancel market=ACME order=10 account=1
cancel market=ACME order=999 account=1
cancel market=ACME order=7 account=1
)"));
  EXPECT_EQ(SliceOf(log, 15, 19).report.different_count, 0u);
}

TEST(LogSliceTest, StatesOfMarketsAreThere) {
  const Log log = LogOf(WithContracts(R"(
pause_market market=ACME
close_market market=RAIN
determine_market market=RAIN price=1.00
bid market=ACME price=9.00 quantity=20 account=1
open_market market=ACME
settle_market market=RAIN
set_fees taker_coefficient=1
)"));
  EXPECT_EQ(SliceOf(log, 18, 21).report.different_count, 0u);
}

TEST(LogSliceTest, PositionLimitsHaveCountedWhatWasTraded) {
  const Log log = LogOf(WithContracts(R"(
set_position_limit market=ACME account=1 quantity=100
bid market=ACME price=9.00 quantity=70 account=1
ask market=ACME price=9.00 quantity=50 account=2
set_position_limit market=ACME account=1 quantity=60
bid market=ACME price=8.00 quantity=5 account=1
cancel market=ACME order=16 account=1
bid market=ACME price=8.00 quantity=13 account=1
bid market=ACME price=8.00 quantity=12 account=1
)"));
  const Sliced sliced = SliceOf(log, 19, 22);
  EXPECT_THAT(sliced.report.lost, IsEmpty());
  EXPECT_EQ(sliced.report.different_count, 0u) << Explain(sliced.report);
}

TEST(LogSliceTest, SuspendedAccountsAreSuspended) {
  const Log log = LogOf(WithContracts(R"(
suspend_account account=1
bid market=ACME price=9.00 quantity=20 account=1
withdraw account=1 amount=90.000000
resume_account account=1
bid market=ACME price=9.00 quantity=20 account=1
)"));
  const Sliced sliced = SliceOf(log, 16, 19);
  EXPECT_THAT(sliced.report.lost, IsEmpty());
  EXPECT_EQ(sliced.report.different_count, 0u) << Explain(sliced.report);
}

TEST(LogSliceTest, GroupsKeepTheirFills) {
  const std::string groups = WithContracts(R"(
define_group account=1 group=7 quantity=#40 window_ns=5000000000
define_group account=2 group=7 quantity=#99 window_ns=5000000000
bid market=ACME price=9.50 quantity=30 account=1 group=7
bid market=ACME price=9.40 quantity=20 account=2 group=7
)");
  // One of 2 trips while those of 1 are counted, and the other way round.
  const Log log = LogOf(groups + R"(
ask market=ACME price=9.00 quantity=35 account=0
bid market=ACME price=9.00 quantity=20 account=1 group=7
ask market=ACME price=9.00 quantity=90 account=0
bid market=ACME price=9.00 quantity=20 account=1 group=7
reset_group account=1 group=7
bid market=ACME price=9.00 quantity=20 account=1 group=7
)");
  for (size_t first = 15; first <= log.size(); ++first) {
    const Sliced sliced = SliceOf(log, first, log.size());
    EXPECT_THAT(sliced.report.lost, IsEmpty()) << first;
    EXPECT_EQ(sliced.report.different_count, 0u) << first;
  }
}

TEST(LogSliceTest, TriggeredGroupsStayTripped) {
  // A group needs no market to trade in.
  const Log log = LogOf(R"(
define_market id=1 symbol=RAIN kind=binary price_decimals=2 quantity_decimals=2 tick=0.01 price_min=0.01 price_max=0.99 lot=0.01
open_account account=1
deposit account=1 amount=100.000000
define_group account=1 group=7 quantity=#9 window_ns=5000000000
define_group account=1 group=8 quantity=#9 window_ns=5000000000
trigger_group account=1 group=7
bid market=RAIN price=0.50 quantity=1.00 account=1 group=7
bid market=RAIN price=0.50 quantity=1.00 account=1 group=8
)");
  const Sliced sliced = SliceOf(log, 7, 8);
  EXPECT_THAT(sliced.report.lost, IsEmpty());
  EXPECT_EQ(sliced.report.different_count, 0u) << Explain(sliced.report);
}

TEST(LogSliceTest, ReportsWhatIsLost) {
  const Log log = LogOf(R"(
define_market id=1 symbol=RAIN kind=binary price_decimals=2 quantity_decimals=2 tick=0.01 price_min=0.01 price_max=0.99 lot=0.01
open_account account=1
open_account account=2
deposit account=1 amount=100.000000
deposit account=2 amount=100.000000
define_group account=1 group=7 quantity=#150 window_ns=5000000000
bid market=RAIN price=0.50 quantity=1.00 account=1 group=7
ask market=RAIN price=0.50 quantity=1.00 account=2
bid market=RAIN price=0.50 quantity=1.00 account=1 group=7
ask market=RAIN price=0.50 quantity=0.50 account=2
)");
  const Sliced sliced = SliceOf(log, 10, 10);
  EXPECT_THAT(sliced.report.lost, ElementsAre("what counts as filled in group 7 of account 1"));
  ASSERT_THAT(sliced.report.first_differences, SizeIs(1));
  EXPECT_EQ(sliced.report.first_differences[0].in_whole.value(), 10u);
  EXPECT_EQ(sliced.report.first_differences[0].whole.back().kind, engine::EventKind::kCancelled);
}

TEST(LogSliceTest, TheCountOfThatSecondIsLost) {
  const Log log = LogOf(R"(
define_market id=1 symbol=ACME price_decimals=0 lot=1
set_risk_limits account=1 orders_per_second_max=2
bid market=ACME price=1 quantity=5 account=1
bid market=ACME price=1 quantity=5 account=1
bid market=ACME price=1 quantity=5 account=1
)");
  const Sliced sliced = SliceOf(log, 5, 5);
  EXPECT_THAT(sliced.report.lost,
              ElementsAre("that account 1 has sent 2 of the 2 orders that it may send in that "
                          "second"));
  EXPECT_EQ(sliced.report.different_count, 1u) << Explain(sliced.report);
}

TEST(LogSliceTest, ClientIdsStay) {
  Log log = LogOf(R"(
define_market id=1 symbol=ACME price_decimals=0 lot=1
bid market=ACME price=1 quantity=5 account=1
bid market=ACME price=2 quantity=5 account=1
replace market=ACME order=2 price=1 quantity=4 account=1
advance_time
)");
  for (const size_t i : {1, 2, 3}) {
    EditCommand(log[i].row, [&](engine::Command& command) {
      command.client_order_id = engine::ClientOrderId(100 + i);
    });
  }
  const Sliced sliced = SliceOf(log, 5, 5);
  EXPECT_THAT(sliced.report.lost, IsEmpty());
  std::vector<uint64_t> ids;
  for (const LogEntry& entry : sliced.log) {
    const engine::Command command = ToCommand(entry.row);
    if (command.kind != engine::CommandKind::kNewOrder) continue;
    ids.push_back(command.client_order_id.value());
  }
  EXPECT_THAT(ids, ElementsAre(102, 103)) << "of the command that made each";
}

TEST(LogSliceTest, UnwantedCommandsAboutOrdersAreLeftOut) {
  const Log log = LogOf(R"(
define_market id=1 symbol=ACME price_decimals=0 lot=1
open_account account=1
bid market=ACME price=1 quantity=5 account=1
mass_cancel account=1
ask market=ACME price=9 quantity=5 account=1
cancel market=ACME order=5 account=1
)");
  const Sliced sliced = SliceOf(log, 1, 6, {}, [](const engine::Command& command) {
    return command.side == engine::Side::kAsk && command.kind == engine::CommandKind::kNewOrder;
  });
  std::vector<engine::CommandKind> kinds;
  for (const LogEntry& entry : sliced.log) kinds.push_back(ToCommand(entry.row).kind);
  EXPECT_THAT(kinds,
              ElementsAre(engine::CommandKind::kDefineMarket, engine::CommandKind::kOpenAccount,
                          engine::CommandKind::kNewOrder));
  EXPECT_EQ(sliced.report.seen_count, 6u);
  EXPECT_EQ(sliced.report.different_count, 0u) << Explain(sliced.report);
}

TEST(LogSliceTest, AllDifferencesAreCountedAndTheFirstAreKept) {
  std::string text = "\ndefine_market id=1 symbol=ACME price_decimals=0 lot=1\n";
  for (int i = 0; i < 7; ++i) {
    text +=
        "bid market=ACME price=1 quantity=5 account=1\n"
        "ask market=ACME price=1 quantity=5 account=2\n";
  }
  // No ask finds the order that it traded with.
  const Sliced sliced = SliceOf(LogOf(text), 1, 15, {.account = engine::AccountId(2)});
  EXPECT_EQ(sliced.report.different_count, 7u);
  ASSERT_THAT(sliced.report.first_differences, SizeIs(kSliceDifferencesMax));
  EXPECT_EQ(sliced.report.first_differences[4].in_whole.value(), 11u);
  EXPECT_EQ(sliced.report.first_differences[4].in_slice.value(), 6u);
}

// With the largest values and the finest units, no sum overflows.
TEST(LogSliceTest, TheLargestPositionsAreCarriedOver) {
  std::string text = R"(
define_market id=1 symbol=RAIN kind=binary price_decimals=2 quantity_decimals=2 tick=0.01 price_min=0.01 price_max=0.99 lot=0.01
open_account account=1
open_account account=2
deposit account=1 amount=1000000000.000000
deposit account=2 amount=99000000000.000000
)";
  for (int i = 0; i < 950; ++i) {
    text +=
        "bid market=RAIN price=0.01 quantity=100000000.00 account=1\n"
        "ask market=RAIN price=0.01 quantity=100000000.00 account=2\n";
  }
  text += "cancel market=RAIN order=6 account=1\n";
  const Log log = LogOf(text);
  const Sliced sliced = SliceOf(log, log.size(), log.size());
  EXPECT_EQ(sliced.report.kept_count, 1u);
  EXPECT_THAT(sliced.report.lost, Each(HasSubstr("account")));
}

Log Without(engine::CommandKind kind, Log log) {
  for (LogEntry& entry : log) {
    EditCommand(entry.row, [&](engine::Command& command) {
      if (command.kind == kind) command.kind = engine::CommandKind::kAdvanceTime;
    });
  }
  return log;
}

// Groups count fills in all markets, so no market is independent with them.
Log WithoutGroups(Log log) {
  for (LogEntry& entry : log) {
    EditCommand(entry.row, [](engine::Command& command) { command.set_group({}); });
  }
  return Without(engine::CommandKind::kDefineGroup, std::move(log));
}

TEST(LogSliceTest, AMarketByItselfAnswersAsInTheWhole) {
  for (const uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Log log = WithoutGroups(BusySession({.seed = seed, .length = 4000}));
    for (const uint32_t market : {1, 2, 3, 4}) {
      const Sliced sliced = SliceOf(log, 1, 4000, {.market = engine::MarketId(market)});
      EXPECT_GT(sliced.report.kept_count, 500u);
      EXPECT_EQ(sliced.report.different_count, 0u)
          << "seed " << seed << " market " << market << Explain(sliced.report);
    }
  }
}

// No command can restore the rounding credit of a partly filled order.
TEST(LogSliceTest, AMiddleOfABusySessionAnswersAsInTheWhole) {
  for (const uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Log log =
        Without(engine::CommandKind::kSetFees, BusySession({.seed = seed, .length = 4000}));
    for (const size_t first : {101, 997, 2001, 3500}) {
      const Sliced sliced = SliceOf(log, first, 4000);
      EXPECT_EQ(sliced.report.different_count, 0u)
          << "seed " << seed << " from " << first << Explain(sliced.report);
    }
  }
}

}  // namespace
}  // namespace replay
