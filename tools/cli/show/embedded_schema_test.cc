#include "tools/cli/show/embedded_schema.h"

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/messages/kinds.h"
#include "engine/messages/schema.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;

TEST(EmbeddedSchemaTest, NamesItsTypesAndHowMuchTheyHold) {
  const auto types = ReadSchemaTypes(engine::CompiledSchema());
  ASSERT_TRUE(types.ok()) << types.status();
  EXPECT_THAT(*types, Contains(AllOf(Field(&SchemaType::name, "messages.capnp:Command"),
                                     Field(&SchemaType::id, engine::CommandSchemaId()),
                                     Field(&SchemaType::member_count, 14))));
  EXPECT_THAT(*types,
              Contains(AllOf(Field(&SchemaType::name, "messages.capnp:CommandKind"),
                             Field(&SchemaType::member_count, engine::kCommandKinds.size()))));
  EXPECT_THAT(*types,
              Contains(AllOf(Field(&SchemaType::name, "messages.capnp:EventKind"),
                             Field(&SchemaType::member_count, engine::kEventKinds.size()))));
}

TEST(EmbeddedSchemaTest, AnAbsentSchemaIsRefused) {
  EXPECT_EQ(ReadSchemaTypes({}).status().code(), absl::StatusCode::kDataLoss);
}

TEST(EmbeddedSchemaTest, TruncatedBytesAreReadSafely) {
  const std::vector<std::byte> whole = engine::CompiledSchema();
  for (size_t size = 0; size < whole.size(); ++size) {
    ReadSchemaTypes(engine::Bytes(whole).first(size)).status().IgnoreError();
  }
}

TEST(EmbeddedSchemaTest, DamagedBytesAreReadSafely) {
  engine::Prng prng(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::byte> damaged = engine::CompiledSchema();
    for (int hit = 0; hit < 4; ++hit) {
      damaged[prng.Below(damaged.size())] = static_cast<std::byte>(prng.Below(256));
    }
    ReadSchemaTypes(damaged).status().IgnoreError();
  }
}

}  // namespace
}  // namespace tools
