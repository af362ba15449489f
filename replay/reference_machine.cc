#include "replay/reference_machine.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/core/exchange.h"
#include "replay/command_row.h"

namespace replay {

void ReferenceMachine::Apply(const journal::Record& record, engine::EventBuffer& events) {
  exchange_.Apply(ToCommand(*record.row), record.attachment, events);
}

// A file says anything; what the fast exchange has taken is a state. It costs that one's memory
// meanwhile.
absl::Status ReferenceMachine::Load(engine::SnapshotSource source) {
  engine::Exchange sound;
  RETURN_IF_ERROR(sound.Load(source));
  std::vector<std::vector<std::byte>> parts;
  RETURN_IF_ERROR(sound.Save([&](engine::Bytes part) {
    parts.emplace_back(part.begin(), part.end());
    return absl::OkStatus();
  }));
  size_t next = 0;
  return exchange_.Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    if (next == parts.size()) return std::nullopt;
    return parts[next++];
  });
}

}  // namespace replay
