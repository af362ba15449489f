// A request of HTTP/1.1 as a value and as bytes.

#ifndef TOOLS_OS_WEB_WEB_REQUEST_H_
#define TOOLS_OS_WEB_WEB_REQUEST_H_

#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/os/web/web_address.h"

namespace tools {

struct WebHeader {
  absl::string_view name;
  absl::string_view value;
};

struct WebRequest {
  absl::string_view method = {};            // "GET", ...
  absl::string_view target = {};            // "/path?query", whole: no path of an address precedes.
  std::span<const WebHeader> headers = {};  // Besides those that describe the connection.
  absl::string_view body = {};
};

// Any bytes are safe. Errors: INVALID_ARGUMENT with the name of a header that is no token, has a
// value with control characters, or is the client's own: Host, Content-Length, Connection, Upgrade,
// Transfer-Encoding, Expect, and those of WebSocket. None shows a value, which may be a secret.
absl::Status CheckHeaders(std::span<const WebHeader> headers);

// Whether it is a '/' and visible ASCII. Errors: INVALID_ARGUMENT.
absl::Status CheckTarget(absl::string_view target);

// The request to the server at `address`, as it is sent. Errors: those of the checks;
// INVALID_ARGUMENT for a method that is no token.
absl::StatusOr<std::string> RequestBytes(const WebAddress& address, const WebRequest& request);

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_REQUEST_H_
