// A socket's address as system calls take it.

#ifndef TOOLS_OS_NETWORK_SYSTEM_ADDRESS_H_
#define TOOLS_OS_NETWORK_SYSTEM_ADDRESS_H_

#include <sys/socket.h>

#include <string>

#include "tools/os/network/endpoint.h"

namespace tools {

// A regular value type. A new one is room for an address that the system gives.
struct SystemAddress {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(sockaddr_storage);

  // REQUIRES: `endpoint` is no Unix socket.
  static SystemAddress Of(const Endpoint& endpoint);

  // REQUIRES: is_ip().
  Endpoint ToEndpoint() const;
  // "unix" for a client of a Unix socket, which has no address.
  std::string ToString() const;

  bool is_ip() const { return storage.ss_family == AF_INET || storage.ss_family == AF_INET6; }
  // Of a group of receivers, not of one.
  bool is_multicast() const;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  template <typename T>
  T& as() {
    return reinterpret_cast<T&>(storage);
  }
  template <typename T>
  const T& as() const {
    return reinterpret_cast<const T&>(storage);
  }
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_SYSTEM_ADDRESS_H_
