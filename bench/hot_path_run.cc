#include "bench/hot_path_run.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/slot_ring.h"
#include "engine/wire/kalshi/testing/delta_texts.h"
#include "simdjson.h"
#include "tools/client/ticker_table.h"
#include "tools/os/allocation_count.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

using tools::TickClock;

constexpr size_t kTurn = 1024;
constexpr size_t kLineBytes = 64;
constexpr size_t kRingSlots = 1024;

// A frame has just been read from its socket: its bytes are in the nearest cache.
void Touch(absl::string_view frame) {
  for (size_t i = 0; i < frame.size(); i += kLineBytes) {
    static_cast<void>(*static_cast<const volatile char*>(frame.data() + i));
  }
}

// Times of a pass, with the cost of reading the clock taken off.
class Interval {
 public:
  explicit Interval(const TickClock& clock) : clock_(clock) {
    LatencyHistogram empty;
    for (int i = 0; i < 10'000; ++i) {
      const uint64_t begin = TickClock::Ticks();
      empty.Record(TickClock::Ticks() - begin);
    }
    own_ = empty.Percentile(500'000);
  }

  uint64_t Ticks(uint64_t begin, uint64_t end) const {
    return end - begin < own_ ? 0 : end - begin - own_;
  }
  uint64_t Nanos(uint64_t begin, uint64_t end) const { return clock_.NanosOf(Ticks(begin, end)); }

 private:
  const TickClock& clock_;
  uint64_t own_ = 0;
};

// Both halves, on one thread.
struct HotPath {
  HotPath(const HotPathScene& scene, const client::TickerTable& tickers,
          client::SignatureTable& signatures)
      : reader(tickers), client(scene, tickers, signatures) {}

  // Calls `seam` with each stage that ends.
  template <typename Seam>
  void OnFrame(absl::string_view frame, Seam seam) {
    const Delta delta = reader.Read(frame);
    seam(HotPathStage::kDecode);
    const bool has_decided = client.Decide(delta);
    seam(HotPathStage::kDecide);
    if (!has_decided) return;
    client.Request();
    seam(HotPathStage::kRequest);
  }

  FeedReader reader;
  HotPathClient client;
};

void MeasureYardstick(std::span<const std::string> frames, const Interval& interval,
                      simdjson::ondemand::parser& parser, LatencyHistogram& nanos) {
  simdjson::ondemand::document document;
  engine::kalshi::DeltaTexts texts;
  for (const std::string& frame : frames) {
    Touch(frame);
    const simdjson::padded_string_view bytes(frame.data(), frame.size(), frame.capacity());
    const uint64_t begin = TickClock::Ticks();
    const bool is_found = engine::kalshi::FindDeltaTexts(parser, bytes, document, texts);
    const uint64_t end = TickClock::Ticks();
    CHECK(is_found);
    nanos.Record(interval.Nanos(begin, end));
  }
}

void MeasureWhole(std::span<const std::string> frames, const Interval& interval, HotPath& path,
                  HotPathTimes& times) {
  for (const std::string& frame : frames) {
    Touch(frame);
    const uint64_t allocations = tools::AllocationCount();
    const uint64_t begin = TickClock::Ticks();
    path.OnFrame(frame, [](HotPathStage) {});
    const uint64_t end = TickClock::Ticks();
    HotPathTimes::Frames& of = times.frames[static_cast<size_t>(path.client.last_request())];
    of.allocations += tools::AllocationCount() - allocations;
    of.nanos.Record(interval.Nanos(begin, end));
    path.client.Answer();
  }
}

void MeasureStages(std::span<const std::string> frames, const Interval& interval, HotPath& path,
                   HotPathTimes& times) {
  for (const std::string& frame : frames) {
    Touch(frame);
    uint64_t allocations = tools::AllocationCount();
    uint64_t begin = TickClock::Ticks();
    path.OnFrame(frame, [&](HotPathStage stage) {
      const uint64_t end = TickClock::Ticks();
      HotPathTimes::Stage& of = times.stages[static_cast<size_t>(stage)];
      of.ticks += interval.Ticks(begin, end);
      of.nanos.Record(interval.Nanos(begin, end));
      of.allocations += tools::AllocationCount() - allocations;
      allocations = tools::AllocationCount();
      begin = TickClock::Ticks();
    });
    path.client.Answer();
  }
}

// When each frame begins: kFrameGapNanos apart, or as soon as it can.
class Pace {
 public:
  Pace(const TickClock& clock, bool is_fast)
      : gap_(is_fast ? 0 : clock.TicksOf(HotPathThreads::kFrameGapNanos)),
        next_(TickClock::Ticks()) {}

  // Waits for the next frame; returns when it begins.
  uint64_t Next() {
    if (gap_ == 0) return 0;
    next_ += gap_;
    uint64_t now = TickClock::Ticks();
    while (now < next_) now = TickClock::Ticks();
    return now;
  }

 private:
  const uint64_t gap_;
  uint64_t next_;
};

// Runs `frames` through; a frame's begin and end are kept if it does not go as fast as it can.
using Ticks = std::vector<uint64_t>;

void RunOne(std::span<const std::string> frames, Pace pace, HotPath& path, Ticks& begins,
            Ticks& ends) {
  for (size_t i = 0; i < frames.size(); ++i) {
    Touch(frames[i]);
    begins[i] = pace.Next();
    path.OnFrame(frames[i], [](HotPathStage) {});
    ends[i] = begins[i] == 0 ? 0 : TickClock::Ticks();
    path.client.Answer();
  }
}

void RunTwo(std::span<const std::string> frames, Pace pace, HotPath& path, int core, Ticks& begins,
            Ticks& ends) {
  engine::SlotRing<Delta> ring(kRingSlots);
  const auto read = [&] {
    for (size_t i = 0; i < frames.size(); ++i) {
      Touch(frames[i]);
      begins[i] = pace.Next();
      const Delta delta = path.reader.Read(frames[i]);
      Delta* slot = nullptr;
      while ((slot = ring.Claim()) == nullptr) {
      }
      *slot = delta;
      ring.Publish();
    }
  };
  const tools::Thread reader("feed", read, /*stop=*/{}, core);
  CHECK_OK(reader.status());
  for (size_t i = 0; i < frames.size(); ++i) {
    const Delta* delta = nullptr;
    while ((delta = ring.Front()) == nullptr) {
    }
    const bool has_decided = path.client.Decide(*delta);
    ring.Pop();
    if (has_decided) path.client.Request();
    ends[i] = TickClock::Ticks();
    path.client.Answer();
  }
}

}  // namespace

absl::string_view NameOf(HotPathStage stage) {
  switch (stage) {
    case HotPathStage::kDecode:
      return "decode";
    case HotPathStage::kDecide:
      return "row, book, signal";
    case HotPathStage::kRequest:
      return "link, request bytes";
  }
  return "";
}

HotPathTimes MeasureHotPath(const HotPathScene& scene, client::SignatureTable& signatures,
                            const TickClock& clock) {
  const std::span<const std::string> all(scene.frames);
  const std::span<const std::string> measured = all.subspan(all.size() / 10);
  const std::span<const std::string> warm_up = all.first(all.size() / 10);
  const client::TickerTable tickers(scene.tickers);
  const Interval interval(clock);
  HotPathTimes times;
  {
    HotPath path(scene, tickers, signatures);
    simdjson::ondemand::parser parser;
    HotPathTimes unused;
    MeasureWhole(warm_up, interval, path, unused);
    MeasureYardstick(warm_up, interval, parser, unused.yardstick);
    for (size_t i = 0; i < measured.size(); i += kTurn) {
      const auto turn = measured.subspan(i, std::min(kTurn, measured.size() - i));
      MeasureWhole(turn, interval, path, times);
      MeasureYardstick(turn, interval, parser, times.yardstick);
    }
    times.trace = path.client.Finish();
  }
  HotPath path(scene, tickers, signatures);
  HotPathTimes unused;
  MeasureStages(warm_up, interval, path, unused);
  MeasureStages(measured, interval, path, times);
  CHECK_EQ(path.client.Finish(), times.trace);
  CHECK_EQ(signatures.counts().misses, 0) << "signatures were to be ready";
  return times;
}

HotPathThreads MeasureHotPathThreads(const HotPathScene& scene, client::SignatureTable& signatures,
                                     const TickClock& clock, int reader, int strategy) {
  CHECK(reader != strategy);
  tools::PinThisThread(strategy);
  const std::span<const std::string> all(scene.frames);
  const size_t warm_up = all.size() / 10;
  const client::TickerTable tickers(scene.tickers);
  const Interval interval(clock);
  Ticks begins(all.size());
  Ticks ends(all.size());
  std::vector<engine::Digest> traces;
  HotPathThreads threads;
  for (const bool is_fast : {false, true}) {
    for (HotPathThreads::Pass* const pass : {&threads.one, &threads.two}) {
      HotPath path(scene, tickers, signatures);
      const tools::Stopwatch stopwatch;
      const Pace pace(clock, is_fast);
      if (pass == &threads.one) {
        RunOne(all, pace, path, begins, ends);
      } else {
        RunTwo(all, pace, path, reader, begins, ends);
      }
      const double seconds = stopwatch.Seconds();
      traces.push_back(path.client.Finish());
      CHECK_EQ(traces.back(), traces.front());
      if (is_fast) {
        pass->frames_per_second = static_cast<double>(all.size()) / seconds;
        continue;
      }
      for (size_t i = warm_up; i < all.size(); ++i) {
        pass->nanos.Record(interval.Nanos(begins[i], ends[i]));
      }
    }
  }
  return threads;
}

}  // namespace bench
