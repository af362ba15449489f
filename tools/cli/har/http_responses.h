// Reads HTTP/1 responses from the bytes that a server sent, cut anywhere, and over bytes that were
// not kept. What it reads is a function of the bytes alone, not of how they were cut.

#ifndef TOOLS_CLI_HAR_HTTP_RESPONSES_H_
#define TOOLS_CLI_HAR_HTTP_RESPONSES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tools {

struct HeaderField {
  std::string name;
  std::string value;
};

// The value of the first field of this name, compared without case; empty if there is none.
absl::string_view FindField(const std::vector<HeaderField>& fields, absl::string_view name);

struct HttpReply {
  int status = 0;  // 0: there is none.
  int minor_version = 1;
  std::string reason;
  std::vector<HeaderField> fields;
  uint64_t head_bytes = 0;
  uint64_t body_bytes = 0;  // That came.
  std::string body;         // At most kBodyKeptMax bytes, without those that were not kept.
};

// Of a body. What comes after them is counted.
inline constexpr size_t kBodyKeptMax = size_t{1} << 20;

// Not thread-safe: owned by its session.
class HttpResponses {
 public:
  // Takes bytes up to the end of one response, and returns how many; none while a response waits
  // for TakeReply(). `is_to_head`: the request's method is HEAD. After an error it takes all.
  size_t Take(absl::string_view bytes, bool is_to_head);
  // The next `count` bytes were not kept. Returns whether they are all of the body that it is in.
  bool Skip(uint64_t count);

  // Whether a whole response has come. One of status 100 is not reported.
  bool has_reply() const { return is_whole_; }
  // The response, as far as it has come.
  HttpReply TakeReply();

  // Whether no byte of a response has come.
  bool is_idle() const { return head_.empty() && reply_.status == 0; }
  // What came is no response.
  bool has_error() const { return has_error_; }

 private:
  size_t TakeHead(absl::string_view bytes, bool is_to_head);
  void ReadHead(bool is_to_head);
  void CountBody(uint64_t count);

  HttpReply reply_;
  std::string head_;
  uint64_t body_left_ = 0;
  bool is_whole_ = false;
  bool has_error_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_HAR_HTTP_RESPONSES_H_
