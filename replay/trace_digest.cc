#include "replay/trace_digest.h"

namespace replay {

void TraceDigest::EndRun(const engine::Digest& state) {
  chain_ = Value(state);
  outputs_.Reset();
}

engine::Digest TraceDigest::Value(const engine::Digest& state) const {
  const engine::Digest links[] = {chain_, outputs_.Finish(), state};
  return engine::DigestOf(std::as_bytes(std::span(links)));
}

}  // namespace replay
