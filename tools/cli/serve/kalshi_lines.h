// What 'ticktape serve' prints for clients of Kalshi's API: addresses, keys, and lines to copy.

#ifndef TOOLS_CLI_SERVE_KALSHI_LINES_H_
#define TOOLS_CLI_SERVE_KALSHI_LINES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tools/cli/base/console.h"
#include "tools/serve/venue_config.h"

namespace tools {

// `keys_folder` has the private keys that serve --init made. `address`: where the venue listens.
// `certificate`: the file that its clients trust; empty if it serves without TLS.
void PrintKalshiLines(const KalshiConfig& config, const std::string& keys_folder,
                      absl::string_view address, const std::string& certificate, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_KALSHI_LINES_H_
