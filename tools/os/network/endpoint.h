// Where a listener is, as text and as a value.

#ifndef TOOLS_OS_NETWORK_ENDPOINT_H_
#define TOOLS_OS_NETWORK_ENDPOINT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// A regular value type. Text forms: "127.0.0.1:80", "[::1]:80", "unix:PATH".
struct Endpoint {
  enum class Family { kIp4, kIp6, kUnix };

  Family family = Family::kIp4;
  std::string host;  // Numbers, or the path of a socket.
  uint16_t port = 0;

  // Also accepts "localhost:80" and "80", of 127.0.0.1. Names are not resolved. Errors:
  // INVALID_ARGUMENT with the text and what is expected.
  static absl::StatusOr<Endpoint> Parse(absl::string_view text);
  std::string ToString() const;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_ENDPOINT_H_
