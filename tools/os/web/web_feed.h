// One WebSocket of a client, RFC 6455, without extensions: for this room. Beast is in the source
// only, which alone includes the templates of its streams.

#ifndef TOOLS_OS_WEB_WEB_FEED_H_
#define TOOLS_OS_WEB_WEB_FEED_H_

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/os/web/web_address.h"
#include "tools/os/web/web_request.h"
#include "tools/os/web/web_stream.h"

namespace tools {

struct FeedTerms {
  WebAddress address;
  int64_t connect_timeout_nanos = 0;  // Until it is open.
  int64_t ping_nanos = 0;             // Between two pings of ours.
  size_t frame_bytes_max = 0;         // Of a message that is received, whole.
};

// Not thread-safe: owned by the loop's thread, through shared_ptr: what is in progress keeps it.
class WebFeed {
 public:
  // Called from the loop only. It may call the feed.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void OnOpen() = 0;
    virtual void OnText(absl::string_view text) = 0;
    // The last call. Errors: PERMISSION_DENIED, if the server refuses the upgrade with 401 or 403;
    // UNAVAILABLE, if it refuses it otherwise, cannot be reached or ends the connection;
    // DEADLINE_EXCEEDED; DATA_LOSS, if it breaks the protocol; RESOURCE_EXHAUSTED, if a message is
    // too large, or too many wait to be sent.
    virtual void OnEnd(const absl::Status& why) = 0;
  };

  virtual ~WebFeed() = default;

  // Connects and asks for the upgrade. REQUIRES: CheckHeaders(headers).ok(). Once.
  virtual void Open(std::span<const WebHeader> headers) = 0;
  // Sends a message of UTF-8 once all before it are sent. Dropped if the feed is not open.
  virtual void Send(absl::string_view text) = 0;
  // Sends a close, if it is open. No call of the owner follows.
  virtual void Close() = 0;
  // Of its socket; -1 if it is not open.
  virtual int descriptor() const = 0;
};

// All outlive the last call of the feed: see Close().
std::shared_ptr<WebFeed> MakeWebFeed(boost::asio::io_context& loop, boost::asio::ssl::context& tls,
                                     const FeedTerms& terms, WebFeed::Owner& owner);

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_FEED_H_
