#include "tools/cli/maintenance/ablation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/feed_books.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/workload/catalogue.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "tools/os/isolation_settings.h"
#include "tools/os/network/loopback_pair.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

using Waiting = LoopbackPair::Waiting;

constexpr uint64_t kOrders = 200'000;
constexpr uint64_t kBooks = 1'000;
constexpr int kWarmUp = 200;  // Messages that are not measured.
constexpr uint64_t kPauseNanosMin = 5'000;
constexpr uint64_t kPauseNanosMax = 25'000;

enum End : size_t { kSender, kReceiver };

// What one measurement needs to know.
struct Scene {
  const IsolationSettings& settings;
  const std::vector<int>& cores;
  double seconds;
  const TickClock& clock;
};

void AddOnce(std::vector<std::string>& all, const std::string& text) {
  if (std::ranges::find(all, text) == all.end()) all.push_back(text);
}

// The settings that a thread makes for itself.
void Settle(const Scene& scene, End end, std::vector<std::string>& refused) {
  const IsolationSettings& settings = scene.settings;
  for (const ConditionReport& report :
       TakeConditions({.core = settings.pins ? std::optional(scene.cores[end]) : std::nullopt,
       .fifo = settings.uses_fifo})) {
    if (report.asked && !report.taken) {
      AddOnce(refused, absl::StrCat(report.name, ": ", report.detail));
    }
  }
}

Waiting WaitingOf(const Scene& scene) {
  return scene.settings.spins ? Waiting::kSpin : Waiting::kSleep;
}

void Spin(const TickClock& clock, uint64_t nanos) {
  const uint64_t until = TickClock::Ticks() + clock.TicksOf(nanos);
  while (TickClock::Ticks() < until) __builtin_ia32_pause();
}

// Calls `exchange` until the time is over, at least once; it returns the nanoseconds of one
// message, or nullopt at the end.
void Measure(const Scene& scene, const std::function<std::optional<uint64_t>()>& exchange,
             replay::LatencyHistogram& histogram) {
  engine::Prng prng(1);
  uint64_t until = 0;
  for (int i = -kWarmUp; i <= 0 || TickClock::Ticks() < until; ++i) {
    if (i == 0) {
      until = TickClock::Ticks() + scene.clock.TicksOf(static_cast<uint64_t>(scene.seconds * 1e9));
    }
    const std::optional<uint64_t> nanos = exchange();
    if (!nanos.has_value()) return;
    if (i >= 0) histogram.Record(*nanos);
    Spin(scene.clock, kPauseNanosMin + prng.Below(kPauseNanosMax - kPauseNanosMin));
  }
}

// Runs the receiver until the sender has returned.
absl::Status RunBoth(LoopbackPair& pair, const Scene& scene, const std::function<void()>& send,
                     const std::function<void()>& receive, std::vector<std::string>& refused) {
  std::array<std::vector<std::string>, 2> of_thread;
  {
    const Thread receiver(
        "receiver",
        [&] {
          Settle(scene, kReceiver, of_thread[kReceiver]);
          receive();
        },
        [&] { pair.End(); });
    RETURN_IF_ERROR(receiver.status());
    const Thread sender("sender", [&] {
      Settle(scene, kSender, of_thread[kSender]);
      send();
    });
    RETURN_IF_ERROR(sender.status());
  }
  for (const std::vector<std::string>& each : of_thread) {
    for (const std::string& text : each) AddOnce(refused, text);
  }
  return absl::OkStatus();
}

// Adds and cancels orders in turn, so that as many rest at the end as at the beginning.
class OrderFlow {
 public:
  OrderFlow() {
    for (uint64_t i = 0; i < kOrders; ++i) resting_.push_back(i + 1);
  }

  static engine::BookUpdate Add(uint64_t reference) {
    return {.reference = reference,
            .price = engine::Price::FromUnits(static_cast<int64_t>(10'000 + reference % 20)),
            .quantity = engine::Quantity::FromUnits(100),
            .locate = LocateOf(reference),
            .kind = engine::BookUpdateKind::kAdd,
            .side = reference % 2 == 0 ? engine::Side::kBid : engine::Side::kAsk};
  }
  static uint16_t LocateOf(uint64_t reference) { return static_cast<uint16_t>(reference % kBooks); }

  engine::BookUpdate Next() {
    cancels_ = !cancels_;
    if (!cancels_) return Add(resting_[place_] = ++last_);
    place_ = prng_.Below(kOrders);
    return {.reference = resting_[place_],
            .locate = LocateOf(resting_[place_]),
            .kind = engine::BookUpdateKind::kDelete};
  }

 private:
  engine::Prng prng_{2};
  std::vector<uint64_t> resting_;
  uint64_t last_ = kOrders;
  size_t place_ = 0;  // Of the last cancel, for the next add.
  bool cancels_ = false;
};

absl::Status MeasureFeed(const Scene& scene, AblationResult& result) {
  ASSIGN_OR_RETURN(const std::unique_ptr<LoopbackPair> pair,
                   LoopbackPair::Open(LoopbackPair::Kind::kUdp));
  engine::FeedBooks books;
  for (uint64_t i = 1; i <= kOrders; ++i) books.Apply(OrderFlow::Add(i));
  if (const ConditionReport report = HugePagesReport(scene.settings.has_huge_pages);
      report.asked && !report.taken) {
    AddOnce(result.refused, absl::StrCat(report.name, ": ", report.detail));
  }
  OrderFlow flow;
  uint64_t sent = 0;
  uint64_t changed_at = 0;  // Ticks. Readable once `changed` is counted.
  std::atomic<uint64_t> changed = 0;
  std::atomic<bool> is_over = false;
  const auto exchange = [&]() -> std::optional<uint64_t> {
    const auto message = engine::AddCancelMessage::From(flow.Next());
    CHECK(message.has_value());
    const uint64_t begin = TickClock::Ticks();
    if (!pair->Send(kSender, message->bytes())) return std::nullopt;
    ++sent;
    while (changed.load(std::memory_order_acquire) < sent) {
      if (is_over.load(std::memory_order_relaxed)) return std::nullopt;
      __builtin_ia32_pause();
    }
    return scene.clock.NanosOf(std::max(changed_at, begin) - begin);
  };
  const auto receive = [&] {
    std::array<std::byte, 64> buffer;
    engine::BookUpdate update;
    while (true) {
      const size_t size = pair->Receive(kReceiver, buffer, WaitingOf(scene));
      if (size == 0) break;
      CHECK(engine::DecodeAddCancel(engine::Bytes(buffer).first(size), 0, update));
      update.locate = OrderFlow::LocateOf(update.reference);
      books.Apply(update);
      changed_at = TickClock::Ticks();
      changed.fetch_add(1, std::memory_order_release);
    }
    is_over.store(true, std::memory_order_relaxed);
  };
  return RunBoth(
      *pair, scene, [&] { Measure(scene, exchange, result.feed); }, receive, result.refused);
}

// The end of a TCP connection that receives 64 bytes at a time. False at its end.
bool ReceiveAll(LoopbackPair& pair, End end, engine::MutableBytes into, Waiting waiting) {
  while (!into.empty()) {
    const size_t size = pair.Receive(end, into, waiting);
    if (size == 0) return false;
    into = into.subspan(size);
  }
  return true;
}

absl::Status MeasureRoundTrip(const Scene& scene, const bench::Workload& workload,
                              AblationResult& result) {
  ASSIGN_OR_RETURN(const std::unique_ptr<LoopbackPair> pair,
                   LoopbackPair::Open(LoopbackPair::Kind::kTcp));
  const std::unique_ptr<replay::Machine> engine = replay::MakeEngine(replay::EngineKind::kFast);
  replay::Driver driver(*engine, engine::SequenceNumber());
  size_t next = 0;
  auto attachment = workload.attachments.begin();
  for (; next < workload.warm_up_count; ++next) {
    journal::Record record{.row = &replay::AsRow(workload.commands[next])};
    if (attachment != workload.attachments.end() && attachment->first == next) {
      record.attachment = (attachment++)->second;
    }
    driver.Apply(record);
  }
  CHECK(attachment == workload.attachments.end());
  const auto send = [&]() -> std::optional<uint64_t> {
    if (next == workload.commands.size()) return std::nullopt;
    const engine::Bytes command = engine::AsBytes(workload.commands[next++]);
    replay::Output event;
    const uint64_t begin = TickClock::Ticks();
    if (!pair->Send(kSender, command)) return std::nullopt;
    if (!ReceiveAll(*pair, kSender, std::as_writable_bytes(std::span(&event, 1)),
                    WaitingOf(scene))) {
      return std::nullopt;
    }
    return scene.clock.NanosOf(TickClock::Ticks() - begin);
  };
  const auto receive = [&] {
    journal::Row row;
    while (ReceiveAll(*pair, kReceiver, std::as_writable_bytes(std::span(&row, 1)),
                      WaitingOf(scene))) {
      const std::span<const replay::Output> events = driver.Apply({.row = &row});
      if (!pair->Send(kReceiver, engine::AsBytes(events.front()))) return;
    }
  };
  return RunBoth(
      *pair, scene, [&] { Measure(scene, send, result.round_trip); }, receive, result.refused);
}

// Makes a setting of the process; the system's refusal is noted.
void Make(absl::StatusOr<MadeSetting> made, const char* name, std::vector<MadeSetting>& settings,
          std::vector<std::string>& refused) {
  if (made.ok()) {
    settings.push_back(*std::move(made));
  } else {
    AddOnce(refused, absl::StrCat(name, ": ", made.status().message()));
  }
}

}  // namespace

std::vector<AblationRow> AblationRows() {
  return {{"none", {}},
          {"pinned", {.pins = true}},
          {"SCHED_FIFO", {.uses_fifo = true}},
          {"mlock", {.locks_memory = true}},
          {"huge pages", {.has_huge_pages = true}},
          {"partition", {.has_partition = true}},
          {"busy polling", {.spins = true}},
          {"all", {true, true, true, true, true, true}}};
}

Ablation::Ablation(std::vector<int> cores, double seconds)
    : cores_(std::move(cores)),
      seconds_(seconds),
      clock_(TickClock::Calibrate()),
      workload_(bench::MakeWorkload("hft", 1, bench::WorkloadSize::kFull).value()) {
  CHECK_EQ(cores_.size(), size_t{2});
}

absl::StatusOr<AblationResult> Ablation::Measure(const IsolationSettings& settings,
                                                 const std::string& root) const {
  AblationResult result;
  std::vector<MadeSetting> made;
  if (!settings.has_huge_pages) Make(UseSmallPages(), "small pages", made, result.refused);
  if (settings.has_partition) {
    Make(UsePartition(cores_, root), "partition", made, result.refused);
  }
  if (settings.locks_memory) Make(LockMemory(), "mlock", made, result.refused);
  const Scene scene{settings, cores_, seconds_, clock_};
  RETURN_IF_ERROR(MeasureFeed(scene, result));
  RETURN_IF_ERROR(MeasureRoundTrip(scene, workload_, result));
  return result;
}

}  // namespace tools
