// Two sockets of this process that are connected over the loopback device: what lies between two
// programs of one machine, to be measured.

#ifndef TOOLS_OS_NETWORK_LOOPBACK_PAIR_H_
#define TOOLS_OS_NETWORK_LOOPBACK_PAIR_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

// Each end may be used by a thread of its own.
class LoopbackPair {
 public:
  enum class Kind { kTcp, kUdp };
  enum class Waiting {
    kSleep,
    kSpin,  // Busy polling.
  };

  // TCP sends without delay. Errors: those of the calls, with their names.
  static absl::StatusOr<std::unique_ptr<LoopbackPair>> Open(Kind kind);
  LoopbackPair(const LoopbackPair&) = delete;
  LoopbackPair& operator=(const LoopbackPair&) = delete;
  ~LoopbackPair();

  // Sends all from `end`, 0 or 1. Returns false if the pair has ended.
  bool Send(size_t end, engine::Bytes bytes);
  // The next bytes or the next datagram that `end` receives; 0 if the pair has ended.
  size_t Receive(size_t end, engine::MutableBytes into, Waiting waiting);
  // Ends the pair, also for a thread that waits.
  void End();

 private:
  explicit LoopbackPair(std::array<int, 2> sockets) : sockets_(sockets) {}

  const std::array<int, 2> sockets_;
  std::atomic<bool> has_ended_ = false;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_LOOPBACK_PAIR_H_
