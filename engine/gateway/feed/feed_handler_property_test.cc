// An exchange publishes on two lines that lose, double and reorder packets, or are dead; it begins
// another session, or its sequence begins again. In the end the books that are kept from what the
// handler gives are those of the exchange, and no update has ever contradicted them: each came
// once and in order.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/feed/feed_handler.h"
#include "engine/messages/book_update.h"
#include "engine/types/side.h"
#include "engine/views/feed_books.h"
#include "engine/wire/itch/book_updates.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/receiver.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr uint16_t kStocks = 3;
constexpr int64_t kMicrosecond = 1'000;

template <typename T>
std::string FramedText(const T& message) {
  return std::string(AsText(AsBytes(ItchFramed<T>{.message = message})));
}

void Apply(Bytes framed, FeedBooks& books) {
  ItchBookUpdates updates(framed);
  BookUpdate update;
  while (updates.Next(update)) books.Apply(update);
  EXPECT_TRUE(updates.status().ok()) << updates.status();
}

// Random orders, and the messages about them.
class Exchange {
 public:
  explicit Exchange(Prng& prng) : prng_(prng) {}

  void Trade() {
    const std::string framed = NextMessage();
    Apply(AsBytes(framed), books_);
    messages_.push_back(framed);
  }

  // Its orders stay.
  void BeginSession(const std::string& name, uint64_t first_sequence) {
    session_ = name;
    first_ = first_sequence;
    messages_.clear();
  }

  // At most `count` messages from `first` on; empty if there is none.
  std::string Packet(uint64_t first, size_t count) const {
    if (first < first_ || first >= next()) return "";
    const size_t begin = first - first_;
    const size_t end = std::min(messages_.size(), begin + count);
    std::string framed;
    for (size_t i = begin; i < end; ++i) framed += messages_[i];
    return MoldBytes(session_, first, static_cast<uint16_t>(end - begin), framed);
  }
  std::string Heartbeat() const { return MoldBytes(session_, next(), 0); }
  std::string Snapshot() const {
    std::string framed;
    for (const auto& [reference, order] : orders_) framed += FramedText(order);
    return framed;
  }

  const std::string& session() const { return session_; }
  uint64_t next() const { return first_ + messages_.size(); }
  const FeedBooks& books() const { return books_; }

 private:
  std::string NextMessage() {
    const uint64_t kind = prng_.Below(10);
    if (orders_.empty() || kind < 4) {
      const ItchAddOrder add = Draw();
      orders_[add.order_reference] = add;
      return FramedText(add);
    }
    auto order = orders_.begin();
    std::advance(order, prng_.Below(orders_.size()));
    const ItchAddOrder old = order->second;
    if (kind < 6) {
      const auto shares = static_cast<uint32_t>(1 + prng_.Below(old.shares));
      if (shares == old.shares) {
        orders_.erase(order);
      } else {
        order->second.shares = old.shares - shares;
      }
      return FramedText(ItchOrderExecuted{
          .header = old.header, .order_reference = old.order_reference, .executed_shares = shares});
    }
    orders_.erase(order);
    if (kind < 8) {
      return FramedText(
          ItchOrderDelete{.header = old.header, .order_reference = old.order_reference});
    }
    ItchAddOrder replacement = Draw();
    replacement.header = old.header;
    replacement.side = old.side;
    orders_[replacement.order_reference] = replacement;
    return FramedText(ItchOrderReplace{.header = old.header,
                                       .original_order_reference = old.order_reference,
                                       .new_order_reference = replacement.order_reference,
                                       .shares = replacement.shares,
                                       .price = replacement.price});
  }
  ItchAddOrder Draw() {
    ItchAddOrder add;
    add.header.stock_locate = static_cast<uint16_t>(1 + prng_.Below(kStocks));
    add.order_reference = ++last_reference_;
    add.side = prng_.Below(2) == 0 ? Side::kBid : Side::kAsk;
    add.shares = static_cast<uint32_t>(1 + prng_.Below(9));
    add.price = static_cast<uint32_t>(100 + prng_.Below(12));
    return add;
  }

  Prng& prng_;
  std::string session_ = "S0";
  uint64_t first_ = 1;
  std::vector<std::string> messages_;  // Of the session, from first_ on.
  std::map<uint64_t, ItchAddOrder> orders_;
  uint64_t last_reference_ = 0;
  FeedBooks books_;
};

// Of a thousand packets, how many are lost, or come twice, or late.
struct Line {
  uint64_t lost = 0;
  uint64_t doubled = 0;
  uint64_t late = 0;
};

struct Scene {
  std::array<Line, 2> lines = {};
  uint64_t answers_lost = 0;  // Of a thousand; snapshots too.
  uint64_t joins_at = 0;      // The packet that the handler hears first.
  // What happens in the middle.
  bool begins_session = false;
  bool begins_again = false;
  bool wraps = false;
};

// The lines, the handler, its books.
class Network final : public FeedOutput {
 public:
  Network(uint64_t seed, const Scene& scene) : prng_(seed), scene_(scene) {}

  void Run() {
    constexpr uint64_t kPackets = 600;
    if (scene_.wraps) exchange_.BeginSession("S0", ~uint64_t{0} - 2'000);
    for (uint64_t packet = 0; packet < kPackets; ++packet) {
      if (packet == kPackets / 2) Restart();
      const uint64_t first = exchange_.next();
      const uint64_t count = 1 + prng_.Below(4);
      for (uint64_t i = 0; i < count; ++i) exchange_.Trade();
      if (packet >= scene_.joins_at) Publish(exchange_.Packet(first, count));
      if (packet >= scene_.joins_at && prng_.Below(10) == 0) Publish(exchange_.Heartbeat());
      Pass(10 * kMicrosecond);
    }
    for (int i = 0; i < 600; ++i) {
      Publish(exchange_.Heartbeat());
      Pass(50 * kMicrosecond);
    }
  }

  void ExpectEqualBooks() const {
    for (uint16_t locate = 1; locate <= kStocks; ++locate) {
      for (const Side side : {Side::kBid, Side::kAsk}) {
        EXPECT_TRUE(std::ranges::equal(books_.levels(locate, side),
                                       exchange_.books().levels(locate, side)));
      }
    }
    EXPECT_EQ(books_.order_count(), exchange_.books().order_count());
    EXPECT_EQ(books_.counters(), (FeedBooks::Counters{.applied = books_.counters().applied}));
    EXPECT_EQ(handler_.state(), FeedHandler::State::kLive);
    EXPECT_EQ(handler_.counters().lost, 0u);
    EXPECT_EQ(handler_.counters().malformed, 0u);
  }
  const FeedHandler::Counters& counters() const { return handler_.counters(); }

  // What the handler asks for.
  void Clear() override { books_.Apply({.kind = BookUpdateKind::kClear}); }
  void Take(Bytes framed) override { Apply(framed, books_); }
  void RequestMessages(absl::string_view session, const MoldRange& range) override {
    if (session != exchange_.session()) return;
    const std::string packet = exchange_.Packet(range.first, 3);
    if (!packet.empty() && !Happens(scene_.answers_lost)) {
      Later(40 * kMicrosecond, {.kind = Arrival::kAnswer, .payload = packet});
    }
  }
  void RequestSnapshot() override {
    if (Happens(scene_.answers_lost)) return;
    Later(200 * kMicrosecond, {.kind = Arrival::kSnapshot,
                               .payload = exchange_.Snapshot(),
                               .session = exchange_.session(),
                               .next = exchange_.next()});
  }

 private:
  struct Arrival {
    enum Kind { kLineA, kLineB, kAnswer, kSnapshot };
    Kind kind = kLineA;
    std::string payload = {};
    std::string session = {};
    uint64_t next = 0;
  };

  void Restart() {
    if (scene_.begins_session) exchange_.BeginSession("S1", 1);
    if (scene_.begins_again || scene_.wraps) exchange_.BeginSession("S0", 1);
  }
  bool Happens(uint64_t of_a_thousand) { return prng_.Below(1'000) < of_a_thousand; }
  void Later(int64_t nanos, Arrival arrival) {
    arrivals_.emplace(now_ + nanos, std::move(arrival));
  }
  void Publish(const std::string& payload) {
    for (const Arrival::Kind kind : {Arrival::kLineA, Arrival::kLineB}) {
      const Line& line = scene_.lines[kind];
      if (Happens(line.lost)) continue;
      const int copies = Happens(line.doubled) ? 2 : 1;
      for (int copy = 0; copy < copies; ++copy) {
        int64_t delay = 5 * kMicrosecond;
        if (Happens(line.late)) delay += static_cast<int64_t>(prng_.Below(100)) * kMicrosecond;
        Later(delay, {.kind = kind, .payload = payload});
      }
    }
  }
  void Pass(int64_t nanos) {
    const int64_t end = now_ + nanos;
    while (!arrivals_.empty() && arrivals_.begin()->first <= end) {
      now_ = std::max(now_, arrivals_.begin()->first);
      const Arrival arrival = arrivals_.extract(arrivals_.begin()).mapped();
      Arrive(arrival);
    }
    now_ = end;
    handler_.Tick(SteadyTime::FromNanos(now_));
  }
  void Arrive(const Arrival& arrival) {
    const SteadyTime now = SteadyTime::FromNanos(now_);
    const Bytes payload = AsBytes(arrival.payload);
    switch (arrival.kind) {
      case Arrival::kLineA:
        return handler_.TakePacket(FeedLine::kA, payload, now);
      case Arrival::kLineB:
        return handler_.TakePacket(FeedLine::kB, payload, now);
      case Arrival::kAnswer:
        return handler_.TakeAnswer(payload, now);
      case Arrival::kSnapshot:
        return handler_.TakeSnapshot(arrival.session, arrival.next, payload, now);
    }
  }

  Prng prng_;
  const Scene scene_;
  int64_t now_ = 0;
  std::multimap<int64_t, Arrival> arrivals_;
  Exchange exchange_{prng_};
  FeedBooks books_;
  FeedHandler handler_{{.patience_ns = 100 * kMicrosecond,
                        .requests_max = 3,
                        .snapshot_patience_ns = 500 * kMicrosecond,
                        .reordered_max = 200},
                       *this};
};

constexpr Line kSound = {};
constexpr Line kOnePercent = {.lost = 10};
constexpr Line kDead = {.lost = 1'000};
constexpr Line kWild = {.lost = 100, .doubled = 100, .late = 200};

constexpr uint64_t kSeeds = 20;

// The counters of all seeds.
std::vector<FeedHandler::Counters> RunScene(const Scene& scene) {
  std::vector<FeedHandler::Counters> all;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Network network(seed, scene);
    network.Run();
    network.ExpectEqualBooks();
    all.push_back(network.counters());
  }
  return all;
}

uint64_t Sum(const std::vector<FeedHandler::Counters>& all, uint64_t FeedHandler::Counters::*of) {
  uint64_t sum = 0;
  for (const FeedHandler::Counters& counters : all) sum += counters.*of;
  return sum;
}

using Counters = FeedHandler::Counters;

TEST(FeedOfLossyLines, OnePercentOfBothIsLost) {
  const auto all = RunScene({.lines = {kOnePercent, kOnePercent}, .answers_lost = 100});
  EXPECT_GT(Sum(all, &Counters::gaps), 0u);
}

TEST(FeedOfLossyLines, OneLineIsDead) {
  EXPECT_EQ(Sum(RunScene({.lines = {kDead, kSound}}), &Counters::gaps), 0u);
  EXPECT_GT(Sum(RunScene({.lines = {kOnePercent, kDead}}), &Counters::requests), 100u);
}

TEST(FeedOfLossyLines, BothLoseDoubleAndReorder) {
  const auto all = RunScene({.lines = {kWild, kWild}, .answers_lost = 300});
  EXPECT_GT(Sum(all, &Counters::requests), 100u);
  EXPECT_GT(Sum(all, &Counters::snapshots), 1u);
}

TEST(FeedOfLossyLines, AllRequestsAreLostSometimes) {
  const auto all = RunScene({.lines = {kWild, kDead}, .answers_lost = 800});
  EXPECT_GT(Sum(all, &Counters::snapshots), kSeeds);
}

TEST(FeedOfLossyLines, TheHandlerJoinsLate) {
  const auto all = RunScene({.lines = {kOnePercent, kWild}, .answers_lost = 100, .joins_at = 200});
  EXPECT_GE(Sum(all, &Counters::snapshots), kSeeds);
}

TEST(FeedOfLossyLines, AnotherSessionBegins) {
  const auto all =
      RunScene({.lines = {kWild, kOnePercent}, .answers_lost = 100, .begins_session = true});
  EXPECT_EQ(Sum(all, &Counters::sessions), 2 * kSeeds);
}

TEST(FeedOfLossyLines, TheSequenceBeginsAgain) {
  const auto all =
      RunScene({.lines = {kWild, kOnePercent}, .answers_lost = 100, .begins_again = true});
  EXPECT_GE(Sum(all, &Counters::sessions), 2 * kSeeds);
}

TEST(FeedOfLossyLines, TheSequenceWraps) {
  const auto all =
      RunScene({.lines = {kOnePercent, kOnePercent}, .answers_lost = 100, .wraps = true});
  EXPECT_GE(Sum(all, &Counters::sessions), 2 * kSeeds);
}

}  // namespace
}  // namespace engine
