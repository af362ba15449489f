#include "tools/cli/record/text_import.h"

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr size_t kErrorsKept = 20;

// Replies are whole lines; ERROR replies report malformed input.
void CollectErrors(absl::string_view replies, TextImport& import) {
  for (const absl::string_view reply : absl::StrSplit(replies, '\n')) {
    if (!absl::StartsWith(reply, "ERROR ")) continue;
    ++import.error_count;
    if (import.first_errors.size() < kErrorsKept) {
      import.first_errors.emplace_back(reply.substr(sizeof("ERROR")));
    }
  }
}

}  // namespace

absl::StatusOr<TextImport> ImportText(absl::FunctionRef<absl::StatusOr<engine::Bytes>()> read,
                                      TextConversation& conversation,
                                      absl::FunctionRef<void(uint64_t)> progress) {
  TextImport import;
  uint64_t bytes_read = 0;
  while (true) {
    ASSIGN_OR_RETURN(const engine::Bytes chunk, read());
    if (chunk.empty()) break;
    bytes_read += chunk.size();
    RETURN_IF_ERROR(conversation.Feed(chunk, [&] {
      CollectErrors(conversation.output(), import);
      conversation.ClearOutput();
    }));
    progress(bytes_read);
  }
  ASSIGN_OR_RETURN(import.last, conversation.Finish());
  CollectErrors(conversation.output(), import);
  return import;
}

}  // namespace tools
