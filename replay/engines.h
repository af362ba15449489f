// The engines that a user can choose from: two implementations of the same rules.

#ifndef REPLAY_ENGINES_H_
#define REPLAY_ENGINES_H_

#include <array>
#include <memory>

#include "absl/strings/string_view.h"
#include "replay/machine.h"

namespace replay {

enum class EngineKind {
  kFast,       // The production exchange.
  kReference,  // The same rules in the most obvious way: the test oracle.
};

inline constexpr std::array<absl::string_view, 2> kEngineNames = {"fast", "reference"};

std::unique_ptr<Machine> MakeEngine(EngineKind kind);

}  // namespace replay

#endif  // REPLAY_ENGINES_H_
