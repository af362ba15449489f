// Memory for a driver's outputs, which are digested in batches: starting a digest update costs as
// much as digesting one output.
//
//   room   [ ........ | added, not digested yet | of this record | ........ ]
//
// Outputs are digested before they are overwritten. While a taker is set, those of a record with
// many outputs leave in parts, and the memory is bounded.

#ifndef REPLAY_TRACED_OUTPUT_MEMORY_H_
#define REPLAY_TRACED_OUTPUT_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "absl/functional/function_ref.h"
#include "engine/base/check.h"
#include "replay/output.h"
#include "replay/trace_digest.h"

namespace replay {

// Not thread-safe: owned by the driver. `trace` outlives it.
class TracedOutputMemory final : public OutputMemory {
 public:
  explicit TracedOutputMemory(TraceDigest& trace, size_t outputs_in_part = kOutputsInPart)
      : trace_(trace), outputs_in_part_(outputs_in_part) {}

  // Adds the outputs of the next record, which a buffer has written here.
  void Add(std::span<const Output> outputs) {
    if (outputs.data() != end_) [[unlikely]] {
      Digest();
      begin_ = outputs.data();
    }
    end_ = outputs.data() + outputs.size();
    added_count_ += outputs.size();
  }

  // The same for outputs that begin where the last ones ended, or at the front of new room, as
  // those of a machine that takes back none do; they end at `end`.
  void AddUpTo(const Output* end) {
    added_count_ += static_cast<uint64_t>(end - end_);
    end_ = end;
  }

  // Receives outputs of a record that will emit more, `outputs_in_part` or more of them. It may
  // Add() them; they are digested before they are overwritten.
  using Taker = absl::FunctionRef<void(std::span<const Output>)>;

  // Sets a taker for its lifetime. One at a time.
  class Taking {
   public:
    Taking(TracedOutputMemory& memory, Taker taker) : memory_(memory), taker_(taker) {
      CHECK(memory_.taker_ == nullptr);
      memory_.taker_ = &taker_;
    }
    ~Taking() { memory_.taker_ = nullptr; }
    Taking(const Taking&) = delete;
    Taking& operator=(const Taking&) = delete;

   private:
    TracedOutputMemory& memory_;
    const Taker taker_;
  };

  uint64_t added_count() const { return added_count_; }

  // The number of outputs that were added but not digested yet.
  size_t waiting_count() const { return static_cast<size_t>(end_ - begin_); }

  // Adds all pending outputs to the trace.
  void Digest() {
    if (begin_ != end_) trace_.Add({begin_, end_});
    begin_ = end_;
  }

  bool Take(std::span<const Output> begun) override {
    if (taker_ == nullptr || begun.size() < outputs_in_part_) return false;
    (*taker_)(begun);
    return true;
  }

  std::span<Output> MakeRoom(std::span<const Output> begun) override {
    Digest();
    if (size_ <= 2 * begun.size()) {
      size_ = std::max(kFirstSize, 4 * begun.size());
      auto larger = std::make_unique<Output[]>(size_);
      std::copy(begun.begin(), begun.end(), larger.get());
      room_ = std::move(larger);
    } else {
      std::copy(begun.begin(), begun.end(), room_.get());
    }
    begin_ = end_ = room_.get();
    return {room_.get(), size_};
  }

  // So few that they stay in the L2 cache: 128 KiB.
  static constexpr size_t kOutputsInPart = 2048;

 private:
  // Small enough to stay in the L1 cache.
  static constexpr size_t kFirstSize = 128;

  TraceDigest& trace_;
  const size_t outputs_in_part_;
  const Taker* taker_ = nullptr;
  std::unique_ptr<Output[]> room_;
  size_t size_ = 0;
  const Output* begin_ = nullptr;  // The outputs that were added but not digested.
  const Output* end_ = nullptr;
  uint64_t added_count_ = 0;
};

}  // namespace replay

#endif  // REPLAY_TRACED_OUTPUT_MEMORY_H_
