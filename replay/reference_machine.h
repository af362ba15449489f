// The reference exchange as a Machine.

#ifndef REPLAY_REFERENCE_MACHINE_H_
#define REPLAY_REFERENCE_MACHINE_H_

#include "absl/strings/string_view.h"
#include "engine/reference/reference_exchange.h"
#include "replay/exchange_machine.h"

namespace replay {

class ReferenceMachine final : public MachineOfExchange<engine::ReferenceExchange> {
 public:
  absl::string_view name() const override { return "reference"; }
};

}  // namespace replay

#endif  // REPLAY_REFERENCE_MACHINE_H_
