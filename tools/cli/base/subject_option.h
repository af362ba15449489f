// Engines by name, for verbs that compare two of them.
//
//   fast, reference         the engines of this program
//   ./other/ticktape        another build: started as './other/ticktape engine-server'
//   './mine --serve x'      any program that speaks replay/compare/EVENT_STREAM.md

#ifndef TOOLS_CLI_BASE_SUBJECT_OPTION_H_
#define TOOLS_CLI_BASE_SUBJECT_OPTION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/compare/subject.h"
#include "replay/engines.h"

namespace tools {

enum class Isolation {
  kNone,        // Engines of this program run in its process.
  kOwnProcess,  // Engines of this program also run in a process of their own, which may crash.
};

// An engine that drives records of `application`. Errors: INVALID_ARGUMENT (not an engine's name,
// and there is no such program), ABORTED (the program ended instead of answering), UNIMPLEMENTED
// (another protocol version or row schema).
absl::StatusOr<std::unique_ptr<replay::Subject>> OpenSubject(
    absl::string_view name, Isolation isolation = Isolation::kNone,
    const replay::Application& application = replay::ExchangeApplication());

inline constexpr char kSubjectHelp[] =
    "fast, reference, the path of another ticktape, or\n"
    "a quoted command that speaks the event stream";

}  // namespace tools

#endif  // TOOLS_CLI_BASE_SUBJECT_OPTION_H_
