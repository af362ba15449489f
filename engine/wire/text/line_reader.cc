#include "engine/wire/text/line_reader.h"

#include <cstring>

#include "engine/base/check.h"

namespace engine {

void LineReader::Feed(Bytes chunk) {
  CHECK(rest_.empty()) << "the previous chunk has " << rest_.size() << " bytes left";
  rest_ = AsText(chunk);
}

bool LineReader::Next(TextLine& line) {
  if (rest_.empty()) return false;
  const void* end = std::memchr(rest_.data(), '\n', rest_.size());
  if (end == nullptr) {
    Gather(rest_);
    rest_ = {};
    return false;
  }
  const auto bytes = static_cast<size_t>(static_cast<const char*>(end) - rest_.data());
  const absl::string_view piece = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes + 1);
  if (!is_gathering_) {
    line = Emit(piece);
  } else {
    Gather(piece);
    line = Emit(gathered_);
  }
  return true;
}

bool LineReader::Finish(TextLine& line) {
  CHECK(rest_.empty()) << "the last chunk has " << rest_.size() << " bytes left";
  if (!is_gathering_) return false;
  line = Emit(gathered_);
  return true;
}

void LineReader::Gather(absl::string_view piece) {
  if (!is_gathering_) gathered_.clear();  // Not before: the last line is valid until now.
  is_gathering_ = true;
  if (is_too_long_ || piece.size() > line_bytes_max_ + 1 - gathered_.size()) {
    is_too_long_ = true;
    return;
  }
  gathered_.append(piece.data(), piece.size());
}

TextLine LineReader::Emit(absl::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  const bool is_too_long = is_too_long_ || text.size() > line_bytes_max_;
  is_gathering_ = false;
  is_too_long_ = false;
  return {.number = ++line_count_,
          .text = is_too_long ? absl::string_view() : text,
          .is_too_long = is_too_long};
}

}  // namespace engine
