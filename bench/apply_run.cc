#include "bench/apply_run.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>

#include "bench/apply_loop.h"
#include "bench/kept_events.h"
#include "bench/ping_pong.h"
#include "engine/base/check.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/event_ring.h"
#include "tools/os/clocks.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr size_t kRingEvents = size_t{1} << 13;  // 512 KiB; the exact size does not matter.
constexpr size_t kProgressEvery = 1024;          // Commands.
constexpr size_t kLiveOrdersEvery = 10'000;      // Counting them may be slow.

// ---- The timed part: a function that is not inlined, so that callgrind can count its
// instructions.

template <typename Engine>
[[gnu::noinline]] void ApplyTimedPart(Engine& engine, const RecordedWorkload& workload,
                                      engine::EventBuffer& events) {
  ApplyRange(engine, workload, workload.warm_up_count, workload.commands.size(), events,
             [](size_t) {});
}

// ---- The thread that reads the ring.

class Reader {
 public:
  Reader(engine::EventRing& ring, int core)
      : ring_(ring),
        thread_(
            "reader", [this] { Read(); }, [this] { Stop(); }, core) {
    CHECK_OK(thread_.status());
  }

  // Waits until all published events have been read; returns their tally.
  EventTally Await() {
    while (seen_.load(std::memory_order_acquire) < ring_.published_count()) {
      __builtin_ia32_pause();
    }
    const EventTally tally = tally_;
    return tally;
  }
  // Starts a new tally. REQUIRES: Await() was called, and nothing was published since.
  void Restart() { tally_ = {}; }
  void Stop() { stop_.store(true, std::memory_order_release); }

 private:
  void Read() {
    uint64_t seen = 0;
    while (true) {
      const std::span<const engine::Event> events = ring_.Front();
      if (events.empty()) {
        if (stop_.load(std::memory_order_acquire)) return;
        __builtin_ia32_pause();
        continue;
      }
      tally_.Add(events);
      seen += events.size();
      ring_.Pop();
      seen_.store(seen, std::memory_order_release);
    }
  }

  engine::EventRing& ring_;
  EventTally tally_;  // Written by the reading thread; readable after Await().
  alignas(64) std::atomic<uint64_t> seen_ = 0;
  alignas(64) std::atomic<bool> stop_ = false;
  const tools::Thread thread_;  // Last: it uses the others.
};

// ---- Runs.

template <typename Engine>
void AddDigests(Engine& engine, TimedResult& result) {
  if constexpr (requires { engine.Digests(); }) {
    result.digests = engine.Digests();
  } else if constexpr (requires { engine.StateDigest(); }) {
    result.state = engine.StateDigest();
  }
}

// The memory for events on the engine's thread: the engine's own, if it has one.
template <typename Engine>
engine::EventMemory& EventMemoryFor(Engine& engine, KeptEvents& kept) {
  if constexpr (requires { engine.room(); }) return engine.room();
  return kept;
}

// Returns the number of events written, as the event memory counts them.
template <typename Engine>
uint64_t EventCount(Engine& engine, const KeptEvents& kept, const engine::EventBuffer& events) {
  if constexpr (requires { engine.room(); }) return engine.room().added_count();
  return kept.CountWith(events.events());
}

template <typename Engine>
TimedResult RunOnThisThread(const RecordedWorkload& workload) {
  const auto engine = std::make_unique<Engine>();
  KeptEvents kept;
  engine::EventBuffer events(EventMemoryFor(*engine, kept));
  ApplyRange(*engine, workload, 0, workload.warm_up_count, events, [](size_t) {});
  TimedResult result;
  const uint64_t before = EventCount(*engine, kept, events);
  const tools::Stopwatch stopwatch;
  ApplyTimedPart(*engine, workload, events);
  result.seconds = stopwatch.Seconds();
  result.tally.events = EventCount(*engine, kept, events) - before;
  AddDigests(*engine, result);
  return result;
}

// Uses a ring as the engine's event memory. Pending events are digested before the ring overwrites
// them.
template <typename Engine>
class MemoryInRing final : public engine::EventMemory {
 public:
  MemoryInRing(Engine& engine, engine::EventRing& ring) : engine_(engine), ring_(ring) {}

  std::span<engine::Event> MakeRoom(std::span<const engine::Event> begun) override {
    if constexpr (requires { engine_.room(); }) engine_.room().Digest();
    return ring_.MakeRoom(begun);
  }

 private:
  Engine& engine_;
  engine::EventRing& ring_;
};

template <typename Engine>
TimedResult RunDrained(const RecordedWorkload& workload, const Cores& cores) {
  TimedResult result;
  result.round_trip_nanos_before = PingPongNanos(cores.engine, cores.reader);
  {
    const auto engine = std::make_unique<Engine>();
    engine::EventRing ring(kRingEvents);
    MemoryInRing<Engine> room(*engine, ring);
    engine::EventBuffer events(room);
    Reader reader(ring, cores.reader);
    ApplyRange(*engine, workload, 0, workload.warm_up_count, events, [](size_t) {});
    ring.Publish(events.events());
    reader.Await();
    reader.Restart();
    const tools::Stopwatch stopwatch;
    ApplyTimedPart(*engine, workload, events);
    ring.Publish(events.events());
    result.tally = reader.Await();
    result.seconds = stopwatch.Seconds();
    reader.Stop();
    AddDigests(*engine, result);
  }
  result.round_trip_nanos_after = PingPongNanos(cores.engine, cores.reader);
  return result;
}

template <typename Engine>
TimedResult RunIn(Mode mode, const RecordedWorkload& workload, const Cores& cores) {
  tools::PinThisThread(cores.engine);
  return mode == Mode::kSame ? RunOnThisThread<Engine>(workload)
                             : RunDrained<Engine>(workload, cores);
}

template <typename Engine>
Outcome CheckedRunOf(const RecordedWorkload& workload, const ProgressListener& progress) {
  const auto engine = std::make_unique<Digested<Engine>>();
  engine::EventBuffer events(engine->room());
  Outcome outcome;
  const auto report = [&](size_t i) {
    if (i % kProgressEvery == 0) progress(i);
  };
  ApplyRange(*engine, workload, 0, workload.warm_up_count, events, report);
  const tools::Stopwatch stopwatch;
  ApplyRange(*engine, workload, workload.warm_up_count, workload.commands.size(), events,
             [&](size_t i) {
               report(i);
               outcome.tally.Add(events.events());
               for (const engine::Event& event : events.events()) {
                 outcome.trades += event.kind == engine::EventKind::kTrade ? 1 : 0;
                 outcome.rejections += event.kind == engine::EventKind::kRejected ? 1 : 0;
               }
               if (i % kLiveOrdersEvery != 0) return;
               outcome.live_orders_most =
                   std::max(outcome.live_orders_most, engine->engine().live_order_count());
             });
  outcome.timed_seconds = stopwatch.Seconds();
  outcome.digests = engine->Digests();
  outcome.live_orders = engine->engine().live_order_count();
  return outcome;
}

}  // namespace

Outcome CheckedRun(Contender contender, const RecordedWorkload& workload,
                   const ProgressListener& progress) {
  CHECK(contender == Contender::kReference || contender == Contender::kFast);
  return contender == Contender::kReference ? CheckedRunOf<ReferenceEngine>(workload, progress)
                                            : CheckedRunOf<FastEngine>(workload, progress);
}

TimedResult TimedRun(Contender contender, Mode mode, const RecordedWorkload& workload,
                     const Cores& cores) {
  switch (contender) {
    case Contender::kNull:
      return RunIn<NullEngine>(mode, workload, cores);
    case Contender::kReference:
      return RunIn<ReferenceEngine>(mode, workload, cores);
    case Contender::kFast:
      return RunIn<FastEngine>(mode, workload, cores);
    case Contender::kDigested:
      return RunIn<Digested<FastEngine>>(mode, workload, cores);
  }
  CHECK(false) << "no such contender";
  return {};
}

}  // namespace bench
