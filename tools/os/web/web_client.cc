#include "tools/os/web/web_client.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <cerrno>
#include <chrono>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/web/web_connection.h"
#include "tools/os/web/web_feed.h"
#include "tools/os/web/web_stream.h"

namespace tools {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr int64_t kWaitNanosMax = int64_t{3600} * 1'000'000'000;
// Steps of Asio in one RunFor(): a server that sends without a pause must not keep its thread.
constexpr int kStepsMax = 1'000;

absl::Status TrustCertificates(const std::string& file, asio::ssl::context& tls) {
  error_code error;
  if (file.empty()) {
    tls.set_default_verify_paths(error);
  } else {
    tls.load_verify_file(file, error);
  }
  if (!error) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(file.empty() ? "the system" : file,
                                                 " has no certificates to trust, expected "
                                                 "some in PEM: ",
                                                 error.message()));
}

}  // namespace

// The connections for requests, and the requests that wait for one.
class WebClient::Pool final : public WebConnection::Owner {
 public:
  Pool(asio::io_context& loop, asio::ssl::context& tls, const WebTerms& terms, WebHandler& handler)
      : loop_(loop),
        tls_(tls),
        terms_({.address = terms.rest,
                .connect_timeout_nanos = terms.connect_timeout_nanos,
                .reply_timeout_nanos = terms.reply_timeout_nanos,
                .reply_bytes_max = terms.reply_bytes_max}),
        host_(HostField(terms.rest)),
        connections_max_(terms.connections_max),
        handler_(handler) {
    CHECK(connections_max_ > 0);
  }

  void Send(uint64_t id, const WebRequest& request) {
    absl::StatusOr<std::string> bytes = RequestBytes(host_, request);
    if (bytes.ok() && waiting_.size() == kWaitingMax) {
      bytes = absl::ResourceExhaustedError(absl::StrCat(kWaitingMax, " requests wait already"));
    }
    if (!bytes.ok()) return refused_.push_back({.id = id, .why = bytes.status()});
    waiting_.push_back({.id = id,
                        .bytes = *std::move(bytes),
                        .is_get = request.method == "GET",
                        .is_head = request.method == "HEAD"});
    SendWaiting();
  }

  void Drop() {
    waiting_.clear();
    refused_.clear();
    std::erase_if(connections_, [](const std::shared_ptr<WebConnection>& connection) {
      if (connection->is_idle()) return false;
      connection->Drop();
      return true;
    });
  }

  // Returns whether it has called the handler.
  bool ReportRefused() {
    if (refused_.empty()) return false;
    while (!refused_.empty()) {
      const Refused refused = std::move(refused_.front());
      refused_.pop_front();
      handler_.OnRequestFailed(refused.id, refused.why, /*may_have_arrived=*/false);
    }
    return true;
  }

  void OnAnswered(WebConnection& connection, uint64_t id, const WebReply& reply) override {
    if (connection.has_ended()) Remove(connection);
    SendWaiting();
    handler_.OnReply(id, reply);
  }

  void OnEnded(WebConnection& connection, std::optional<WebConnection::Lost> lost) override {
    Remove(connection);
    const bool is_sent_again =
        lost.has_value() && lost->was_stale && (lost->exchange.is_get || !lost->may_have_arrived);
    if (is_sent_again) {
      lost->exchange.is_second_try = true;
      waiting_.push_front(std::move(lost->exchange));
    }
    SendWaiting();
    if (!lost.has_value() || is_sent_again) return;
    handler_.OnRequestFailed(lost->exchange.id, lost->why, lost->may_have_arrived);
  }

 private:
  struct Refused {
    uint64_t id = 0;
    absl::Status why;
  };

  void SendWaiting() {
    while (!waiting_.empty()) {
      WebConnection* const idle = waiting_.front().is_second_try ? nullptr : FindIdle();
      if (idle == nullptr && connections_.size() == connections_max_) return;
      WebExchange exchange = std::move(waiting_.front());
      waiting_.pop_front();
      if (idle != nullptr) {
        idle->Send(std::move(exchange));
      } else {
        connections_.push_back(std::make_shared<WebConnection>(loop_, tls_, terms_, *this));
        connections_.back()->Open(std::move(exchange));
      }
    }
  }

  // One that the server has not ended.
  WebConnection* FindIdle() {
    for (;;) {
      const auto idle = std::ranges::find_if(
          connections_, [](const auto& connection) { return connection->is_idle(); });
      if (idle == connections_.end()) return nullptr;
      if (!(*idle)->IsStale()) return idle->get();
      (*idle)->Drop();
      connections_.erase(idle);
    }
  }

  void Remove(const WebConnection& connection) {
    std::erase_if(connections_, [&](const auto& other) { return other.get() == &connection; });
  }

  asio::io_context& loop_;
  asio::ssl::context& tls_;
  const ConnectionTerms terms_;
  const std::string host_;  // The field of that name.
  const size_t connections_max_;
  WebHandler& handler_;

  std::vector<std::shared_ptr<WebConnection>> connections_;
  std::deque<WebExchange> waiting_;
  std::deque<Refused> refused_;  // To report.
};

// The WebSocket, if there is one.
class WebClient::Feed final : public WebFeed::Owner {
 public:
  Feed(asio::io_context& loop, asio::ssl::context& tls, const WebTerms& terms, WebHandler& handler)
      : loop_(loop),
        tls_(tls),
        terms_({.address = terms.feed,
                .connect_timeout_nanos = terms.connect_timeout_nanos,
                .ping_nanos = terms.ping_nanos,
                .frame_bytes_max = terms.frame_bytes_max}),
        handler_(handler) {}

  void Open(std::span<const WebHeader> headers) {
    CHECK(feed_ == nullptr && !refusal_.has_value());
    if (absl::Status status = CheckHeaders(headers); !status.ok()) {
      refusal_ = std::move(status);
      return;
    }
    feed_ = MakeWebFeed(loop_, tls_, terms_, *this);
    feed_->Open(headers);
  }

  void Send(absl::string_view text) {
    if (feed_ != nullptr) feed_->Send(text);
  }

  void Close() {
    refusal_.reset();
    if (feed_ != nullptr) std::exchange(feed_, nullptr)->Close();
  }

  int descriptor() const { return feed_ == nullptr ? -1 : feed_->descriptor(); }

  // Returns whether it has called the handler.
  bool ReportRefused() {
    if (!refusal_.has_value()) return false;
    handler_.OnFeedClosed(*std::exchange(refusal_, std::nullopt));
    return true;
  }

  void OnOpen() override { handler_.OnFeedOpen(); }
  void OnText(absl::string_view text) override { handler_.OnFrame(text); }
  void OnEnd(const absl::Status& why) override {
    feed_.reset();
    handler_.OnFeedClosed(why);
  }

 private:
  asio::io_context& loop_;
  asio::ssl::context& tls_;
  const FeedTerms terms_;
  WebHandler& handler_;

  std::shared_ptr<WebFeed> feed_;
  std::optional<absl::Status> refusal_;  // To report.
};

struct WebClient::State {
  State(const WebTerms& terms, WebHandler& handler)
      : tls(asio::ssl::context::tls_client),
        bell(loop),
        wait(loop),
        pool(loop, tls, terms, handler),
        feed(loop, tls, terms, handler) {}

  // Returns how many steps it has made.
  int Poll() {
    int steps = 0;
    while (steps < kStepsMax && loop.poll_one() != 0) ++steps;
    return steps;
  }

  void Listen() {
    bell.async_wait(asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
      if (error) return;
      eventfd_t count = 0;
      ::eventfd_read(bell.native_handle(), &count);
      Listen();
    });
  }

  asio::io_context loop{1};
  asio::ssl::context tls;
  asio::posix::stream_descriptor bell;  // An eventfd.
  asio::steady_timer wait;
  Pool pool;
  Feed feed;
};

absl::StatusOr<std::unique_ptr<WebClient>> WebClient::Make(const WebTerms& terms,
                                                           WebHandler& handler) {
  const OpensslScope scope;
  auto state = std::make_unique<State>(terms, handler);
  RETURN_IF_ERROR(TrustCertificates(terms.authority_file, state->tls));
  error_code error;
  state->tls.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, error);
  const int bell = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bell < 0) return absl::ErrnoToStatus(errno, "cannot make an eventfd");
  state->bell.assign(bell, error);
  if (error) return absl::InternalError(error.message());
  state->Listen();
  return std::unique_ptr<WebClient>(new WebClient(std::move(state)));
}

WebClient::WebClient(std::unique_ptr<State> state) : state_(std::move(state)) {}

WebClient::~WebClient() { const OpensslScope scope; }

void WebClient::Send(uint64_t id, const WebRequest& request) {
  const OpensslScope scope;
  state_->pool.Send(id, request);
}

void WebClient::DropRequests() { state_->pool.Drop(); }
void WebClient::OpenFeed(std::span<const WebHeader> headers) { state_->feed.Open(headers); }

void WebClient::SendFrame(absl::string_view text) {
  const OpensslScope scope;
  state_->feed.Send(text);
}

void WebClient::CloseFeed() { state_->feed.Close(); }
int WebClient::feed_descriptor() const { return state_->feed.descriptor(); }

void WebClient::RunFor(int64_t nanos_max) {
  const OpensslScope scope;
  State& state = *state_;
  const bool has_reported_requests = state.pool.ReportRefused();
  const bool has_reported_feed = state.feed.ReportRefused();
  state.loop.restart();
  if (state.Poll() != 0 || has_reported_requests || has_reported_feed || nanos_max <= 0) return;
  // Asio's own limit of a wait is in milliseconds.
  state.wait.expires_after(std::chrono::nanoseconds(std::min(nanos_max, kWaitNanosMax)));
  state.wait.async_wait([](const error_code&) {});
  state.loop.run_one();
  state.wait.cancel();
  state.Poll();
}

void WebClient::Wake() { ::eventfd_write(state_->bell.native_handle(), 1); }

}  // namespace tools
