#include "tools/cli/base/engine_option.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "tools/cli/base/option_values.h"

namespace tools {

void AddEngineOption(CLI::App& app, replay::EngineKind& engine) {
  std::map<std::string, replay::EngineKind> kinds;
  for (size_t i = 0; i < replay::kEngineNames.size(); ++i) {
    kinds.emplace(replay::kEngineNames[i], static_cast<replay::EngineKind>(i));
  }
  app.add_option("--engine", engine, "fast (the default) or reference: the same rules twice")
      ->type_name("ENGINE")
      ->transform(OneOf(kinds));
}

}  // namespace tools
