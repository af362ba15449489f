// What a handler of market data costs on one core, from memory.
//
//   BM_Session    the order messages of testdata's ITCH session, all symbols, repeated over new
//                 reference numbers: parsed and booked. Items are messages. Messages about orders
//                 from before the session are left out, as they would only be counted. Argument 1:
//                 before each repetition the orders of the last one are deleted, as in a market
//                 that has as many as before; 0: they stay, so that 31,729 more rest each time.
//   BM_AddCancel  the add-cancel format, one book of about 1,000 orders on 20 levels a side: from
//   the
//                 claim of a slot, into which the datagram is decoded, to the changed book.
//                 Counters are nanoseconds; BM_Probe is what measuring nothing says.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "benchmark/benchmark.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/feed_books.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/book_updates.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "replay/retime/latency_histogram.h"
#include "tools/os/measuring.h"

namespace bench {
namespace {

using engine::BookUpdate;
using engine::FeedBooks;
using replay::LatencyHistogram;

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";
constexpr uint64_t kReferencesOfSession = 9'500'000;  // More than its highest.

// The messages of the session about orders that it adds, each with `shift` more in its references.
class Session {
 public:
  Session() {
    std::ifstream file(kSession, std::ios::binary);
    const std::string stream(std::istreambuf_iterator<char>(file), {});
    engine::ItchStreamReader reader;
    reader.Feed(engine::AsBytes(stream));
    FeedBooks books;
    engine::ItchMessage message;
    while (true) {
      const auto more = reader.Next(message);
      CHECK(more.ok()) << more.status();
      if (!*more) break;
      const uint64_t unknown = books.counters().unknown_references;
      const uint64_t applied = books.counters().applied;
      std::string frame;
      engine::AppendItchFrame(message, frame);
      engine::ItchBookUpdates updates(engine::AsBytes(frame));
      BookUpdate update;
      while (updates.Next(update)) {
        books.Apply(update);
        if (books.counters().unknown_references == unknown) Follow(update);
      }
      if (books.counters().applied > applied && books.counters().unknown_references == unknown) {
        messages_.push_back(message);
      }
    }
  }

  void AppendTo(std::string& out, uint64_t shift) const {
    for (engine::ItchMessage message : messages_) {
      std::visit(
          [&](auto& fields) {
            if constexpr (requires { fields.order_reference; }) {
              fields.order_reference = fields.order_reference + shift;
            }
            if constexpr (requires { fields.new_order_reference; }) {
              fields.original_order_reference = fields.original_order_reference + shift;
              fields.new_order_reference = fields.new_order_reference + shift;
            }
          },
          message);
      engine::AppendItchFrame(message, out);
    }
  }
  // Deletes what rests at the end.
  void AppendDeletesTo(std::string& out, uint64_t shift) const {
    for (const auto& [reference, quantity] : resting_) {
      engine::AppendItchFrame(
          engine::ItchOrderDelete{.header = {}, .order_reference = reference + shift}, out);
    }
  }

  uint64_t message_count() const { return messages_.size(); }
  uint64_t resting_count() const { return resting_.size(); }

 private:
  // Keeps what remains of each order.
  void Follow(const BookUpdate& update) {
    switch (update.kind) {
      case engine::BookUpdateKind::kAdd:
        resting_[update.reference] = update.quantity;
        return;
      case engine::BookUpdateKind::kReplace:
        resting_.erase(update.reference);
        resting_[update.new_reference] = update.quantity;
        return;
      case engine::BookUpdateKind::kDelete:
        resting_.erase(update.reference);
        return;
      default:
        if (resting_[update.reference] <= update.quantity) {
          resting_.erase(update.reference);
        } else {
          resting_[update.reference] -= update.quantity;
        }
    }
  }

  std::vector<engine::ItchMessage> messages_;
  std::map<uint64_t, engine::Quantity> resting_;
};

// As from a ring in which some updates wait: decodes a few and applies them.
uint64_t Book(engine::Bytes framed, FeedBooks& books) {
  std::array<BookUpdate, 256> updates;
  engine::ItchBookUpdates decoder(framed);
  uint64_t applied = 0;
  while (true) {
    size_t count = 0;
    while (count < updates.size() && decoder.Next(updates[count])) ++count;
    if (count == 0) break;
    books.Apply(std::span(updates).first(count));
    applied += count;
  }
  CHECK(decoder.status().ok()) << decoder.status();
  return applied;
}

void BM_Session(benchmark::State& state) {
  static const Session* const session = new Session;
  constexpr uint64_t kRepetitions = 24;
  const bool deletes = state.range(0) == 1;
  std::string framed;
  uint64_t messages = 0;
  for (uint64_t i = 0; i < kRepetitions; ++i) {
    if (deletes && i > 0) {
      session->AppendDeletesTo(framed, (i - 1) * kReferencesOfSession);
      messages += session->resting_count();
    }
    session->AppendTo(framed, i * kReferencesOfSession);
    messages += session->message_count();
  }
  // The first time, memory is allocated, as at the start of a day.
  FeedBooks books;
  Book(engine::AsBytes(framed), books);
  for (auto _ : state) {
    state.PauseTiming();
    const FeedBooks::Counters before = books.counters();
    books.Apply({.kind = engine::BookUpdateKind::kClear});
    state.ResumeTiming();
    CHECK_EQ(Book(engine::AsBytes(framed), books), messages);
    CHECK_EQ(books.order_count(), session->resting_count() * (deletes ? 1 : kRepetitions));
    CHECK(books.counters() == FeedBooks::Counters{.applied = before.applied + 1 + messages});
  }
  state.SetItemsProcessed(static_cast<int64_t>(messages * state.iterations()));
}
BENCHMARK(BM_Session)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void Report(const LatencyHistogram& nanos, benchmark::State& state) {
  state.counters["p50"] = static_cast<double>(nanos.Percentile(500'000));
  state.counters["p99"] = static_cast<double>(nanos.Percentile(990'000));
  state.counters["p99.9"] = static_cast<double>(nanos.Percentile(999'000));
  state.counters["max"] = static_cast<double>(nanos.max());
}

// Datagrams of one book: adds around a price, and cancels of any of the orders.
std::vector<engine::AddCancelMessage> MakeDatagrams(size_t count) {
  engine::Prng prng(1);
  std::vector<uint64_t> resting;
  std::vector<engine::AddCancelMessage> datagrams;
  for (uint64_t reference = 1; datagrams.size() < count; ++reference) {
    const bool is_add = resting.size() < 1'000 || prng.Below(2) == 0;
    BookUpdate update = {.reference = reference};
    if (is_add) {
      const bool is_bid = prng.Below(2) == 0;
      const auto depth = static_cast<int64_t>(std::min(prng.Below(20), prng.Below(20)));
      update.side = is_bid ? engine::Side::kBid : engine::Side::kAsk;
      update.price = engine::Price::FromUnits(is_bid ? 10'000 - depth : 10'001 + depth);
      update.quantity = engine::Quantity::FromUnits(1 + prng.Below(100));
      resting.push_back(reference);
    } else {
      std::swap(resting[prng.Below(resting.size())], resting.back());
      update.kind = engine::BookUpdateKind::kDelete;
      update.reference = resting.back();
      resting.pop_back();
    }
    datagrams.push_back(*engine::AddCancelMessage::From(update));
  }
  return datagrams;
}

void BM_AddCancel(benchmark::State& state) {
  struct alignas(64) Slot {
    BookUpdate update;
  };
  constexpr size_t kSlots = 1'024;
  const tools::TickClock clock = tools::TickClock::Calibrate();
  const std::vector<engine::AddCancelMessage> datagrams = MakeDatagrams(1'000'000);
  std::vector<Slot> slots(kSlots);
  LatencyHistogram nanos;
  for (auto _ : state) {
    FeedBooks books;
    for (size_t i = 0; i < datagrams.size(); ++i) {
      // It has just been received.
      const engine::AddCancelMessage received = datagrams[i];
      const engine::Bytes datagram = received.bytes();
      benchmark::DoNotOptimize(datagram.data());
      const uint64_t begin = tools::TickClock::Ticks();
      Slot& slot = slots[i % kSlots];
      CHECK(engine::DecodeAddCancel(datagram, 1, slot.update));
      books.Apply(slot.update);
      benchmark::DoNotOptimize(books.best(1, engine::Side::kBid));
      nanos.Record(clock.NanosOf(tools::TickClock::Ticks() - begin));
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(datagrams.size() * state.iterations()));
  Report(nanos, state);
}
BENCHMARK(BM_AddCancel)->Unit(benchmark::kMillisecond);

void BM_Probe(benchmark::State& state) {
  const tools::TickClock clock = tools::TickClock::Calibrate();
  LatencyHistogram nanos;
  for (auto _ : state) {
    const uint64_t begin = tools::TickClock::Ticks();
    nanos.Record(clock.NanosOf(tools::TickClock::Ticks() - begin));
  }
  Report(nanos, state);
}
BENCHMARK(BM_Probe);

}  // namespace
}  // namespace bench
