#include "tools/cli/record/text_refusals.h"

#include <algorithm>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tools {

void TextRefusals::Take(absl::string_view replies) {
  for (absl::string_view reply : absl::StrSplit(replies, '\n')) {
    if (absl::ConsumePrefix(&reply, "ERROR ")) {
      if (++malformed_ <= kErrorsShown) first_errors_.emplace_back(reply);
    } else if (absl::ConsumePrefix(&reply, "REJECT ")) {  // REJECT ID REASON
      const absl::string_view reason = reply.substr(reply.find(' ') + 1);
      const auto found = rejects_.find(reason);
      if (found == rejects_.end()) {
        rejects_.emplace(reason, 1);
      } else {
        ++found->second;
      }
    }
  }
}

std::map<std::string, uint64_t> TextRefusals::ByReason(const Rejections& rejected) const {
  std::map<std::string, uint64_t> lines(rejects_.begin(), rejects_.end());
  for (const auto& [reason, count] : rejected.ByName()) {
    const auto found = lines.find(reason);
    if (found != lines.end()) found->second -= std::min(found->second, count);
  }
  if (malformed_ > 0) lines.emplace("malformed", malformed_);
  std::erase_if(lines, [](const auto& line) { return line.second == 0; });
  return lines;
}

}  // namespace tools
