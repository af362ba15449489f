// What the driver drives: any deterministic state machine.
//
// The exchange is one; a client strategy (market data in, orders out) will be another. Two machines
// of one kind that are given the same records are equal, event for event and digest for digest
// (R1).

#ifndef REPLAY_MACHINE_H_
#define REPLAY_MACHINE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/messages/event_buffer.h"
#include "journal/record.h"

namespace replay {

// Not thread-safe: owned by whoever owns the driver.
class Machine {
 public:
  virtual ~Machine() = default;

  // For reports: "fast", "reference".
  virtual absl::string_view name() const = 0;

  // Applies the record and leaves the events that it causes in `events`.
  // REQUIRES: records arrive in sequence, without a gap.
  virtual void Apply(const journal::Record& record, engine::EventBuffer& events) = 0;

  // Orders in the book; 0 for a machine that has none.
  virtual uint64_t live_order_count() const = 0;

  // Of the logical state, whatever its representation. May walk all of it.
  virtual engine::Digest StateDigest() const = 0;
};

}  // namespace replay

#endif  // REPLAY_MACHINE_H_
