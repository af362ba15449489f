// Sockets that note what a venue takes from them and gives to them, in order.
//
//   MemorySockets ◄── NotedSockets ◄── Network
//                          └─► Note: what, and of which connection

#ifndef TOOLS_SERVE_TESTING_NOTED_SOCKETS_H_
#define TOOLS_SERVE_TESTING_NOTED_SOCKETS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/doorbell.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "tools/os/network/stream_sockets.h"

namespace tools {

// One thing that happened between a venue and the world.
struct Note {
  enum class What {
    kAccepted,
    kBytes,       // The venue has read them.
    kInputEnded,  // The venue has seen it.
    kSent,
    kClosed,   // By the venue; also after a reset.
    kWaiting,  // A turn begins.
    kRead,     // The venue reads its clock, as it does once it has used what a turn has read.
    kDrain,    // The venue is asked to end.
  };
  What what = {};
  size_t connection = 0;  // From 0, in the order in which the clients connected.
  std::string bytes;

  engine::SteadyTime time;
  engine::SequenceNumber applied;  // The last command at that moment.
  engine::SequenceNumber durable;  // The last one that no crash can lose.
};

using NoteDown = std::function<void(Note::What, size_t connection, absl::string_view bytes)>;

// Not thread-safe. `inner` outlives it.
class NotedSockets final : public StreamSockets {
 public:
  NotedSockets(StreamSockets& inner, NoteDown note) : inner_(inner), note_(std::move(note)) {}

  absl::StatusOr<Bound> Listen(absl::string_view address) override {
    return inner_.Listen(address);
  }
  Accepted Accept(int listener) override;
  bool Watch(int socket, uint64_t tag) override { return inner_.Watch(socket, tag); }
  Moved Receive(int socket, engine::MutableBytes into) override;
  Moved Transmit(int socket, engine::Bytes bytes) override;
  void EndOutput(int socket) override { inner_.EndOutput(socket); }
  void Close(int socket) override;
  void Reset(int socket) override;
  void Wait(int64_t nanos_max, std::vector<SocketEvent>& events) override;
  engine::SteadyTime Now() override { return inner_.Now(); }
  engine::Doorbell& bell() override { return inner_.bell(); }

 private:
  void NoteClosed(int socket);

  StreamSockets& inner_;
  const NoteDown note_;
  size_t connection_count_ = 0;
  std::map<int, size_t> connections_;  // By socket.
};

// A clock whose readings are noted. `inner` outlives it.
class NotedClock final : public engine::SteadyClock {
 public:
  NotedClock(engine::SteadyClock& inner, NoteDown note) : inner_(inner), note_(std::move(note)) {}
  engine::SteadyTime Now() override {
    note_(Note::What::kRead, 0, {});
    return inner_.Now();
  }

 private:
  engine::SteadyClock& inner_;
  const NoteDown note_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_NOTED_SOCKETS_H_
