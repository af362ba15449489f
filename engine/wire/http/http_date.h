// The header Date of HTTP (RFC 9110, 5.6.7): "Fri, 27 Nov 2026 20:15:00 GMT".

#ifndef ENGINE_WIRE_HTTP_HTTP_DATE_H_
#define ENGINE_WIRE_HTTP_HTTP_DATE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"

namespace engine {

// Rounded down to a second.
std::string HttpDate(Timestamp time);
// nullopt for any other text.
std::optional<Timestamp> ParseHttpDate(absl::string_view text);

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_HTTP_DATE_H_
