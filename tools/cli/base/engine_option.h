// --engine, for every verb that drives one.

#ifndef TOOLS_CLI_BASE_ENGINE_OPTION_H_
#define TOOLS_CLI_BASE_ENGINE_OPTION_H_

#include "replay/engines.h"

namespace CLI {
class App;
}  // namespace CLI

namespace tools {

// `engine` outlives the parsing of `app`.
void AddEngineOption(CLI::App& app, replay::EngineKind& engine);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_ENGINE_OPTION_H_
