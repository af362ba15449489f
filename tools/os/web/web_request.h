// A request of HTTP/1.1 as a value and as bytes.

#ifndef TOOLS_OS_WEB_WEB_REQUEST_H_
#define TOOLS_OS_WEB_WEB_REQUEST_H_

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// Whether it is a name of a method or of a header: RFC 9110, 5.6.2.
constexpr bool IsHttpToken(absl::string_view text) {
  constexpr char kOthers[] = "!#$%&'*+-.^_`|~";
  for (const char c : text) {
    const bool is_letter = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
    const bool is_digit = '0' <= c && c <= '9';
    const bool is_other = std::find(kOthers, std::end(kOthers) - 1, c) != std::end(kOthers) - 1;
    if (!is_letter && !is_digit && !is_other) return false;
  }
  return !text.empty();
}

// The name of a header of a request: a literal that the compiler checks.
class WebHeaderName {
 public:
  template <size_t kSize>
  consteval WebHeaderName(const char (&name)[kSize]) : text_(name, kSize - 1) {
    if (!IsAllowed(text_)) throw "no name of HTTP, or one of a header that the client writes";
  }

  constexpr absl::string_view text() const { return text_; }

  // False also for what the client writes itself: a second one could end the request elsewhere.
  static constexpr bool IsAllowed(absl::string_view name) {
    constexpr absl::string_view kOwn[] = {"host",       "content-length", "transfer-encoding",
                                          "connection", "upgrade",        "expect"};
    for (const absl::string_view own : kOwn) {
      if (name.size() == own.size() && StartsWith(name, own)) return false;
    }
    return IsHttpToken(name) && !StartsWith(name, "sec-websocket-");
  }

 private:
  // `start`: in lower case.
  static constexpr bool StartsWith(absl::string_view name, absl::string_view start) {
    if (name.size() < start.size()) return false;
    for (size_t i = 0; i < start.size(); ++i) {
      const bool is_upper = 'A' <= name[i] && name[i] <= 'Z';
      if ((is_upper ? name[i] - 'A' + 'a' : name[i]) != start[i]) return false;
    }
    return true;
  }

  absl::string_view text_;
};

struct WebHeader {
  WebHeaderName name;
  absl::string_view value;
};

struct WebRequest {
  absl::string_view method = {};            // "GET", ...
  absl::string_view target = {};            // "/path?query", whole: no path of an address precedes.
  std::span<const WebHeader> headers = {};  // Besides those that describe the connection.
  absl::string_view body = {};
};

// Values may be any bytes. Errors: INVALID_ARGUMENT with the name of a header whose value has
// control characters, but without the value, which may be a secret.
absl::Status CheckHeaders(std::span<const WebHeader> headers);

// Whether it is a '/' and visible ASCII. Errors: INVALID_ARGUMENT.
absl::Status CheckTarget(absl::string_view target);

// The request as it is sent. `host`: HostField() of the server's address. `memory`: a text that is
// not needed any more; nothing is allocated if it has room. Errors: those of the checks;
// INVALID_ARGUMENT for a method that is no token.
absl::StatusOr<std::string> RequestBytes(absl::string_view host, const WebRequest& request,
                                         std::string memory = {});

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_REQUEST_H_
