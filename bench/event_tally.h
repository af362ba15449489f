// What came out of an engine, in one word that depends on every event and their order: enough to
// see that a timed run said what the checked one did, and cheap enough for a publisher's thread.

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
