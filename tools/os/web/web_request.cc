#include "tools/os/web/web_request.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

// What the client writes itself: a second one could end the request elsewhere.
constexpr absl::string_view kOwnHeaders[] = {"Host",       "Content-Length", "Transfer-Encoding",
                                             "Connection", "Upgrade",        "Expect"};
constexpr absl::string_view kOwnPrefix = "Sec-WebSocket-";

// RFC 9110, 5.6.2.
bool IsToken(absl::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return absl::ascii_isalnum(c) || absl::StrContains("!#$%&'*+-.^_`|~", c);
  });
}

bool IsOwn(absl::string_view name) {
  return absl::StartsWithIgnoreCase(name, kOwnPrefix) ||
         std::ranges::any_of(
             kOwnHeaders, [&](absl::string_view own) { return absl::EqualsIgnoreCase(name, own); });
}

}  // namespace

absl::Status CheckHeaders(std::span<const WebHeader> headers) {
  for (const WebHeader& header : headers) {
    const auto refuse = [&](absl::string_view why) {
      return absl::InvalidArgumentError(
          absl::StrCat("the header '", absl::CHexEscape(header.name), "' ", why));
    };
    if (!IsToken(header.name)) return refuse("has no name of HTTP, expected letters and '-'");
    if (IsOwn(header.name)) return refuse("is written by the client itself");
    if (std::ranges::any_of(header.value, [](char c) { return absl::ascii_iscntrl(c); })) {
      return refuse("has a value with control characters");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTarget(absl::string_view target) {
  if (absl::StartsWith(target, "/") &&
      std::ranges::all_of(target, [](char c) { return absl::ascii_isgraph(c); })) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("the path '", absl::CHexEscape(target),
                                                 "' of a request, expected '/' and visible ASCII"));
}

absl::StatusOr<std::string> RequestBytes(const WebAddress& address, const WebRequest& request) {
  if (!IsToken(request.method)) {
    return absl::InvalidArgumentError(absl::StrCat("the method '", absl::CHexEscape(request.method),
                                                   "', expected one of HTTP, such as GET"));
  }
  RETURN_IF_ERROR(CheckTarget(request.target));
  RETURN_IF_ERROR(CheckHeaders(request.headers));
  std::string bytes =
      absl::StrCat(request.method, " ", request.target, " HTTP/1.1\r\nHost: ", HostField(address));
  for (const WebHeader& header : request.headers) {
    absl::StrAppend(&bytes, "\r\n", header.name, ": ", header.value);
  }
  // Without a length, a request that could have a body leaves some servers waiting for it.
  if (!request.body.empty() || (request.method != "GET" && request.method != "HEAD")) {
    absl::StrAppend(&bytes, "\r\nContent-Length: ", request.body.size());
  }
  absl::StrAppend(&bytes, "\r\n\r\n", request.body);
  return bytes;
}

}  // namespace tools
