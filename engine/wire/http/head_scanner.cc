#include "engine/wire/http/head_scanner.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "engine/wire/http/http_reader.h"

namespace engine {
namespace {

bool IsControl(char byte) {
  return (static_cast<unsigned char>(byte) < ' ' && byte != '\t') || byte == '\x7F';
}

}  // namespace

size_t HeadScanner::Scan(absl::string_view bytes) {
  size_t count = 0;
  while (count < bytes.size() && !is_complete_ && error_.status == 0) {
    const size_t run = ScanRun(bytes.substr(count));
    if (run == 0) ScanByte(bytes[count]);
    count += std::max<size_t>(run, 1);
  }
  return count;
}

// Nearly all bytes of a head are within a line and below the limits: they only add to its size.
size_t HeadScanner::ScanRun(absl::string_view bytes) {
  if (line_bytes_ == 0 || is_after_cr_) return 0;
  size_t most = std::min(bytes.size(), kHttpHeadBytesMax - 1 - head_bytes_);
  if (line_count_ == 0) most = std::min(most, kHttpRequestLineBytesMax - line_bytes_);
  const auto end = std::find_if(bytes.begin(), bytes.begin() + most, IsControl);
  const auto count = static_cast<size_t>(end - bytes.begin());
  head_bytes_ += count;
  line_bytes_ += count;
  return count;
}

void HeadScanner::ScanByte(char byte) {
  ++head_bytes_;
  if (is_after_cr_) {
    is_after_cr_ = false;
    if (byte != '\n') return Fail(400, "a carriage return without a line feed");
    EndLine();
  } else if (byte == '\r') {
    is_after_cr_ = true;
  } else if (byte == '\n') {
    return Fail(400, "a line feed without a carriage return");
  } else if (IsControl(byte)) {
    return Fail(400, "a control character");
  } else {
    if (line_bytes_ == 0 && line_count_ > 0 && (byte == ' ' || byte == '\t')) {
      return Fail(400, "a folded field");
    }
    ++line_bytes_;
  }
  if (!is_complete_ && error_.status == 0) CheckLimits();
}

void HeadScanner::EndLine() {
  if (line_bytes_ > 0) {
    ++line_count_;
    line_bytes_ = 0;
  } else if (line_count_ > 0) {
    is_complete_ = true;
  } else if (skipped_bytes_ == 0) {
    skipped_bytes_ = head_bytes_;
  } else {
    Fail(400, "empty lines instead of a request");
  }
}

void HeadScanner::CheckLimits() {
  if (line_count_ == 0 && line_bytes_ > kHttpRequestLineBytesMax) {
    Fail(414, "the request line is too long");
  } else if (head_bytes_ >= kHttpHeadBytesMax) {
    Fail(431, "the fields are too long");
  } else if (line_count_ > kHttpFieldsMax + 1) {
    Fail(431, "too many fields");
  }
}

}  // namespace engine
