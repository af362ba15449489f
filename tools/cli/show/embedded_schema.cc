#include "tools/cli/show/embedded_schema.h"

#include <capnp/message.h>
#include <capnp/schema.capnp.h>
#include <capnp/serialize.h>

#include <cstring>

#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"

namespace tools {

absl::StatusOr<std::vector<SchemaType>> ReadSchemaTypes(engine::Bytes schema) {
  std::vector<SchemaType> types;
  // Copies the bytes to words, because they may not be aligned.
  auto words = kj::heapArray<capnp::word>(schema.size() / sizeof(capnp::word));
  if (words.size() > 0) {
    std::memcpy(words.begin(), schema.data(), words.size() * sizeof(capnp::word));
  }
  RETURN_IF_ERROR(engine::CatchKj([&] {
    capnp::FlatArrayMessageReader reader(words);
    for (const auto node : reader.getRoot<capnp::schema::CodeGeneratorRequest>().getNodes()) {
      SchemaType& type = types.emplace_back();
      type.name = node.getDisplayName().cStr();
      type.id = node.getId();
      if (node.isStruct()) type.member_count = node.getStruct().getFields().size();
      if (node.isEnum()) type.member_count = node.getEnum().getEnumerants().size();
    }
  }));
  return types;
}

}  // namespace tools
