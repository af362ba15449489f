// A connection that has one request at a time, and is kept for the next: for this room.
//
//   Open ─► connecting ─► busy ─► idle ─► (Send) busy ...
//                           └───────┴───► ended

#ifndef TOOLS_OS_WEB_WEB_CONNECTION_H_
#define TOOLS_OS_WEB_WEB_CONNECTION_H_

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/os/web/web_address.h"
#include "tools/os/web/web_reply.h"
#include "tools/os/web/web_stream.h"

namespace tools {

// A request on its way.
struct WebExchange {
  uint64_t id = 0;
  std::string bytes;
  bool is_get = false;
  bool is_head = false;
  bool is_second_try = false;
};

struct ConnectionTerms {
  WebAddress address;
  int64_t connect_timeout_nanos = 0;
  int64_t reply_timeout_nanos = 0;
  size_t reply_bytes_max = 0;
};

// Not thread-safe: owned by the loop's thread, through shared_ptr: what is in progress keeps it.
class WebConnection : public std::enable_shared_from_this<WebConnection> {
 public:
  // A request without a reply.
  struct Lost {
    WebExchange exchange;
    absl::Status why;
    // Whether some of its bytes were sent.
    bool may_have_arrived = false;
    // The connection was idle, and ended before any byte of a reply.
    bool was_stale = false;
  };

  // Called from the loop only. It may call the connection.
  class Owner {
   public:
    virtual ~Owner() = default;
    // The connection is idle or has ended.
    virtual void OnAnswered(WebConnection& connection, uint64_t id, const WebReply& reply) = 0;
    // The connection has ended; what was lost, if it was not idle.
    virtual void OnEnded(WebConnection& connection, std::optional<Lost> lost) = 0;
  };

  // All but the shared_ptr's own outlive its last call: see Drop().
  WebConnection(boost::asio::io_context& loop, boost::asio::ssl::context& tls,
                const ConnectionTerms& terms, Owner& owner);

  // Connects, and sends the first request.
  void Open(WebExchange exchange);
  // REQUIRES: is_idle().
  void Send(WebExchange exchange);
  // Ends it without a call of the owner.
  void Drop();

  bool is_idle() const { return is_connected_ && !has_ended_ && !exchange_.has_value(); }
  bool has_ended() const { return has_ended_; }
  // Whether the server has ended it, which the loop has not noticed yet. REQUIRES: is_idle().
  bool IsStale() const { return stream_.HasEnded(); }

 private:
  void Start();
  void Write();
  void OnWritten(const boost::system::error_code& error, size_t count);
  void Read();
  void OnRead(const boost::system::error_code& error, size_t count);
  void TakeBytes(absl::string_view bytes);
  void TakeEnd(const boost::system::error_code& error);
  void Finish(bool is_reusable);
  // Reports once no write is in progress: only then it is known whether bytes were sent.
  void End(const absl::Status& why);
  void Report();

  const ConnectionTerms& terms_;
  Owner& owner_;
  WebStream stream_;
  std::array<char, size_t{16} << 10> input_;
  bool is_connected_ = false;
  bool has_ended_ = false;
  bool was_idle_ = false;  // Before the exchange.

  std::optional<WebExchange> exchange_;
  std::optional<ReplyParser> reply_;
  size_t sent_bytes_ = 0;
  bool is_writing_ = false;
  std::optional<absl::Status> end_;  // To report.
};

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_CONNECTION_H_
