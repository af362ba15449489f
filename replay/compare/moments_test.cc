// What changed between two moments turns the first into the second.

#include "replay/compare/moments.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_state.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"

namespace replay {
namespace {

using engine::SequenceNumber;

constexpr uint64_t kLength = 4'000;

using Orders = std::map<engine::OrderId, engine::RestingOrder>;

class MomentsTest : public testing::Test {
 protected:
  MomentsTest() {
    auto writer = journal::Writer::Create(journal_, journal::JournalMetadata(),
                                          journal::Uuid::FromWords(1, 2), {}, {})
                      .value();
    for (const LogEntry& entry : BusySession({.seed = 5, .length = kLength})) {
      journal::Row row = entry.row;
      row.sequence = writer->next_sequence();
      EXPECT_TRUE(writer->Append(row, entry.bytes()).ok());
    }
    EXPECT_TRUE(writer->Close().ok());
    reader_ = journal::Reader::Open(journal_).value();
  }

  // The machine after the record `at`.
  template <typename Machine = ExchangeMachine>
  StartingPoint At(uint64_t at) {
    StartingPoint start{.machine = std::make_unique<Machine>(), .snapshot = {}, .warnings = {}};
    EXPECT_TRUE(reader_->SeekToSequence(SequenceNumber::First()).ok());
    Driver driver(*start.machine, SequenceNumber());
    const auto pass = [](const journal::Record&, auto) { return true; };
    EXPECT_TRUE(driver.Run(*reader_, SequenceNumber(at), pass).ok());
    return start;
  }
  static Orders OrdersOf(const StartingPoint& start) {
    Orders orders;
    ExchangeOf(*start.machine).VisitAllOrders([&](const engine::RestingOrder& order) {
      orders[order.id] = order;
    });
    return orders;
  }
  template <typename Machine = ExchangeMachine>
  MomentsDiff Compare(uint64_t from, uint64_t to) {
    StartingPoint start = At<Machine>(0);
    uint64_t passed = 0;
    auto diff = CompareMoments(start, *reader_, SequenceNumber(from), SequenceNumber(to),
                               [&](SequenceNumber at) { EXPECT_EQ(at.value(), ++passed); });
    EXPECT_EQ(passed, to);
    return std::move(diff).value();
  }

  journal::MemoryDirectory journal_;
  std::unique_ptr<journal::Reader> reader_;
};

TEST_F(MomentsTest, OrdersOfTheFirstBecomeThoseOfTheSecond) {
  for (const auto& [from, to] : std::vector<std::pair<uint64_t, uint64_t>>{
           {0, kLength}, {1'000, 1'001}, {1'000, 3'000}, {2'999, kLength}}) {
    Orders orders = OrdersOf(At(from));
    for (const auto& [id, market] : Compare(from, to).markets) {
      for (const LeftOrder& left : market.left) {
        EXPECT_EQ(orders.at(left.order.id), left.order);
        orders.erase(left.order.id);
      }
      for (const engine::RestingOrder& order : market.entered) orders[order.id] = order;
      for (const auto& [before, after] : market.amended) {
        EXPECT_EQ(orders.at(after.id), before);
        orders[after.id] = after;
      }
    }
    EXPECT_EQ(orders, OrdersOf(At(to))) << from << " to " << to;
  }
}

TEST_F(MomentsTest, AccountsOfTheFirstBecomeThoseOfTheSecond) {
  const StartingPoint first = At(1'000);
  const StartingPoint second = At(kLength);
  const MomentsDiff diff = Compare(1'000, kLength);
  EXPECT_FALSE(diff.accounts.empty());
  for (const auto& [account, money] : diff.accounts) {
    EXPECT_EQ(money.before, MoneyOf(*first.machine, account));
    EXPECT_EQ(money.after, MoneyOf(*second.machine, account));
    EXPECT_NE(money.before, money.after);
  }
}

TEST_F(MomentsTest, NothingChangesWithoutARecord) {
  const MomentsDiff diff = Compare(2'000, 2'000);
  EXPECT_TRUE(diff.markets.empty());
  EXPECT_TRUE(diff.accounts.empty());
}

TEST_F(MomentsTest, BothExchangesAgree) {
  const MomentsDiff fast = Compare(500, 2'500);
  const MomentsDiff reference = Compare<ReferenceMachine>(500, 2'500);
  EXPECT_EQ(fast.rejected, reference.rejected);
  ASSERT_EQ(fast.markets.size(), reference.markets.size());
  for (const auto& [id, market] : fast.markets) {
    const MarketChange& other = reference.markets.at(id);
    EXPECT_EQ(market.entered, other.entered);
    EXPECT_EQ(market.trades, other.trades);
    EXPECT_EQ(market.volume, other.volume);
    EXPECT_EQ(market.came_and_went, other.came_and_went);
    ASSERT_EQ(market.left.size(), other.left.size());
    for (size_t i = 0; i < market.left.size(); ++i) {
      EXPECT_EQ(market.left[i].how, other.left[i].how);
    }
  }
}

}  // namespace
}  // namespace replay
