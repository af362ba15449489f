// What a publisher sends in a second: released events become ITCH messages, kept for retransmission
// and put into packets of MoldUDP64, which leave by UDP to this machine, where a thread reads them.
//
//   BM_Publish    items are messages. Arguments: how packets leave (0: they do not; 1: sendmmsg; 2:
//                 sendmmsg, and those of one size as segments), and the commands of a turn,
//                 after which what waits leaves. Counters: messages that the reader did not get, of
//                 all; messages in a packet; packets in a system call. Rates are of the
//                 publisher's CPU time, in which the loopback interface delivers.
//
// Half of the commands add an order, half cancel the one that was added 1,000 before.

#include <poll.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/itch/itch_publisher.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/pcap/udp.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/thread.h"
#include "tools/serve/datagram_lines.h"

namespace bench {
namespace {

using tools::DatagramReceiver;

constexpr int kBufferBytes = 4 << 20;
constexpr uint64_t kResting = 1'000;
constexpr engine::MarketId kMarket = engine::MarketId(1);

// Counts the messages that arrive, on a thread of its own.
class Reader {
 public:
  Reader()
      : receiver_(
            DatagramReceiver::Open(tools::Endpoint::Parse("127.0.0.1:0").value(),
                                   {.buffer_bytes = kBufferBytes, .datagram_bytes_max = 2'048})
                .value()) {
    thread_.emplace(
        "reader", [this] { Run(); }, [this] { is_ending_ = true; });
    CHECK_OK(thread_->status());
  }
  // Reads what has arrived; returns how many messages it was in all.
  uint64_t Finish() {
    thread_.reset();
    return messages_;
  }
  const tools::Endpoint& address() const { return receiver_->address(); }

 private:
  void Run() {
    while (true) {
      const bool is_ending = is_ending_;
      while (Read()) continue;
      if (is_ending) return;
      pollfd input = {.fd = receiver_->descriptor(), .events = POLLIN, .revents = 0};
      ::poll(&input, 1, 10);
    }
  }
  bool Read() {
    const std::span<const DatagramReceiver::Datagram> datagrams = receiver_->Receive();
    for (const DatagramReceiver::Datagram& each : datagrams) {
      const absl::StatusOr<engine::MoldPacket> packet = engine::ParseMoldPacket(each.payload);
      CHECK_OK(packet.status());
      messages_ += packet->count;
    }
    return !datagrams.empty();
  }

  std::unique_ptr<DatagramReceiver> receiver_;
  std::atomic<bool> is_ending_ = false;
  uint64_t messages_ = 0;  // Of the thread, until it ends.
  std::optional<tools::Thread> thread_;
};

// Counts packets, and sends none.
class NoLines final : public engine::FeedLines {
 public:
  void Send(engine::Bytes) override {}
};

// Releases commands to a publisher.
class Source {
 public:
  explicit Source(engine::FeedLines& lines) : publisher_(venue_, lines, {}) {
    engine::MarketDefinition definition;
    definition.id = kMarket;
    definition.symbol = "ACME";
    definition.price_decimals = 4;
    Begin(engine::EventKind::kMarketDefined);
    publisher_.OnHistory(command_, engine::EncodeMarketDefinition(definition),
                         std::span(&event_, 1));
    publisher_.Start("BENCH", now_);
  }

  void Next() {
    const uint64_t sequence = command_.sequence.value() + 1;
    const bool is_cancel = sequence % 2 == 0 && sequence > 2 * kResting;
    Begin(is_cancel ? engine::EventKind::kCancelled : engine::EventKind::kAccepted);
    event_.order_id = engine::OrderId(is_cancel ? sequence + 1 - 2 * kResting : sequence);
    event_.side = sequence % 4 == 1 ? engine::Side::kBid : engine::Side::kAsk;
    event_.price = engine::Price::FromUnits(static_cast<int64_t>(100'000 + sequence % 16 * 100));
    event_.quantity = engine::Quantity::FromUnits(100);
    event_.quantity_remaining = engine::Quantity::FromUnits(is_cancel ? 0 : 100);
    publisher_.OnReleased(command_, std::span(&event_, 1), {});
  }
  void Act() { publisher_.Act(now_); }
  uint64_t published() const { return publisher_.next_sequence() - 1; }

 private:
  void Begin(engine::EventKind kind) {
    command_.sequence = engine::SequenceNumber(command_.sequence.value() + 1);
    command_.timestamp =
        engine::Timestamp::FromNanos(static_cast<int64_t>(command_.sequence.value()) * 1'000);
    event_ = engine::Event();
    event_.sequence = command_.sequence;
    event_.kind = kind;
    event_.market = kMarket;
  }

  engine::Venue venue_;
  engine::ItchPublisher publisher_;
  engine::SteadyTime now_ = engine::SteadyTime::FromNanos(1);
  engine::Command command_;
  engine::Event event_;
};

void BM_Publish(benchmark::State& state) {
  const bool is_sent = state.range(0) != 0;
  const int64_t commands_of_turn = state.range(1);
  constexpr size_t kPacketBytes = engine::kEthernetPayloadBytes;
  tools::DatagramLines lines(kPacketBytes);
  NoLines no_lines;
  std::optional<Reader> reader;
  if (is_sent) {
    reader.emplace();
    CHECK_OK(lines.Add(reader->address(),
                       {.buffer_bytes = kBufferBytes, .is_segmented = state.range(0) == 2}));
  }
  Source source(is_sent ? static_cast<engine::FeedLines&>(lines) : no_lines);
  const uint64_t before = source.published();
  for (auto _ : state) {
    for (int64_t i = 0; i < commands_of_turn; ++i) source.Next();
    source.Act();
    lines.Flush();
  }
  const uint64_t published = source.published() - before;
  state.SetItemsProcessed(static_cast<int64_t>(published));
  if (!is_sent) return;
  const tools::DatagramSender::Counters sent = lines.counters();
  const uint64_t received = reader->Finish();
  CHECK_LE(received, published);
  state.counters["lost"] =
      static_cast<double>(published - received) / static_cast<double>(published);
  state.counters["messages"] = static_cast<double>(published) / static_cast<double>(sent.sent);
  state.counters["packets"] = static_cast<double>(sent.sent) / static_cast<double>(sent.calls);
}
BENCHMARK(BM_Publish)->ArgsProduct({{0, 1, 2}, {1, 64, 4'096}});

}  // namespace
}  // namespace bench
