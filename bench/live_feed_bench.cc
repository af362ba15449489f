// What a handler of market data costs as it runs: with two threads, and with datagrams.
//
//   BM_TwoCores   add-cancel, one book of about 1,000 orders: a datagram, from memory, is decoded
//   into
//                 a slot by one thread, and another changes the book. Each is sent when the last
//                 one has arrived. Counters are nanoseconds: from the datagram to its slot, from
//                 there to the book, and both.
//   BM_Loopback   how fast datagrams of the loopback interface are read: by a loop that only
//                 receives them, and by the handler, which arbitrates and decodes them into the
//                 ring. They wait in the socket when the time begins; both take turns. Argument:
//                 messages of a packet. Counters: datagrams in a second of both, and the share of
//                 the bare rate that the handler has.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/feed/feed_handler.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/packet_builder.h"
#include "engine/wire/mold/receiver.h"
#include "engine/wire/pcap/udp.h"
#include "replay/retime/latency_histogram.h"
#include "tools/feed/book_keeper.h"
#include "tools/feed/feed_decoder.h"
#include "tools/feed/feed_ring.h"
#include "tools/feed/feed_symbols.h"
#include "tools/os/clocks.h"
#include "tools/os/measuring.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

using replay::LatencyHistogram;

constexpr size_t kRestingOrders = 1'000;
constexpr size_t kOrdersMax = 1 << 20;

// Adds around a price, and from kRestingOrders on a cancel of any order after each.
std::vector<engine::AddCancelMessage> MakeDatagrams(size_t count) {
  engine::Prng prng(1);
  std::vector<uint64_t> resting;
  std::vector<engine::AddCancelMessage> datagrams;
  for (uint64_t reference = 1; datagrams.size() < count; ++reference) {
    const auto depth = static_cast<int64_t>(prng.Below(20));
    const bool is_bid = prng.Below(2) == 0;
    datagrams.push_back(*engine::AddCancelMessage::From(
        {.reference = reference,
         .price = engine::Price::FromUnits(is_bid ? 10'000 - depth : 10'001 + depth),
         .quantity = engine::Quantity::FromUnits(1 + prng.Below(100)),
         .side = is_bid ? engine::Side::kBid : engine::Side::kAsk}));
    resting.push_back(reference);
    if (resting.size() <= kRestingOrders) continue;
    std::swap(resting[prng.Below(resting.size())], resting.back());
    datagrams.push_back(*engine::AddCancelMessage::From(
        {.reference = resting.back(), .kind = engine::BookUpdateKind::kDelete}));
    resting.pop_back();
  }
  return datagrams;
}

void Report(const char* stage, const LatencyHistogram& nanos, benchmark::State& state) {
  const std::string name = stage;
  state.counters[name + "_p50"] = static_cast<double>(nanos.Percentile(500'000));
  state.counters[name + "_p99"] = static_cast<double>(nanos.Percentile(990'000));
  state.counters[name + "_p99.9"] = static_cast<double>(nanos.Percentile(999'000));
  state.counters[name + "_max"] = static_cast<double>(nanos.max());
}

void BM_TwoCores(benchmark::State& state) {
  // As of the first call: it pins the thread.
  static const std::vector<int> cores = tools::UsableCores();
  if (cores.size() < 2) return state.SkipWithError("needs two cores");
  const std::vector<engine::AddCancelMessage> datagrams = MakeDatagrams(100'000);
  tools::FeedRing ring(1 << 14);
  tools::FeedSymbols symbols;
  tools::FeedDecoder decoder(ring, symbols, nullptr, [] {});
  tools::BookKeeper keeper(ring, tools::TickClock::Calibrate(), kOrdersMax);
  alignas(64) std::atomic<uint64_t> booked = 0;
  alignas(64) std::atomic<bool> is_stopping = false;
  tools::PinThisThread(cores[0]);
  {
    const tools::Thread books(
        "books",
        [&] {
          while (!is_stopping.load(std::memory_order_relaxed)) {
            const size_t count = keeper.Turn();
            if (count > 0) booked.fetch_add(count, std::memory_order_release);
          }
        },
        [&] { is_stopping = true; }, cores[1]);
    CHECK(books.status().ok()) << books.status();
    for (auto _ : state) {
      decoder.Clear();
      for (const engine::AddCancelMessage& datagram : datagrams) {
        while (booked.load(std::memory_order_acquire) != decoder.counters().updates) {
        }
        decoder.set_received(tools::TickClock::Ticks());
        decoder.TakeAddCancel(datagram.bytes());
      }
    }
  }
  CHECK_EQ(decoder.counters().malformed, 0);
  CHECK_EQ(decoder.counters().ring_full, 0);
  state.SetItemsProcessed(static_cast<int64_t>(datagrams.size() * state.iterations()));
  Report("decode", keeper.latencies().decode, state);
  Report("book", keeper.latencies().book, state);
  Report("total", keeper.latencies().total, state);
}
BENCHMARK(BM_TwoCores)->Unit(benchmark::kMillisecond)->UseRealTime();

// What the handler gives is decoded; nothing is asked for.
class Decoding final : public engine::FeedOutput {
 public:
  void Clear() override { decoder_.Clear(); }
  void Take(engine::Bytes framed) override { decoder_.TakeItch(framed); }
  void RequestMessages(absl::string_view, const engine::MoldRange&) override {
    CHECK(false) << "the loopback interface has lost packets";
  }
  void RequestSnapshot() override {}

  tools::FeedDecoder& decoder() { return decoder_; }
  // Empties the ring.
  void Keep() {
    while (keeper_.Turn() > 0) {
    }
  }

 private:
  tools::FeedRing ring_{1 << 16};
  tools::FeedSymbols symbols_;
  tools::FeedDecoder decoder_{ring_, symbols_, nullptr, [this] { Keep(); }};
  tools::BookKeeper keeper_{ring_, tools::TickClock::Calibrate(), kOrdersMax};
};

// The next packets of a session in which orders come and go.
class Packets {
 public:
  explicit Packets(uint64_t messages_each) : messages_each_(messages_each) {}

  // Each is valid until the next call.
  const std::vector<std::string>& Next(size_t count) {
    packets_.clear();
    for (size_t i = 0; i < count; ++i) {
      builder_.Begin(sequence_);
      for (uint64_t k = 0; k < messages_each_; ++k) {
        std::string frame;
        const uint64_t order = (sequence_ + 1) / 2;
        if (sequence_++ % 2 == 1) {
          engine::AppendItchFrame(
              engine::ItchAddOrder{.header = {.stock_locate = 1},
                                   .order_reference = order,
                                   .side = engine::Side::kBid,
                                   .shares = 100,
                                   .stock = {},
                                   .price = static_cast<uint32_t>(1'000 + order % 20)},
              frame);
        } else {
          engine::AppendItchFrame(
              engine::ItchOrderDelete{.header = {.stock_locate = 1}, .order_reference = order},
              frame);
        }
        CHECK(builder_.Add(engine::AsBytes(frame)));
      }
      packets_.emplace_back(engine::AsText(builder_.Finish()));
    }
    return packets_;
  }

 private:
  const uint64_t messages_each_;
  engine::MoldPacketBuilder builder_{"BENCH", engine::kEthernetPayloadBytes};
  uint64_t sequence_ = 1;
  std::vector<std::string> packets_;
};

void BM_Loopback(benchmark::State& state) {
  // As many as the smallest buffer of a socket holds.
  constexpr size_t kWaiting = 64;
  const tools::Endpoint any_port = {
      .family = tools::Endpoint::Family::kIp4, .host = "127.0.0.1", .port = 0};
  const auto receiver = tools::DatagramReceiver::Open(any_port).value();
  const auto sender =
      tools::DatagramSender::Open(receiver->address(), {.is_segmented = false}).value();
  Packets packets(static_cast<uint64_t>(state.range(0)));
  Decoding decoding;
  engine::FeedHandler handler({.has_snapshots = false}, decoding);
  tools::MonotonicClock clock;
  double bare_seconds = 0;
  double handler_seconds = 0;
  uint64_t checked = 0;

  const auto send = [&] {
    std::vector<engine::Bytes> datagrams;
    for (const std::string& packet : packets.Next(kWaiting)) {
      datagrams.push_back(engine::AsBytes(packet));
    }
    sender->Send(datagrams);
    return datagrams;
  };
  // Receives all, each batch by `take`.
  const auto drain = [&](auto take) {
    const tools::Stopwatch stopwatch;
    for (size_t count = 0; count < kWaiting;) {
      const auto batch = receiver->Receive();
      CHECK(!batch.empty()) << "the loopback interface has lost packets";
      take(batch);
      count += batch.size();
    }
    return stopwatch.Seconds();
  };
  for (auto _ : state) {
    // The handler gets these, too, so that nothing is missing for it.
    const std::vector<engine::Bytes> sent = send();
    bare_seconds += drain([&](std::span<const tools::DatagramReceiver::Datagram> batch) {
      for (const auto& datagram : batch) checked += datagram.payload.size();
    });
    for (const engine::Bytes packet : sent) {
      handler.TakePacket(engine::FeedLine::kA, packet, clock.Now());
    }
    decoding.Keep();
    send();
    handler_seconds += drain([&](std::span<const tools::DatagramReceiver::Datagram> batch) {
      const engine::SteadyTime now = clock.Now();
      decoding.decoder().set_received(tools::TickClock::Ticks());
      for (const auto& datagram : batch) {
        handler.TakePacket(engine::FeedLine::kA, datagram.payload, now);
      }
    });
    decoding.Keep();
  }
  benchmark::DoNotOptimize(checked);
  CHECK_EQ(handler.counters().gaps, 0);
  const double datagrams = static_cast<double>(kWaiting * state.iterations());
  state.counters["bare_per_second"] = datagrams / bare_seconds;
  state.counters["handler_per_second"] = datagrams / handler_seconds;
  state.counters["messages_per_second"] =
      datagrams * static_cast<double>(state.range(0)) / handler_seconds;
  state.counters["handler_share"] = bare_seconds / handler_seconds;
}
BENCHMARK(BM_Loopback)->Arg(1)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bench
