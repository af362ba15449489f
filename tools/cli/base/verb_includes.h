// What the files of most verbs use. Only they include it, and they do not repeat what is here: the
// lint knows it.

#ifndef TOOLS_CLI_BASE_VERB_INCLUDES_H_
#define TOOLS_CLI_BASE_VERB_INCLUDES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "replay/engines.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/cli/base/verb.h"
#include "tools/cli/base/verbs.h"

#endif  // TOOLS_CLI_BASE_VERB_INCLUDES_H_
