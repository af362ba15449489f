// The receiving end of a snapshot server, as Nasdaq's GLIMPSE: logs in, and takes messages until
// the one that says where the feed goes on.
//
//   ─► login request                                              SoupBinTCP
//   ◄─ login accepted, R, H, A, A, …, G: message 4,711 comes next
//   ─► logout request

#ifndef TOOLS_FEED_SNAPSHOT_DOWNLOAD_H_
#define TOOLS_FEED_SNAPSHOT_DOWNLOAD_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"

namespace tools {

// Sans-I/O. Not thread-safe: owned by the reader of the connection. One object, one connection.
class SnapshotDownload {
 public:
  // Longer snapshots are an error.
  static constexpr size_t kBytesMax = size_t{1} << 30;

  // Takes the next bytes of the server: any bytes. Returns whether the snapshot is complete; what
  // follows is ignored. Errors, sticky: INVALID_ARGUMENT for bytes that are no SoupBinTCP or out of
  // place; PERMISSION_DENIED if the login is rejected; NOT_FOUND if the session is; UNAVAILABLE if
  // it ends the session early; RESOURCE_EXHAUSTED for a snapshot that is too long.
  absl::StatusOr<bool> Take(engine::Bytes bytes);

  // Of a complete snapshot: see FeedHandler::TakeSnapshot.
  const std::string& session() const { return session_; }
  uint64_t next_sequence() const { return next_sequence_; }
  engine::Bytes framed() const { return engine::AsBytes(framed_); }

 private:
  absl::Status TakePacket(const engine::SoupPacket& packet);
  absl::Status TakeMessage(engine::Bytes message);

  engine::SoupReader reader_;
  bool is_logged_in_ = false;
  std::string session_;
  uint64_t next_sequence_ = 0;  // Not 0: the snapshot is complete.
  std::string framed_;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_FEED_SNAPSHOT_DOWNLOAD_H_
