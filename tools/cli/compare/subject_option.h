// Engines by name, for verbs that compare two of them.
//
//   fast, reference         the engines of this program
//   ./other/ticktape        another build: started as './other/ticktape engine-server'
//   './mine --serve x'      any program that speaks replay/compare/EVENT_STREAM.md, with its
//   arguments

#ifndef TOOLS_CLI_COMPARE_SUBJECT_OPTION_H_
#define TOOLS_CLI_COMPARE_SUBJECT_OPTION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/compare/subject.h"

namespace tools {

enum class Isolation {
  kNone,        // Engines of this program run in it.
  kOwnProcess,  // They too run in a process of their own, which may end.
};

// Errors: INVALID_ARGUMENT (it is no name, and there is no such program), ABORTED (it ended instead
// of answering), UNIMPLEMENTED (it speaks another version, or has other rows).
absl::StatusOr<std::unique_ptr<replay::Subject>> OpenSubject(
    absl::string_view name, Isolation isolation = Isolation::kNone);

inline constexpr char kSubjectHelp[] =
    "fast, reference, the path of another ticktape, or\n"
    "a quoted command that speaks the event stream";

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_SUBJECT_OPTION_H_
