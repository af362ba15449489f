// A restored exchange is the one that was saved (R2), and what no exchange can have been is
// refused.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/core/exchange.h"
#include "engine/differential/random_commands.h"
#include "engine/differential/session.h"
#include "engine/messages/event_buffer.h"
#include "engine/reference/reference_exchange.h"
#include "engine/state/snapshot_parts.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Parts = std::vector<std::vector<std::byte>>;

template <typename Engine>
Parts Save(const Engine& exchange) {
  Parts parts;
  const absl::Status status = exchange.Save([&](Bytes part) {
    parts.emplace_back(part.begin(), part.end());
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return parts;
}

template <typename Engine>
absl::Status Load(const Parts& parts, Engine& exchange) {
  size_t next = 0;
  return exchange.Load([&]() -> absl::StatusOr<std::optional<Bytes>> {
    if (next == parts.size()) return std::nullopt;
    return parts[next++];
  });
}

// What the exchange says of `parts`. The reference, which has its own rules for what is sound, must
// say the same.
absl::Status LoadInBoth(const Parts& parts) {
  Exchange exchange;
  const absl::Status status = Load(parts, exchange);
  ReferenceExchange reference;
  const absl::Status by_reference = Load(parts, reference);
  EXPECT_EQ(by_reference.ok(), status.ok()) << status << "\nreference: " << by_reference;
  if (!by_reference.ok()) {
    EXPECT_EQ(by_reference.code(), absl::StatusCode::kDataLoss) << by_reference;
  } else if (status.ok()) {
    exchange.CheckInvariants();
    reference.CheckInvariants();
    EXPECT_EQ(reference.StateDigest(), exchange.StateDigest());
  }
  return status;
}

// A random session as it goes.
class Exercise {
 public:
  explicit Exercise(uint64_t seed) : commands_(seed) {}

  void Go(int count) {
    while (count-- > 0) Step<Exchange>(nullptr);
  }

  // Whether `other` says the same as the exchange to the next command.
  template <typename Engine>
  void Step(Engine* other) {
    const SessionCommand next = commands_.Next(reference_);
    reference_.Apply(next.command, next.attachment, events_);
    exchange_.Apply(next.command, next.attachment, events_);
    if (other == nullptr) return;
    other->Apply(next.command, next.attachment, other_events_);
    const auto a = std::as_bytes(events_.events());
    const auto b = std::as_bytes(other_events_.events());
    ASSERT_EQ(AsText(a), AsText(b)) << "events of " << next.command.sequence;
  }

  const Exchange& exchange() const { return exchange_; }
  const ReferenceExchange& reference() const { return reference_; }

 private:
  RandomCommands commands_;
  ReferenceExchange reference_;
  Exchange exchange_;
  EventBuffer events_;
  EventBuffer other_events_;
};

TEST(ExchangeSnapshot, ARestoredExchangeAnswersEveryLaterCommandAlike) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Exercise run(seed);
    for (int round = 0; round < 5; ++round) {
      run.Go(70);
      Exchange restored;
      const absl::Status status = Load(Save(run.exchange()), restored);
      ASSERT_TRUE(status.ok()) << "seed " << seed << ", round " << round << ": " << status;
      restored.CheckInvariants();
      ASSERT_EQ(restored.StateDigest(), run.reference().StateDigest()) << "seed " << seed;
      for (int i = 0; i < 60; ++i) ASSERT_NO_FATAL_FAILURE(run.Step(&restored));
      ASSERT_EQ(restored.StateDigest(), run.exchange().StateDigest()) << "seed " << seed;
      ASSERT_EQ(Save(restored), Save(run.exchange())) << "seed " << seed;
    }
  }
}

TEST(ExchangeSnapshot, EachEngineContinuesWithWhatTheOtherSaved) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Exercise run(seed);
    for (int round = 0; round < 3; ++round) {
      run.Go(110);
      const Parts parts = Save(run.exchange());
      ASSERT_EQ(Save(run.reference()), parts) << "seed " << seed << ", round " << round;
      ReferenceExchange restored;
      const absl::Status status = Load(parts, restored);
      ASSERT_TRUE(status.ok()) << "seed " << seed << ", round " << round << ": " << status;
      restored.CheckInvariants();
      ASSERT_EQ(restored.StateDigest(), run.exchange().StateDigest()) << "seed " << seed;
      for (int i = 0; i < 60; ++i) ASSERT_NO_FATAL_FAILURE(run.Step(&restored));
      ASSERT_EQ(restored.StateDigest(), run.exchange().StateDigest()) << "seed " << seed;
    }
  }
}

TEST(ExchangeSnapshot, AnEmptyStateIsRestoredAsEmpty) {
  Exchange nothing;
  Exchange restored;
  ASSERT_TRUE(Load(Save(nothing), restored).ok());
  EXPECT_EQ(restored.StateDigest(), nothing.StateDigest());
}

// ---- What is refused

// A state with every kind of entity.
const Exercise& Rich() {
  static const Exercise& run = *[] {
    for (uint64_t seed = 0;; ++seed) {
      auto* const tried = new Exercise(seed);
      tried->Go(400);
      size_t lists = 0;
      size_t orders = 0;
      for (const auto& bytes : Save(tried->exchange())) {
        const auto part = DecodeSnapshotPart(bytes);
        if (const auto* list = std::get_if<std::vector<RestingOrder>>(&*part))
          orders = list->size();
        ++lists;
      }
      if (lists == std::variant_size_v<SnapshotPart> && orders >= 6) return tried;
      delete tried;
    }
  }();
  return run;
}

// The rich state as it loads after `change` of its part of that kind.
template <typename Part>
absl::Status LoadAfter(const std::function<void(Part&)>& change) {
  Parts parts = Save(Rich().exchange());
  for (auto& bytes : parts) {
    auto part = *DecodeSnapshotPart(bytes);
    if (!std::holds_alternative<Part>(part)) continue;
    change(std::get<Part>(part));
    bytes = EncodeSnapshotPart(part);
  }
  return LoadInBoth(parts);
}

template <typename Part>
void ExpectRefused(const std::function<void(Part&)>& change, absl::string_view because) {
  const absl::Status status = LoadAfter<Part>(change);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << "expected: " << because;
  EXPECT_TRUE(absl::StrContains(status.message(), because)) << status << "\nexpected: " << because;
  EXPECT_TRUE(absl::StrContains(status.message(), "snapshot part ")) << status;
}

TEST(ExchangeSnapshot, UnchangedTheRichStateLoads) {
  EXPECT_TRUE(LoadAfter<SnapshotSummary>([](SnapshotSummary&) {}).ok());
}

using Orders = std::vector<RestingOrder>;

TEST(ExchangeSnapshot, OrdersThatCannotRestAreRefused) {
  ExpectRefused<Orders>([](Orders& o) { o[0].market = MarketId(999); }, "there is no market 999");
  ExpectRefused<Orders>([](Orders& o) { o[0].id = OrderId(); }, "expected one from its id");
  ExpectRefused<Orders>([](Orders& o) { o[0].priority = SequenceNumber(1 << 30); },
                        "expected one from its id");
  ExpectRefused<Orders>([](Orders& o) { o[0].side = static_cast<Side>(3); }, "side 3");
  ExpectRefused<Orders>([](Orders& o) { o[0].tif = TimeInForce::kFillOrKill; }, "that rests");
  ExpectRefused<Orders>([](Orders& o) { o[0].price = Price::FromUnits(INT64_MIN); }, "is none of");
  ExpectRefused<Orders>([](Orders& o) { o[0].quantity_remaining = Quantity(); }, "0 remain");
  ExpectRefused<Orders>([](Orders& o) { o[0].quantity_filled = Quantity::FromUnits(~0ull); },
                        "together at most");
  ExpectRefused<Orders>(
      [](Orders& o) {
        o[0].tif = TimeInForce::kGoodTillTime;
        o[0].expires_at = Rich().exchange().now();
      },
      "a time to come");
  ExpectRefused<Orders>([](Orders& o) { o[0].credit = Money::FromMicros(-1); }, "a credit of");
  ExpectRefused<Orders>([](Orders& o) { o[0].group = GroupId(999); }, "group 999 does not exist");
}

TEST(ExchangeSnapshot, AnOrderOutOfLineIsRefused) {
  ExpectRefused<Orders>([](Orders& o) { std::swap(o[0], o[1]); }, "it stands after");
  ExpectRefused<Orders>([](Orders& o) { o.insert(o.begin(), o[0]); }, "it stands after");
}

TEST(ExchangeSnapshot, ADuplicateOrderIsRefused) {
  ExpectRefused<Orders>(
      [](Orders& o) {
        // Elsewhere, with the id of another.
        const RestingOrder& first = o.front();
        RestingOrder& last = o.back();
        last.id = std::min(first.id, last.id);
        o.front().id = last.id;
      },
      "twice");
}

// Prices of a bid and an ask of one market, crossed.
TEST(ExchangeSnapshot, ACrossedBookIsRefused) {
  Parts parts;
  parts.push_back(EncodeSnapshotPart(
      SnapshotSummary{.last_applied = SequenceNumber(9), .now = {}, .exchange = {}}));
  MarketDefinition definition;
  definition.id = MarketId(1);
  definition.symbol = "A";
  parts.push_back(EncodeSnapshotPart(
      std::vector<SnapshotMarket>{{.definition = definition, .status = {.market = MarketId(1)}}}));
  RestingOrder bid;
  bid.id = OrderId(2);
  bid.priority = SequenceNumber(2);
  bid.price = Price::FromUnits(100);
  bid.quantity_remaining = Quantity::FromUnits(1);
  bid.market = MarketId(1);
  bid.side = Side::kBid;
  RestingOrder ask = bid;
  ask.id = OrderId(3);
  ask.priority = SequenceNumber(3);
  ask.side = Side::kAsk;
  parts.push_back(EncodeSnapshotPart(std::vector<RestingOrder>{bid, ask}));
  parts.push_back(EncodeSnapshotPart(SnapshotEnd{{1, 0, 0, 0, 0, 0, 2}}));
  const absl::Status status = LoadInBoth(parts);
  EXPECT_TRUE(absl::StrContains(status.message(), "it crosses the bids")) << status;

  ask.price = Price::FromUnits(101);
  parts[2] = EncodeSnapshotPart(std::vector<RestingOrder>{bid, ask});
  EXPECT_TRUE(LoadInBoth(parts).ok());
}

TEST(ExchangeSnapshot, MoneyThatDoesNotAddUpIsRefused) {
  using Accounts = std::vector<AccountStatus>;
  const auto first_open = [](Accounts& accounts) -> AccountStatus& {
    for (AccountStatus& account : accounts) {
      if (account.is_open) return account;
    }
    return accounts[0];
  };
  ExpectRefused<Accounts>([&](Accounts& a) { first_open(a).balance = Money::FromMicros(-100); },
                          "not below zero");
  ExpectRefused<Accounts>([&](Accounts& a) { first_open(a).balance += Money::FromMicros(1); },
                          "a multiple of 0.0001");
  ExpectRefused<Accounts>([&](Accounts& a) { first_open(a).balance += Money::FromMicros(100); },
                          "(E1)");
  ExpectRefused<Accounts>([](Accounts& a) { a.push_back(a[0]); }, "expected ascending ids");
  ExpectRefused<SnapshotSummary>(
      [](SnapshotSummary& s) { s.exchange.held = Money::FromMicros(-1); }, "a total of");
  using Positions = std::vector<SnapshotPosition>;
  ExpectRefused<Positions>([](Positions& p) { p[0].position = INT64_MIN; }, "be paid for");
  ExpectRefused<Positions>([](Positions& p) { p[0].account = AccountId(77); }, "is not open");
  ExpectRefused<Positions>([](Positions& p) { p[0].position = 0; }, "zero");
}

TEST(ExchangeSnapshot, ASuspendedAccountHasNoOrders) {
  using Accounts = std::vector<AccountStatus>;
  const auto suspend = [](AccountId id) {
    return [id](Accounts& accounts) {
      for (AccountStatus& account : accounts) {
        if (account.account == id) account.standing = AccountStanding::kSuspended;
      }
    };
  };
  std::set<AccountId> with_orders;
  for (const auto& [id, market] : Rich().exchange().markets().all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      Rich().exchange().VisitOrders(
          id, side, [&](const RestingOrder& order) { with_orders.insert(order.account); });
    }
  }
  with_orders.erase(AccountId());
  ASSERT_FALSE(with_orders.empty());
  ExpectRefused<Accounts>(suspend(*with_orders.begin()), "is suspended");
  ExpectRefused<Accounts>(
      [](Accounts& accounts) {
        accounts.push_back({.account = AccountId(99)});
        accounts.back().limits.open_orders_max = 1;
        accounts.back().standing = AccountStanding::kSuspended;
      },
      "suspended, but it is not open");
}

// Both load the parts, and save the same.
void ExpectRestored(const Parts& parts) {
  ASSERT_TRUE(LoadInBoth(parts).ok());
  Exchange exchange;
  ASSERT_TRUE(Load(parts, exchange).ok());
  EXPECT_EQ(Save(exchange), parts);
  ReferenceExchange reference;
  ASSERT_TRUE(Load(parts, reference).ok());
  EXPECT_EQ(Save(reference), parts);
}

TEST(ExchangeSnapshot, ASuspendedAccountIsRestored) {
  Parts parts;
  parts.push_back(EncodeSnapshotPart(SnapshotSummary()));
  parts.push_back(EncodeSnapshotPart(std::vector<AccountStatus>{
      {.account = AccountId(1), .is_open = true},
      {.account = AccountId(2), .is_open = true, .standing = AccountStanding::kSuspended}}));
  parts.push_back(EncodeSnapshotPart(SnapshotEnd{{0, 2, 0, 0, 0, 0, 0}}));
  ExpectRestored(parts);
}

// Two markets, the second binary, without orders.
Parts WithPositionLimits(const std::vector<PositionLimitStatus>& limits) {
  Parts parts;
  parts.push_back(EncodeSnapshotPart(SnapshotSummary()));
  MarketDefinition equity;
  equity.id = MarketId(1);
  equity.symbol = "A";
  MarketDefinition binary = equity;
  binary.id = MarketId(2);
  binary.symbol = "B";
  binary.kind = MarketKind::kBinary;
  binary.price_decimals = 2;
  binary.price_max = Price::FromUnits(99);
  parts.push_back(EncodeSnapshotPart(
      std::vector<SnapshotMarket>{{.definition = equity, .status = {.market = MarketId(1)}},
                                  {.definition = binary, .status = {.market = MarketId(2)}}}));
  parts.push_back(EncodeSnapshotPart(limits));
  parts.push_back(EncodeSnapshotPart(SnapshotEnd{{2, 0, 0, limits.size(), 0, 0, 0}}));
  return parts;
}

PositionLimitStatus LimitOf(uint32_t account, uint32_t market, uint64_t limit, int64_t traded) {
  return {.account = AccountId(account),
          .market = MarketId(market),
          .limit = Quantity::FromUnits(limit),
          .traded = traded};
}

TEST(ExchangeSnapshot, PositionLimitsAreRestored) {
  const Parts parts = WithPositionLimits(
      {LimitOf(1, 1, kPositionLimitMax.units(), -5), LimitOf(1, 2, 7, 0), LimitOf(4, 1, 1, 99)});
  ExpectRestored(parts);
}

TEST(ExchangeSnapshot, PositionLimitsThatNoCommandSetsAreRefused) {
  const PositionLimitStatus sound = LimitOf(1, 1, 10, 5);
  EXPECT_TRUE(LoadInBoth(WithPositionLimits({sound})).ok());
  for (const PositionLimitStatus& unsound :
       {LimitOf(0, 1, 10, 5), LimitOf(1, 3, 10, 5), LimitOf(1, 1, 0, 5), LimitOf(1, 2, 10, 5),
        LimitOf(2, 1, kPositionLimitMax.units() + 1, 0), LimitOf(2, 1, 1, INT64_MIN),
        LimitOf(2, 1, 1, INT64_MAX), sound}) {
    const absl::Status status = LoadInBoth(WithPositionLimits({sound, unsound}));
    EXPECT_TRUE(absl::StrContains(status.message(), "position limit of account")) << status;
  }
}

// A second that no 64 bits of nanoseconds reach would become another one.
TEST(ExchangeSnapshot, OrdersInASecondThatNoTimeHasAreRefused) {
  using Accounts = std::vector<AccountStatus>;
  const auto set_second = [](int64_t second) {
    return [second](Accounts& accounts) {
      accounts[0].limits.orders_per_second_max = 5;
      accounts[0].rate_count = 1;
      accounts[0].rate_second = second;
    };
  };
  constexpr int64_t kFirst = -9'223'372'037;  // 2^63 nanoseconds before 1970, rounded down.
  EXPECT_TRUE(LoadAfter<Accounts>(set_second(kFirst)).ok());
  ExpectRefused<Accounts>(set_second(kFirst - 1), "1 commands in second");
  ExpectRefused<Accounts>(set_second(INT64_MIN), "1 commands in second");
  ExpectRefused<Accounts>(set_second(INT64_MAX), "1 commands in second");
}

TEST(ExchangeSnapshot, PartsThatAreMissingDoubleOrOutOfOrderAreRefused) {
  const Parts parts = Save(Rich().exchange());
  for (size_t i = 0; i < parts.size(); ++i) {
    Parts without = parts;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(LoadInBoth(without).ok()) << "without part " << i;
    Parts twice = parts;
    twice.insert(twice.begin() + static_cast<ptrdiff_t>(i), parts[i]);
    EXPECT_FALSE(LoadInBoth(twice).ok()) << "part " << i << " twice";
    if (i == 0) continue;
    Parts swapped = parts;
    std::swap(swapped[i - 1], swapped[i]);
    EXPECT_FALSE(LoadInBoth(swapped).ok()) << "part " << i << " in front of the one before";
  }
}

TEST(ExchangeSnapshot, APartCutShortIsRefused) {
  const Parts parts = Save(Rich().exchange());
  for (size_t i = 0; i < parts.size(); ++i) {
    for (size_t length = 0; length < parts[i].size(); length += 1 + length / 64) {
      Parts cut = parts;
      cut[i].resize(length);
      EXPECT_FALSE(LoadInBoth(cut).ok()) << "part " << i << " of " << length << " bytes";
    }
  }
}

TEST(ExchangeSnapshot, AnySequenceIsSafe) {
  ExpectRefused<SnapshotSummary>(
      [](SnapshotSummary& s) { s.last_applied = SequenceNumber(~uint64_t{0}); }, "at most 2^62");
  ExpectRefused<SnapshotSummary>(
      [](SnapshotSummary& s) { s.last_applied = SequenceNumber(uint64_t{1} << 61); }, "older than");
}

// A changed bit is refused by both engines, or gives both the same sound state, which goes on.
TEST(ExchangeSnapshot, AnyChangedBitIsRefusedOrValid) {
  const Parts parts = Save(Rich().exchange());
  Prng prng(1);
  for (int i = 0; i < 6000; ++i) {
    Parts changed = parts;
    auto& part = changed[prng.Below(changed.size())];
    for (uint64_t bits = prng.Between(1, 2); bits > 0; --bits) {
      part[prng.Below(part.size())] ^= static_cast<std::byte>(1 << prng.Below(8));
    }
    const absl::Status verdict = LoadInBoth(changed);
    ASSERT_FALSE(HasFailure()) << "round " << i;
    if (!verdict.ok()) continue;
    Exchange exchange;
    ASSERT_TRUE(Load(changed, exchange).ok());
    Exchange again;
    const absl::Status status = Load(Save(exchange), again);
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(again.StateDigest(), exchange.StateDigest());
  }
}

}  // namespace
}  // namespace engine
