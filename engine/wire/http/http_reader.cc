#include "engine/wire/http/http_reader.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/http/head_scanner.h"
#include "engine/wire/http/http_request.h"
#include "engine/wire/http/request_parser.h"

namespace engine {

struct HttpReader::Progress {
  HeadScanner scanner;
  std::string head;
  std::string body;
  HttpRequest request;
  std::optional<RequestParser> parser;  // Once the head is whole.
  bool is_at_body = false;  // The head is whole, and no byte of the body has been taken.
  bool is_done = false;
};

HttpReader::HttpReader() = default;
HttpReader::HttpReader(HttpReader&&) noexcept = default;
HttpReader& HttpReader::operator=(HttpReader&&) noexcept = default;
HttpReader::~HttpReader() = default;

size_t HttpReader::Take(Bytes bytes) {
  size_t taken = 0;
  while (taken < bytes.size() && !has_request() && !has_error()) {
    if (progress_ == nullptr) progress_ = std::make_unique<Progress>();
    const Bytes rest = bytes.subspan(taken);
    taken += !progress_->parser.has_value() ? TakeHead(rest) : TakeBody(rest);
    if (has_head()) break;
  }
  return has_error() ? bytes.size() : taken;
}

size_t HttpReader::TakeHead(Bytes bytes) {
  HeadScanner& scanner = progress_->scanner;
  const size_t count = scanner.Scan(AsText(bytes));
  progress_->head.append(AsText(bytes).data(), count);
  if (scanner.error().status != 0) {
    Fail(scanner.error());
  } else if (scanner.is_complete()) {
    FinishHead();
  }
  return count;
}

void HttpReader::FinishHead() {
  HttpRequest& request = progress_->request;
  request.fields.reserve(progress_->scanner.field_count());
  progress_->parser.emplace(request, progress_->body);
  absl::string_view head = progress_->head;
  head.remove_prefix(progress_->scanner.skipped_bytes());
  const HttpError error = progress_->parser->ParseHead(head);
  if (error.status != 0) return Fail(error);
  progress_->is_done = progress_->parser->is_done();
  progress_->is_at_body = !progress_->is_done;
  is_continue_due_ =
      !progress_->is_done && request.minor_version > 0 && request.Find("Expect").has_value();
}

size_t HttpReader::TakeBody(Bytes bytes) {
  progress_->is_at_body = false;
  const size_t count = progress_->parser->ParseBody(AsText(bytes));
  if (progress_->parser->is_done()) {
    progress_->request.body = progress_->body;
    progress_->is_done = true;
  }
  return count;
}

void HttpReader::Fail(HttpError error) {
  progress_ = nullptr;
  error_ = error;
}

bool HttpReader::has_head() const { return progress_ != nullptr && progress_->is_at_body; }

const HttpRequest& HttpReader::head() const {
  CHECK(has_head());
  return progress_->request;
}

bool HttpReader::has_request() const { return progress_ != nullptr && progress_->is_done; }

const HttpRequest& HttpReader::request() const {
  CHECK(has_request());
  return progress_->request;
}

void HttpReader::Next() {
  CHECK(has_request());
  progress_ = nullptr;
}

bool HttpReader::TakeContinue() { return std::exchange(is_continue_due_, false); }

}  // namespace engine
