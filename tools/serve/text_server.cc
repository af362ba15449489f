#include "tools/serve/text_server.h"

#include <utility>

namespace tools {

void TextServer::OnAccepted(ConnectionId connection, ListenerId, absl::string_view) {
  if (clients_.size() <= connection.slot) clients_.resize(connection.slot + 1);
  const engine::TextGateway::SessionId session = gateway_.Open();
  if (by_session_.size() <= session.place) by_session_.resize(session.place + 1);
  by_session_[session.place] = connection;
  ClientOf(connection) = {.connection = connection, .session = session, .unread = {}};
}

// A full session goes on reading its bytes when the network's are gone: it takes a copy.
void TextServer::OnBytes(ConnectionId connection, engine::Bytes bytes) {
  Client& client = ClientOf(connection);
  input_.assign(bytes.begin(), bytes.end());
  Note(gateway_.OnBytes(client.session, input_));
  Settle(client, input_);
}

void TextServer::Settle(Client& client, std::vector<std::byte>& bytes) {
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

void TextServer::OnInputEnded(ConnectionId connection) {
  Client& client = ClientOf(connection);
  client.has_input_ended = true;
  if (!client.is_full) Note(gateway_.OnEnd(client.session));
}

void TextServer::OnDrained(ConnectionId connection) {
  gateway_.Resume(ClientOf(connection).session);
}

void TextServer::OnClosed(ConnectionId connection, CloseReason) {
  Client& client = ClientOf(connection);
  gateway_.Close(client.session);
  client = {};
}

void TextServer::Send() {
  gateway_.TakeReady([&](engine::TextGateway::SessionId session, absl::string_view replies) {
    const ConnectionId connection = by_session_[session.place];
    const bool takes = network_.UnsentBytes(connection) <= kUnsentMax;
    if (takes) network_.Send(connection, engine::AsBytes(replies));
    const Client& client = ClientOf(connection);
    const bool has_all =
        takes && client.has_input_ended && !client.is_full && !gateway_.has_held(session);
    if (has_all || gateway_.is_over(session)) network_.Close(connection);
    return takes;
  });
  for (const ConnectionId connection : std::exchange(full_, {})) {
    Client& client = ClientOf(connection);
    if (client.connection != connection) continue;  // It has ended.
    Note(gateway_.Continue(client.session));
    Settle(client, client.unread);
  }
}

}  // namespace tools
