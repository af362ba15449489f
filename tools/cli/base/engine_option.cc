#include "tools/cli/base/engine_option.h"

#include <map>
#include <string>

#include "tools/cli/base/options.h"

namespace tools {

void AddEngineOption(Options& options, replay::EngineKind& engine) {
  std::map<std::string, replay::EngineKind> kinds;
  for (size_t i = 0; i < replay::kEngineNames.size(); ++i) {
    kinds.emplace(replay::kEngineNames[i], static_cast<replay::EngineKind>(i));
  }
  options
      .AddChoice("--engine", engine, kinds, "fast (the default) or reference: the same rules twice")
      .Type("ENGINE");
}

}  // namespace tools
