// What a request may say, beyond its grammar: RFC 9112, section 3 and 6.

#ifndef ENGINE_WIRE_HTTP_REQUEST_RULES_H_
#define ENGINE_WIRE_HTTP_REQUEST_RULES_H_

#include "engine/wire/http/http_request.h"

namespace engine {

// Why a request whose method, target, version and fields are set is refused, or status 0.
HttpError CheckRequest(const HttpRequest& request);

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_REQUEST_RULES_H_
