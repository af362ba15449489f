// Writes HTTP/1.1 responses. Their bytes are a function of the arguments: a Date is a field that
// the caller gives.

#ifndef ENGINE_WIRE_HTTP_HTTP_RESPONSE_H_
#define ENGINE_WIRE_HTTP_HTTP_RESPONSE_H_

#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/wire/http/http_request.h"

namespace engine {

struct HttpResponse {
  int status = 200;
  absl::string_view content_type = "application/json";  // Not written if there is no body.
  std::span<const HttpField> fields = {};               // Others, as they are to be written.
  absl::string_view body = {};
  bool keep_alive = true;   // The request's keep_alive, unless the connection is to end.
  bool is_to_head = false;  // The request's method is HEAD: the length of the body, without it.
};

// REQUIRES: `fields` and the content type hold no control characters.
void AppendHttpResponse(const HttpResponse& response, std::string& out);

// The interim response that lets the client send its body.
void AppendHttpContinue(std::string& out);

// "Not Found" for 404; empty for a status that is unknown.
absl::string_view HttpReason(int status);

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_HTTP_RESPONSE_H_
