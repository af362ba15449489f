#include "engine/messages/schema.h"

#include <capnp/dynamic.h>
#include <capnp/message.h>
#include <capnp/schema-loader.h>
#include <capnp/schema.capnp.h>
#include <capnp/serialize.h>

#include <cstring>

#include "engine/messages/command.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Like a build that does not know these messages: the schema from its bytes, a row from its
// bytes.
TEST(Schema, AnUnrelatedBuildCanReadARow) {
  const std::vector<std::byte> bytes = CompiledSchema();
  auto words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
  std::memcpy(words.asBytes().begin(), bytes.data(), bytes.size());
  capnp::FlatArrayMessageReader request(words);
  capnp::SchemaLoader loader;
  for (const auto node : request.getRoot<capnp::schema::CodeGeneratorRequest>().getNodes()) {
    loader.load(node);
  }
  const capnp::StructSchema row = loader.get(CommandSchemaId()).asStruct();

  Command command;
  command.price = Price::FromUnits(-5);
  command.kind = CommandKind::kAmend;
  // A pointer to a struct of eight data words, then the row as the journal holds it.
  auto message_words = kj::heapArray<capnp::word>(9);
  const uint64_t root = uint64_t{8} << 32;
  std::memcpy(message_words.asBytes().begin(), &root, sizeof(root));
  std::memcpy(message_words.asBytes().begin() + sizeof(root), &command, sizeof(command));
  const kj::ArrayPtr<const capnp::word> segments[] = {message_words.asPtr()};
  capnp::SegmentArrayMessageReader message(segments);
  const auto read = message.getRoot<capnp::DynamicStruct>(row);

  EXPECT_EQ(read.get("price").as<int64_t>(), -5);
  KJ_IF_MAYBE (kind, read.get("kind").as<capnp::DynamicEnum>().getEnumerant()) {
    EXPECT_STREQ(kind->getProto().getName().cStr(), "amend");
  } else {
    FAIL() << "no enumerant";
  }
}

}  // namespace
}  // namespace engine
