// The two halves of a writer without a second thread: a test takes the writing half's steps, and so
// decides how the two interleave.

#ifndef JOURNAL_TESTING_STEPPED_HALVES_H_
#define JOURNAL_TESTING_STEPPED_HALVES_H_

#include <cstdint>
#include <functional>

#include "engine/base/check.h"
#include "engine/base/doorbell.h"
#include "engine/base/prng.h"
#include "engine/base/steady_time.h"
#include "journal/writer.h"
#include "journal/writer_options.h"

namespace journal {

// When the sequencing half would sleep, the writing one works. Not thread-safe; outlives the
// writer.
class SteppedHalves {
 public:
  explicit SteppedHalves(uint64_t seed) : prng_(seed) {}

  // For WriterOptions.
  const WriterThreads* threads() const { return &threads_; }
  void Attach(Writer& writer) { writer_ = &writer; }

  // A step of any kind, or none if none is due; time advances a little.
  void StepOnce() {
    BlockWriter& half = writer_->writing_half();
    now_ = now_ + static_cast<int64_t>(prng_.Below(1'000'000));
    switch (prng_.Below(8)) {
      case 0:
      case 1:
        half.CompressOne();
        break;
      case 2:
        half.WriteOne();
        break;
      case 3:
        half.SyncOne();
        break;
      case 4:
        half.ReserveOne(now_);
        break;
      case 5:
        half.MarkOne();
        break;
      case 6:
        half.CompactOne(now_);
        break;
      default:
        half.HeartbeatOne(now_);
        break;
    }
  }
  void Steps(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) StepOnce();
  }

  // How often the sequencing half had to wait.
  uint64_t waits() const { return sequencing_.waits; }

 private:
  struct Sequencing final : engine::Doorbell {
    explicit Sequencing(SteppedHalves& halves) : halves(halves) {}
    void Ring() override {}
    void Wait(int64_t) override {
      ++waits;
      // Each waits for the other: a deadlock.
      CHECK(waits < 1'000'000);
      halves.Steps(1 + halves.prng_.Below(20));
    }
    SteppedHalves& halves;
    uint64_t waits = 0;
  };
  struct Writing final : engine::Doorbell {
    void Ring() override {}
    void Wait(int64_t) override { CHECK(false) << "no thread waits here"; }
  };

  engine::Prng prng_;
  engine::SteadyTime now_;
  Writer* writer_ = nullptr;
  Sequencing sequencing_{*this};
  Writing writing_;
  const WriterThreads threads_{sequencing_, writing_};
};

}  // namespace journal

#endif  // JOURNAL_TESTING_STEPPED_HALVES_H_
