// Under the name of the option: the filter language (engine/messages/filter.h).

#ifndef TOOLS_CLI_READ_WHERE_H_
#define TOOLS_CLI_READ_WHERE_H_

#include "engine/messages/filter.h"

namespace tools {

using engine::Messages;
using Where = engine::Filter;

}  // namespace tools

#endif  // TOOLS_CLI_READ_WHERE_H_
