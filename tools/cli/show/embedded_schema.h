// The schema that a journal carries: the types of its rows and attachments.

#ifndef TOOLS_CLI_SHOW_EMBEDDED_SCHEMA_H_
#define TOOLS_CLI_SHOW_EMBEDDED_SCHEMA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

// A regular value type.
struct SchemaType {
  std::string name;  // "messages.capnp:Command".
  uint64_t id = 0;
  uint64_t member_count = 0;  // Fields of a struct, values of an enumeration.
};

// Returns the types of a compiled schema, a framed CodeGeneratorRequest (capnp/schema.capnp), in
// its order. Any bytes are safe. Errors: DATA_LOSS.
absl::StatusOr<std::vector<SchemaType>> ReadSchemaTypes(engine::Bytes schema);

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_EMBEDDED_SCHEMA_H_
