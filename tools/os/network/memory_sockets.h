// Sockets within one thread, for tests: what happens is a function of the seed and of the calls,
// and time is virtual.
//
//   MemoryPeer (the test's end) ─── at most its window ───► MemorySockets ─► Network
//                               ◄── at most its window ───

#ifndef TOOLS_OS_NETWORK_MEMORY_SOCKETS_H_
#define TOOLS_OS_NETWORK_MEMORY_SOCKETS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/doorbell.h"
#include "engine/base/prng.h"
#include "engine/base/steady_time.h"
#include "tools/os/network/stream_sockets.h"

namespace tools {

class MemorySockets;
struct MemoryStream;

// The other end of a connection. Not thread-safe. The destructor closes it.
class MemoryPeer {
 public:
  ~MemoryPeer();
  MemoryPeer(const MemoryPeer&) = delete;
  MemoryPeer& operator=(const MemoryPeer&) = delete;

  // Returns how many bytes fitted into the window; 0 once the connection has ended.
  size_t Send(engine::Bytes bytes);

  // Takes up to `bytes_max` bytes that have arrived.
  std::string Receive(size_t bytes_max = SIZE_MAX);

  // Sends no more; still receives.
  void EndOutput();
  // Ends both directions. The network sees a reset if bytes were not received.
  void Close();
  void Reset();

  // How many bytes may be under way in each direction, from now on; 64 KiB at first.
  void SetWindow(size_t bytes);

  // All bytes were received, and no more follow.
  bool has_ended() const;
  // The network reset the connection.
  bool is_reset() const;

 private:
  friend class MemorySockets;
  MemoryPeer(MemorySockets& sockets, std::shared_ptr<MemoryStream> stream);

  MemorySockets& sockets_;
  const std::shared_ptr<MemoryStream> stream_;
};

// Reads and sends are cut anywhere, events arrive in any order and now and then a turn later. A
// wait in which nothing happens sets the clock to its end.
class MemorySockets final : public StreamSockets {
 public:
  // `clock` outlives the sockets, and they outlive their peers.
  MemorySockets(engine::ManualSteadyClock& clock, uint64_t seed);
  ~MemorySockets() override;

  // Errors: UNAVAILABLE if none listens there.
  absl::StatusOr<std::unique_ptr<MemoryPeer>> Connect(absl::string_view address);

  // With more sockets than these, listeners included, the system has none left.
  void set_sockets_max(size_t count) { sockets_max_ = count; }

  absl::StatusOr<Bound> Listen(absl::string_view address) override;
  Accepted Accept(int listener) override;
  bool Watch(int socket, uint64_t tag) override;
  Moved Receive(int socket, engine::MutableBytes into) override;
  Moved Transmit(int socket, engine::Bytes bytes) override;
  void EndOutput(int socket) override;
  void Close(int socket) override;
  void Reset(int socket) override;
  void Wait(int64_t nanos_max, std::vector<SocketEvent>& events) override;
  engine::SteadyTime Now() override { return clock_.Now(); }
  engine::Doorbell& bell() override { return bell_; }

 private:
  friend class MemoryPeer;

  class Bell final : public engine::Doorbell {
   public:
    void Ring() override { is_rung_ = true; }
    void Wait(int64_t) override { is_rung_ = false; }
    bool is_rung() const { return is_rung_; }

   private:
    bool is_rung_ = false;
  };
  // A listener or one end of a stream; neither: free.
  struct Socket {
    std::string address;  // Of a listener.
    std::vector<std::shared_ptr<MemoryStream>> waiting;
    std::shared_ptr<MemoryStream> stream;
    uint64_t tag = 0;
    bool is_watched = false;
    bool is_changed = false;  // In changed_.

    bool is_free() const { return address.empty() && stream == nullptr; }
  };

  int Add(Socket socket);
  void Free(int socket);
  int FindListener(absl::string_view address) const;
  void NoteChange(int socket);
  SocketEvent EventOf(const Socket& socket) const;
  size_t Cut(size_t bytes);

  engine::ManualSteadyClock& clock_;
  engine::Prng prng_;
  Bell bell_;
  size_t sockets_max_ = SIZE_MAX;
  size_t socket_count_ = 0;
  uint16_t next_port_ = 40'000;
  std::vector<Socket> sockets_;
  std::vector<int> changed_;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_MEMORY_SOCKETS_H_
