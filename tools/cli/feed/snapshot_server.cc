#include "tools/cli/feed/snapshot_server.h"

#include <cstddef>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/wire/soup/login.h"

namespace tools {
namespace {

// A client sends its login, and heartbeats: a longer packet ends its connection.
constexpr size_t kPacketBytesMax = 1'024;

// All of a snapshot waits for its reader.
constexpr size_t kOutputBytesMax = size_t{1} << 32;

}  // namespace

absl::StatusOr<std::unique_ptr<SnapshotServer>> SnapshotServer::Listen(absl::string_view address,
                                                                       const LoadedFeed& feed) {
  auto clock = std::make_unique<MonotonicClock>();
  ASSIGN_OR_RETURN(auto sockets, SystemSockets::Make(*clock));
  std::unique_ptr<SnapshotServer> server(
      new SnapshotServer(std::move(clock), std::move(sockets), feed));
  RETURN_IF_ERROR(server->network_.Listen(address).status());
  return server;
}

SnapshotServer::SnapshotServer(std::unique_ptr<MonotonicClock> clock,
                               std::unique_ptr<SystemSockets> sockets, const LoadedFeed& feed)
    : feed_(feed),
      clock_(std::move(clock)),
      sockets_(std::move(sockets)),
      network_(*sockets_, {.output_bytes_max = kOutputBytesMax}) {}

void SnapshotServer::OnAccepted(ConnectionId connection, ListenerId, absl::string_view) {
  readers_.try_emplace(connection, kPacketBytesMax);
}

void SnapshotServer::OnBytes(ConnectionId connection, engine::Bytes bytes) {
  engine::SoupReader& reader = readers_.at(connection);
  reader.Feed(bytes);
  engine::SoupPacket packet;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next(packet);
    if (!more.ok()) return network_.Abort(connection);
    if (!*more) return;
    if (packet.type != engine::SoupType::kLoginRequest) continue;
    const auto login = engine::ParseSoupLoginRequest(packet.payload);
    if (!login.ok()) return network_.Abort(connection);
    std::string answer;
    if (!login->session.empty() && login->session != feed_.session()) {
      engine::AppendSoupLoginRejected(engine::SoupLoginRefusal::kSessionNotAvailable, answer);
    } else {
      engine::AppendSoupLoginAccepted({.session = feed_.session(), .sequence = 1}, answer);
      feed_.AppendSnapshot(answer);
      engine::AppendSoupPacket(engine::SoupType::kEndOfSession, {}, answer);
      ++snapshot_count_;
    }
    network_.Send(connection, engine::AsBytes(answer));
    return network_.Close(connection);
  }
}

}  // namespace tools
