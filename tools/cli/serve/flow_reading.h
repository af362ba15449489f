// Reads the commands of a flow's source: a journal, or an ITCH file, whose commands are those that
// 'record --from itch' makes of it, with the same numbers.

#ifndef TOOLS_CLI_SERVE_FLOW_READING_H_
#define TOOLS_CLI_SERVE_FLOW_READING_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"

namespace tools {

// Not thread-safe.
class FlowReading {
 public:
  // Opens the source at the first command of `range` (selector.h; empty: all). Times of an ITCH
  // file are of 1970-01-01; it has no positions from its end. Without `markets`, those defined
  // before the range are not looked for. Errors: with the path.
  enum class Markets { kAll, kOfRange };
  static absl::StatusOr<std::unique_ptr<FlowReading>> Open(const std::string& path,
                                                           const std::string& range,
                                                           Markets markets);
  virtual ~FlowReading() = default;

  // Calls `visit` with the next commands of the range, some thousand at most of a journal, and of
  // an ITCH file those of 64 KiB. Returns whether there may be more. Errors: DATA_LOSS with the
  // path and the place.
  using Visit = absl::FunctionRef<void(const engine::Command&)>;
  virtual absl::StatusOr<bool> Next(Visit visit) = 0;

  // Those defined up to here.
  virtual const engine::MarketDirectory& markets() const = 0;

  // Read so far, and the whole; in records or bytes.
  virtual uint64_t done() const = 0;
  virtual uint64_t total() const = 0;
};

// Whether the command is about orders of the market.
bool IsAboutOrdersOf(engine::MarketId market, const engine::Command& command);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_FLOW_READING_H_
