#include "replay/engines.h"

#include "engine/base/check.h"
#include "replay/exchange_machine.h"
#include "replay/reference_machine.h"

namespace replay {

std::unique_ptr<Machine> MakeEngine(EngineKind kind) {
  switch (kind) {
    case EngineKind::kFast:
      return std::make_unique<ExchangeMachine>();
    case EngineKind::kReference:
      return std::make_unique<ReferenceMachine>();
  }
  CHECK(false) << "engine " << static_cast<int>(kind);
  return nullptr;
}

}  // namespace replay
