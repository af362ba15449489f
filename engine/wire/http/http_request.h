// An HTTP request as its bytes say it, and why a request is refused.

#ifndef ENGINE_WIRE_HTTP_HTTP_REQUEST_H_
#define ENGINE_WIRE_HTTP_HTTP_REQUEST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"

namespace engine {

// A header field.
struct HttpField {
  absl::string_view name;   // As it was sent; names are compared without case.
  absl::string_view value;  // Without blanks around it.

  friend bool operator==(const HttpField&, const HttpField&) = default;
};

// Why a request is refused.
struct HttpError {
  int status = 0;          // 400, 413, 414, ...
  absl::string_view what;  // For people; a literal.

  friend bool operator==(const HttpError&, const HttpError&) = default;
};

// Plain data. Who owns the views says how long they are valid: see HttpReader.
struct HttpRequest {
  absl::string_view method;       // One of those that PROTOCOL.md lists.
  absl::string_view target;       // "/path?query" as it was sent, or "*" of OPTIONS.
  absl::string_view path;         // Up to the '?'. Not decoded: "%2F" stays.
  absl::string_view query;        // After the '?', not decoded; empty if there is none.
  std::vector<HttpField> fields;  // In the order of the request.
  uint64_t body_bytes = 0;        // As it was announced.
  absl::string_view body;
  int minor_version = 1;  // Of HTTP/1.
  // Whether the connection may go on after the response.
  bool keep_alive = true;
  // Whether it asks for WebSocket. WebSocketHandshake() decides whether it may have it.
  bool is_websocket_upgrade = false;

  // The value of the first field of this name, if any.
  std::optional<absl::string_view> Find(absl::string_view name) const;
  // Whether a field of this name lists the token: "a, b" lists "a" and "b". Without case.
  bool HasToken(absl::string_view name, absl::string_view token) const;
};

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_HTTP_REQUEST_H_
