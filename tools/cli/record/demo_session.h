// The recorded session of `demo`, embedded in the program, so that it needs no file.

#ifndef TOOLS_CLI_RECORD_DEMO_SESSION_H_
#define TOOLS_CLI_RECORD_DEMO_SESSION_H_

#include "engine/base/bytes.h"

namespace tools {

// testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz; its README names the source.
engine::Bytes DemoSession();

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_DEMO_SESSION_H_
