#include "replay/reference_machine.h"

#include "replay/command_row.h"

namespace replay {

void ReferenceMachine::Apply(ApplyKey, const journal::Record& record, engine::EventBuffer& events) {
  exchange_.Apply(ToCommand(*record.row), record.attachment, events);
}

}  // namespace replay
