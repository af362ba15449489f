// The lines of text that made no command, from the replies of a conversation.

#ifndef TOOLS_CLI_RECORD_TEXT_REFUSALS_H_
#define TOOLS_CLI_RECORD_TEXT_REFUSALS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tools/cli/read/rejections.h"

namespace tools {

// Not thread-safe: owned by the verb.
class TextRefusals {
 public:
  static constexpr uint64_t kErrorsShown = 20;

  // Takes replies, whole lines.
  void Take(absl::string_view replies);

  uint64_t malformed() const { return malformed_; }
  // The first kErrorsShown replies to malformed lines, without "ERROR ".
  const std::vector<std::string>& first_errors() const { return first_errors_; }

  // The lines by reason: the malformed ones, and those that the session refused. `rejected`: the
  // commands that were rejected, to which the other REJECT replies belong.
  std::map<std::string, uint64_t> ByReason(const Rejections& rejected) const;

 private:
  uint64_t malformed_ = 0;
  std::vector<std::string> first_errors_;
  std::map<std::string, uint64_t, std::less<>> rejects_;  // By reason, all REJECT replies.
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TEXT_REFUSALS_H_
