// Boost.Beast's parser of requests, and the rules that it leaves to us. Beast's headers are
// included in the source only.

#ifndef ENGINE_WIRE_HTTP_REQUEST_PARSER_H_
#define ENGINE_WIRE_HTTP_REQUEST_PARSER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/wire/http/http_request.h"

namespace engine {

// Parses one request. Not thread-safe.
class RequestParser {
 public:
  // Both outlive the parser, which fills them.
  RequestParser(HttpRequest& request, std::string& body);
  ~RequestParser();

  // Parses the head, whole: from the request line to the empty line. The request's views are into
  // it. Returns why the request is refused, or status 0.
  HttpError ParseHead(absl::string_view head);

  // Takes bytes of the body, and returns how many. REQUIRES: neither done nor refused; at least one
  // byte.
  size_t ParseBody(absl::string_view bytes);

  bool is_done() const;

 private:
  class Beast;

  HttpRequest& request_;
  std::unique_ptr<Beast> beast_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_REQUEST_PARSER_H_
