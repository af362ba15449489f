// Compares two compiled schemas, as journals carry them, by type and field: can data recorded under
// one be read under the other?
//
//   recorded   Command.price @3 :Int64 bits 192..255
//   today      Command.price @3 :Int64 bits 192..255     equal, or recorded bytes are misread
//              Command.venue @12 :UInt16 bits 496..511   an addition
//
// A row is flat and has no room to grow: its struct keeps its size. In other structs, new fields
// after the recorded ones are additions. A new name for the same bytes is reported as a rename, not
// as an addition: a field may have got another meaning.

#ifndef REPLAY_SCHEMA_COMPATIBILITY_H_
#define REPLAY_SCHEMA_COMPATIBILITY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace replay {

struct SchemaComparison {
  uint64_t type_count = 0;    // In the recorded schema.
  uint64_t member_count = 0;  // Fields and enumerants in the recorded schema.
  std::vector<std::string> breaks;
  std::vector<std::string> renames;
  std::vector<std::string> additions;
};

// Both are framed CodeGeneratorRequests (capnp/schema.capnp); `row` is the type id of the row
// struct. Any bytes are safe. Errors: DATA_LOSS.
absl::StatusOr<SchemaComparison> CompareSchemas(engine::Bytes recorded, engine::Bytes today,
                                                uint64_t row);

// Returns one line for each type and each of its members, in the form above. Errors: DATA_LOSS.
absl::StatusOr<std::vector<std::string>> DescribeSchema(engine::Bytes schema);

}  // namespace replay

#endif  // REPLAY_SCHEMA_COMPATIBILITY_H_
