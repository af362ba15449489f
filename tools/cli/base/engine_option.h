// --engine, for every verb that drives an engine.

#ifndef TOOLS_CLI_BASE_ENGINE_OPTION_H_
#define TOOLS_CLI_BASE_ENGINE_OPTION_H_

#include "replay/engines.h"

namespace tools {

class Options;

// `engine` outlives the parsing of `options`.
void AddEngineOption(Options& options, replay::EngineKind& engine);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_ENGINE_OPTION_H_
