// Can what was recorded under one schema be read under another? Two compiled schemas, as journals
// carry them, type by type and field by field.
//
//   recorded   Command.price @3 :Int64 bits 192..255
//   today      Command.price @3 :Int64 bits 192..255     the same, or the recorded bytes are
//   misread
//              Command.venue @12 :UInt16 bits 496..511   an addition
//
// A row is flat and has no room to grow: its struct keeps its size. What is new elsewhere, behind
// what was there, is an addition. Another name for the same bytes is no addition either: it is how
// a field gets another meaning.

#ifndef TOOLS_CLI_GOLDEN_SCHEMA_COMPATIBILITY_H_
#define TOOLS_CLI_GOLDEN_SCHEMA_COMPATIBILITY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

struct SchemaComparison {
  uint64_t type_count = 0;    // Recorded.
  uint64_t member_count = 0;  // Fields and enumerants recorded.
  std::vector<std::string> breaks;
  std::vector<std::string> renames;
  std::vector<std::string> additions;
};

// Both are framed CodeGeneratorRequests (capnp/schema.capnp); `row` is the type id of the struct
// that rows are. Any bytes are safe. Errors: DATA_LOSS.
absl::StatusOr<SchemaComparison> CompareSchemas(engine::Bytes recorded, engine::Bytes today,
                                                uint64_t row);

// A line for each type and each of its members, as above. Errors: DATA_LOSS.
absl::StatusOr<std::vector<std::string>> DescribeSchema(engine::Bytes schema);

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_SCHEMA_COMPATIBILITY_H_
