// The digest of what a machine did: a chain over its events, and over its state where that is
// checked.
//
//   events of commands 1..4096 ──► E_1 ─┐   4097..8192 ──► E_2 ─┐
//   T_0 = 0 ──────────────────────────► T_1 ──────────────────► T_2 ──► ...
//   state after command 4096 ─────► S_1 ─┘   after 8192 ──► S_2 ─┘
//
// Cumulative, so that once two machines have parted it never agrees again: the only digest that a
// bisection may search on. engine/DESIGN.md, Digests, says which bytes, with vectors.

#ifndef REPLAY_TRACE_DIGEST_H_
#define REPLAY_TRACE_DIGEST_H_

#include <span>

#include "engine/base/digest.h"
#include "engine/messages/event.h"

namespace replay {

// Not thread-safe: owned by the driver.
class TraceDigest {
 public:
  // Goes on after runs that have ended with this chain. REQUIRES: nothing was added.
  void Resume(const engine::Digest& chain) { chain_ = chain; }

  // The events of the next command.
  void Add(std::span<const engine::Event> events) { events_.Add(std::as_bytes(events)); }

  // Ends the run of 4096 commands; `state` is zero where it is not checked.
  void EndRun(const engine::Digest& state);

  // As if the run, which is not empty, ended here; it may go on.
  engine::Digest Value(const engine::Digest& state) const;

  // Of the runs that have ended.
  const engine::Digest& chain() const { return chain_; }

 private:
  engine::Digest chain_;
  engine::Digester events_;
};

}  // namespace replay

#endif  // REPLAY_TRACE_DIGEST_H_
