// The machines that a user can choose from, by the application that a journal's metadata names.
//
//   journal ─► application's name, row schema ─► Application ─► machines · vocabulary

#ifndef REPLAY_ENGINES_H_
#define REPLAY_ENGINES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "replay/machine.h"
#include "replay/vocabulary.h"

namespace replay {

// Two implementations of the same rules.
enum class EngineKind {
  kFast,       // The production implementation.
  kReference,  // The same rules in the most obvious way: the test oracle.
};

inline constexpr std::array<absl::string_view, 2> kEngineNames = {"fast", "reference"};

// What the tools need to know about an application. Two journals are of the same one if both the
// name and the schema are equal.
struct Application {
  std::string name;  // As journal::JournalMetadata has it, and the next two.
  uint64_t row_schema_id = 0;
  uint32_t semantics_version = 0;
  // Null if there is no machine of that kind.
  std::function<std::unique_ptr<Machine>(EngineKind)> make_machine = nullptr;
  std::function<std::unique_ptr<Vocabulary>()> make_vocabulary = nullptr;
};

// The exchange, whose machines implement ExchangeState.
const Application& ExchangeApplication();

// A machine of the exchange.
std::unique_ptr<Machine> MakeEngine(EngineKind kind);

}  // namespace replay

#endif  // REPLAY_ENGINES_H_
