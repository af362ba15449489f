// A checksum of an engine's events that depends on every event and on their order. It shows whether
// a timed run produced the same events as the checked one, and is cheap enough for a reader's
// thread.

#ifndef BENCH_EVENT_TALLY_H_
#define BENCH_EVENT_TALLY_H_

#include <bit>
#include <cstdint>
#include <span>

#include "engine/messages/event.h"

namespace bench {

// A regular value type.
struct EventTally {
  uint64_t events = 0;
  uint64_t mix = 0;

  void Add(std::span<const engine::Event> more) {
    events += more.size();
    for (const engine::Event& event : more) {
      mix = std::rotl(mix, 5) + (event.sequence.value() ^ event.quantity_remaining.units()) +
            (uint64_t{static_cast<uint16_t>(event.kind)} << 48);
    }
  }

  friend bool operator==(const EventTally&, const EventTally&) = default;
};

}  // namespace bench

#endif  // BENCH_EVENT_TALLY_H_
