#include "engine/wire/http/http_response.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/http/http_request.h"

namespace engine {
namespace {

struct Reason {
  int status;
  absl::string_view text;
};

constexpr Reason kReasons[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
};

// A control character in a field would end it, and begin what the server did not mean to write.
void AppendField(absl::string_view name, absl::string_view value, std::string& out) {
  CHECK(std::none_of(name.begin(), name.end(), absl::ascii_iscntrl));
  CHECK(std::none_of(value.begin(), value.end(), absl::ascii_iscntrl));
  absl::StrAppend(&out, name, ": ", value, "\r\n");
}

}  // namespace

absl::string_view HttpReason(int status) {
  for (const Reason& reason : kReasons) {
    if (reason.status == status) return reason.text;
  }
  return "";
}

void AppendHttpResponse(const HttpResponse& response, std::string& out) {
  const bool has_body = response.status != 204 && response.status != 304;
  absl::StrAppend(&out, "HTTP/1.1 ", response.status, " ", HttpReason(response.status), "\r\n");
  if (has_body) {
    if (!response.body.empty()) AppendField("Content-Type", response.content_type, out);
    absl::StrAppend(&out, "Content-Length: ", response.body.size(), "\r\n");
  }
  for (const HttpField& field : response.fields) AppendField(field.name, field.value, out);
  absl::StrAppend(&out, "Connection: ", response.keep_alive ? "keep-alive" : "close", "\r\n\r\n");
  if (has_body && !response.is_to_head) out.append(response.body.data(), response.body.size());
}

void AppendHttpContinue(std::string& out) { out.append("HTTP/1.1 100 Continue\r\n\r\n"); }

}  // namespace engine
