#include "tools/os/web/web_request.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

// Eight bytes at a time: signatures have hundreds.
bool HasControl(absl::string_view text) {
  constexpr uint64_t kOnes = 0x0101'0101'0101'0101;
  constexpr uint64_t kHighs = 0x80 * kOnes;
  while (text.size() >= sizeof(uint64_t)) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), sizeof(bytes));
    const uint64_t deletes = bytes ^ (0x7f * kOnes);
    // A high bit for the first byte that is below 0x20, or becomes 0; perhaps for those after it.
    const uint64_t found = ((bytes - 0x20 * kOnes) & ~bytes) | ((deletes - kOnes) & ~deletes);
    if ((found & kHighs) != 0) return true;
    text.remove_prefix(sizeof(bytes));
  }
  return std::ranges::any_of(text, [](char c) { return absl::ascii_iscntrl(c); });
}

bool IsOwn(absl::string_view name) {
  return absl::StartsWithIgnoreCase(name, kOwnPrefix) ||
         std::ranges::any_of(
             kOwnHeaders, [&](absl::string_view own) { return absl::EqualsIgnoreCase(name, own); });
}

// At least as many bytes as the request has.
size_t SizeMax(const WebAddress& address, const WebRequest& request) {
  constexpr size_t kFixedBytes = 128;  // What is between the parts, the port and the length.
  constexpr size_t kHeaderBytes = 4;   // "\r\n" and ": ".
  size_t size = kFixedBytes + request.method.size() + request.target.size() + address.host.size() +
                request.body.size();
  for (const WebHeader& header : request.headers) {
    size += header.name.size() + header.value.size() + kHeaderBytes;
  }
  return size;
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
    if (HasControl(header.value)) return refuse("has a value with control characters");
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
  std::string bytes;
  bytes.reserve(SizeMax(address, request));  // One allocation.
  absl::StrAppend(&bytes, request.method, " ", request.target,
                  " HTTP/1.1\r\nHost: ", HostField(address));
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
