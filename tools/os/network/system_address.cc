#include "tools/os/network/system_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>

#include "engine/base/check.h"

namespace tools {
namespace {

std::string IpText(int family, const void* ip) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  CHECK(inet_ntop(family, ip, text.data(), text.size()) != nullptr);
  return text.data();
}

}  // namespace

SystemAddress SystemAddress::Of(const Endpoint& endpoint) {
  SystemAddress address;
  switch (endpoint.family) {
    case Endpoint::Family::kIp4: {
      auto& ip = address.as<sockaddr_in>();
      ip.sin_family = AF_INET;
      ip.sin_port = htons(endpoint.port);
      CHECK_EQ(inet_pton(AF_INET, endpoint.host.c_str(), &ip.sin_addr), 1);
      address.size = sizeof(ip);
      break;
    }
    case Endpoint::Family::kIp6: {
      auto& ip = address.as<sockaddr_in6>();
      ip.sin6_family = AF_INET6;
      ip.sin6_port = htons(endpoint.port);
      CHECK_EQ(inet_pton(AF_INET6, endpoint.host.c_str(), &ip.sin6_addr), 1);
      address.size = sizeof(ip);
      break;
    }
    case Endpoint::Family::kUnix:
      CHECK(false);
  }
  return address;
}

Endpoint SystemAddress::ToEndpoint() const {
  CHECK(is_ip());
  Endpoint endpoint;
  if (storage.ss_family == AF_INET) {
    const auto& ip = as<sockaddr_in>();
    endpoint.host = IpText(AF_INET, &ip.sin_addr);
    endpoint.port = ntohs(ip.sin_port);
  } else {
    const auto& ip = as<sockaddr_in6>();
    endpoint.family = Endpoint::Family::kIp6;
    endpoint.host = IpText(AF_INET6, &ip.sin6_addr);
    endpoint.port = ntohs(ip.sin6_port);
  }
  return endpoint;
}

std::string SystemAddress::ToString() const { return is_ip() ? ToEndpoint().ToString() : "unix"; }

bool SystemAddress::is_multicast() const {
  switch (storage.ss_family) {
    case AF_INET:
      return IN_MULTICAST(ntohl(as<sockaddr_in>().sin_addr.s_addr));
    case AF_INET6:
      return IN6_IS_ADDR_MULTICAST(&as<sockaddr_in6>().sin6_addr);
    default:
      return false;
  }
}

}  // namespace tools
