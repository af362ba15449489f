#include "tools/cli/base/strategy_application.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "replay/machine.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/nearest_word.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy_machine.h"
#include "tools/strategy/vocabulary.h"

namespace tools {
namespace {

std::unique_ptr<replay::Machine> MakeMachine(const std::string& name, replay::EngineKind kind) {
  const strategy::StrategyInfo* const info = strategy::FindStrategy(name);
  if (info == nullptr || kind != replay::EngineKind::kFast) return nullptr;
  return std::make_unique<strategy::StrategyMachine>(name, info->make());
}

}  // namespace

absl::StatusOr<const strategy::StrategyInfo*> StrategyNamed(const std::string& name) {
  const strategy::StrategyInfo* const info = strategy::FindStrategy(name);
  if (info != nullptr) return info;
  std::vector<std::string> names;
  for (const strategy::StrategyInfo& each : strategy::AllStrategies()) {
    names.emplace_back(each.name);
  }
  return absl::InvalidArgumentError(NoSuchWord("strategy", name, names));
}

const replay::Application* FindStrategyApplication(absl::string_view application) {
  absl::string_view name = application;
  if (!absl::ConsumePrefix(&name, strategy::kApplicationPrefix) || name.empty()) return nullptr;
  static auto& all = *new std::map<std::string, replay::Application>();
  const auto [found, is_new] = all.try_emplace(std::string(name));
  if (is_new) {
    found->second = {
        .name = std::string(application),
        .row_schema_id = strategy::kInputSchema,
        .semantics_version = strategy::StrategyMachine::kVersion,
        .make_machine =
            [name = found->first](replay::EngineKind kind) { return MakeMachine(name, kind); },
        .make_vocabulary = []() -> std::unique_ptr<replay::Vocabulary> {
          return std::make_unique<strategy::StrategyVocabulary>();
        }};
  }
  return &found->second;
}

journal::JournalMetadata StrategyMetadata(absl::string_view strategy,
                                          const std::string& created_by) {
  return {.application = absl::StrCat(strategy::kApplicationPrefix, strategy),
          .build_id = BuildId(),
          .semantics_version = strategy::StrategyMachine::kVersion,
          .created_by = created_by,
          .row_schema_id = strategy::kInputSchema,
          .row_schema = {}};
}

}  // namespace tools
