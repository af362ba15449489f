#include "engine/messages/schema.h"

#include <capnp/message.h>
#include <capnp/schema.capnp.h>
#include <capnp/schema.h>
#include <capnp/serialize.h>

#include "engine/messages/canonical_message.h"
#include "engine/messages/messages.capnp.h"

namespace engine {

uint64_t CommandSchemaId() { return capnp::typeId<schema::Command>(); }

std::vector<std::byte> CompiledSchema() {
  const capnp::Schema schemas[] = {
      capnp::Schema::from<schema::Command>(),
      capnp::Schema::from<schema::CommandKind>(),
      capnp::Schema::from<schema::Event>(),
      capnp::Schema::from<schema::EventKind>(),
      capnp::Schema::from<schema::MarketDefinition>(),
      capnp::Schema::from<schema::TickBand>(),
      capnp::Schema::from<schema::RiskLimits>(),
      capnp::Schema::from<schema::FeeSchedule>(),
  };
  capnp::MallocMessageBuilder message;
  auto nodes =
      message.initRoot<capnp::schema::CodeGeneratorRequest>().initNodes(std::size(schemas));
  for (unsigned i = 0; i < std::size(schemas); ++i) nodes.setWithCaveats(i, schemas[i].getProto());
  return ToBytes(capnp::messageToFlatArray(message));
}

}  // namespace engine
