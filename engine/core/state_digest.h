// The digest of the exchange's logical state: the same for every engine that is in the same state,
// however it represents it. Specified, byte for byte, in engine/DESIGN.md, section Digests.
//
//   order ──► digest ─┐
//   order ──► digest ─┼─► sum modulo 2^128 ─┐
//   market ─► digest ─┘                     ├─► digest of the state
//        sequence, time, counts ────────────┘
//
// A sum over a set, so an engine may keep it up to date order by order instead of walking them all.

#ifndef ENGINE_CORE_STATE_DIGEST_H_
#define ENGINE_CORE_STATE_DIGEST_H_

#include <cstdint>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/resting_order.h"
#include "engine/types/market_definition.h"

namespace engine {

// A regular value type.
struct StateSummary {
  SequenceNumber last_applied;
  Timestamp now;
  uint64_t market_count = 0;
  uint64_t live_order_count = 0;
  Digest sum;  // DigestSum over DigestOfOrder of all live orders and DigestOfMarket of all markets.
};

Digest DigestOfOrder(const RestingOrder& order);
Digest DigestOfMarket(const MarketDefinition& definition);
Digest DigestOfState(const StateSummary& state);

}  // namespace engine

#endif  // ENGINE_CORE_STATE_DIGEST_H_
