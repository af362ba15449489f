// The compiled schema of a conversation's rows, for embedding in its journal; as
// engine/messages/schema.h for commands.

#ifndef ENGINE_GATEWAY_CONVERSATION_SCHEMA_H_
#define ENGINE_GATEWAY_CONVERSATION_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

inline constexpr char kConversationApplication[] = "ticktape conversation";

// The version of what rows mean.
inline constexpr uint32_t kConversationVersion = 1;

// The type id of struct TalkRow.
uint64_t ConversationSchemaId();

// A framed Cap'n Proto message whose root is a CodeGeneratorRequest (capnp/schema.capnp).
std::vector<std::byte> CompiledConversationSchema();

}  // namespace engine

#endif  // ENGINE_GATEWAY_CONVERSATION_SCHEMA_H_
