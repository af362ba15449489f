// Connects the text protocol's gateway to the network.
//
//   Network ─► OnBytes ─► TextGateway ─► ... ─► TakeReady ─► Send() ─► Network
//     ▲                      │ full: no more is read        │ a slow client: replies stay
//     └──── PauseReading ────┘                              └─► OnDrained: they follow

#ifndef TOOLS_SERVE_TEXT_SERVER_H_
#define TOOLS_SERVE_TEXT_SERVER_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/gateway/text_gateway.h"
#include "tools/os/network/network.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop, as are the network and the gateway, which
// outlive it. Each connection of its listeners is one session.
class TextServer final : public NetworkHandler {
 public:
  // The unsent replies of a connection, above which further ones stay in its session.
  static constexpr size_t kUnsentMax = 64 << 10;

  // REQUIRES: the network reports OnDrained for a connection with kUnsentMax bytes, and lets one
  // have kUnsentMax + TextGateway::kReplyBytesEnd and a line more.
  TextServer(Network& network, engine::TextGateway& gateway)
      : network_(network), gateway_(gateway) {}

  // Sends what may leave since the last call, and takes more lines of the sessions that were full.
  // Call it after each turn of the network, and after events were released.
  void Send();

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
    engine::TextGateway::SessionId session;
    bool is_full = false;           // It is in full_.
    bool has_input_ended = false;   // The client sends no more.
    std::vector<std::byte> unread;  // Lines that a full session has not taken.
  };

  Client& ClientOf(ConnectionId connection) { return clients_[connection.slot]; }
  // After the session has taken lines from `bytes`; if it is full, it needs the rest later.
  void Settle(Client& client, std::vector<std::byte>& bytes);
  void Note(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }

  Network& network_;
  engine::TextGateway& gateway_;
  absl::Status status_;
  std::vector<Client> clients_;           // By slot of the connection.
  std::vector<ConnectionId> by_session_;  // By place of the session.
  std::vector<ConnectionId> full_;
  std::vector<std::byte> input_;  // The bytes that a session takes.
};

}  // namespace tools

#endif  // TOOLS_SERVE_TEXT_SERVER_H_
