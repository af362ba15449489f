#include "tools/os/web/web_feed.h"

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/websocket/error.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tools {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using beast::error_code;

constexpr size_t kRefusalBytesMax = 512;
constexpr size_t kWaitingBytesMax = size_t{4} << 20;  // Of messages to send.
constexpr int64_t kCloseNanos = 5'000'000'000;        // For the server's answer to a close.

// What Beast calls a stream: hands everything to a WebStream, with erased types, so that Beast is
// compiled for one stream, which is plain or TLS.
class BeastStream {
 public:
  using executor_type = asio::io_context::executor_type;

  explicit BeastStream(WebStream& stream) : stream_(&stream) {}

  executor_type get_executor() noexcept { return stream_->loop().get_executor(); }

  template <typename Buffers, typename Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    return asio::async_initiate<Handler, void(error_code, size_t)>(
        [stream = stream_](auto&& then, const Buffers& into) {
          stream->ReadSome(FirstBuffers<asio::mutable_buffer>(into), std::move(then));
        },
        handler, buffers);
  }

  template <typename Buffers, typename Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    return asio::async_initiate<Handler, void(error_code, size_t)>(
        [stream = stream_](auto&& then, const Buffers& from) {
          stream->WriteSome(FirstBuffers<asio::const_buffer>(from), std::move(then));
        },
        handler, buffers);
  }

  friend void beast_close_socket(BeastStream& stream) { stream.stream_->Close(); }

  // After both sides have closed, or one has broken the protocol.
  template <typename Handler>
  friend void async_teardown(beast::role_type, BeastStream& stream, Handler&& handler) {
    stream.stream_->Close();
    asio::post(stream.get_executor(),
               beast::bind_handler(std::forward<Handler>(handler), error_code()));
  }

 private:
  WebStream* stream_;
};

absl::Status Refusal(const websocket::response_type& response) {
  const std::string& body = response.body();
  const absl::string_view shown = absl::string_view(body).substr(0, kRefusalBytesMax);
  const auto reason = response.reason();
  const std::string what = absl::StrCat(
      "the server refused the upgrade to WebSocket: ", response.result_int(), " ",
      absl::string_view(reason.data(), reason.size()), shown.empty() ? "" : ": ", shown);
  const bool is_denied = response.result_int() == 401 || response.result_int() == 403;
  return is_denied ? absl::PermissionDeniedError(what) : absl::UnavailableError(what);
}

absl::Status CloseOf(const websocket::close_reason& reason) {
  return absl::UnavailableError(
      absl::StrCat("the server closed the feed: ", reason.code, reason.reason.empty() ? "" : " ",
                   absl::string_view(reason.reason.data(), reason.reason.size())));
}

class BeastFeed final : public WebFeed, public std::enable_shared_from_this<BeastFeed> {
 public:
  BeastFeed(asio::io_context& loop, asio::ssl::context& tls, const FeedTerms& terms, Owner& owner)
      : terms_(terms), owner_(owner), stream_(loop, tls), socket_(BeastStream(stream_)) {
    socket_.read_message_max(terms.frame_bytes_max);
    socket_.auto_fragment(false);
    socket_.text(true);
  }

  void Open(std::span<const WebHeader> headers) override {
    websocket::request_type fields;
    for (const WebHeader& header : headers) {
      const absl::string_view name = header.name.text();
      fields.insert(beast::string_view(name.data(), name.size()),
                    beast::string_view(header.value.data(), header.value.size()));
    }
    socket_.set_option(
        websocket::stream_base::decorator([fields](websocket::request_type& request) {
          for (const auto& field : fields) request.insert(field.name_string(), field.value());
        }));
    stream_.SetDeadline(terms_.connect_timeout_nanos, [self = shared_from_this()] {
      self->End(absl::DeadlineExceededError(
          absl::StrCat("no WebSocket of ", HostAndPort(self->terms_.address), " within ",
                       self->terms_.connect_timeout_nanos / 1'000'000, " ms")));
    });
    stream_.Connect(terms_.address, [self = shared_from_this()](const absl::Status& status) {
      if (self->has_ended_) return;
      if (!status.ok()) return self->End(status);
      self->Upgrade();
    });
  }

  void Send(absl::string_view text) override {
    if (!is_open_ || has_ended_) return;
    if (waiting_bytes_ + text.size() > kWaitingBytesMax) {
      // Not from within the call: the owner hears of it from the loop.
      asio::post(stream_.loop(), [self = shared_from_this()] {
        self->End(absl::ResourceExhaustedError("the server takes messages too slowly"));
      });
      return;
    }
    waiting_.emplace_back(text);
    waiting_bytes_ += text.size();
    if (waiting_.size() == 1) Write();
  }

  void Close() override {
    if (has_ended_) return;
    has_ended_ = true;
    if (!is_open_ || !socket_.is_open()) return stream_.Close();
    stream_.SetDeadline(kCloseNanos, [self = shared_from_this()] { self->stream_.Close(); });
    socket_.async_close(websocket::close_code::normal,
                        [self = shared_from_this()](error_code) { self->stream_.Close(); });
  }

  int descriptor() const override { return is_open_ && !has_ended_ ? stream_.descriptor() : -1; }

 private:
  void Upgrade() {
    const std::string target = terms_.address.path.empty() ? "/" : terms_.address.path;
    socket_.async_handshake(response_, HostField(terms_.address), target,
                            [self = shared_from_this()](error_code error) {
                              if (self->has_ended_) return;
                              if (error == websocket::error::upgrade_declined)
                                return self->End(Refusal(self->response_));
                              if (error)
                                return self->End(self->StatusOf(error, "no upgrade to WebSocket"));
                              self->is_open_ = true;
                              self->PingLater();
                              self->owner_.OnOpen();
                              self->Read();
                            });
  }

  void Read() {
    if (has_ended_) return;
    socket_.async_read(
        input_, [self = shared_from_this()](error_code error, size_t) { self->OnRead(error); });
  }

  void OnRead(error_code error) {
    if (has_ended_) return;
    if (error == websocket::error::closed) return End(CloseOf(socket_.reason()));
    if (error) return End(StatusOf(error, "the feed ended"));
    if (!socket_.got_text()) {
      return End(absl::DataLossError("the feed sent a binary message, expected text"));
    }
    const auto bytes = input_.cdata();
    owner_.OnText({static_cast<const char*>(bytes.data()), bytes.size()});
    input_.consume(bytes.size());
    Read();
  }

  void Write() {
    socket_.async_write(
        asio::buffer(waiting_.front()),
        [self = shared_from_this()](error_code error, size_t) { self->OnWritten(error); });
  }

  void OnWritten(error_code error) {
    waiting_bytes_ -= waiting_.front().size();
    waiting_.pop_front();
    // After an error the read ends too, and knows why.
    if (!error && !has_ended_ && !waiting_.empty()) Write();
  }

  void PingLater() {
    stream_.SetDeadline(terms_.ping_nanos, [self = shared_from_this()] {
      self->socket_.async_ping({}, [self](error_code error) {
        if (!error && !self->has_ended_) self->PingLater();
      });
    });
  }

  absl::Status StatusOf(const error_code& error, absl::string_view what) const {
    namespace http = beast::http;
    using websocket::condition;
    const bool is_no_http =
        error.category() == make_error_code(http::error::bad_version).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message;
    const std::string text = absl::StrCat(what, ": ", error.message());
    if (error == websocket::error::message_too_big) {
      return absl::ResourceExhaustedError(
          absl::StrCat(what, ": a message of more than ", terms_.frame_bytes_max, " bytes"));
    }
    if (is_no_http || error == condition::protocol_violation ||
        error == condition::handshake_failed) {
      return absl::DataLossError(text);
    }
    return EndOf(error, what);
  }

  void End(const absl::Status& why) {
    if (has_ended_) return;
    has_ended_ = true;
    stream_.Close();
    owner_.OnEnd(why);
  }

  const FeedTerms& terms_;
  Owner& owner_;
  WebStream stream_;
  websocket::stream<BeastStream, false> socket_;
  websocket::response_type response_;
  beast::flat_buffer input_;
  std::deque<std::string> waiting_;  // The first is being sent.
  size_t waiting_bytes_ = 0;
  bool is_open_ = false;
  bool has_ended_ = false;
};

}  // namespace

std::shared_ptr<WebFeed> MakeWebFeed(asio::io_context& loop, asio::ssl::context& tls,
                                     const FeedTerms& terms, WebFeed::Owner& owner) {
  return std::make_shared<BeastFeed>(loop, tls, terms, owner);
}

}  // namespace tools
