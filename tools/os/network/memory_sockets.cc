#include "tools/os/network/memory_sockets.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "tools/os/network/endpoint.h"

namespace tools {

// Both directions of a connection, shared by its ends.
struct MemoryStream {
  // Of one end: what it has sent that the other end has not taken yet.
  struct Direction {
    std::string bytes;
    bool has_ended = false;
  };

  Direction to_network;
  Direction to_peer;
  size_t window = size_t{64} << 10;
  int socket = StreamSockets::kNone;  // The network's end, once accepted and until it is closed.
  bool is_network_closed = false;
  bool is_peer_closed = false;
  bool is_reset = false;

  size_t Room(const Direction& direction) const {
    return window - std::min(window, direction.bytes.size());
  }
  void Reset() {
    is_reset = true;
    to_network.bytes.clear();
    to_peer.bytes.clear();
  }
};

MemoryPeer::MemoryPeer(MemorySockets& sockets, std::shared_ptr<MemoryStream> stream)
    : sockets_(sockets), stream_(std::move(stream)) {}

MemoryPeer::~MemoryPeer() { Close(); }

size_t MemoryPeer::Send(engine::Bytes bytes) {
  if (stream_->is_network_closed) stream_->Reset();
  if (stream_->is_reset || stream_->to_network.has_ended) return 0;
  const size_t count = std::min(bytes.size(), stream_->Room(stream_->to_network));
  absl::StrAppend(&stream_->to_network.bytes, engine::AsText(bytes.first(count)));
  sockets_.NoteChange(stream_->socket);
  return count;
}

std::string MemoryPeer::Receive(size_t bytes_max) {
  std::string& bytes = stream_->to_peer.bytes;
  std::string received = bytes.substr(0, bytes_max);
  bytes.erase(0, received.size());
  if (!received.empty()) sockets_.NoteChange(stream_->socket);
  return received;
}

void MemoryPeer::EndOutput() {
  stream_->to_network.has_ended = true;
  sockets_.NoteChange(stream_->socket);
}

void MemoryPeer::Close() {
  if (stream_->is_peer_closed) return;
  stream_->is_peer_closed = true;
  if (!stream_->to_peer.bytes.empty()) stream_->Reset();
  EndOutput();
}

void MemoryPeer::Reset() {
  stream_->is_peer_closed = true;
  stream_->Reset();
  sockets_.NoteChange(stream_->socket);
}

void MemoryPeer::SetWindow(size_t bytes) {
  stream_->window = bytes;
  sockets_.NoteChange(stream_->socket);
}

bool MemoryPeer::has_ended() const {
  return stream_->to_peer.has_ended && stream_->to_peer.bytes.empty();
}

bool MemoryPeer::is_reset() const { return stream_->is_reset; }

MemorySockets::MemorySockets(engine::ManualSteadyClock& clock, uint64_t seed)
    : clock_(clock), prng_(seed) {}

MemorySockets::~MemorySockets() = default;

absl::StatusOr<std::unique_ptr<MemoryPeer>> MemorySockets::Connect(absl::string_view address) {
  const int listener = FindListener(address);
  if (listener == kNone) {
    return absl::UnavailableError(absl::StrCat("cannot connect to ", address, ": none listens"));
  }
  auto stream = std::make_shared<MemoryStream>();
  sockets_[listener].waiting.push_back(stream);
  NoteChange(listener);
  return std::unique_ptr<MemoryPeer>(new MemoryPeer(*this, std::move(stream)));
}

absl::StatusOr<StreamSockets::Bound> MemorySockets::Listen(absl::string_view address) {
  ASSIGN_OR_RETURN(Endpoint endpoint, Endpoint::Parse(address));
  if (endpoint.family != Endpoint::Family::kUnix && endpoint.port == 0) {
    endpoint.port = next_port_++;
  }
  if (FindListener(endpoint.ToString()) != kNone) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot listen on ", address, ": address already in use"));
  }
  Socket listener;
  listener.address = endpoint.ToString();
  return Bound{.socket = Add(std::move(listener)), .address = endpoint.ToString()};
}

StreamSockets::Accepted MemorySockets::Accept(int listener) {
  std::vector<std::shared_ptr<MemoryStream>>& waiting = sockets_[listener].waiting;
  if (waiting.empty()) return {};
  if (socket_count_ >= sockets_max_)
    return {.outcome = Outcome::kExhausted, .socket = kNone, .peer = {}};
  std::shared_ptr<MemoryStream> stream = std::move(waiting.front());
  waiting.erase(waiting.begin());
  if (stream->is_reset) return {.outcome = Outcome::kFailed, .socket = kNone, .peer = {}};
  Socket socket;
  socket.stream = stream;
  stream->socket = Add(std::move(socket));
  return {.outcome = Outcome::kDone, .socket = stream->socket, .peer = "memory"};
}

bool MemorySockets::Watch(int socket, uint64_t tag) {
  sockets_[socket].tag = tag;
  sockets_[socket].is_watched = true;
  NoteChange(socket);
  return true;
}

StreamSockets::Moved MemorySockets::Receive(int socket, engine::MutableBytes into) {
  MemoryStream& stream = *sockets_[socket].stream;
  if (stream.is_reset) return {.outcome = Outcome::kFailed};
  std::string& bytes = stream.to_network.bytes;
  if (bytes.empty()) {
    return {.outcome = stream.to_network.has_ended ? Outcome::kEnded : Outcome::kWouldBlock};
  }
  const size_t count = Cut(std::min(bytes.size(), into.size()));
  std::memcpy(into.data(), bytes.data(), count);
  bytes.erase(0, count);
  return {.outcome = Outcome::kDone, .bytes = count, .is_more = !bytes.empty()};
}

StreamSockets::Moved MemorySockets::Transmit(int socket, engine::Bytes bytes) {
  MemoryStream& stream = *sockets_[socket].stream;
  if (stream.is_reset) return {.outcome = Outcome::kFailed};
  if (stream.is_peer_closed) {
    // The bytes leave; what they meet is noticed later.
    stream.Reset();
    NoteChange(socket);
    return {.outcome = Outcome::kDone, .bytes = bytes.size()};
  }
  const size_t room = stream.Room(stream.to_peer);
  if (room == 0) return {.outcome = Outcome::kWouldBlock};
  const size_t count = Cut(std::min(bytes.size(), room));
  absl::StrAppend(&stream.to_peer.bytes, engine::AsText(bytes.first(count)));
  return {.outcome = Outcome::kDone, .bytes = count};
}

void MemorySockets::EndOutput(int socket) { sockets_[socket].stream->to_peer.has_ended = true; }

void MemorySockets::Close(int socket) {
  if (MemoryStream* stream = sockets_[socket].stream.get(); stream != nullptr) {
    stream->to_peer.has_ended = true;
    stream->is_network_closed = true;
    if (!stream->to_network.bytes.empty()) stream->Reset();
    stream->socket = kNone;
  }
  for (const std::shared_ptr<MemoryStream>& stream : sockets_[socket].waiting) {
    stream->is_network_closed = true;
    stream->Reset();
  }
  Free(socket);
}

void MemorySockets::Reset(int socket) {
  MemoryStream& stream = *sockets_[socket].stream;
  stream.is_network_closed = true;
  stream.Reset();
  stream.socket = kNone;
  Free(socket);
}

void MemorySockets::Wait(int64_t nanos_max, std::vector<SocketEvent>& events) {
  if (changed_.empty() && !bell_.is_rung()) clock_.Advance(nanos_max);
  if (nanos_max > 0) bell_.Wait(0);
  std::vector<int> later;
  while (!changed_.empty()) {
    std::swap(changed_[prng_.Below(changed_.size())], changed_.back());
    const int socket = changed_.back();
    changed_.pop_back();
    if (!events.empty() && prng_.Chance(20)) {
      later.push_back(socket);
      continue;
    }
    sockets_[socket].is_changed = false;
    if (sockets_[socket].is_watched) events.push_back(EventOf(sockets_[socket]));
  }
  changed_ = std::move(later);
}

int MemorySockets::Add(Socket socket) {
  const auto free = std::find_if(sockets_.begin(), sockets_.end(),
                                 [](const Socket& each) { return each.is_free(); });
  ++socket_count_;
  const auto index = static_cast<int>(free - sockets_.begin());
  if (free == sockets_.end()) {
    sockets_.push_back(std::move(socket));
    return index;
  }
  socket.is_changed = free->is_changed;
  *free = std::move(socket);
  return index;
}

void MemorySockets::Free(int socket) {
  --socket_count_;
  const bool is_changed = sockets_[socket].is_changed;
  sockets_[socket] = {};
  sockets_[socket].is_changed = is_changed;
}

int MemorySockets::FindListener(absl::string_view address) const {
  for (size_t i = 0; i < sockets_.size(); ++i) {
    if (sockets_[i].address == address) return static_cast<int>(i);
  }
  return kNone;
}

void MemorySockets::NoteChange(int socket) {
  if (socket == kNone || sockets_[socket].is_changed) return;
  sockets_[socket].is_changed = true;
  changed_.push_back(socket);
}

SocketEvent MemorySockets::EventOf(const Socket& socket) const {
  SocketEvent event = {.tag = socket.tag};
  if (socket.stream == nullptr) {
    event.is_input = !socket.waiting.empty();
    return event;
  }
  const MemoryStream& stream = *socket.stream;
  event.is_failed = stream.is_reset;
  event.is_at_end = stream.is_reset || stream.to_network.has_ended;
  event.is_input = event.is_at_end || !stream.to_network.bytes.empty();
  event.is_output = stream.is_reset || stream.Room(stream.to_peer) > 0;
  return event;
}

size_t MemorySockets::Cut(size_t bytes) {
  return prng_.Chance(50) ? bytes : 1 + prng_.Below(bytes);
}

}  // namespace tools
