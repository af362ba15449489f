// The digest of what a machine did: a chain over its outputs and over its state.
//
//   outputs of rows 1..4096    ──► E_1 ─┐   4097..8192 ──► E_2 ─┐
//   T_0 = 0 ──────────────────────────► T_1 ──────────────────► T_2 ──► ...
//   state after command 4096 ─────► S_1 ─┘   after 8192 ──► S_2 ─┘
//
// The chain is cumulative: once two machines diverge, their digests never agree again. It is the
// only digest that a bisection may use. engine/DESIGN.md, Digests, specifies the bytes and has test
// vectors.

#ifndef REPLAY_TRACE_DIGEST_H_
#define REPLAY_TRACE_DIGEST_H_

#include <span>

#include "engine/base/digest.h"
#include "replay/output.h"

namespace replay {

// Not thread-safe: owned by the driver.
class TraceDigest {
 public:
  // Continues after complete runs that ended with this chain value. REQUIRES: nothing was added.
  void Resume(const engine::Digest& chain) { chain_ = chain; }

  // Adds the outputs of the next record.
  void Add(std::span<const Output> outputs) { outputs_.Add(std::as_bytes(outputs)); }

  // Ends the run of 4096 records.
  void EndRun(const engine::Digest& state) {
    chain_ = Value(state);
    outputs_.Reset();
  }

  // Returns the digest as if the current run ended here; the run may continue. REQUIRES: the run is
  // not empty.
  engine::Digest Value(const engine::Digest& state) const {
    return Extended(chain_, outputs_.Finish(), state);
  }

  // Returns the chain value after a run: from the one before it, the digest of the run's outputs,
  // and the state digest at its end.
  static engine::Digest Extended(const engine::Digest& chain, const engine::Digest& outputs,
                                 const engine::Digest& state) {
    const engine::Digest links[] = {chain, outputs, state};
    return engine::DigestOf(std::as_bytes(std::span(links)));
  }

  // The chain value after the last complete run.
  const engine::Digest& chain() const { return chain_; }

 private:
  engine::Digest chain_;
  engine::Digester outputs_;
};

}  // namespace replay

#endif  // REPLAY_TRACE_DIGEST_H_
