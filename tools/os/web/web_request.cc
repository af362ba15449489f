#include "tools/os/web/web_request.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

// Whether a byte is below kLow or DEL, or, if all have to be ASCII, above that. Sixteen at a time:
// signatures have hundreds.
template <char kLow, bool kIsAscii>
bool HasOther(absl::string_view text) {
  constexpr size_t kStep = sizeof(__m128i);
  while (text.size() >= kStep) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data()));
    const __m128i is_low =
        _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(static_cast<char>(kLow - 1))), bytes);
    __m128i found = _mm_or_si128(is_low, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)));
    if (kIsAscii) found = _mm_or_si128(found, bytes);  // The sign is what is looked at.
    if (_mm_movemask_epi8(found) != 0) return true;
    text.remove_prefix(kStep);
  }
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < kLow || byte == 0x7f || (kIsAscii && byte > 0x7f);
  });
}

bool HasControl(absl::string_view text) { return HasOther<' ', /*kIsAscii=*/false>(text); }
bool IsVisible(absl::string_view text) { return !HasOther<'!', /*kIsAscii=*/true>(text); }

// At least as many bytes as the request has.
size_t SizeMax(absl::string_view host, const WebRequest& request) {
  constexpr size_t kFixedBytes = 128;  // What is between the parts, and the length.
  constexpr size_t kHeaderBytes = 4;   // "\r\n" and ": ".
  size_t size = kFixedBytes + request.method.size() + request.target.size() + host.size() +
                request.body.size();
  for (const WebHeader& header : request.headers) {
    size += header.name.text().size() + header.value.size() + kHeaderBytes;
  }
  return size;
}

}  // namespace

absl::Status CheckHeaders(std::span<const WebHeader> headers) {
  for (const WebHeader& header : headers) {
    if (!HasControl(header.value)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the header '", header.name.text(), "' has a value with control characters"));
  }
  return absl::OkStatus();
}

absl::Status CheckTarget(absl::string_view target) {
  if (absl::StartsWith(target, "/") && IsVisible(target)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the path '", absl::CHexEscape(target),
                                                 "' of a request, expected '/' and visible ASCII"));
}

absl::StatusOr<std::string> RequestBytes(absl::string_view host, const WebRequest& request,
                                         std::string memory) {
  if (!IsHttpToken(request.method)) {
    return absl::InvalidArgumentError(absl::StrCat("the method '", absl::CHexEscape(request.method),
                                                   "', expected one of HTTP, such as GET"));
  }
  RETURN_IF_ERROR(CheckTarget(request.target));
  RETURN_IF_ERROR(CheckHeaders(request.headers));
  // Nothing is allocated, and next to nothing cleared, if it was as long before.
  memory.resize(SizeMax(host, request));
  char* at = memory.data();
  const auto add = [&](auto... texts) { ((at += texts.copy(at, texts.size())), ...); };
  using absl::string_view;
  add(request.method, string_view(" "), request.target, string_view(" HTTP/1.1\r\nHost: "), host);
  for (const WebHeader& header : request.headers) {
    add(string_view("\r\n"), header.name.text(), string_view(": "), header.value);
  }
  // Without a length, a request that could have a body leaves some servers waiting for it.
  if (!request.body.empty() || (request.method != "GET" && request.method != "HEAD")) {
    add(string_view("\r\nContent-Length: "), absl::AlphaNum(request.body.size()).Piece());
  }
  add(string_view("\r\n\r\n"), request.body);
  memory.resize(static_cast<size_t>(at - memory.data()));
  return memory;
}

}  // namespace tools
