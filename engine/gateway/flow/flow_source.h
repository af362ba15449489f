// Where the commands of a flow come from: orders of one market, recorded elsewhere.

#ifndef ENGINE_GATEWAY_FLOW_FLOW_SOURCE_H_
#define ENGINE_GATEWAY_FLOW_FLOW_SOURCE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "engine/messages/command.h"

namespace engine {

// Not thread-safe: owned by the thread that submits, which it never keeps waiting.
class FlowSource {
 public:
  enum class State {
    kMore,   // There are commands.
    kLater,  // There will be: the thread that submits is woken.
    kEnd,
  };

  virtual ~FlowSource() = default;

  // Replaces `into` with the next commands about orders of the market, in order, with the numbers
  // and times of the source. Errors: those of reading, sticky until the next round.
  virtual absl::StatusOr<State> Take(std::vector<Command>& into) = 0;

  // After the end: begins again with the first command.
  virtual void BeginAgain() = 0;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_FLOW_FLOW_SOURCE_H_
