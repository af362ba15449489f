// Snapshots of a venue's market data over SoupBinTCP, for receivers that join its feed late.
//
//   login ─► waits ─► OnTime ─► one snapshot for all who wait ─► end of session
//
// A session begins with the name of the feed's session, and has the messages of ItchFeed::Snapshot,
// numbered from 1. The last one says which message of the feed comes next. Specified in
// engine/wire/itch/PROTOCOL.md, 6, and engine/wire/soup/PROTOCOL.md.
//
// It sends no heartbeats: a login waits for a second at most, and then has packets to read.
//
// Cost: a snapshot takes the loop's time and memory for all orders that rest. At most one is made
// in a second, and at most kSnapshotsMax are in memory: before one more is made, the connections
// that still read the oldest end.

#ifndef ENGINE_GATEWAY_ITCH_ITCH_SNAPSHOTS_H_
#define ENGINE_GATEWAY_ITCH_ITCH_SNAPSHOTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/itch/itch_publisher.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/session_table.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/wire/soup/logins.h"
#include "engine/wire/soup/packets.h"

namespace engine {

// Who may log in. Users are unique, in upper and lower case.
struct ItchLogin {
  std::string user = {};      // At most kSoupUserBytes.
  std::string password = {};  // At most kSoupPasswordBytes.
};

// Not thread-safe: owned by the thread that submits. It submits nothing, and hears of no command.
class ItchSnapshots final : public SessionGateway {
 public:
  // A longer packet of a client ends its connection.
  static constexpr size_t kPacketBytesMax = 1'024;
  static constexpr int64_t kSnapshotNanos = 1'000'000'000;
  static constexpr size_t kSnapshotsMax = 8;
  static constexpr int64_t kSilenceNanos = 15'000'000'000;
  // Offered to a connection in one piece.
  static constexpr size_t kPieceBytes = size_t{64} << 10;

  // Without `logins`, everyone may log in. `publisher` outlives it.
  ItchSnapshots(const ItchPublisher& publisher, const std::vector<ItchLogin>& logins);

  SessionId Open() override { return sessions_.Add().id; }
  void Close(SessionId id) override;
  absl::Status OnBytes(SessionId id, Bytes bytes) override;
  bool is_full(SessionId) const override { return false; }
  absl::Status Continue(SessionId) override { return absl::OkStatus(); }
  absl::Status OnEnd(SessionId id) override;
  bool is_over(SessionId id) const override;
  bool has_logged_in(SessionId id) const override;
  bool has_held(SessionId id) const override;
  bool has_ready() const override { return !ready_.empty(); }
  void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) override;
  void Resume(SessionId id) override;
  absl::Status Work(absl::FunctionRef<bool()>) override { return absl::OkStatus(); }
  bool has_work() const override { return false; }
  void OnTime(SteadyTime now) override;
  SteadyTime next_time() const override { return next_time_; }
  size_t session_count() const override { return sessions_.size(); }

  void OnApplied(const Command&, std::span<const Event>, const Origin&) override {}
  void OnReleased(const Command&, std::span<const Event>, const Origin&) override {}

  // Since the start.
  uint64_t made_count() const { return made_count_; }

 private:
  struct Snapshot {
    uint64_t next_sequence = 0;
    std::string packets;  // The end of the session included.
  };
  struct Session {
    explicit Session(SessionId its_id) : id(its_id) {}

    const SessionId id;
    SoupReader reader{kPacketBytesMax};
    std::string own;  // Packets of the connection itself, to be sent first.
    std::shared_ptr<const Snapshot> snapshot;
    size_t taken = 0;  // Bytes of it.
    SteadyTime heard_at;
    bool has_logged_in = false;
    bool is_over = false;
    bool is_ready = false;  // It is in ready_.
  };

  Session* Find(SessionId id) const { return sessions_.Find(id); }
  void End(Session& session);
  void MakeReady(Session& session);
  void OnPacket(Session& session, const SoupPacket& packet);
  void LogIn(Session& session, Bytes payload);
  void Send(Session& session,
            absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take);
  // Gives those who wait a snapshot, if one may be made.
  void Serve();
  std::shared_ptr<const Snapshot> CurrentSnapshot();
  std::shared_ptr<const Snapshot> MakeSnapshot() const;
  void EndReadersOf(const std::shared_ptr<const Snapshot>& snapshot);

  const ItchPublisher& publisher_;
  const bool has_logins_;
  SoupLogins logins_;

  SessionTable<Session> sessions_;
  std::vector<SessionId> ready_;
  std::vector<SessionId> waiting_;                        // For a snapshot; may have ended.
  std::vector<std::weak_ptr<const Snapshot>> snapshots_;  // That may be read, the oldest first.
  uint64_t made_count_ = 0;
  SteadyTime now_;
  SteadyTime next_snapshot_;  // Not before.
  SteadyTime next_time_ = SteadyTime::Max();
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_ITCH_ITCH_SNAPSHOTS_H_
