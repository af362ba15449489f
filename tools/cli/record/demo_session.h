// The real session of the demo, inside the program: it runs wherever the program is.

#ifndef TOOLS_CLI_RECORD_DEMO_SESSION_H_
#define TOOLS_CLI_RECORD_DEMO_SESSION_H_

#include "engine/base/bytes.h"

namespace tools {

// testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz; its README says where it comes
// from.
engine::Bytes DemoSession();

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_DEMO_SESSION_H_
