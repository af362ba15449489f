// The answer to one HTTP request.

#ifndef ENGINE_GATEWAY_KALSHI_REPLY_H_
#define ENGINE_GATEWAY_KALSHI_REPLY_H_

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/exchange_objects.h"

namespace engine {

// A value.
struct KalshiReply {
  static constexpr absl::string_view kJson = "application/json";

  int status = 200;
  absl::string_view content_type = kJson;
  std::string body = {};
};

inline KalshiReply ReplyOf(const kalshi::Error& error) {
  KalshiReply reply = {.status = error.kind.status,
                       .content_type = kalshi::ErrorContentType(error)};
  kalshi::AppendErrorBody(error, reply.body);
  return reply;
}

// A body of one object.
template <typename T>
KalshiReply ReplyOf(int status, const T& value) {
  KalshiReply reply = {.status = status};
  kalshi::AppendObject(value, reply.body);
  return reply;
}

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_REPLY_H_
