#include "tools/os/web/web_reply.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

namespace http = boost::beast::http;

constexpr uint32_t kHeadBytesMax = 64 << 10;

// "0", and the ends of two lines: the shortest last chunk. Beast asserts to be given all of them if
// it has seen the first line before.
constexpr size_t kLastChunkBytesMin = 5;

absl::Status StatusOf(const boost::beast::error_code& error) {
  const std::string what = absl::StrCat("a reply that is refused: ", error.message());
  const bool is_too_large = error == http::error::body_limit || error == http::error::header_limit;
  return is_too_large ? absl::ResourceExhaustedError(what) : absl::DataLossError(what);
}

}  // namespace

struct ReplyParser::Beast {
  Beast(bool is_to_head, size_t body_bytes_max) {
    parser.eager(true);
    parser.header_limit(kHeadBytesMax);
    parser.body_limit(body_bytes_max);
    parser.skip(is_to_head);
  }

  http::response_parser<http::string_body> parser;
};

ReplyParser::ReplyParser(bool is_to_head, size_t body_bytes_max)
    : is_to_head_(is_to_head),
      body_bytes_max_(body_bytes_max),
      beast_(std::make_unique<Beast>(is_to_head, body_bytes_max)) {}

ReplyParser::ReplyParser(ReplyParser&&) noexcept = default;
ReplyParser::~ReplyParser() = default;

absl::StatusOr<size_t> ReplyParser::Take(absl::string_view bytes) {
  CHECK(!is_done());
  has_begun_ |= !bytes.empty();
  const size_t held = rest_.size();
  rest_.append(bytes.data(), bytes.size());
  size_t taken = 0;
  while (taken < rest_.size()) {
    const bool is_in_chunks = beast_->parser.is_header_done() && beast_->parser.chunked();
    if (is_in_chunks && rest_.size() - taken < kLastChunkBytesMin) break;
    boost::beast::error_code error;
    const size_t count =
        beast_->parser.put(boost::asio::buffer(rest_.data() + taken, rest_.size() - taken), error);
    taken += count;
    const bool needs_more = error == http::error::need_more || (!error && count == 0);
    if (error && !needs_more) return StatusOf(error);
    RETURN_IF_ERROR(CheckHead());
    if (is_done() || needs_more) break;
  }
  if (is_done()) return taken - std::min(taken, held);
  rest_.erase(0, taken);
  if (rest_.size() > kHeadBytesMax) return StatusOf(http::error::header_limit);
  return bytes.size();
}

absl::Status ReplyParser::CheckHead() {
  if (!beast_->parser.is_done()) return absl::OkStatus();
  const unsigned status = beast_->parser.get().result_int();
  if (status == 101) return absl::DataLossError("a reply that changes the protocol");
  // What was interim is forgotten, and the reply follows.
  if (status < 200) beast_ = std::make_unique<Beast>(is_to_head_, body_bytes_max_);
  return absl::OkStatus();
}

absl::Status ReplyParser::TakeEnd() {
  CHECK(!is_done());
  if (beast_->parser.got_some()) {  // Else Beast takes no end.
    boost::beast::error_code error;
    beast_->parser.put_eof(error);
    if (!error && is_done()) return absl::OkStatus();
  }
  return absl::UnavailableError("the server ended the connection before the end of its reply");
}

bool ReplyParser::is_done() const { return beast_->parser.is_done(); }

WebReply ReplyParser::reply() const {
  const auto& reply = beast_->parser.get();
  const auto date = reply[http::field::date];
  return {.status = static_cast<int>(reply.result_int()),
          .date = {date.data(), date.size()},
          .body = reply.body()};
}

bool ReplyParser::keeps_alive() const { return beast_->parser.keep_alive(); }

}  // namespace tools
