// Finds the end of a request's head, and refuses what the parser would only see with all of it.

#ifndef ENGINE_WIRE_HTTP_HEAD_SCANNER_H_
#define ENGINE_WIRE_HTTP_HEAD_SCANNER_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "engine/wire/http/http_request.h"

namespace engine {

// Looks at each byte one time. An error is that of the first bad byte.
class HeadScanner {
 public:
  // Looks at the head's next bytes, up to its end or to a bad byte. Returns how many.
  // REQUIRES: neither is_complete() nor failed.
  size_t Scan(absl::string_view bytes);

  // The empty line after the fields has come.
  bool is_complete() const { return is_complete_; }
  const HttpError& error() const { return error_; }  // Status 0: none.

  // Bytes of an empty line before the request line, which do not belong to it.
  size_t skipped_bytes() const { return skipped_bytes_; }
  // REQUIRES: is_complete().
  size_t field_count() const { return line_count_ - 1; }

 private:
  // Takes what it can of the line as a whole, and returns how many bytes.
  size_t ScanRun(absl::string_view bytes);
  void ScanByte(char byte);
  void EndLine();
  void CheckLimits();
  void Fail(int status, absl::string_view what) { error_ = {.status = status, .what = what}; }

  size_t head_bytes_ = 0;  // With what was skipped.
  size_t line_bytes_ = 0;  // Of the line so far, without its ending.
  size_t line_count_ = 0;  // That have ended, without those skipped.
  size_t skipped_bytes_ = 0;
  bool is_after_cr_ = false;
  bool is_complete_ = false;
  HttpError error_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_HEAD_SCANNER_H_
