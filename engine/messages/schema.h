// The compiled schema of the recorded form, for embedding in journals: a journal can then be read
// by a build that has never seen these messages.

#ifndef ENGINE_MESSAGES_SCHEMA_H_
#define ENGINE_MESSAGES_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

// The type id of struct Command, the layout of a journal's rows.
uint64_t CommandSchemaId();

// The schema nodes of Command, Event, MarketDefinition and their enumerations: a framed Cap'n Proto
// message whose root is a CodeGeneratorRequest (capnp/schema.capnp).
std::vector<std::byte> CompiledSchema();

}  // namespace engine

#endif  // ENGINE_MESSAGES_SCHEMA_H_
