#include "tools/os/web/web_connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"

namespace tools {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

absl::Status TimeIsOver(absl::string_view what, int64_t nanos) {
  return absl::DeadlineExceededError(absl::StrCat(what, " within ", nanos / 1'000'000, " ms"));
}

}  // namespace

WebConnection::WebConnection(asio::io_context& loop, asio::ssl::context& tls,
                             const ConnectionTerms& terms, Owner& owner)
    : terms_(terms), owner_(owner), stream_(loop, tls) {}

void WebConnection::Open(WebExchange exchange) {
  exchange_ = std::move(exchange);
  stream_.SetDeadline(terms_.connect_timeout_nanos, [self = shared_from_this()] {
    self->End(TimeIsOver(absl::StrCat("no connection to ", HostAndPort(self->terms_.address)),
                         self->terms_.connect_timeout_nanos));
  });
  stream_.Connect(terms_.address, [self = shared_from_this()](const absl::Status& status) {
    if (self->has_ended_) return;
    if (!status.ok()) return self->End(status);
    self->is_connected_ = true;
    self->Read();
    self->Start();
  });
}

void WebConnection::Send(WebExchange exchange) {
  CHECK(is_idle());
  exchange_ = std::move(exchange);
  was_idle_ = true;
  Start();
}

void WebConnection::Start() {
  sent_bytes_ = 0;
  reply_.emplace(exchange_->is_head, terms_.reply_bytes_max);
  Write();
  stream_.SetDeadline(terms_.reply_timeout_nanos, [self = shared_from_this()] {
    self->End(TimeIsOver(absl::StrCat("no reply of ", HostAndPort(self->terms_.address)),
                         self->terms_.reply_timeout_nanos));
  });
}

void WebConnection::Write() {
  is_writing_ = true;
  const std::string& bytes = exchange_->bytes;
  const asio::const_buffer rest(bytes.data() + sent_bytes_, bytes.size() - sent_bytes_);
  stream_.WriteSome(FirstBuffers<asio::const_buffer>(rest),
                    [self = shared_from_this()](const error_code& error, size_t count) {
                      self->OnWritten(error, count);
                    });
}

void WebConnection::OnWritten(const error_code& error, size_t count) {
  is_writing_ = false;
  sent_bytes_ += count;
  if (has_ended_) return;
  if (end_.has_value()) return Report();
  // After an error, the server may have replied already: the read ends soon, in either case.
  if (!error && sent_bytes_ < exchange_->bytes.size()) Write();
}

void WebConnection::Read() {
  const asio::mutable_buffer input(input_.data(), input_.size());
  stream_.ReadSome(FirstBuffers<asio::mutable_buffer>(input),
                   [self = shared_from_this()](const error_code& error, size_t count) {
                     self->OnRead(error, count);
                   });
}

void WebConnection::OnRead(const error_code& error, size_t count) {
  if (has_ended_ || end_.has_value()) return;
  if (count != 0) TakeBytes({input_.data(), count});
  if (has_ended_ || end_.has_value()) return;
  if (error) return TakeEnd(error);
  Read();
}

void WebConnection::TakeBytes(absl::string_view bytes) {
  if (!exchange_.has_value()) {
    return End(absl::DataLossError("the server sent bytes that no request asks for"));
  }
  const absl::StatusOr<size_t> taken = reply_->Take(bytes);
  if (!taken.ok()) return End(taken.status());
  if (!reply_->is_done()) return;
  Finish(/*is_reusable=*/reply_->keeps_alive() && *taken == bytes.size());
}

void WebConnection::TakeEnd(const error_code& error) {
  const bool is_orderly = error == asio::error::eof;
  if (is_orderly && exchange_.has_value() && reply_->TakeEnd().ok()) {
    return Finish(/*is_reusable=*/false);
  }
  End(EndOf(error, absl::StrCat("no whole reply of ", HostAndPort(terms_.address))));
}

void WebConnection::Finish(bool is_reusable) {
  const uint64_t id = exchange_->id;
  const bool is_sent = !is_writing_ && sent_bytes_ == exchange_->bytes.size();
  const ReplyParser reply = *std::move(reply_);
  stream_.ClearDeadline();
  // A write in progress still reads the bytes of its request.
  if (is_reusable && is_sent) {
    exchange_.reset();
    reply_.reset();
  } else {
    Drop();
  }
  owner_.OnAnswered(*this, id, reply.reply());
}

void WebConnection::Drop() {
  has_ended_ = true;
  stream_.Close();
}

void WebConnection::End(const absl::Status& why) {
  if (has_ended_ || end_.has_value()) return;
  end_ = why;
  stream_.Close();
  if (!is_writing_) Report();
}

void WebConnection::Report() {
  has_ended_ = true;
  std::optional<Lost> lost;
  if (exchange_.has_value()) {
    const bool has_begun = reply_.has_value() && reply_->has_begun();
    const bool is_in_time = !absl::IsDeadlineExceeded(*end_);
    lost = Lost{.exchange = *std::move(exchange_),
                .why = *end_,
                .may_have_arrived = sent_bytes_ != 0,
                .was_stale = was_idle_ && !has_begun && is_in_time};
  }
  owner_.OnEnded(*this, std::move(lost));
}

}  // namespace tools
