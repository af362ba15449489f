#include "engine/wire/http/request_rules.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "engine/wire/http/http_request.h"

namespace engine {
namespace {

constexpr HttpError kFine = {};

constexpr std::array<absl::string_view, 7> kMethods = {"GET",   "POST", "DELETE", "PUT",
                                                       "PATCH", "HEAD", "OPTIONS"};

HttpError CheckMethod(const HttpRequest& request) {
  if (std::find(kMethods.begin(), kMethods.end(), request.method) != kMethods.end()) return kFine;
  return {.status = 501, .what = "an unknown method"};
}

HttpError CheckTarget(const HttpRequest& request) {
  if (request.target == "*" && request.method == "OPTIONS") return kFine;
  if (request.target[0] != '/') return {.status = 400, .what = "the target is not a path"};
  const bool is_text = std::all_of(request.target.begin(), request.target.end(),
                                   [](char c) { return absl::ascii_isgraph(c) && c != '#'; });
  if (!is_text) return {.status = 400, .what = "the target has a character that it may not have"};
  return kFine;
}

bool IsHostCharacter(char c) {
  return absl::ascii_isalnum(c) || absl::StrContains("-._~%!$&'()*+,;=:[]", c);
}

HttpError CheckHost(const HttpRequest& request) {
  int count = 0;
  for (const HttpField& field : request.fields) {
    if (!absl::EqualsIgnoreCase(field.name, "Host")) continue;
    ++count;
    if (!std::all_of(field.value.begin(), field.value.end(), IsHostCharacter)) {
      return {.status = 400, .what = "a malformed Host"};
    }
  }
  if (count > 1) return {.status = 400, .what = "more than one Host"};
  if (count == 0 && request.minor_version > 0) return {.status = 400, .what = "no Host"};
  return kFine;
}

// Bodies have a Content-Length: where a chunk with quoted extensions ends is read in more than one
// way.
HttpError CheckCoding(const HttpRequest& request) {
  const auto is_coding = [](const HttpField& field) {
    return absl::EqualsIgnoreCase(field.name, "Transfer-Encoding");
  };
  if (std::none_of(request.fields.begin(), request.fields.end(), is_coding)) return kFine;
  if (request.minor_version == 0) return {.status = 400, .what = "Transfer-Encoding in HTTP/1.0"};
  return {.status = 501, .what = "a Transfer-Encoding; expected a Content-Length"};
}

HttpError CheckExpect(const HttpRequest& request) {
  for (const HttpField& field : request.fields) {
    if (!absl::EqualsIgnoreCase(field.name, "Expect")) continue;
    if (!absl::EqualsIgnoreCase(field.value, "100-continue")) {
      return {.status = 417, .what = "an unknown expectation"};
    }
  }
  return kFine;
}

}  // namespace

HttpError CheckRequest(const HttpRequest& request) {
  for (const auto check : {CheckMethod, CheckTarget, CheckHost, CheckCoding, CheckExpect}) {
    const HttpError error = check(request);
    if (error.status != 0) return error;
  }
  return kFine;
}

}  // namespace engine
