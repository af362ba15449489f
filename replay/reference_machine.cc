#include "replay/reference_machine.h"

#include "replay/command_row.h"

namespace replay {

std::span<const Output> ReferenceMachine::Apply(ApplyKey, const journal::Record& record) {
  exchange_.Apply(ToCommand(*record.row), record.attachment, events_.buffer());
  return events_.outputs();
}

}  // namespace replay
