#include "engine/gateway/conversation_schema.h"

#include <capnp/message.h>
#include <capnp/schema.capnp.h>
#include <capnp/schema.h>
#include <capnp/serialize.h>

#include "engine/gateway/conversation.capnp.h"
#include "engine/messages/canonical_message.h"

namespace engine {

uint64_t ConversationSchemaId() { return capnp::typeId<schema::TalkRow>(); }

std::vector<std::byte> CompiledConversationSchema() {
  capnp::MallocMessageBuilder message;
  auto nodes = message.initRoot<capnp::schema::CodeGeneratorRequest>().initNodes(2);
  nodes.setWithCaveats(0, capnp::Schema::from<schema::TalkRow>().getProto());
  nodes.setWithCaveats(1, capnp::Schema::from<schema::TalkKind>().getProto());
  return ToBytes(capnp::messageToFlatArray(message));
}

}  // namespace engine
