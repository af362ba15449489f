#include "tools/os/network/network.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

// Listeners have generation 0, which no connection has.
constexpr uint64_t TagOf(ConnectionId id) { return uint64_t{id.generation} << 32 | id.slot; }

constexpr ConnectionId IdOf(uint64_t tag) {
  return {.slot = static_cast<uint32_t>(tag), .generation = static_cast<uint32_t>(tag >> 32)};
}

// Of what is not the network's: no listener has this index.
constexpr uint64_t kForeignTag = TagOf({.slot = UINT32_MAX, .generation = 0});

}  // namespace

absl::string_view NameOf(CloseReason reason) {
  switch (reason) {
    case CloseReason::kClosed:
      return "closed";
    case CloseReason::kUnflushed:
      return "unflushed";
    case CloseReason::kAborted:
      return "aborted";
    case CloseReason::kReset:
      return "reset";
    case CloseReason::kOutputFull:
      return "output full";
  }
  CHECK(false);
}

Network::Network(StreamSockets& sockets, const NetworkOptions& options)
    : sockets_(sockets), options_(options), input_(options.read_bytes_max) {}

Network::~Network() {
  for (const Connection& connection : connections_) {
    if (connection.socket != StreamSockets::kNone) sockets_.Close(connection.socket);
  }
  for (const ListenerState& listener : listeners_) {
    if (listener.socket != StreamSockets::kNone) sockets_.Close(listener.socket);
  }
}

absl::StatusOr<Network::Listener> Network::Listen(absl::string_view address) {
  ASSIGN_OR_RETURN(StreamSockets::Bound bound, sockets_.Listen(address));
  const ListenerId id = {.index = static_cast<uint32_t>(listeners_.size())};
  if (!sockets_.Watch(bound.socket, id.index)) {
    sockets_.Close(bound.socket);
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot listen on ", address, ": the system cannot watch one more socket"));
  }
  listeners_.push_back({.socket = bound.socket});
  return Listener{.id = id, .address = std::move(bound.address)};
}

void Network::StopListening(ListenerId listener) {
  if (listener.index >= listeners_.size()) return;
  ListenerState& state = listeners_[listener.index];
  if (state.socket != StreamSockets::kNone) sockets_.Close(state.socket);
  state = {};
}

void Network::Turn(engine::SteadyTime deadline, NetworkHandler& handler) {
  Flush();
  Wait(deadline);
  if (is_accepting_paused_ && sockets_.Now() >= accepting_resumes_) is_accepting_paused_ = false;
  for (const SocketEvent& event : events_) Take(event);
  // A listener that the handler adds has its turn next time.
  const auto listener_count = static_cast<uint32_t>(listeners_.size());
  for (uint32_t i = 0; i < listener_count; ++i) AcceptFrom(i, handler);
  ReadReady(handler);
  EndOverdue();
  ReportDrained(handler);
  ReportClosed(handler);
}

void Network::Send(ConnectionId id, engine::Bytes bytes) {
  Connection* connection = Find(id);
  if (connection == nullptr || connection->is_closing || bytes.empty()) return;
  connection->output.Append(bytes, spare_buffers_);
  QueueFlush(id, *connection);
  // A burst does not end a connection whose peer reads.
  if (connection->output.size() > options_.output_bytes_max) FlushOne(id, *connection);
  if (connection->output.size() > options_.output_bytes_max) {
    End(id, *connection, CloseReason::kOutputFull);
    return;
  }
  if (connection->output.size() > options_.output_mark_bytes) connection->is_above_mark = true;
}

void Network::Flush() {
  for (const ConnectionId id : dirty_) {
    Connection* connection = Find(id);
    if (connection == nullptr) continue;
    connection->is_dirty = false;
    FlushOne(id, *connection);
  }
  dirty_.clear();
}

size_t Network::UnsentBytes(ConnectionId id) const {
  const Connection* connection = Find(id);
  return connection == nullptr ? 0 : connection->output.size();
}

void Network::PauseReading(ConnectionId id) {
  Connection* connection = Find(id);
  if (connection != nullptr) connection->is_paused = true;
}

void Network::ResumeReading(ConnectionId id) {
  Connection* connection = Find(id);
  if (connection == nullptr) return;
  connection->is_paused = false;
  if (connection->is_readable) QueueRead(id, *connection);
}

void Network::Close(ConnectionId id) {
  Connection* connection = Find(id);
  if (connection == nullptr || connection->is_closing) return;
  connection->is_closing = true;
  closing_.push_back({.connection = id, .deadline = sockets_.Now() + options_.close_nanos});
  QueueFlush(id, *connection);
  ResumeReading(id);
}

void Network::Abort(ConnectionId id) {
  Connection* connection = Find(id);
  if (connection != nullptr) End(id, *connection, CloseReason::kAborted);
}

const Network::Connection* Network::Find(ConnectionId id) const {
  if (id.slot >= connections_.size()) return nullptr;
  const Connection& connection = connections_[id.slot];
  if (connection.generation != id.generation) return nullptr;
  return connection.socket == StreamSockets::kNone ? nullptr : &connection;
}

Network::Connection* Network::Find(ConnectionId id) {
  return const_cast<Connection*>(std::as_const(*this).Find(id));
}

ConnectionId Network::Add(int socket, uint32_t listener) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<uint32_t>(connections_.size()));
    connections_.emplace_back();
  }
  const uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Connection& connection = connections_[slot];
  connection.socket = socket;
  connection.listener = listener;
  connection.is_writable = true;
  ++listeners_[listener].connection_count;
  ++connection_count_;
  return {.slot = slot, .generation = connection.generation};
}

void Network::Remove(ConnectionId id) {
  const uint32_t next_generation = id.generation + 1;
  --listeners_[connections_[id.slot].listener].connection_count;
  connections_[id.slot] = {};
  connections_[id.slot].generation = next_generation;
  // A slot whose generations are used up stays empty.
  if (next_generation != 0) free_slots_.push_back(id.slot);
  --connection_count_;
}

void Network::End(ConnectionId id, Connection& connection, CloseReason reason) {
  if (reason == CloseReason::kClosed) {
    sockets_.Close(connection.socket);
  } else {
    sockets_.Reset(connection.socket);
  }
  connection.socket = StreamSockets::kNone;
  connection.output.Clear(spare_buffers_);
  closed_.push_back({.connection = id, .reason = reason});
}

void Network::EndIfFlushed(ConnectionId id, Connection& connection) {
  if (!connection.is_closing || connection.output.size() > 0) return;
  if (connection.has_ended) {
    End(id, connection, CloseReason::kClosed);
  } else if (!connection.is_shut) {
    connection.is_shut = true;
    sockets_.EndOutput(connection.socket);
  }
}

void Network::Wait(engine::SteadyTime deadline) {
  events_.clear();
  if (HasWork()) {
    sockets_.Wait(0, events_);
    return;
  }
  while (!closing_.empty() && Find(closing_.front().connection) == nullptr) closing_.pop_front();
  if (!closing_.empty()) deadline = std::min(deadline, closing_.front().deadline);
  if (is_accepting_paused_) deadline = std::min(deadline, accepting_resumes_);
  sockets_.Wait(std::max<int64_t>(deadline - sockets_.Now(), 0), events_);
}

bool Network::HasWork() const {
  return (!ready_.empty() && !is_input_held_) || !drained_.empty() || !closed_.empty() ||
         IsAnyListenerReady();
}

bool Network::IsAnyListenerReady() const {
  return !is_accepting_paused_ &&
         std::any_of(listeners_.begin(), listeners_.end(),
                     [](const ListenerState& listener) { return listener.is_ready; });
}

absl::Status Network::WakeAtInput(int descriptor) {
  if (sockets_.Watch(descriptor, kForeignTag)) return absl::OkStatus();
  return absl::ResourceExhaustedError("the system can watch no more descriptors");
}

void Network::Take(const SocketEvent& event) {
  if (event.tag == kForeignTag) return;
  const ConnectionId id = IdOf(event.tag);
  if (id.generation == 0) {
    listeners_[id.slot].is_ready = listeners_[id.slot].socket != StreamSockets::kNone;
    return;
  }
  Connection* connection = Find(id);
  if (connection == nullptr) return;
  const bool is_read = !connection->has_ended && (!connection->is_paused || connection->is_closing);
  if (event.is_failed && !is_read) {
    End(id, *connection, CloseReason::kReset);
    return;
  }
  connection->is_at_end |= event.is_at_end;
  if (event.is_input && !connection->has_ended) {
    connection->is_readable = true;
    QueueRead(id, *connection);
  }
  if (event.is_output) {
    connection->is_writable = true;
    if (connection->output.size() > 0) QueueFlush(id, *connection);
  }
}

void Network::QueueRead(ConnectionId id, Connection& connection) {
  if (connection.is_queued) return;
  connection.is_queued = true;
  ready_.push_back(id);
}

void Network::QueueFlush(ConnectionId id, Connection& connection) {
  if (connection.is_dirty) return;
  connection.is_dirty = true;
  dirty_.push_back(id);
}

void Network::AcceptFrom(uint32_t listener, NetworkHandler& handler) {
  for (uint32_t i = 0; i < options_.accepts_max; ++i) {
    // Looked up each time: the handler may stop this listener or add another.
    ListenerState& state = listeners_[listener];
    if (!state.is_ready || is_accepting_paused_) return;
    const StreamSockets::Accepted accepted = sockets_.Accept(state.socket);
    switch (accepted.outcome) {
      case StreamSockets::Outcome::kDone:
        if (!Welcome(accepted, listener, handler)) return PauseAccepting();
        break;
      case StreamSockets::Outcome::kExhausted:
        return PauseAccepting();
      case StreamSockets::Outcome::kWouldBlock:
        state.is_ready = false;
        return;
      case StreamSockets::Outcome::kEnded:
      case StreamSockets::Outcome::kFailed:
        break;  // The peer was gone before it was accepted.
    }
  }
}

bool Network::Welcome(const StreamSockets::Accepted& accepted, uint32_t listener,
                      NetworkHandler& handler) {
  if (listeners_[listener].connection_count >= options_.connections_max) {
    sockets_.Close(accepted.socket);
    ++counts_.refused;
    return true;
  }
  const ConnectionId id = Add(accepted.socket, listener);
  if (!sockets_.Watch(accepted.socket, TagOf(id))) {
    sockets_.Close(accepted.socket);
    Remove(id);
    return false;
  }
  ++counts_.accepted;
  handler.OnAccepted(id, {.index = listener}, accepted.peer);
  return true;
}

void Network::PauseAccepting() {
  is_accepting_paused_ = true;
  accepting_resumes_ = sockets_.Now() + options_.accept_pause_nanos;
  ++counts_.accept_pauses;
}

void Network::ReadReady(NetworkHandler& handler) {
  // Those that have more to read queue again, after all that are ready now.
  size_t reads = std::min<size_t>(ready_.size(), options_.turn_reads_max);
  size_t bytes = 0;
  for (; reads > 0 && bytes < options_.turn_bytes_max && !is_input_held_; --reads) {
    const ConnectionId id = ready_.front();
    ready_.pop_front();
    Connection* connection = Find(id);
    if (connection == nullptr) continue;
    connection->is_queued = false;
    if (!connection->is_paused) bytes += ReadOnce(id, *connection, handler);
  }
}

size_t Network::ReadOnce(ConnectionId id, Connection& connection, NetworkHandler& handler) {
  const StreamSockets::Moved moved = sockets_.Receive(connection.socket, input_);
  connection.is_readable = false;
  switch (moved.outcome) {
    case StreamSockets::Outcome::kDone:
      if (moved.is_more || connection.is_at_end) {
        connection.is_readable = true;
        QueueRead(id, connection);
      }
      if (!connection.is_closing) handler.OnBytes(id, engine::Bytes(input_).first(moved.bytes));
      return moved.bytes;
    case StreamSockets::Outcome::kWouldBlock:
      return 0;
    case StreamSockets::Outcome::kEnded:
      connection.has_ended = true;
      if (connection.is_closing) {
        EndIfFlushed(id, connection);
      } else {
        handler.OnInputEnded(id);
      }
      return 0;
    case StreamSockets::Outcome::kFailed:
    case StreamSockets::Outcome::kExhausted:
      End(id, connection, CloseReason::kReset);
      return 0;
  }
  CHECK(false);
}

void Network::FlushOne(ConnectionId id, Connection& connection) {
  while (connection.is_writable && connection.output.size() > 0) {
    const StreamSockets::Moved moved =
        sockets_.Transmit(connection.socket, connection.output.unsent());
    switch (moved.outcome) {
      case StreamSockets::Outcome::kDone:
        connection.output.Drop(moved.bytes, spare_buffers_);
        break;
      case StreamSockets::Outcome::kWouldBlock:
        connection.is_writable = false;
        break;
      case StreamSockets::Outcome::kEnded:
      case StreamSockets::Outcome::kFailed:
      case StreamSockets::Outcome::kExhausted:
        return End(id, connection, CloseReason::kReset);
    }
  }
  NoteMark(id, connection);
  EndIfFlushed(id, connection);
}

void Network::NoteMark(ConnectionId id, Connection& connection) {
  if (!connection.is_above_mark || connection.output.size() > options_.output_mark_bytes / 2)
    return;
  connection.is_above_mark = false;
  drained_.push_back(id);
}

void Network::EndOverdue() {
  if (closing_.empty()) return;
  const engine::SteadyTime now = sockets_.Now();
  while (!closing_.empty() && closing_.front().deadline <= now) {
    const ConnectionId id = closing_.front().connection;
    closing_.pop_front();
    Connection* connection = Find(id);
    if (connection == nullptr) continue;
    End(id, *connection,
        connection->output.size() == 0 ? CloseReason::kClosed : CloseReason::kUnflushed);
  }
}

void Network::ReportDrained(NetworkHandler& handler) {
  for (size_t i = 0; i < drained_.size(); ++i) {
    const ConnectionId id = drained_[i];
    const Connection* connection = Find(id);
    if (connection != nullptr && !connection->is_closing) handler.OnDrained(id);
  }
  drained_.clear();
}

void Network::ReportClosed(NetworkHandler& handler) {
  // The handler may end further connections.
  for (size_t i = 0; i < closed_.size(); ++i) {
    const Closed closed = closed_[i];
    handler.OnClosed(closed.connection, closed.reason);
    Remove(closed.connection);
  }
  closed_.clear();
}

}  // namespace tools
