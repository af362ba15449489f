#include "tools/os/network/endpoint.h"

#include <arpa/inet.h>
#include <limits.h>

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"

namespace tools {
namespace {

constexpr absl::string_view kUnixPrefix = "unix:";
constexpr size_t kUnixPathMax = PATH_MAX - 1;

bool IsAddress(int family, const std::string& host) {
  in6_addr parsed;
  return inet_pton(family, host.c_str(), &parsed) == 1;
}

absl::Status Invalid(absl::string_view text, absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is no address to listen on: expected ", expected));
}

absl::StatusOr<Endpoint> ParseUnix(absl::string_view text) {
  const absl::string_view path = absl::StripPrefix(text, kUnixPrefix);
  if (path.empty() || path.size() > kUnixPathMax || absl::StrContains(path, '\0')) {
    return Invalid(text, absl::StrCat("unix:PATH with a path of 1 to ", kUnixPathMax, " bytes"));
  }
  return Endpoint{.family = Endpoint::Family::kUnix, .host = std::string(path)};
}

}  // namespace

absl::StatusOr<Endpoint> Endpoint::Parse(absl::string_view text) {
  if (absl::StartsWith(text, kUnixPrefix)) return ParseUnix(text);
  constexpr absl::string_view kExpected = "PORT, IP:PORT, [IPv6]:PORT, localhost:PORT or unix:PATH";
  const size_t colon = text.rfind(':');
  const bool is_port = colon == absl::string_view::npos;
  if (is_port && !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    return Invalid(text, kExpected);
  }
  absl::string_view host = is_port ? "localhost" : text.substr(0, colon);
  Endpoint endpoint;
  if (!engine::ParseInteger(is_port ? text : text.substr(colon + 1), endpoint.port)) {
    return Invalid(text, "a port from 0 to 65535");
  }
  if (host == "localhost") host = "127.0.0.1";
  if (absl::ConsumePrefix(&host, "[") && absl::ConsumeSuffix(&host, "]")) {
    endpoint.family = Family::kIp6;
  }
  endpoint.host = std::string(host);
  const int family = endpoint.family == Family::kIp6 ? AF_INET6 : AF_INET;
  if (!IsAddress(family, endpoint.host)) return Invalid(text, kExpected);
  return endpoint;
}

std::string Endpoint::ToString() const {
  switch (family) {
    case Family::kIp4:
      return absl::StrCat(host, ":", port);
    case Family::kIp6:
      return absl::StrCat("[", host, "]:", port);
    case Family::kUnix:
      return absl::StrCat(kUnixPrefix, host);
  }
  return {};
}

}  // namespace tools
