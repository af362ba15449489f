// A request of the client to the venue, and the reply to it.

#ifndef TOOLS_CLIENT_CALL_H_
#define TOOLS_CLIENT_CALL_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace client {

enum class CallKind : uint8_t {
  kCreate,
  kAmend,
  kCancel,
  kCancelAll,
  kOrders,
  kFills,
  kPositions,
  kMarkets,
  kLimits,
  kBalance,
  kDataTime,
};

// A value.
struct Call {
  uint64_t id = 0;  // Given by its sender, unique in a run.
  CallKind kind = {};
  absl::string_view method = {};  // "GET". Lives for ever.
  std::string path = {};          // What is signed: "/trade-api/v2/portfolio/orders".
  std::string query = {};         // "limit=100&cursor=..", without '?'; may be empty.
  std::string body = {};          // JSON, or empty.
};

// `body` is valid during the call that passes it on.
struct CallReply {
  uint64_t id = 0;
  int status = 0;  // Of HTTP.
  absl::string_view body = {};
};

}  // namespace client

#endif  // TOOLS_CLIENT_CALL_H_
