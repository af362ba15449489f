// An output of a machine, and the memory that machines write them to. An output is one flat
// 64-byte value, as a row is its input.
//
//   0         8                                        56      60     62
//   ├─────────┼────────────────────────────────────────┼───────┼──────┼────┤
//   │ sequence│ payload, 48 bytes, the machine's own   │ index │ kind │ 2  │
//
// The machine defines what its kinds, the payload and the two bytes after the kind mean; see
// vocabulary.h. The exchange's outputs are its events (engine/messages/event.h), with the same
// layout: event_outputs.h views one as the other.

#ifndef REPLAY_OUTPUT_H_
#define REPLAY_OUTPUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "engine/base/sequence_number.h"

namespace replay {

// A regular value type without padding. May alias: a machine may write its outputs as values of a
// type of its own.
struct [[gnu::may_alias]] Output {
  engine::SequenceNumber sequence;  // Of the record that caused it.
  std::array<std::byte, 48> payload = {};
  uint32_t index = 0;  // Position among the outputs of its record, from 0.
  uint16_t kind = 0;
  std::array<std::byte, 2> detail = {};

  friend bool operator==(const Output&, const Output&) = default;
};
static_assert(sizeof(Output) == 64);
static_assert(std::has_unique_object_representations_v<Output>, "padding would reach digests");
static_assert(std::is_trivially_copyable_v<Output>);

// The memory that a machine writes its outputs to: the driver's.
class OutputMemory {
 public:
  virtual ~OutputMemory() = default;

  // A machine may call it before MakeRoom(), with the same `begun`. True: the memory has taken
  // them, so that they need no room, and MakeRoom() is called with none. The record's later outputs
  // count on; the machine can no longer take back those that left.
  virtual bool Take(std::span<const Output> /*begun*/) { return false; }

  // Returns more room for a record that has emitted `begun` and has reached the end of its room.
  // Copies `begun` to the front of the new room, which is longer than `begun`.
  virtual std::span<Output> MakeRoom(std::span<const Output> begun) = 0;
};

}  // namespace replay

#endif  // REPLAY_OUTPUT_H_
