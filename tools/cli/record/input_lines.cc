#include "tools/cli/record/input_lines.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"

namespace tools {

absl::StatusOr<bool> InputLines::Next(std::string& line) {
  line.clear();
  while (true) {
    const size_t end = piece_.find('\n');
    line.append(piece_.data(), end == piece_.npos ? piece_.size() : end);
    if (line.size() > kLineBytesMax) {
      return absl::DataLossError(absl::StrCat(name(), ":", line_number_ + 1,
                                              ": a line of more than ", kLineBytesMax, " bytes"));
    }
    if (end != piece_.npos) {
      piece_.remove_prefix(end + 1);
      break;
    }
    const absl::StatusOr<engine::Bytes> piece = plain_.Next();
    if (!piece.ok()) {
      return absl::DataLossError(absl::StrCat(name(), ": ", piece.status().message()));
    }
    piece_ = engine::AsText(*piece);
    if (!piece_.empty()) continue;
    if (has_ended_) {
      if (line.empty()) return false;
      break;
    }
    ASSIGN_OR_RETURN(const engine::Bytes chunk, input_->Read());
    has_ended_ = chunk.empty();
    plain_.Feed(chunk);
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  ++line_number_;
  return true;
}

}  // namespace tools
