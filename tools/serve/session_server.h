// Connects a gateway to the network.
//
//   Network ─► OnBytes ─► SessionGateway ─► ... ─► TakeReady ─► Send() ─► Network
//     ▲                      │ full: no more is read        │ a slow client: replies stay
//     └──── PauseReading ────┘                              └─► OnDrained: they follow

#ifndef TOOLS_SERVE_SESSION_SERVER_H_
#define TOOLS_SERVE_SESSION_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/session_gateway.h"
#include "tools/os/network/network.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop, as are the network and the gateway, which
// outlive it. Each connection of its listeners is one session.
class SessionServer final : public NetworkHandler {
 public:
  // The unsent replies of a connection, above which further ones stay in its session.
  static constexpr size_t kUnsentMax = 64 << 10;

  // REQUIRES: the network reports OnDrained for a connection with kUnsentMax bytes, and lets one
  // have kUnsentMax + SessionGateway::kReplyBytesEnd and a line more.
  // A connection that has not logged in after `login_nanos` ends.
  SessionServer(Network& network, engine::SessionGateway& gateway, int64_t login_nanos)
      : network_(network), gateway_(gateway), login_nanos_(login_nanos) {}

  // Sends what may leave since the last call. Call it after each turn of the network, and after
  // events were released.
  void Send();

  // Takes more lines of the sessions that were full, of each until it is full again, as long as
  // `has_room` returns true. Returns status().
  absl::Status TakeLines(absl::FunctionRef<bool()> has_room);
  bool has_full() const { return !full_.empty(); }

  // Ends the connections whose time to log in is over; next_deadline() is when the next one is.
  void EndOverdue(engine::SteadyTime now);
  engine::SteadyTime next_deadline() const {
    return logging_in_.empty() ? engine::SteadyTime::Max() : logging_in_.front().deadline;
  }

  // Whether replies stay in sessions whose clients read slowly.
  bool has_slow() const { return slow_count_ != 0; }

  // Ends all connections once their replies are sent; lines that were not taken are lost.
  void CloseAll();

  // OK, or the error that ended the journal; sticky.
  const absl::Status& status() const { return status_; }

  void OnAccepted(ConnectionId connection, ListenerId listener, absl::string_view peer) override;
  void OnBytes(ConnectionId connection, engine::Bytes bytes) override;
  void OnInputEnded(ConnectionId connection) override;
  void OnDrained(ConnectionId connection) override;
  void OnClosed(ConnectionId connection, CloseReason reason) override;

 private:
  // Of one connection, at the place of its slot.
  struct Client {
    ConnectionId connection;
    engine::SessionId session;
    bool is_full = false;           // It is in full_.
    bool is_slow = false;           // Replies stay in its session; see slow_count_.
    bool has_input_ended = false;   // The client sends no more.
    std::vector<std::byte> unread;  // Lines that a full session has not taken.
  };

  struct LoggingIn {
    ConnectionId connection;
    engine::SteadyTime deadline;
  };

  Client& ClientOf(ConnectionId connection) { return clients_[connection.slot]; }
  void SetSlow(Client& client, bool is_slow);
  // After the session has taken lines from `bytes`; if it is full, it needs the rest later.
  void Settle(Client& client, std::vector<std::byte>& bytes);
  void Note(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }

  Network& network_;
  engine::SessionGateway& gateway_;
  const int64_t login_nanos_;
  absl::Status status_;
  std::vector<Client> clients_;           // By slot of the connection.
  std::vector<ConnectionId> by_session_;  // By place of the session.
  std::vector<ConnectionId> full_;
  size_t slow_count_ = 0;
  std::deque<LoggingIn> logging_in_;  // Ascending by deadline.
  std::vector<std::byte> input_;      // The bytes that a session takes.
};

}  // namespace tools

#endif  // TOOLS_SERVE_SESSION_SERVER_H_
