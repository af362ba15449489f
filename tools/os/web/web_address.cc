#include "tools/os/web/web_address.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"

namespace tools {
namespace {

constexpr size_t kUrlBytesMax = 2048;
constexpr size_t kHostBytesMax = 253;

struct Scheme {
  absl::string_view name;
  bool is_tls;
};
constexpr Scheme kSchemes[] = {
    {"http://", false}, {"https://", true}, {"ws://", false}, {"wss://", true}};

constexpr uint16_t PortOf(bool is_tls) { return is_tls ? 443 : 80; }

bool IsIp6(absl::string_view host) { return absl::StrContains(host, ':'); }

bool IsName(absl::string_view host) {
  return !host.empty() && host.size() <= kHostBytesMax && std::ranges::all_of(host, [](char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '_';
  });
}

// Whether it can be one: the system reads it.
bool IsIp6Number(absl::string_view host) {
  return IsIp6(host) && host.size() <= kHostBytesMax && std::ranges::all_of(host, [](char c) {
           return absl::ascii_isxdigit(c) || c == ':' || c == '.';
         });
}

bool IsPath(absl::string_view path) {
  return std::ranges::all_of(path, [](char c) { return absl::ascii_isgraph(c) && c != '#'; });
}

// Takes "host", "host:port" or "[number]:port" apart.
bool ReadHostAndPort(absl::string_view text, WebAddress& address) {
  absl::string_view host;
  if (absl::StartsWith(text, "[")) {
    const size_t end = text.find(']');
    if (end == absl::string_view::npos) return false;
    host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (!IsIp6Number(host)) return false;
  } else {
    host = text.substr(0, text.find(':'));
    text.remove_prefix(host.size());
    if (!IsName(host)) return false;
  }
  address.host = absl::AsciiStrToLower(host);
  if (text.empty()) return true;
  return absl::StartsWith(text, ":") && engine::ParseInteger(text.substr(1), address.port) &&
         address.port != 0;
}

}  // namespace

absl::StatusOr<WebAddress> ParseWebAddress(absl::string_view url) {
  for (const Scheme& scheme : kSchemes) {
    if (url.size() > kUrlBytesMax || !absl::StartsWithIgnoreCase(url, scheme.name)) continue;
    const absl::string_view rest = url.substr(scheme.name.size());
    const absl::string_view place = rest.substr(0, rest.find_first_of("/?"));
    const absl::string_view path = rest.substr(place.size());
    WebAddress address = {.is_tls = scheme.is_tls,
                          .host = {},
                          .port = PortOf(scheme.is_tls),
                          .path = std::string(path)};
    const bool has_path = path.empty() || absl::StartsWith(path, "/");
    if (has_path && IsPath(path) && ReadHostAndPort(place, address)) return address;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", absl::CHexEscape(url.substr(0, kUrlBytesMax)),
                   "' is no address of a web server, expected a URL such as "
                   "https://example.com:443/path, of http, https, ws or wss"));
}

std::string HostAndPort(const WebAddress& address) {
  return IsIp6(address.host) ? absl::StrCat("[", address.host, "]:", address.port)
                             : absl::StrCat(address.host, ":", address.port);
}

std::string HostField(const WebAddress& address) {
  if (address.port != PortOf(address.is_tls)) return HostAndPort(address);
  return IsIp6(address.host) ? absl::StrCat("[", address.host, "]") : address.host;
}

}  // namespace tools
