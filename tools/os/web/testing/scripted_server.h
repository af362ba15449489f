// A server on the loopback that does what a test says, byte by byte.

#ifndef TOOLS_OS_WEB_TESTING_SCRIPTED_SERVER_H_
#define TOOLS_OS_WEB_TESTING_SCRIPTED_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/crypto/tls_sockets.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"
#include "tools/os/network/testing/network_log.h"

namespace tools {

// Connections are numbered from 0 on, in the order in which they were accepted. Not thread-safe.
// Aborts the test if the system has no sockets.
class ScriptedServer {
 public:
  // Listens on a free port of `ip`; over TLS with an identity.
  explicit ScriptedServer(const std::optional<ServerIdentity>& identity = std::nullopt,
                          absl::string_view ip = "127.0.0.1");

  uint16_t port() const { return port_; }

  // Sends and receives what is ready, without waiting.
  void Turn();

  size_t connection_count() const { return log_.accepted().size(); }
  // What the client has sent since Forget().
  absl::string_view received(size_t connection) const;
  void Forget(size_t connection) { forgotten_[connection] += received(connection).size(); }
  // Whether the client has ended its side.
  bool has_ended(size_t connection) const;

  void Send(size_t connection, absl::string_view bytes);
  // After all output is sent.
  void Close(size_t connection);
  // The client sees a reset.
  void Abort(size_t connection);

 private:
  ConnectionId IdOf(size_t connection) const { return log_.accepted().at(connection); }

  MonotonicClock clock_;
  const std::unique_ptr<SystemSockets> plain_;
  std::unique_ptr<TlsSockets> tls_;
  std::optional<Network> network_;
  NetworkLog log_;
  uint16_t port_ = 0;
  std::map<size_t, size_t> forgotten_;
};

// The reply that accepts the upgrade which `request` asks for.
std::string UpgradeReply(absl::string_view request);

// A frame of a server. `head`: FIN and the opcode, 0x81 for a text.
std::string ServerFrame(uint8_t head, absl::string_view payload);

// The payload of the masked frame that `bytes` begins with, which are cut by it; nothing, if it is
// not whole yet. `head` becomes its first byte.
std::optional<std::string> TakeClientFrame(absl::string_view& bytes, uint8_t& head);

}  // namespace tools

#endif  // TOOLS_OS_WEB_TESTING_SCRIPTED_SERVER_H_
