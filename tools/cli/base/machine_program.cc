#include "tools/cli/base/machine_program.h"

#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/journal_metadata.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/foreign_subject.h"
#include "replay/engines.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/process_channel.h"
#include "tools/os/child_process.h"

namespace tools {
namespace {

constexpr char kOption[] = "--machine";
constexpr std::chrono::seconds kPatience(10);

// What is asked of the program.
struct Machine {
  uint64_t row_schema_id = 0;
  std::string why = {};  // ", which run.tape names"
};

absl::Status CheckHas(const std::string& program, const std::string& name, const Machine& machine) {
  ASSIGN_OR_RETURN(std::unique_ptr<ChildProcess> child,
                   ChildProcess::Start({program, "engine-server", "--application", name}));
  child->SetPatience(kPatience);
  const auto connect = [&child]() -> absl::StatusOr<std::unique_ptr<replay::ByteChannel>> {
    return std::make_unique<ProcessChannel>(std::move(child));
  };
  const absl::Status greeted =
      replay::ForeignSubject::Open(connect, machine.row_schema_id).status();
  if (greeted.ok()) return greeted;
  const std::string option = absl::StrCat(kOption, " ", program, ": ");
  // Only a ticktape refuses so.
  const std::string refusal = absl::StrCat(DescribeExit(static_cast<int>(ExitCode::kNotComparable)),
                                           ": ticktape engine-server: ");
  if (absl::StartsWith(greeted.message(), refusal)) {
    return absl::UnimplementedError(
        absl::StrCat(option, "it has no machine '", name, "'", machine.why));
  }
  if (absl::IsUnimplemented(greeted)) {
    return absl::UnimplementedError(absl::StrCat(option, greeted.message()));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(option, "it is not a ticktape: ", greeted.message()));
}

}  // namespace

std::vector<std::string> WithoutMachine(const std::vector<std::string>& words) {
  std::vector<std::string> others;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == "--") {
      others.insert(others.end(), word, words.end());
      break;
    }
    if (*word == kOption && std::next(word) != words.end()) {
      ++word;
    } else if (*word != kOption && !absl::StartsWith(*word, absl::StrCat(kOption, "="))) {
      others.push_back(*word);
    }
  }
  return others;
}

absl::Status RunByMachineProgram(const std::string& program, const std::vector<std::string>& words,
                                 const std::vector<std::string>& journals) {
  std::map<std::string, Machine> machines;  // By name.
  for (const std::string& journal : journals) {
    const absl::StatusOr<OpenedJournal> opened = OpenJournal(journal);
    if (!opened.ok()) continue;
    const journal::JournalMetadata& metadata = opened->reader->info().metadata;
    machines.try_emplace(metadata.application,
                         Machine{.row_schema_id = metadata.row_schema_id,
                                 .why = absl::StrCat(", which ", journal, " names")});
  }
  if (machines.empty()) {  // Even so, only a ticktape is run.
    const replay::Application& exchange = replay::ExchangeApplication();
    machines.try_emplace(exchange.name, Machine{.row_schema_id = exchange.row_schema_id});
  }
  for (const auto& [name, machine] : machines) RETURN_IF_ERROR(CheckHas(program, name, machine));
  std::vector<std::string> command = WithoutMachine(words);
  command.insert(command.begin(), program);
  return ReplaceProgram(command);
}

}  // namespace tools
