// Records a file of the text protocol: replies are not printed, errors about malformed lines are.

#ifndef TOOLS_CLI_RECORD_TEXT_IMPORT_H_
#define TOOLS_CLI_RECORD_TEXT_IMPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/record/text_conversation.h"

namespace tools {

struct TextImport {
  journal::Checkpoint last;
  uint64_t error_count = 0;
  std::vector<std::string> first_errors;  // At most 20, in the session's words.
};

// Feeds everything that `read` returns until it returns no bytes, then finishes the conversation.
// `progress` is called with the number of bytes read. Errors: those of `read` and of the journal.
absl::StatusOr<TextImport> ImportText(absl::FunctionRef<absl::StatusOr<engine::Bytes>()> read,
                                      TextConversation& conversation,
                                      absl::FunctionRef<void(uint64_t)> progress);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TEXT_IMPORT_H_
