#include "tools/serve/testing/noted_sockets.h"

namespace tools {

// A client that is gone before it is accepted has its number, too.
StreamSockets::Accepted NotedSockets::Accept(int listener) {
  Accepted accepted = inner_.Accept(listener);
  if (accepted.outcome == Outcome::kFailed) ++connection_count_;
  if (accepted.outcome == Outcome::kDone) {
    connections_[accepted.socket] = connection_count_;
    note_(Note::What::kAccepted, connection_count_++, {});
  }
  return accepted;
}

StreamSockets::Moved NotedSockets::Receive(int socket, engine::MutableBytes into) {
  const Moved moved = inner_.Receive(socket, into);
  const size_t connection = connections_.at(socket);
  if (moved.outcome == Outcome::kDone) {
    note_(Note::What::kBytes, connection, engine::AsText(into.first(moved.bytes)));
  } else if (moved.outcome == Outcome::kEnded) {
    note_(Note::What::kInputEnded, connection, {});
  }
  return moved;
}

StreamSockets::Moved NotedSockets::Transmit(int socket, engine::Bytes bytes) {
  const Moved moved = inner_.Transmit(socket, bytes);
  if (moved.outcome == Outcome::kDone) {
    note_(Note::What::kSent, connections_.at(socket), engine::AsText(bytes.first(moved.bytes)));
  }
  return moved;
}

void NotedSockets::Close(int socket) {
  NoteClosed(socket);
  inner_.Close(socket);
}

void NotedSockets::Reset(int socket) {
  NoteClosed(socket);
  inner_.Reset(socket);
}

void NotedSockets::Wait(int64_t nanos_max, std::vector<SocketEvent>& events) {
  note_(Note::What::kWaiting, 0, {});
  inner_.Wait(nanos_max, events);
}

void NotedSockets::NoteClosed(int socket) {
  const auto found = connections_.find(socket);
  if (found == connections_.end()) return;  // A listener.
  note_(Note::What::kClosed, found->second, {});
  connections_.erase(found);
}

}  // namespace tools
