#include "engine/wire/http/request_parser.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/http/http_reader.h"
#include "engine/wire/http/http_request.h"
#include "engine/wire/http/request_rules.h"

namespace engine {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;

absl::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

// Whether the request line ends with a version, of which Beast says only that it is not 1.0 or 1.1.
bool HasOtherVersion(absl::string_view head) {
  const absl::string_view line = head.substr(0, head.find('\r'));
  const size_t target = std::min(line.find(' ') + 1, line.size());
  const absl::string_view version =
      line.substr(std::min(line.find(' ', target), line.size() - 1) + 1);
  return version.size() == 8 && version.substr(0, 5) == "HTTP/" &&
         absl::ascii_isdigit(version[5]) && version[6] == '.' && absl::ascii_isdigit(version[7]);
}

HttpError ErrorOfHead(const error_code& error, absl::string_view head) {
  if (error == http::error::body_limit) return {.status = 413, .what = "the body is too long"};
  if (error == http::error::bad_version && HasOtherVersion(head)) {
    return {.status = 505, .what = "neither HTTP/1.0 nor HTTP/1.1"};
  }
  if (error == http::error::bad_content_length || error == http::error::multiple_content_length) {
    return {.status = 400, .what = "a malformed or contradicted Content-Length"};
  }
  if (error == http::error::bad_transfer_encoding) {
    return {.status = 400, .what = "a contradicted Transfer-Encoding"};
  }
  const bool is_line = error == http::error::bad_method || error == http::error::bad_target ||
                       error == http::error::bad_version;
  return {.status = 400, .what = is_line ? "a malformed request line" : "a malformed field"};
}

}  // namespace

class RequestParser::Beast final : public http::basic_parser<true> {
 public:
  Beast(HttpRequest& request, std::string& body) : request_(request), body_(body) {
    // The head has been measured, so the parser's own limit is out of its way.
    header_limit(2 * kHttpHeadBytesMax);
    body_limit(kHttpBodyBytesMax);
  }

  size_t Put(absl::string_view bytes, error_code& error) {
    return put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  }

 private:
  void on_request_impl(http::verb /*method*/, boost::beast::string_view method,
                       boost::beast::string_view target, int version,
                       error_code& /*error*/) override {
    request_.method = View(method);
    request_.target = View(target);
    request_.minor_version = version - 10;
  }
  void on_field_impl(http::field /*field*/, boost::beast::string_view name,
                     boost::beast::string_view value, error_code& /*error*/) override {
    request_.fields.push_back({.name = View(name), .value = View(value)});
  }
  void on_header_impl(error_code& /*error*/) override {}
  void on_body_init_impl(const boost::optional<uint64_t>& /*length*/,
                         error_code& /*error*/) override {}
  size_t on_body_impl(boost::beast::string_view bytes, error_code& /*error*/) override {
    body_.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_finish_impl(error_code& /*error*/) override {}
  // Of chunks, which CheckRequest() refuses, and of responses.
  void on_chunk_header_impl(uint64_t /*size*/, boost::beast::string_view /*extensions*/,
                            error_code& /*error*/) override {}
  size_t on_chunk_body_impl(uint64_t /*remaining*/, boost::beast::string_view bytes,
                            error_code& /*error*/) override {
    return bytes.size();
  }
  void on_response_impl(int /*code*/, boost::beast::string_view /*reason*/, int /*version*/,
                        error_code& /*error*/) override {}

  HttpRequest& request_;
  std::string& body_;
};

RequestParser::RequestParser(HttpRequest& request, std::string& body)
    : request_(request), beast_(std::make_unique<Beast>(request, body)) {}

RequestParser::~RequestParser() = default;

bool RequestParser::is_done() const { return beast_->is_done(); }

HttpError RequestParser::ParseHead(absl::string_view head) {
  error_code error;
  const size_t count = beast_->Put(head, error);
  if (error) return ErrorOfHead(error, head);
  CHECK(count == head.size() && beast_->is_header_done());
  request_.keep_alive = beast_->keep_alive();
  request_.body_bytes = beast_->content_length().value_or(0);
  const size_t question = std::min(request_.target.find('?'), request_.target.size());
  request_.path = request_.target.substr(0, question);
  request_.query = request_.target.substr(std::min(question + 1, request_.target.size()));
  request_.is_websocket_upgrade = request_.minor_version > 0 &&
                                  request_.HasToken("Connection", "upgrade") &&
                                  request_.HasToken("Upgrade", "websocket");
  return CheckRequest(request_);
}

size_t RequestParser::ParseBody(absl::string_view bytes) {
  error_code error;
  const size_t count = beast_->Put(bytes, error);
  CHECK(!error) << error.message();  // Its length has passed.
  return count;
}

}  // namespace engine
