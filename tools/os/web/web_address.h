// Where a web server is, as the text of a URL and as a value.

#ifndef TOOLS_OS_WEB_WEB_ADDRESS_H_
#define TOOLS_OS_WEB_WEB_ADDRESS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// A regular value type.
struct WebAddress {
  bool is_tls = false;  // https and wss.
  std::string host;     // A name in lower case, or a number; of IPv6 without brackets.
  uint16_t port = 0;    // Of the scheme, if the URL has none: 80 or 443.
  std::string path;     // With its query, as it is in the URL. Empty, or from a '/' on.

  friend bool operator==(const WebAddress&, const WebAddress&) = default;
};

// Reads "https://host[:port]/path" of one of the schemes http, https, ws and wss. Any bytes are
// safe. Errors: INVALID_ARGUMENT with the text and what is expected.
absl::StatusOr<WebAddress> ParseWebAddress(absl::string_view url);

// "host:port", for messages; of IPv6 with brackets.
std::string HostAndPort(const WebAddress& address);

// The same as the field Host has it: without the port that the scheme has by itself.
std::string HostField(const WebAddress& address);

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_ADDRESS_H_
