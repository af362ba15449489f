#include "tools/cli/base/subject_option.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/foreign_subject.h"
#include "replay/compare/machine_subject.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/process_channel.h"
#include "tools/os/child_process.h"

namespace tools {
namespace {

absl::StatusOr<std::unique_ptr<replay::Subject>> StartProgram(
    const std::vector<std::string>& command, uint64_t row_schema_id) {
  auto connect = [command]() -> absl::StatusOr<std::unique_ptr<replay::ByteChannel>> {
    ASSIGN_OR_RETURN(auto child, ChildProcess::Start(command));
    return std::make_unique<ProcessChannel>(std::move(child));
  };
  auto subject = replay::ForeignSubject::Open(connect, row_schema_id);
  if (!subject.ok()) {
    return absl::Status(
        subject.status().code(),
        absl::StrCat("engine '", absl::StrJoin(command, " "), "': ", subject.status().message()));
  }
  return *std::move(subject);
}

}  // namespace

absl::StatusOr<std::unique_ptr<replay::Subject>> OpenSubject(
    absl::string_view name, Isolation isolation, const replay::Application& application) {
  const auto& names = replay::kEngineNames;
  const auto own = std::find(names.begin(), names.end(), name);
  if (own != names.end()) {
    if (isolation == Isolation::kOwnProcess) {
      return StartProgram({"/proc/self/exe", "engine-server", "--engine", std::string(name),
                           "--application", application.name},
                          application.row_schema_id);
    }
    const auto kind = static_cast<replay::EngineKind>(own - names.begin());
    if (application.make_machine(kind) == nullptr) {
      return HasNoEngine(application, name);
    }
    return std::make_unique<replay::MachineSubject>(
        replay::SubjectIdentity{.name = std::string(name),
                                .build_id = ExecutableId(),
                                .semantics_version = application.semantics_version},
        [kind, make = application.make_machine] { return make(kind); });
  }
  std::vector<std::string> command = absl::StrSplit(name, ' ', absl::SkipEmpty());
  if (command.empty() || (command.size() == 1 && !absl::StrContains(name, '/'))) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no engine '", name, "'; expected ", absl::StrJoin(names, ", "),
                     ", the path of another ticktape (with a '/'), or a command in quotes"));
  }
  if (command.size() == 1) {
    command.push_back("engine-server");
    if (&application != &replay::ExchangeApplication()) {
      command.insert(command.end(), {"--application", application.name});
    }
  }
  return StartProgram(command, application.row_schema_id);
}

}  // namespace tools
