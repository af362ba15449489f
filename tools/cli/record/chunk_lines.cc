#include "tools/cli/record/chunk_lines.h"

#include "absl/strings/strip.h"

namespace tools {

void ChunkLines::Add(engine::Bytes chunk) {
  chunk_ = engine::AsText(chunk);
  has_ended_ = chunk.empty();
}

std::optional<absl::string_view> ChunkLines::Next() {
  if (is_too_long_) return std::nullopt;
  if (is_begun_taken_) begun_.clear();
  is_begun_taken_ = false;
  const size_t end = chunk_.find('\n');
  const bool is_whole = end != chunk_.npos;
  absl::string_view line = chunk_.substr(0, end);
  if (begun_.size() + line.size() > bytes_max_) {
    is_too_long_ = true;
    return std::nullopt;
  }
  chunk_.remove_prefix(is_whole ? end + 1 : line.size());
  if (!is_whole || !begun_.empty()) {
    begun_.append(line.data(), line.size());
    if (!is_whole && (!has_ended_ || begun_.empty())) return std::nullopt;
    is_begun_taken_ = true;
    line = begun_;
  }
  ++number_;
  return absl::StripSuffix(line, "\r");
}

}  // namespace tools
