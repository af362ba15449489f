// --engine, for every verb that drives an engine.

#ifndef TOOLS_CLI_BASE_ENGINE_OPTION_H_
#define TOOLS_CLI_BASE_ENGINE_OPTION_H_

#include <cstddef>
#include <map>
#include <string>

#include "replay/engines.h"
#include "tools/cli/base/options.h"

namespace tools {

// `engine` outlives the parsing of `options`.
inline void AddEngineOption(Options& options, replay::EngineKind& engine) {
  std::map<std::string, replay::EngineKind> kinds;
  for (size_t i = 0; i < replay::kEngineNames.size(); ++i) {
    kinds.emplace(replay::kEngineNames[i], static_cast<replay::EngineKind>(i));
  }
  options
      .AddChoice("--engine", engine, kinds, "fast (the default) or reference: the same rules twice")
      .Type("ENGINE");
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_ENGINE_OPTION_H_
