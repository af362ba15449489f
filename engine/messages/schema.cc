#include "engine/messages/schema.h"

#include <capnp/message.h>
#include <capnp/schema.capnp.h>
#include <capnp/schema.h>
#include <capnp/serialize.h>

#include <cstring>

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
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const auto bytes = words.asBytes();
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.begin(), bytes.size());
  return result;
}

}  // namespace engine
