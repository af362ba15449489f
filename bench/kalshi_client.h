// The client's side of connections to Kalshi's API: what it sends, and what it counts of the
// replies.

#ifndef BENCH_KALSHI_CLIENT_H_
#define BENCH_KALSHI_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/os/network/testing/network_world.h"

namespace bench {

// Of a clock that never steps.
int64_t NowNanos();

// Sends all of it. Errors: DEADLINE_EXCEEDED if the server takes nothing for a minute.
absl::Status SendAll(absl::string_view bytes, tools::Peer& peer);

// Counts the frames in the bytes of a server, cut anywhere.
class FrameCounter {
 public:
  // Returns how many frames end in `bytes`.
  size_t Count(absl::string_view bytes);

 private:
  std::string head_;      // Of a frame of which the length is not whole yet.
  uint64_t to_skip_ = 0;  // Of the payload.
};

// A connection that sends one request at a time. Not thread-safe.
class RequestClient {
 public:
  explicit RequestClient(std::unique_ptr<tools::Peer> peer) : peer_(std::move(peer)) {}

  // REQUIRES: the request before has its reply.
  absl::Status Send(absl::string_view request);
  // Whether the reply to the last request has come; never waits. Errors: ABORTED if its status is
  // not `status`, with the reply, or if the connection has ended; DEADLINE_EXCEEDED.
  absl::StatusOr<bool> HasReply(absl::string_view status);
  // Waits for it.
  absl::Status AwaitReply(absl::string_view status);

  tools::Peer& peer() { return *peer_; }

 private:
  std::unique_ptr<tools::Peer> peer_;
  std::string received_;
  int64_t sent_at_ = 0;
};

}  // namespace bench

#endif  // BENCH_KALSHI_CLIENT_H_
