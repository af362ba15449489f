// A walk through the sample journal (tools/cli/testing/sample_journal.h): 15 commands, two markets.

#include "tools/cli/travel/travel_session.h"

#include <cstdint>
#include <fstream>
#include <ios>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/types/ids.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "replay/travel/travel_machine.h"
#include "tools/cli/testing/sample_journal.h"
#include "tools/cli/travel/travel_view.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "bid 320.1400 90 2": a level as a word.
std::vector<std::string> Words(const std::vector<TravelLevel>& levels) {
  std::vector<std::string> words;
  for (const TravelLevel& level : levels) {
    words.push_back(absl::StrCat(level.is_selected ? "> " : "", level.price, " ", level.quantity,
                                 " ", level.order_count, level.is_watched ? " <" : ""));
  }
  return words;
}

// A machine that is no exchange: it has no markets, no books and no snapshots.
class Acknowledger final : public replay::Machine {
 public:
  absl::string_view name() const override { return "acknowledger"; }
  void WriteTo(replay::ApplyKey, replay::OutputMemory& memory) override { events_.WriteTo(memory); }
  std::span<const replay::Output> Apply(replay::ApplyKey, const journal::Record& record) override {
    events_.buffer().Begin(record.sequence());
    engine::Event& event = events_.buffer().Append(engine::EventKind::kAccepted);
    event.order_id = engine::OrderId(record.sequence().value());
    event.market = engine::MarketId(1);
    return events_.outputs();
  }
  engine::Digest StateDigest() const override { return {}; }

 private:
  replay::EventOutputs events_;
};

class TravelSessionTest : public ::testing::Test {
 protected:
  TravelSessionTest() { Open(WriteSampleJournal(JournalName())); }

  // A test has a folder of its own.
  static std::string JournalName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  template <typename Machine = replay::ExchangeMachine>
  void Open(const std::string& path) {
    session_.reset();
    directory_ = journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly).value();
    reader_ = journal::Reader::Open(*directory_).value();
    replay::TravelOptions options;
    options.make_machine = [] { return std::make_unique<Machine>(); };
    options.find_start = [](engine::SequenceNumber) -> absl::StatusOr<replay::StartingPoint> {
      return replay::StartingPoint{
          .machine = std::make_unique<Machine>(), .snapshot = {}, .warnings = {}};
    };
    options.waypoints = {.stride = 2, .gap_max = 4};
    session_ = std::make_unique<TravelSession>(*reader_, std::move(options));
    ExpectOk(session_->SeekFirst());
  }

  static void ExpectOk(const absl::Status& status) { EXPECT_TRUE(status.ok()) << status.message(); }
  static void ExpectRefused(const absl::Status& status, const char* message) {
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }
  void Seek(const char* position) { ExpectOk(session_->Seek(position)); }
  uint64_t position() const { return session_->position().value(); }
  TravelView View() const { return session_->View(50); }

  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Reader> reader_;
  std::unique_ptr<TravelSession> session_;
};

TEST_F(TravelSessionTest, BeginsBeforeTheFirstCommand) {
  const TravelView view = View();
  EXPECT_EQ(view.position.value(), 0);
  EXPECT_EQ(view.last.value(), 15);
  EXPECT_EQ(view.command, "");
  EXPECT_THAT(view.events, IsEmpty());
  EXPECT_EQ(view.market, "");
}

TEST_F(TravelSessionTest, ShowsTheCommandItsEventsAndTheBook) {
  Seek("@7");
  const TravelView view = View();
  EXPECT_EQ(view.time, "2020-01-30T09:30:06.000000000Z");
  EXPECT_THAT(view.command, HasSubstr("ask market=AAPL price=320.1400 quantity=60 account=5"));
  EXPECT_THAT(view.events, ElementsAre(HasSubstr("7.0 accepted"), HasSubstr("7.1 trade maker=3")));
  EXPECT_EQ(view.market, "AAPL");
  EXPECT_THAT(Words(view.bids), ElementsAre("> 320.1400 90 2", "320.1200 200 1"));
  EXPECT_THAT(Words(view.asks), ElementsAre("320.1700 300 1"));
  EXPECT_EQ(view.queue_title, "bid 320.1400  90 in 2 orders");
  ASSERT_EQ(view.queue.size(), 2);
  EXPECT_EQ(view.queue[0].order.value(), 3);
  EXPECT_EQ(view.queue[1].up_to_here, "90");
  EXPECT_THAT(view.trades, ElementsAre("@7 09:30:06.000000  60 at 320.1400  bid 3, ask 7"));
}

TEST_F(TravelSessionTest, APlaceLooksTheSameFromEverySide) {
  std::vector<TravelView> forward;
  Seek("@2");  // Where a market is there to look at.
  ExpectOk(session_->ChooseMarket("AAPL"));
  for (int i = 2; i < 15; ++i, ExpectOk(session_->Step(1))) forward.push_back(View());
  for (size_t i = forward.size(); i > 0; --i) {
    ExpectOk(session_->Step(-1));
    EXPECT_EQ(View(), forward[i - 1]) << "@" << i + 1;
  }
  Seek("@14");
  EXPECT_EQ(View(), forward[12]);
}

TEST_F(TravelSessionTest, StepsEndAtTheEnds) {
  ExpectRefused(session_->Step(-1), "nothing is known before this");
  ExpectOk(session_->Step(10));
  ExpectOk(session_->Step(10));
  EXPECT_EQ(position(), 15);
  ExpectRefused(session_->Step(1), "this is the end");
  ExpectOk(session_->Step(-1000));
  EXPECT_EQ(position(), 0);
}

TEST_F(TravelSessionTest, GoesToEveryKindOfPosition) {
  Seek("@2020-01-30T09:30:04Z");
  EXPECT_EQ(position(), 5);
  Seek("@-1");
  EXPECT_EQ(position(), 15);
  Seek(" @+2s ");
  EXPECT_EQ(position(), 3);
  Seek("@order:4");
  EXPECT_EQ(position(), 4);
  Seek("0");
  EXPECT_EQ(position(), 0);
  Seek("@9");
  ExpectRefused(session_->Seek("@16"), "@16 is outside: from @0 to @15");
  ExpectRefused(session_->Seek("somewhere"), "is not a position");
  EXPECT_EQ(position(), 9);
}

TEST_F(TravelSessionTest, FindsTradesBothWays) {
  Seek("@2");
  ExpectOk(session_->FindTrade(Direction::kForward));
  EXPECT_EQ(position(), 7);
  ExpectOk(session_->FindTrade(Direction::kForward));
  EXPECT_EQ(position(), 9);
  ExpectRefused(session_->FindTrade(Direction::kForward), "no later trade");
  EXPECT_EQ(position(), 9);
  Seek("@15");
  ExpectOk(session_->FindTrade(Direction::kBack));
  EXPECT_EQ(position(), 9);
  ExpectOk(session_->FindTrade(Direction::kBack));
  EXPECT_EQ(position(), 7);
  ExpectRefused(session_->FindTrade(Direction::kBack), "no earlier trade");
  EXPECT_EQ(position(), 7);
}

TEST_F(TravelSessionTest, TradesOfOtherMarketsAreNotLookedAt) {
  std::vector<std::string> commands = SampleCommands();
  commands.push_back("ask market=KX,\"RAIN\" price=0.5600 quantity=1.00 account=6");
  Open(WriteSampleJournal("travel_two_markets", {.commands = commands}));
  Seek("@16");
  EXPECT_EQ(View().market, "AAPL");
  EXPECT_THAT(View().trades, ElementsAre(HasSubstr("@9 "), HasSubstr("@7 ")));
  ExpectOk(session_->FindTrade(Direction::kBack));
  EXPECT_EQ(position(), 9);
  ExpectRefused(session_->FindTrade(Direction::kForward), "no later trade");
  ExpectOk(session_->ChooseMarket("#7"));
  ExpectOk(session_->FindTrade(Direction::kForward));
  EXPECT_EQ(position(), 16);
  EXPECT_THAT(View().trades, ElementsAre(HasSubstr("@16 ")));
}

TEST_F(TravelSessionTest, FindsCommandsOfTheMarketShown) {
  Seek("@7");
  ExpectOk(session_->ChooseMarket("KX,\"RAIN\""));
  ExpectOk(session_->FindMarketCommand(Direction::kForward));
  EXPECT_EQ(position(), 8);
  ExpectRefused(session_->FindMarketCommand(Direction::kForward), "no later command");
  ExpectOk(session_->FindMarketCommand(Direction::kBack));
  EXPECT_EQ(position(), 2);
  ExpectRefused(session_->FindMarketCommand(Direction::kBack), "no earlier command");
}

TEST_F(TravelSessionTest, SearchesForWhatAnExpressionSays) {
  ExpectRefused(session_->FindWhere(Direction::kForward), "nothing to search for yet");
  ExpectRefused(session_->SetWhere("kind=cancel"), "kind=cancel");
  ExpectOk(session_->SetWhere("account==5 && market==AAPL"));
  std::vector<uint64_t> found;
  while (session_->FindWhere(Direction::kForward).ok()) found.push_back(position());
  EXPECT_THAT(found, ElementsAre(6, 7, 11));
  found.clear();
  while (session_->FindWhere(Direction::kBack).ok()) found.push_back(position());
  EXPECT_THAT(found, ElementsAre(7, 6));
  EXPECT_EQ(position(), 6);
}

TEST_F(TravelSessionTest, FollowsAnOrderThroughItsLife) {
  Seek("@7");
  ExpectOk(session_->WatchOrder("4"));
  EXPECT_EQ(position(), 7);
  TravelOrder order = *View().order;
  EXPECT_EQ(order.standing,
            "live, 0 filled, 50 remaining; AAPL bid 320.1400, 1 order with 40 ahead");
  EXPECT_THAT(order.life, ElementsAre(HasSubstr("4.0 accepted order=4")));
  EXPECT_THAT(Words(View().bids), ElementsAre("> 320.1400 90 2 <", "320.1200 200 1"));
  ExpectOk(session_->FindOrderEvent(Direction::kForward));
  EXPECT_EQ(position(), 12);
  EXPECT_THAT(View().order->life, ElementsAre(HasSubstr("4.0"), HasSubstr("12.0 amended")));
  EXPECT_THAT(Words(View().bids),
              ElementsAre("> 320.1500 70 1 <", "320.1400 20 1", "320.1200 120 1"))
      << "the selection goes with the order";
  ExpectRefused(session_->FindOrderEvent(Direction::kForward), "no later event of order 4");
  EXPECT_EQ(position(), 12);
  ExpectOk(session_->FindOrderEvent(Direction::kBack));
  EXPECT_EQ(position(), 4);
  ExpectRefused(session_->FindOrderEvent(Direction::kBack), "no earlier event of order 4");
  Seek("@3");
  EXPECT_EQ(View().order->standing, "no order has that number up to here");
  EXPECT_THAT(View().order->life, IsEmpty());
}

TEST_F(TravelSessionTest, TheLifeIsWholeOnEveryWayToThePlace) {
  Seek("@15");
  ExpectOk(session_->WatchOrder("3"));
  const TravelOrder at_the_end = *View().order;
  EXPECT_THAT(at_the_end.life, ElementsAre(HasSubstr("3.0"), HasSubstr("7.1"), HasSubstr("9.1")));
  Seek("@2");
  Seek("@15");
  EXPECT_EQ(*View().order, at_the_end);
  Seek("@1");
  ExpectOk(session_->WatchOrder("3"));
  Seek("@15");
  EXPECT_EQ(*View().order, at_the_end);
}

TEST_F(TravelSessionTest, UnknownOrdersAreReported) {
  Seek("@15");
  ExpectOk(session_->WatchOrder("14"));
  EXPECT_EQ(View().order->standing, "no order has that number up to here");
  ExpectRefused(session_->WatchOrder("16"), "known are @1 to @15");
  ExpectRefused(session_->WatchOrder("x"), "'x' is not an order's number");
  ExpectRefused(session_->WatchOrder("0"), "'0' is not an order's number");
  ExpectOk(session_->WatchOrder(""));
  EXPECT_FALSE(View().order.has_value());
  ExpectRefused(session_->FindOrderEvent(Direction::kForward), "no order is watched");
}

TEST_F(TravelSessionTest, MarketsAreChosenByNameAndInTurn) {
  Seek("@15");
  EXPECT_EQ(View().market, "AAPL") << "the one with most orders";
  ExpectOk(session_->NextMarket(Direction::kForward));
  EXPECT_EQ(View().market, "KX,\"RAIN\"");
  ExpectOk(session_->NextMarket(Direction::kForward));
  EXPECT_EQ(View().market, "AAPL");
  ExpectOk(session_->NextMarket(Direction::kBack));
  EXPECT_EQ(View().market, "KX,\"RAIN\"");
  ExpectOk(session_->ChooseMarket("#1"));
  EXPECT_EQ(View().market, "AAPL");
  ExpectRefused(session_->ChooseMarket("MSFT"),
                "market 'MSFT': no such market is defined up to there");
  Seek("@0");
  EXPECT_EQ(View().market, "") << "it is not there yet";
  ExpectRefused(session_->NextMarket(Direction::kForward), "no market is defined yet");
}

TEST_F(TravelSessionTest, ThePlaceChoosesTheMarketAsInspectDoes) {
  Seek("@2");
  session_->ChooseMarketOfPlace(/*is_of_command=*/true);
  EXPECT_EQ(View().market, "KX,\"RAIN\"") << "that of the command";
  session_->ChooseMarketOfPlace(/*is_of_command=*/false);
  EXPECT_EQ(View().market, "AAPL") << "no orders yet: the first one";
  ExpectOk(session_->ChooseMarket("#7"));
  ExpectOk(session_->WatchOrder("4"));
  Seek("@15");
  session_->ChooseMarketOfPlace(/*is_of_command=*/true);
  EXPECT_EQ(View().market, "AAPL") << "that of the order";
}

TEST_F(TravelSessionTest, TimesAreThoseOfTheZone) {
  session_->set_time_zone(absl::FixedTimeZone(-5 * 60 * 60));
  Seek("@2020-01-30 04:30:06");
  EXPECT_EQ(position(), 7u);
  EXPECT_EQ(View().time, "2020-01-30T04:30:06.000000000-05:00");
  EXPECT_THAT(View().command, HasSubstr("7 2020-01-30T04:30:06.000000000-05:00 ask"));
  EXPECT_THAT(View().trades, ElementsAre(HasSubstr("@7 04:30:06.000000 ")));
  ExpectOk(session_->SetWhere("time > 2020-01-30 04:30:08"));
  ExpectOk(session_->FindWhere(Direction::kForward));
  EXPECT_EQ(position(), 10u);
  session_->set_time_zone(std::nullopt);
  ExpectRefused(session_->Seek("@2020-01-30 04:30:06"), "is a time of no zone");
}

TEST_F(TravelSessionTest, TheQueueOfAnyLevelCanBeSeen) {
  Seek("@15");
  session_->ChooseLevel(LevelChoice::kBestAsk);
  EXPECT_EQ(View().queue_title, "ask 320.1600  250 in 1 order");
  session_->MoveLevel(1);
  EXPECT_EQ(View().queue_title, "ask 320.1900  40 in 1 order");
  session_->MoveLevel(1);
  EXPECT_EQ(View().queue_title, "ask 320.1900  40 in 1 order") << "the last there is";
  session_->ChooseLevel(LevelChoice::kBestAsk);
  session_->MoveLevel(-1);
  EXPECT_EQ(View().queue_title, "bid 320.1500  70 in 1 order");
  session_->MoveLevel(-1);
  EXPECT_EQ(View().queue_title, "bid 320.1400  20 in 1 order");
}

TEST_F(TravelSessionTest, WhatTakesLongCanBeStopped) {
  std::vector<std::string> commands = SampleCommands();
  while (commands.size() < 20'000) commands.push_back("advance_time");
  Open(WriteSampleJournal("travel_long", {.commands = commands, .block_records = 4096}));
  session_->set_should_continue(
      [](engine::SequenceNumber, engine::SequenceNumber, bool) { return false; });
  const absl::Status stopped = session_->SeekLast();
  EXPECT_EQ(stopped.code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(std::string(stopped.message()), HasSubstr("stopped at @8192"));
  EXPECT_EQ(position(), 8192);
  EXPECT_THAT(View().command, HasSubstr("8192")) << "a sound place all the same";
  session_->set_should_continue(nullptr);
  ExpectOk(session_->SeekLast());
  EXPECT_EQ(position(), 20'000);
  int asked = 0;
  session_->set_should_continue(
      [&](engine::SequenceNumber, engine::SequenceNumber, bool) { return ++asked > 1; });
  EXPECT_EQ(session_->FindTrade(Direction::kBack).code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(asked, 1) << "a search back ends immediately, too";
}

TEST_F(TravelSessionTest, DamageIsReportedAndTheReadablePartCanBeWalked) {
  std::vector<std::string> commands = SampleCommands();
  while (commands.size() < 400) commands.push_back("bid market=AAPL price=320.1400 quantity=7");
  const std::string path =
      WriteSampleJournal("travel_damaged", {.commands = commands, .block_records = 20});
  {
    std::fstream file(path + "/segment-000000.tape",
                      std::ios::in | std::ios::out | std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellp();
    file.seekp(size / 2);
    file << std::string(8192, '!');
    ASSERT_TRUE(file.good());
  }
  Open(path);
  const absl::Status damaged = session_->SeekLast();
  EXPECT_EQ(damaged.code(), absl::StatusCode::kDataLoss) << damaged.message();
  const uint64_t end = position();
  EXPECT_GT(end, 15);
  EXPECT_LT(end, 400);
  EXPECT_THAT(View().command, HasSubstr(absl::StrCat(end, " ")));
  EXPECT_EQ(View().events.size(), 1);
  ExpectOk(session_->Step(-1));
  EXPECT_EQ(session_->Step(2).code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(position(), end);
  EXPECT_EQ(session_->FindTrade(Direction::kForward).code(), absl::StatusCode::kDataLoss);
  ExpectOk(session_->FindTrade(Direction::kBack));
  EXPECT_EQ(position(), 9);
}

TEST_F(TravelSessionTest, AMachineWithoutMarketsIsWalkedAllTheSame) {
  Open<Acknowledger>(WriteSampleJournal("travel_no_markets"));
  Seek("@7");
  EXPECT_EQ(View().market, "");
  EXPECT_THAT(View().events, ElementsAre(HasSubstr("7.0 accepted")));
  ExpectOk(session_->SetWhere("kind==cancel"));
  ExpectOk(session_->FindWhere(Direction::kForward));
  ExpectOk(session_->SetWhere("market==AAPL"));
  ExpectRefused(session_->FindWhere(Direction::kForward), "no later command where market==AAPL");
  ExpectRefused(session_->ChooseMarket("AAPL"),
                "market 'AAPL': no such market is defined up to there");
  ExpectRefused(session_->ChooseMarket("#1"), "market '#1': no such market is defined up to there");
  ExpectRefused(session_->NextMarket(Direction::kBack), "no market is defined yet");
  ExpectRefused(session_->FindTrade(Direction::kBack), "no market is defined yet");
  ExpectOk(session_->WatchOrder("3"));
  EXPECT_THAT(View().order->life, ElementsAre(HasSubstr("3.0 accepted order=3")));
}

TEST_F(TravelSessionTest, BeforeTheFirstMarketNothingCanBeChosen) {
  ExpectRefused(session_->ChooseMarket("AAPL"),
                "market 'AAPL': no such market is defined up to there");
  ExpectRefused(session_->ChooseMarket(""), "market '': no such market is defined up to there");
  ExpectRefused(session_->ChooseMarket("#"), "market '#': no such market is defined up to there");
  ExpectRefused(session_->ChooseMarket("#99999999999"), "no such market is defined up to there");
  ExpectOk(session_->SetWhere("market==AAPL"));
  ExpectRefused(session_->FindWhere(Direction::kBack), "no earlier command");
  ExpectOk(session_->FindWhere(Direction::kForward));
}

TEST_F(TravelSessionTest, AnEmptyJournalHasOnePlace) {
  Open(WriteSampleJournal("travel_empty", SampleJournalOptions()));
  EXPECT_EQ(position(), 0);
  ExpectRefused(session_->Step(1), "this is the end");
  ExpectRefused(session_->FindTrade(Direction::kForward), "no market is defined yet");
  ExpectRefused(session_->Seek("@1"), "@1 is outside");
  EXPECT_EQ(View().market, "");
}

}  // namespace
}  // namespace tools
