// Peers for a network under test, over each kind of sockets, so that the same test runs on all.

#ifndef TOOLS_OS_NETWORK_TESTING_NETWORK_WORLD_H_
#define TOOLS_OS_NETWORK_TESTING_NETWORK_WORLD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "tools/os/network/stream_sockets.h"

namespace tools {

// The other end of a connection. It never blocks. The destructor closes it.
class Peer {
 public:
  virtual ~Peer() = default;

  // Returns how many bytes were taken.
  virtual size_t Send(absl::string_view bytes) = 0;
  // Returns up to `bytes_max` bytes that have arrived, and notes an end.
  virtual std::string Receive(size_t bytes_max = SIZE_MAX) = 0;
  virtual void EndOutput() = 0;
  virtual void Close() = 0;
  virtual void Reset() = 0;
  // What Receive() has noted.
  virtual bool has_ended() const = 0;
  virtual bool is_reset() const = 0;
};

class NetworkWorld {
 public:
  virtual ~NetworkWorld() = default;

  virtual StreamSockets& sockets() = 0;
  // An address to listen on.
  virtual std::string address() = 0;
  virtual std::unique_ptr<Peer> Connect(const std::string& address) = 0;
};

// Aborts the test if the system has no sockets.
std::unique_ptr<NetworkWorld> MakeMemoryWorld(uint64_t seed);
std::unique_ptr<NetworkWorld> MakeTcpWorld();
// Its address is in a folder of its own, which it removes.
std::unique_ptr<NetworkWorld> MakeUnixWorld();

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_TESTING_NETWORK_WORLD_H_
