#include "replay/engines.h"

#include "engine/base/check.h"
#include "engine/messages/schema.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_vocabulary.h"
#include "replay/semantics_version.h"

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

const Application& ExchangeApplication() {
  static const Application exchange = {.name = kExchangeApplication,
                                       .row_schema_id = engine::CommandSchemaId(),
                                       .semantics_version = kSemanticsVersion,
                                       .make_machine = MakeEngine,
                                       .make_vocabulary = []() -> std::unique_ptr<Vocabulary> {
                                         return std::make_unique<ExchangeVocabulary>();
                                       }};
  return exchange;
}

}  // namespace replay
