// Memory for a driver's outputs, which are digested in batches: starting a digest update costs as
// much as digesting one output.
//
//   room   [ ........ | added, not digested yet | of this record | ........ ]
//
// Outputs are digested before they are overwritten.

#ifndef REPLAY_TRACED_OUTPUT_MEMORY_H_
#define REPLAY_TRACED_OUTPUT_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "replay/output.h"
#include "replay/trace_digest.h"

namespace replay {

// Not thread-safe: owned by the driver. `trace` outlives it.
class TracedOutputMemory final : public OutputMemory {
 public:
  explicit TracedOutputMemory(TraceDigest& trace) : trace_(trace) {}

  // Adds the outputs of the next record, which a buffer has written here.
  void Add(std::span<const Output> outputs) {
    if (outputs.data() != end_) [[unlikely]] {
      Digest();
      begin_ = outputs.data();
    }
    end_ = outputs.data() + outputs.size();
    added_count_ += outputs.size();
  }

  uint64_t added_count() const { return added_count_; }

  // The number of outputs that were added but not digested yet.
  size_t waiting_count() const { return static_cast<size_t>(end_ - begin_); }

  // Adds all pending outputs to the trace.
  void Digest() {
    if (begin_ != end_) trace_.Add({begin_, end_});
    begin_ = end_;
  }

  std::span<Output> MakeRoom(std::span<const Output> begun) override {
    Digest();
    begin_ = end_ = nullptr;
    if (size_ <= 2 * begun.size()) {
      size_ = std::max(kFirstSize, 4 * begun.size());
      auto larger = std::make_unique<Output[]>(size_);
      std::copy(begun.begin(), begun.end(), larger.get());
      room_ = std::move(larger);
    } else {
      std::copy(begun.begin(), begun.end(), room_.get());
    }
    return {room_.get(), size_};
  }

 private:
  // Small enough to stay in the L1 cache.
  static constexpr size_t kFirstSize = 128;

  TraceDigest& trace_;
  std::unique_ptr<Output[]> room_;
  size_t size_ = 0;
  const Output* begin_ = nullptr;  // The outputs that were added but not digested.
  const Output* end_ = nullptr;
  uint64_t added_count_ = 0;
};

}  // namespace replay

#endif  // REPLAY_TRACED_OUTPUT_MEMORY_H_
