#include "tools/serve/session_server.h"

#include <utility>

namespace tools {

void SessionServer::OnAccepted(ConnectionId connection, ListenerId, absl::string_view) {
  if (clients_.size() <= connection.slot) clients_.resize(connection.slot + 1);
  const engine::SessionId session = gateway_.Open();
  if (by_session_.size() <= session.place) by_session_.resize(session.place + 1);
  by_session_[session.place] = connection;
  ClientOf(connection) = {.connection = connection, .session = session, .unread = {}};
  logging_in_.push_back({.connection = connection, .deadline = network_.Now() + login_nanos_});
}

// A full session goes on reading its bytes when the network's are gone: it takes a copy.
void SessionServer::OnBytes(ConnectionId connection, engine::Bytes bytes) {
  Client& client = ClientOf(connection);
  input_.assign(bytes.begin(), bytes.end());
  Note(gateway_.OnBytes(client.session, input_));
  Settle(client, input_);
}

void SessionServer::Settle(Client& client, std::vector<std::byte>& bytes) {
  if (!gateway_.is_full(client.session)) {
    client.unread = {};
    if (std::exchange(client.is_full, false)) network_.ResumeReading(client.connection);
    if (client.has_input_ended) Note(gateway_.OnEnd(client.session));
    return;
  }
  if (&bytes != &client.unread) client.unread = std::move(bytes);  // Moves no byte.
  client.is_full = true;
  full_.push_back(client.connection);
  network_.PauseReading(client.connection);
}

void SessionServer::OnInputEnded(ConnectionId connection) {
  Client& client = ClientOf(connection);
  client.has_input_ended = true;
  if (!client.is_full) Note(gateway_.OnEnd(client.session));
}

void SessionServer::OnDrained(ConnectionId connection) {
  SetSlow(ClientOf(connection), false);
  gateway_.Resume(ClientOf(connection).session);
}

void SessionServer::SetSlow(Client& client, bool is_slow) {
  if (client.is_slow == is_slow) return;
  client.is_slow = is_slow;
  slow_count_ = is_slow ? slow_count_ + 1 : slow_count_ - 1;
}

void SessionServer::OnClosed(ConnectionId connection, CloseReason) {
  Client& client = ClientOf(connection);
  gateway_.Close(client.session);
  SetSlow(client, false);
  client = {};
}

void SessionServer::Send() {
  gateway_.TakeReady([&](engine::SessionId session, absl::string_view replies) {
    const ConnectionId connection = by_session_[session.place];
    const bool takes = network_.UnsentBytes(connection) <= kUnsentMax;
    if (takes) network_.Send(connection, engine::AsBytes(replies));
    Client& client = ClientOf(connection);
    SetSlow(client, !takes);
    const bool has_all =
        takes && client.has_input_ended && !client.is_full && !gateway_.has_held(session);
    if (has_all || gateway_.is_over(session)) network_.Close(connection);
    return takes;
  });
}

absl::Status SessionServer::TakeLines(absl::FunctionRef<bool()> has_room) {
  std::vector<ConnectionId> full = std::exchange(full_, {});
  size_t taken = 0;
  for (; taken < full.size() && has_room(); ++taken) {
    Client& client = ClientOf(full[taken]);
    if (client.connection != full[taken]) continue;  // It has ended.
    Note(gateway_.Continue(client.session));
    Settle(client, client.unread);
  }
  // The rest has the next turn.
  full_.insert(full_.begin(), full.begin() + static_cast<std::ptrdiff_t>(taken), full.end());
  return status_;
}

void SessionServer::EndOverdue(engine::SteadyTime now) {
  for (; next_deadline() <= now; logging_in_.pop_front()) {
    const ConnectionId connection = logging_in_.front().connection;
    const Client& client = ClientOf(connection);
    if (client.connection != connection || gateway_.has_logged_in(client.session)) continue;
    network_.Close(connection);
  }
}

void SessionServer::CloseAll() {
  for (const Client& client : clients_) {
    if (client.connection != ConnectionId()) network_.Close(client.connection);
  }
  full_.clear();
}

}  // namespace tools
