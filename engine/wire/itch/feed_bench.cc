// What publishing costs a message: the events of a command become ITCH messages, which are put into
// packets of MoldUDP64. Orders rest in twenty markets; the oldest are replaced, taken and
// cancelled. Items are messages. BM_Nothing makes the same events and publishes none.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/mold/sender.h"
#include "engine/wire/pcap/udp.h"

namespace engine {
namespace {

constexpr uint32_t kMarkets = 20;

// Makes commands and their events as the exchange does.
class Commands {
 public:
  void Next() {
    ++sequence_;
    command_.sequence = SequenceNumber(sequence_);
    command_.timestamp = Timestamp::FromNanos(static_cast<int64_t>(sequence_) * 1'000);
    count_ = 0;
  }
  Event& Add(EventKind kind, OrderId order, MarketId market) {
    Event& event = events_[count_++];
    event = Event();
    event.sequence = command_.sequence;
    event.kind = kind;
    event.order_id = order;
    event.side = Side::kBid;
    event.price = Price::FromUnits(3'201'400);
    event.quantity = Quantity::FromUnits(100);
    event.quantity_remaining = Quantity::FromUnits(100);
    event.market = market;
    return event;
  }

  OrderId order() const { return OrderId(sequence_); }  // Of the current command.
  const Command& command() const { return command_; }
  std::span<const Event> events() const { return std::span(events_).first(count_); }

 private:
  uint64_t sequence_ = 0;
  Command command_;
  std::array<Event, 2> events_;
  size_t count_ = 0;
};

class Publisher {
 public:
  Publisher() {
    for (uint32_t id = 1; id <= kMarkets; ++id) {
      MarketDefinition definition;
      definition.id = MarketId(id);
      definition.symbol = absl::StrCat("M", id);
      definition.price_decimals = 4;
      commands_.Next();
      commands_.Add(EventKind::kMarketDefined, OrderId(), definition.id);
      Publish(EncodeMarketDefinition(definition));
    }
  }

  void Publish(Bytes attachment = {}) {
    const auto send = [this](Bytes packet) { bytes_ += packet.size(); };
    const auto add = [&](Bytes frame) { sender_.Add(frame, send); };
    feed_.Take(commands_.command(), attachment, commands_.events(), add);
    feed_.CompleteCommand(add);
  }

  Commands& commands() { return commands_; }
  uint64_t messages() const { return feed_.counters().messages; }
  uint64_t bytes() const { return bytes_; }

 private:
  Commands commands_;
  ItchFeed feed_{Timestamp()};
  MoldSender sender_{"BENCH", kEthernetPayloadBytes};
  uint64_t bytes_ = 0;
};

struct Resting {
  OrderId order;
  MarketId market;
};

// state.range(0) orders rest. Of five commands two add an order, and the oldest is replaced, the
// next is taken, and the next is cancelled.
template <typename Apply>
void Run(benchmark::State& state, Publisher& publisher, const Apply& apply) {
  Commands& commands = publisher.commands();
  std::deque<Resting> resting;
  const auto take_oldest = [&] {
    const Resting oldest = resting.front();
    resting.pop_front();
    return oldest;
  };
  const auto rest = [&] {
    commands.Next();
    const MarketId market(static_cast<uint32_t>(1 + commands.order().value() % kMarkets));
    commands.Add(EventKind::kAccepted, commands.order(), market);
    resting.push_back({commands.order(), market});
    apply();
  };
  while (resting.size() < static_cast<size_t>(state.range(0))) rest();
  const uint64_t before = publisher.messages();
  for (auto _ : state) {
    rest();
    rest();

    const Resting old = take_oldest();
    commands.Next();
    commands.Add(EventKind::kReplaced, commands.order(), old.market).counter_order_id = old.order;
    resting.push_back({commands.order(), old.market});
    apply();

    const Resting maker = take_oldest();
    commands.Next();
    commands.Add(EventKind::kAccepted, commands.order(), maker.market).side = Side::kAsk;
    Event& trade = commands.Add(EventKind::kTrade, maker.order, maker.market);
    trade.counter_order_id = commands.order();
    trade.quantity_remaining = Quantity();
    apply();

    const Resting cancelled = take_oldest();
    commands.Next();
    commands.Add(EventKind::kCancelled, cancelled.order, cancelled.market).quantity_remaining =
        Quantity();
    apply();
  }
  state.SetItemsProcessed(static_cast<int64_t>(publisher.messages() - before));
  benchmark::DoNotOptimize(publisher.bytes());
}

void BM_Publish(benchmark::State& state) {
  Publisher publisher;
  Run(state, publisher, [&] { publisher.Publish(); });
}
BENCHMARK(BM_Publish)->Arg(1'000)->Arg(100'000);

// What making the events costs: it is part of the others.
void BM_Nothing(benchmark::State& state) {
  Publisher publisher;
  Run(state, publisher, [&] { benchmark::DoNotOptimize(publisher.commands().events().data()); });
}
BENCHMARK(BM_Nothing)->Arg(1'000);

}  // namespace
}  // namespace engine
