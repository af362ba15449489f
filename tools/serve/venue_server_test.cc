// A venue over an in-memory network and an in-memory journal, from start to restart.

#include "tools/serve/venue_server.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/kinds.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/venue_memory.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/recorder.h"
#include "tools/os/clocks.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/os/network/network.h"
#include "tools/serve/testing/small_venue.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::AccountId;
using engine::Timestamp;

constexpr int64_t kSecond = 1'000'000'000;

class VenueServerTest : public testing::Test {
 protected:
  VenueServerTest() {
    config.accounts = {{.id = AccountId(1), .money = engine::Money::Parse("100").value()},
                       {.id = AccountId(2), .money = engine::Money::Parse("100").value()}};
    config.markets = {
        {.definition = {.id = engine::MarketId(3), .symbol = "ACME", .price_decimals = 2}}};
    config.logins = {{.name = "one", .secret = "12345678", .account = AccountId(1)},
                     {.name = "cod",
                      .secret = "12345678",
                      .account = AccountId(1),
                      .cancel_on_disconnect = true},
                     {.name = "two", .secret = "12345678", .account = AccountId(2)}};
    SetTime("2026-11-25T10:00:00Z");
  }
  void SetTime(absl::string_view time) { clock.Set(Timestamp::Parse(time).value()); }
  std::unique_ptr<SmallVenue> Start() {
    return std::make_unique<SmallVenue>(config, directory, clock, steady);
  }

  // As the journal says.
  std::optional<engine::FeeSchedule> RememberedFees(engine::MarketId market) {
    engine::VenueMemory memory;
    replay::ExchangeMachine machine;
    replay::Driver driver(machine);
    const auto reader = journal::Reader::Open(directory).value();
    const auto ended = driver.Run(*reader, reader->info().last_sequence,
                                  [&](const journal::Record& record, auto outputs) {
                                    memory.OnApplied(replay::ToCommand(*record.row),
                                                     record.attachment, replay::AsEvents(outputs));
                                    return true;
                                  });
    EXPECT_TRUE(ended.ok());
    return memory.FeesOf(market);
  }

  VenueConfig config;
  journal::MemoryDirectory directory;
  engine::ManualClock clock;
  engine::ManualSteadyClock steady;
};

TEST_F(VenueServerTest, SessionsTradeUnderThePolicyOfTheJournal) {
  const auto life = Start();
  ASSERT_TRUE(life->started.ok()) << life->started;
  const auto one = life->Connect();
  const auto two = life->Connect();
  EXPECT_EQ(life->LogIn(*one, "one"), "WELCOME one account=1\n");
  life->LogIn(*two, "two");
  EXPECT_EQ(life->Say(*one, "SUBMIT 1 ACME SELL 10.50 5\n", "ACK"), "ACK 1 order=6\n");
  EXPECT_EQ(life->writer->durable_sequence().value(), 6u);
  EXPECT_EQ(life->Say(*two, "SUBMIT 1 ACME BUY 10.50 2\n", "FILL"),
            "ACK 1 order=7\nFILL 1 2 @ 10.50 taker remaining=0 trade=7.1\n");
  EXPECT_EQ(life->Say(*one, "", "FILL"), "FILL 1 2 @ 10.50 maker remaining=3 trade=7.1\n");
}

// The second life repeats none of the file's commands, knows the orders, and refuses old ids.
TEST_F(VenueServerTest, RestartKnowsAccountsOrdersAndIds) {
  {
    const auto life = Start();
    const auto one = life->Connect();
    life->LogIn(*one, "one");
    life->Say(*one, "SUBMIT 1 ACME SELL 10 5\nSUBMIT 2 ACME SELL 11 5\nCANCEL 2\n", "CANCELLED");
  }
  directory.Kill();
  config.accounts.push_back({.id = AccountId(4)});
  const auto life = Start();
  ASSERT_TRUE(life->started.ok()) << life->started;
  EXPECT_EQ(life->driver.last_applied().value(), 9u) << "only account 4 is new";
  const auto one = life->Connect();
  life->LogIn(*one, "one");
  EXPECT_EQ(life->Say(*one, "SUBMIT 2 ACME SELL 10 5\nSUBMIT 1 ACME SELL 10 5\nCANCEL 1\n", "CANC"),
            "REJECT 2 duplicate_id\nREJECT 1 duplicate_id\nCANCELLED 1 5 requested\n");
}

// A second life finds everything in the journal.
TEST_F(VenueServerTest, SettingsAreSentOnce) {
  config.accounts[0].limits.emplace().open_orders_max = 2;
  const auto whole = Start()->driver.last_applied();
  EXPECT_EQ(whole.value(), 6u);
  directory.Kill();
  EXPECT_EQ(Start()->driver.last_applied(), whole);
}

TEST_F(VenueServerTest, ChangedDefinitionIsRefused) {
  Start();
  directory.Kill();
  config.markets[0].definition.price_decimals = 3;
  EXPECT_EQ(Start()->started.message(),
            "market ACME: the journal has another definition of market 3, ACME; a market's "
            "definition never changes: use a new id");
}

TEST_F(VenueServerTest, LimitsOfTheFileHold) {
  config.accounts[0].limits.emplace().open_orders_max = 1;
  const auto life = Start();
  const auto one = life->Connect();
  life->LogIn(*one, "one");
  EXPECT_EQ(life->Say(*one, "SUBMIT 1 ACME SELL 10 5\nSUBMIT 2 ACME SELL 10 5\n", "REJECT"),
            "ACK 1 order=7\nREJECT 2 risk_open_orders\n");
}

TEST_F(VenueServerTest, PositionLimitsBecomeThoseOfTheFileOnce) {
  config.accounts[0].position_limits = {{engine::MarketId(3), engine::Quantity::FromUnits(7)}};
  config.accounts[1].position_limits = {{engine::MarketId(3), engine::Quantity()}};
  {
    const auto life = Start();
    EXPECT_EQ(life->driver.last_applied().value(), 6u) << "zero is no limit";
    const auto one = life->Connect();
    life->LogIn(*one, "one");
    EXPECT_EQ(life->Say(*one, "SUBMIT 1 ACME SELL 10 5\nSUBMIT 2 ACME SELL 10 3\n", "REJECT"),
              "ACK 1 order=7\nREJECT 2 position_limit\n");
  }
  directory.Kill();
  EXPECT_EQ(Start()->driver.last_applied().value(), 8u) << "the limit is in force";
  directory.Kill();
  config.accounts[0].position_limits = {{engine::MarketId(3), engine::Quantity::FromUnits(8)}};
  EXPECT_EQ(Start()->driver.last_applied().value(), 9u);
  directory.Kill();
  config.accounts[0].position_limits.clear();
  EXPECT_EQ(Start()->driver.last_applied().value(), 10u);
  directory.Kill();
  const auto life = Start();
  EXPECT_EQ(life->driver.last_applied().value(), 10u) << "there is none";
  const auto one = life->Connect();
  life->LogIn(*one, "one");
  EXPECT_EQ(life->Say(*one, "SUBMIT 2 ACME SELL 10 30\n", "ACK"), "ACK 2 order=11\n");
}

TEST_F(VenueServerTest, FeesBecomeThoseOfTheSeriesOnce) {
  const engine::MarketId id(4);
  config.markets.push_back({.definition = {.id = id,
                                           .symbol = "KXA-1-B",
                                           .price_decimals = 4,
                                           .quantity_decimals = 2,
                                           .price_max = engine::Price::FromUnits(9999),
                                           .kind = engine::MarketKind::kBinary}});
  config.kalshi.series = {{.ticker = "KXA",
                           .title = "A",
                           .category = "",
                           .frequency = "",
                           .fee_type = "quadratic_with_maker_fees",
                           .fee_multiplier = 50,
                           .tags = {}}};
  config.kalshi.events = {{.ticker = "KXA-1", .series = "KXA", .title = "A", .sub_title = ""}};
  config.kalshi.markets.emplace_back().id = id;
  config.kalshi.markets[0].event = "KXA-1";
  const auto fees_at_start = [&](uint64_t last_applied) {
    const auto life = Start();
    EXPECT_TRUE(life->started.ok()) << life->started;
    EXPECT_EQ(life->driver.last_applied().value(), last_applied);
    directory.Kill();
    return RememberedFees(id);
  };
  const engine::FeeSchedule with_maker = {
      .taker_coefficient = 700, .maker_coefficient = 175, .multiplier = 50};
  EXPECT_EQ(fees_at_start(7), with_maker);
  EXPECT_EQ(fees_at_start(7), with_maker);
  config.kalshi.series[0].fee_type = "quadratic_with_combo_maker_fees";
  EXPECT_EQ(fees_at_start(8)->maker_coefficient, 350u);
  config.kalshi.series[0].fee_type = "quadratic";
  EXPECT_EQ(fees_at_start(9)->maker_coefficient, 0u);
  config.kalshi.series[0].fee_type = "flat";
  EXPECT_EQ(fees_at_start(10), engine::FeeSchedule());
  EXPECT_EQ(fees_at_start(10), engine::FeeSchedule());
}

// Without any input.
TEST_F(VenueServerTest, OrdersExpireWithinASecondOfTheirTime) {
  const auto life = Start();
  const auto one = life->Connect();
  life->LogIn(*one, "one");
  life->Say(*one, "SUBMIT 1 ACME SELL 10 5 GTT=2026-11-25T10:00:05Z\n", "ACK");
  SetTime("2026-11-25T10:00:05.5Z");
  EXPECT_EQ(life->Say(*one, "", "expired"), "CANCELLED 1 5 expired\n");
}

TEST_F(VenueServerTest, MarketsFollowTheirScheduleOnce) {
  config.markets[0].definition.starts_unopened = true;
  config.markets[0].schedule = {{.at = Timestamp::Parse("2026-11-25T10:00:10Z").value()},
                                {.at = Timestamp::Parse("2026-11-25T10:00:20Z").value(),
                                 .kind = engine::CommandKind::kCloseMarket}};
  {
    const auto life = Start();
    const auto one = life->Connect();
    life->LogIn(*one, "one");
    EXPECT_EQ(life->Say(*one, "SUBMIT 1 ACME SELL 10 5\n", "REJECT"), "REJECT 1 market_not_open\n");
    SetTime("2026-11-25T10:00:10Z");
    life->Turn();
    life->Say(*one, "SUBMIT 1 ACME SELL 10 5\n", "ACK");
  }
  directory.Kill();
  SetTime("2026-11-25T10:00:30Z");
  const auto life = Start();
  const auto before = life->driver.last_applied();
  const auto one = life->Connect();
  life->LogIn(*one, "one");
  EXPECT_EQ(life->driver.last_applied().value(), before.value() + 1) << "close, and not open";
  EXPECT_EQ(life->Say(*one, "SUBMIT 2 ACME SELL 10 5\n", "REJECT"), "REJECT 2 market_not_open\n");
}

TEST_F(VenueServerTest, CancelOnDisconnectIsRecorded) {
  const auto life = Start();
  const auto watcher = life->Connect();
  life->LogIn(*watcher, "one");
  auto gone = life->Connect();
  life->LogIn(*gone, "cod");
  life->Say(*gone, "SUBMIT 1 ACME SELL 10 5\n", "ACK");
  gone->Reset();
  gone.reset();
  EXPECT_EQ(life->Say(*watcher, "", "CANCELLED"), "CANCELLED 1 5 requested\n");
}

TEST_F(VenueServerTest, WrongSecretsAndSilentConnectionsEnd) {
  const auto life = Start();
  const auto wrong = life->Connect();
  EXPECT_EQ(life->Say(*wrong, "LOGIN one 12345679\n", "ERROR"), "ERROR line 1: login refused\n");
  const auto unknown = life->Connect();
  EXPECT_EQ(life->Say(*unknown, "LOGIN zero 12345678\n", "ERROR"), "ERROR line 1: login refused\n");
  const auto silent = life->Connect();
  life->Turn();
  steady.Advance(11 * kSecond);
  for (int turn = 0; turn < 100 && !silent->has_ended(); ++turn) life->Turn();
  EXPECT_TRUE(silent->has_ended());
}

// Also if the time to log in is over when its line is read.
TEST_F(VenueServerTest, RefusedConnectionLearnsWhyBeforeItEnds) {
  const auto life = Start();
  const auto late = life->Connect();
  life->Say(*late, "LOGIN one 12345679", "");
  for (int turn = 0; turn < 100; ++turn) life->Turn();
  steady.Advance(11 * kSecond);
  EXPECT_EQ(life->Say(*late, "\n", "ERROR"), "ERROR line 1: login refused\n");
}

TEST_F(VenueServerTest, OperatorSuspendsAnAccountOfASession) {
  config.admin = {.listen = "127.0.0.1:7002", .token = "5ecret"};
  const auto life = Start();
  ASSERT_TRUE(life->started.ok()) << life->started;
  const auto one = life->Connect();
  life->LogIn(*one, "one");
  EXPECT_EQ(life->Say(*one, "SUBMIT 1 ACME SELL 10 5\n", "ACK"), "ACK 1 order=6\n");
  const auto stranger = life->sockets.Connect(life->server.admin_address()).value();
  EXPECT_EQ(life->Say(*stranger, "TOKEN 5ecreT\nhalt_exchange\n", "ERROR"),
            "ERROR line 1: token refused\n");
  const auto admin = life->sockets.Connect(life->server.admin_address()).value();
  EXPECT_EQ(life->Say(*admin, "TOKEN 5ecret\nsuspend_account account=1\n", "DONE"),
            "OK\n7.0 account_standing account=1 standing=suspended\n"
            "7.1 cancelled order=6 side=ask market=ACME price=10.00 quantity=5 account=1 "
            "reason=account_suspended\nDONE @7 events=2\n");
  EXPECT_EQ(life->writer->durable_sequence().value(), 7u);
  EXPECT_EQ(life->Say(*one, "SUBMIT 2 ACME SELL 10 5\n", "REJECT"),
            "CANCELLED 1 5 account_suspended\nREJECT 2 account_suspended\n");
}

// What an operator defines is a market for all sessions, also in the next life.
TEST_F(VenueServerTest, OperatorDefinesAMarket) {
  config.admin = {.listen = "127.0.0.1:7002", .token = "5ecret"};
  {
    const auto life = Start();
    const auto admin = life->sockets.Connect(life->server.admin_address()).value();
    life->Say(*admin, "TOKEN 5ecret\ndefine_market id=9 symbol=NEW price_decimals=2\n", "DONE");
    const auto one = life->Connect();
    life->LogIn(*one, "one");
    EXPECT_EQ(life->Say(*one, "SUBMIT 1 NEW SELL 10.50 5\n", "1 "), "ACK 1 order=7\n");
  }
  directory.Kill();
  const auto life = Start();
  const auto one = life->Connect();
  life->LogIn(*one, "one");
  EXPECT_EQ(life->Say(*one, "CANCEL 1\n", "1 "), "CANCELLED 1 5 requested\n");
}

TEST_F(VenueServerTest, OperatorsAreServedOnlyWhereTheConfigurationSaysSo) {
  const auto life = Start();
  EXPECT_EQ(life->server.admin_address(), "");
}

// What was submitted is answered, then all ends; the session that cancels at its end has done so.
TEST_F(VenueServerTest, DrainAnswersAndCancels) {
  const auto life = Start();
  const auto peer = life->Connect();
  life->LogIn(*peer, "cod");
  const std::string lines = "SUBMIT 1 ACME SELL 10 5\nSUBMIT 2 ACME SELL 10 5\n";
  life->Say(*peer, lines, "ACK 2");
  EXPECT_TRUE(life->server.Drain().ok());
  EXPECT_EQ(life->server.counts().sessions, 0u);
  EXPECT_EQ(life->machine.live_order_count(), 0u);
  EXPECT_EQ(life->server.counts().waiting, 0u);
}

}  // namespace
}  // namespace tools
