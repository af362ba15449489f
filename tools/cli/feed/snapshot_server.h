// Gives a late joiner the books that the sent part of a loaded feed leads to.

#ifndef TOOLS_CLI_FEED_SNAPSHOT_SERVER_H_
#define TOOLS_CLI_FEED_SNAPSHOT_SERVER_H_

#include <cstdint>
#include <map>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/soup/packets.h"
#include "tools/cli/feed/loaded_feed.h"
#include "tools/os/clocks.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"

namespace tools {

// Not thread-safe: owned by the verb. Accepts every login.
class SnapshotServer final : public NetworkHandler {
 public:
  // `feed` outlives it. Errors: those of Network::Listen.
  static absl::StatusOr<std::unique_ptr<SnapshotServer>> Listen(absl::string_view address,
                                                                const LoadedFeed& feed);

  // Serves those who have something to say, without a wait. A snapshot takes as long as reading the
  // feed up to here.
  void Serve() { network_.Turn(network_.Now(), *this); }

  uint64_t snapshot_count() const { return snapshot_count_; }  // Given.

  void OnAccepted(ConnectionId connection, ListenerId, absl::string_view) override;
  void OnBytes(ConnectionId connection, engine::Bytes bytes) override;
  void OnInputEnded(ConnectionId connection) override { network_.Close(connection); }
  void OnDrained(ConnectionId) override {}
  void OnClosed(ConnectionId connection, CloseReason) override { readers_.erase(connection); }

 private:
  SnapshotServer(std::unique_ptr<MonotonicClock> clock, std::unique_ptr<SystemSockets> sockets,
                 const LoadedFeed& feed);

  const LoadedFeed& feed_;
  std::unique_ptr<MonotonicClock> clock_;
  std::unique_ptr<SystemSockets> sockets_;
  Network network_;
  std::map<ConnectionId, engine::SoupReader> readers_;
  uint64_t snapshot_count_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_FEED_SNAPSHOT_SERVER_H_
