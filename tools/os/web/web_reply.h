// A reply of HTTP/1.1, and how it is read from bytes that are cut anywhere.

#ifndef TOOLS_OS_WEB_WEB_REPLY_H_
#define TOOLS_OS_WEB_WEB_REPLY_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

struct WebReply {
  int status = 0;               // 200, ...
  absl::string_view date = {};  // The header Date; empty: none.
  absl::string_view body = {};
};

// Reads one reply; interim ones (100 Continue) are skipped. Sans-I/O. Any bytes are safe: at most
// 64 KiB of the head are held besides the body. Not thread-safe. Beast is in the source only.
class ReplyParser {
 public:
  // `is_to_head`: it has no body, of any length.
  ReplyParser(bool is_to_head, size_t body_bytes_max);
  ReplyParser(ReplyParser&&) noexcept;
  ~ReplyParser();

  // Takes bytes up to the end of the reply, and returns how many. Errors, after which it is of no
  // use: DATA_LOSS for bytes that are no HTTP/1; RESOURCE_EXHAUSTED for a reply that is too large.
  // REQUIRES: !is_done().
  absl::StatusOr<size_t> Take(absl::string_view bytes);

  // The connection has ended, which ends a body without a length. Errors: UNAVAILABLE for any other
  // reply. REQUIRES: !is_done().
  absl::Status TakeEnd();

  bool is_done() const;
  // Whether any byte has come.
  bool has_begun() const { return has_begun_; }

  // REQUIRES of these: is_done(). The views are valid as long as the parser.
  WebReply reply() const;
  // Whether the connection may have another request.
  bool keeps_alive() const;

 private:
  struct Beast;

  absl::Status CheckHead();

  bool is_to_head_;
  size_t body_bytes_max_;
  bool has_begun_ = false;
  std::string rest_;  // Of the bytes, what the parser takes together with those that follow.
  std::unique_ptr<Beast> beast_;
};

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_REPLY_H_
