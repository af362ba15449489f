#include "tools/cli/har/http_responses.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/parser.hpp>
#include <utility>

#include "absl/strings/match.h"

namespace tools {
namespace {

namespace http = boost::beast::http;

constexpr size_t kHeadBytesMax = size_t{64} << 10;
constexpr absl::string_view kHeadEnd = "\r\n\r\n";

std::string Text(boost::beast::string_view text) { return {text.data(), text.size()}; }

// Of a status that is not final, and those without a body by their definition.
bool HasNoBody(int status) { return status < 200 || status == 204 || status == 304; }

}  // namespace

absl::string_view FindField(const std::vector<HeaderField>& fields, absl::string_view name) {
  const auto found = std::ranges::find_if(
      fields, [&](const HeaderField& field) { return absl::EqualsIgnoreCase(field.name, name); });
  return found == fields.end() ? absl::string_view() : absl::string_view(found->value);
}

size_t HttpResponses::Take(absl::string_view bytes, bool is_to_head) {
  if (has_error_) return bytes.size();
  size_t taken = 0;
  while (taken < bytes.size() && !is_whole_ && !has_error_) {
    const absl::string_view rest = bytes.substr(taken);
    if (reply_.status == 0) {
      taken += TakeHead(rest, is_to_head);
      continue;
    }
    const absl::string_view body = rest.substr(0, std::min<uint64_t>(rest.size(), body_left_));
    const absl::string_view kept = body.substr(0, kBodyKeptMax - reply_.body.size());
    reply_.body.append(kept.data(), kept.size());
    CountBody(body.size());
    taken += body.size();
  }
  return has_error_ ? bytes.size() : taken;
}

bool HttpResponses::Skip(uint64_t count) {
  if (count > body_left_) return false;
  CountBody(count);
  return true;
}

void HttpResponses::CountBody(uint64_t count) {
  reply_.body_bytes += count;
  body_left_ -= count;
  is_whole_ = body_left_ == 0;
}

size_t HttpResponses::TakeHead(absl::string_view bytes, bool is_to_head) {
  const size_t before = head_.size();
  const absl::string_view piece = bytes.substr(0, kHeadBytesMax - before);
  head_.append(piece.data(), piece.size());
  const size_t from = before < kHeadEnd.size() ? 0 : before - kHeadEnd.size();
  const size_t end = absl::string_view(head_).find(kHeadEnd, from);
  if (end == absl::string_view::npos) {
    has_error_ = head_.size() == kHeadBytesMax;
    return piece.size();
  }
  head_.resize(end + kHeadEnd.size());
  const size_t taken = head_.size() - before;
  ReadHead(is_to_head);
  head_.clear();
  return taken;
}

void HttpResponses::ReadHead(bool is_to_head) {
  http::response_parser<http::empty_body> parser;
  parser.header_limit(2 * kHeadBytesMax);
  parser.skip(true);
  boost::beast::error_code error;
  parser.put(boost::asio::const_buffer(head_.data(), head_.size()), error);
  if (error || !parser.is_header_done() || parser.chunked()) {
    has_error_ = true;
    return;
  }
  const auto& head = parser.get();
  if (head.result_int() == 100) return;
  reply_.status = static_cast<int>(head.result_int());
  reply_.minor_version = static_cast<int>(head.version()) - 10;
  reply_.reason = Text(head.reason());
  for (const auto& field : head) {
    reply_.fields.push_back({.name = Text(field.name_string()), .value = Text(field.value())});
  }
  reply_.head_bytes = head_.size();
  if (is_to_head || HasNoBody(reply_.status)) {
    is_whole_ = true;
    return;
  }
  // Without a length, the body ends with the connection.
  body_left_ = parser.content_length() ? *parser.content_length() : UINT64_MAX;
  is_whole_ = body_left_ == 0;
}

HttpReply HttpResponses::TakeReply() {
  is_whole_ = false;
  body_left_ = 0;
  head_.clear();
  return std::exchange(reply_, {});
}

}  // namespace tools
