// The outputs of one record, in order, as a machine that emits Outputs writes them into the
// driver's memory. (The exchange's are events: replay/event_outputs.h.)
//
//   memory   [ ........ | output output | ................ ]
//                       ▲ first_        ▲ next_            ▲ end_

#ifndef REPLAY_OUTPUT_BUFFER_H_
#define REPLAY_OUTPUT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/sequence_number.h"
#include "replay/output.h"

namespace replay {

// Not thread-safe: owned by a machine.
class OutputBuffer {
 public:
  // `memory` outlives the use of the buffer.
  void WriteTo(OutputMemory& memory) {
    memory_ = &memory;
    first_ = next_ = end_ = nullptr;
    taken_ = 0;
  }

  // Begins the outputs of record `sequence`, after those of the previous record.
  void Begin(engine::SequenceNumber sequence) {
    sequence_ = sequence;
    first_ = next_;
    taken_ = 0;
  }

  // Appends an output whose sequence, index and kind are set and whose other bytes are zero. The
  // reference is valid until the next call. REQUIRES: WriteTo() was called.
  Output& Append(uint16_t kind) {
    if (next_ == end_) MakeRoom();
    Output& output = *next_++;
    output = {.sequence = sequence_,
              .payload = {},
              .index = taken_ + static_cast<uint32_t>(&output - first_),
              .kind = kind,
              .detail = {}};
    return output;
  }

  // The outputs of the record that began last, without those that the memory has taken.
  std::span<const Output> outputs() const { return {first_, next_}; }

 private:
  void MakeRoom() {
    std::span<const Output> begun = outputs();
    if (memory_->Take(begun)) {
      taken_ += static_cast<uint32_t>(begun.size());
      begun = {};
    }
    const std::span<Output> room = memory_->MakeRoom(begun);
    first_ = room.data();
    next_ = first_ + begun.size();
    end_ = first_ + room.size();
  }

  engine::SequenceNumber sequence_;
  Output* first_ = nullptr;
  Output* next_ = nullptr;
  Output* end_ = nullptr;
  uint32_t taken_ = 0;  // Outputs of this record.
  OutputMemory* memory_ = nullptr;
};

}  // namespace replay

#endif  // REPLAY_OUTPUT_BUFFER_H_
