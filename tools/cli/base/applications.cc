#include "tools/cli/base/applications.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/conversation_application.h"
#include "tools/cli/base/strategy_application.h"
#include "tools/strategy/vocabulary.h"

namespace tools {
namespace {

constexpr char kGiveMachine[] = "name the program that has it: --machine PROGRAM";

std::vector<const replay::Application*>& Applications() {
  static auto& all = *new std::vector<const replay::Application*>{&replay::ExchangeApplication(),
                                                                  &ConversationApplication()};
  return all;
}

}  // namespace

void AddApplication(const replay::Application& application) {
  Applications().push_back(&application);
}

const replay::Application* FindApplicationNamed(absl::string_view name) {
  for (const replay::Application* const application : Applications()) {
    if (application->name == name) return application;
  }
  return FindStrategyApplication(name);
}

const replay::Application* FindApplication(const journal::JournalMetadata& metadata) {
  const replay::Application* const application = FindApplicationNamed(metadata.application);
  const bool is_it = application != nullptr && application->row_schema_id == metadata.row_schema_id;
  return is_it ? application : nullptr;
}

absl::Status HasNoEngine(const replay::Application& application, absl::string_view engine) {
  const bool is_strategy = absl::StartsWith(application.name, strategy::kApplicationPrefix);
  if (is_strategy && application.make_machine(replay::EngineKind::kFast) == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("this program has no machine '", application.name, "'; ", kGiveMachine));
  }
  return absl::UnimplementedError(
      absl::StrCat("'", application.name, "' has no engine '", engine, "'"));
}

absl::StatusOr<const replay::Application*> ApplicationOf(const journal::JournalInfo& info) {
  const replay::Application* const application = FindApplication(info.metadata);
  if (application != nullptr) return application;
  return absl::UnimplementedError(absl::StrCat(
      info.path, " was written by '", info.metadata.application, "' with rows of schema ",
      absl::Hex(info.metadata.row_schema_id, absl::kZeroPad16),
      ", which this program does not know; 'cat', 'info' and 'verify' read any journal; ",
      kGiveMachine));
}

absl::StatusOr<std::unique_ptr<replay::Machine>> MakeMachineFor(const journal::JournalInfo& info,
                                                                replay::EngineKind engine) {
  ASSIGN_OR_RETURN(const replay::Application* const application, ApplicationOf(info));
  std::unique_ptr<replay::Machine> machine = application->make_machine(engine);
  if (machine != nullptr) return machine;
  return HasNoEngine(*application, replay::kEngineNames[static_cast<size_t>(engine)]);
}

std::unique_ptr<replay::Vocabulary> VocabularyOf(const journal::JournalInfo& info) {
  const replay::Application* const application = FindApplication(info.metadata);
  if (application == nullptr) return std::make_unique<replay::UnknownVocabulary>();
  return application->make_vocabulary();
}

bool IsRunOfStrategy(const journal::JournalInfo& info) {
  return absl::StartsWith(info.metadata.application, strategy::kApplicationPrefix);
}

bool IsOfExchange(const journal::JournalInfo& info) {
  return FindApplication(info.metadata) == &replay::ExchangeApplication();
}

absl::Status CheckIsOfExchange(const journal::JournalInfo& info) {
  if (IsOfExchange(info)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const replay::Application* const application, ApplicationOf(info));
  return absl::UnimplementedError(
      absl::StrCat(info.path, " is a journal of '", application->name, "', which is no exchange"));
}

}  // namespace tools
