// Schemas are changed here as an editor of messages.capnp might change them.

#include "replay/schema_compatibility.h"

#include <capnp/message.h>
#include <capnp/schema.capnp.h>
#include <capnp/serialize.h>

#include <cstring>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/messages/schema.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace replay {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Request = capnp::schema::CodeGeneratorRequest;
using Edit = std::function<void(capnp::MallocMessageBuilder&, Request::Builder)>;

// Today's schema, edited.
std::vector<std::byte> Edited(const Edit& edit) {
  const std::vector<std::byte> today = engine::CompiledSchema();
  auto words = kj::heapArray<capnp::word>(today.size() / sizeof(capnp::word));
  std::memcpy(words.begin(), today.data(), today.size());
  capnp::FlatArrayMessageReader reader(words);
  capnp::MallocMessageBuilder message;
  message.setRoot(reader.getRoot<Request>());
  edit(message, message.getRoot<Request>());
  const auto flat = capnp::messageToFlatArray(message);
  const auto bytes = flat.asBytes();
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.begin(), bytes.size());
  return result;
}

capnp::schema::Node::Builder NodeOf(Request::Builder request, const char* name) {
  for (auto node : request.getNodes()) {
    const std::string display = node.getDisplayName().cStr();
    if (display.substr(display.find(':') + 1) == name) return node;
  }
  ADD_FAILURE() << "no type " << name;
  return request.getNodes()[0];
}

capnp::schema::Field::Builder FieldOf(Request::Builder request, const char* type,
                                      const char* name) {
  auto fields = NodeOf(request, type).getStruct().getFields();
  for (auto field : fields) {
    if (field.getName() == name) return field;
  }
  ADD_FAILURE() << "no field " << name;
  return fields[0];
}

// Recorded under the edited schema, read with today's.
SchemaComparison RecordedUnder(const Edit& edit) {
  const auto comparison =
      CompareSchemas(Edited(edit), engine::CompiledSchema(), engine::CommandSchemaId());
  EXPECT_TRUE(comparison.ok()) << comparison.status();
  return *comparison;
}

// Recorded today, read with the edited schema.
SchemaComparison ReadUnder(const Edit& edit) {
  const auto comparison =
      CompareSchemas(engine::CompiledSchema(), Edited(edit), engine::CommandSchemaId());
  EXPECT_TRUE(comparison.ok()) << comparison.status();
  return *comparison;
}

TEST(SchemaCompatibilityTest, TodaysSchemaReadsItself) {
  const SchemaComparison same = ReadUnder([](auto&, auto) {});
  EXPECT_THAT(same.breaks, IsEmpty());
  EXPECT_THAT(same.renames, IsEmpty());
  EXPECT_THAT(same.additions, IsEmpty());
  EXPECT_GT(same.type_count, 5u);
  EXPECT_GT(same.member_count, 50u);
}

TEST(SchemaCompatibilityTest, AMovedFieldIsNamed) {
  const auto moved = ReadUnder([](auto&, Request::Builder request) {
    auto slot = FieldOf(request, "Command", "price").getSlot();
    slot.setOffset(slot.getOffset() + 1);
  });
  ASSERT_EQ(moved.breaks.size(), 1u);
  EXPECT_THAT(moved.breaks[0], HasSubstr("Command.price @"));
  EXPECT_THAT(moved.breaks[0], HasSubstr(" was :Int64 bits "));
}

TEST(SchemaCompatibilityTest, AFieldOfAnotherTypeIsNamed) {
  const auto changed = ReadUnder([](auto&, Request::Builder request) {
    FieldOf(request, "Command", "price").getSlot().getType().setUint64();
  });
  EXPECT_THAT(changed.breaks, ElementsAre(HasSubstr("and is :UInt64 bits ")));
}

TEST(SchemaCompatibilityTest, AFieldThatIsGoneIsNamedAndANewOneIsAnAddition) {
  const auto renumbered = ReadUnder([](auto&, Request::Builder request) {
    FieldOf(request, "Command", "price").getOrdinal().setExplicit(99);
  });
  EXPECT_THAT(renumbered.breaks, ElementsAre(HasSubstr("Command.price @3")));
  EXPECT_THAT(renumbered.breaks, ElementsAre(HasSubstr("is gone")));
  EXPECT_THAT(renumbered.additions, ElementsAre(HasSubstr("Command.price @99")));
}

TEST(SchemaCompatibilityTest, AnotherNameIsNoAddition) {
  const auto renamed = ReadUnder([](auto&, Request::Builder request) {
    FieldOf(request, "Command", "price").setName("cost");
  });
  EXPECT_THAT(renamed.breaks, IsEmpty());
  EXPECT_THAT(renamed.renames, ElementsAre(HasSubstr("is called cost now")));
}

TEST(SchemaCompatibilityTest, ARowDoesNotGrow) {
  const auto grown = ReadUnder([](auto&, Request::Builder request) {
    NodeOf(request, "Command").getStruct().setDataWordCount(9);
  });
  EXPECT_THAT(grown.breaks, ElementsAre(HasSubstr("rows have one size")));
}

TEST(SchemaCompatibilityTest, AnotherStructMayGrowButNotShrink) {
  EXPECT_THAT(ReadUnder([](auto&, Request::Builder request) {
                NodeOf(request, "MarketDefinition").getStruct().setDataWordCount(99);
              }).breaks,
              IsEmpty());
  EXPECT_THAT(RecordedUnder([](auto&, Request::Builder request) {
                NodeOf(request, "MarketDefinition").getStruct().setDataWordCount(99);
              }).breaks,
              ElementsAre(HasSubstr("MarketDefinition was 99 words of data")));
}

TEST(SchemaCompatibilityTest, AUnionsTagThatHasMovedIsNamed) {
  const auto with_tag_at = [](uint32_t offset) {
    return Edited([offset](auto&, Request::Builder request) {
      auto node = NodeOf(request, "FeeSchedule").getStruct();
      node.setDiscriminantCount(2);
      node.setDiscriminantOffset(offset);
    });
  };
  const auto moved = CompareSchemas(with_tag_at(6), with_tag_at(7), engine::CommandSchemaId());
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_THAT(moved->breaks, ElementsAre(HasSubstr("FeeSchedule: the union's tag has moved")));
  const auto same = CompareSchemas(with_tag_at(6), with_tag_at(6), engine::CommandSchemaId());
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_THAT(same->breaks, IsEmpty());
}

TEST(SchemaCompatibilityTest, ATypeThatIsGoneIsNamed) {
  const auto other = ReadUnder([](auto&, Request::Builder request) {
    NodeOf(request, "TickBand").setId(0x1234567812345678);
  });
  EXPECT_THAT(other.breaks, ElementsAre(HasSubstr("TickBand (")));
  EXPECT_THAT(other.additions, ElementsAre("TickBand"));
}

TEST(SchemaCompatibilityTest, ValuesKeepTheirNumbers) {
  const auto swapped = ReadUnder([](auto&, Request::Builder request) {
    auto values = NodeOf(request, "CommandKind").getEnum().getEnumerants();
    const std::string first = values[1].getName().cStr();
    values[1].setName(values[2].getName());
    values[2].setName(first.c_str());
  });
  EXPECT_EQ(swapped.renames.size(), 2u);
  EXPECT_THAT(swapped.renames, Contains(HasSubstr("CommandKind.")));
}

TEST(SchemaCompatibilityTest, AnotherKindOfTypeIsNamed) {
  const auto other = ReadUnder(
      [](auto&, Request::Builder request) { NodeOf(request, "CommandKind").initStruct(); });
  EXPECT_THAT(other.breaks, ElementsAre("CommandKind is another kind of type"));
}

TEST(SchemaCompatibilityTest, NoBytesAreMoreThanAnError) {
  const std::vector<std::byte> today = engine::CompiledSchema();
  EXPECT_EQ(CompareSchemas({}, today, 0).status().code(), absl::StatusCode::kDataLoss);
  for (size_t length = 0; length < today.size(); length += 40) {
    (void)CompareSchemas(engine::Bytes(today).first(length), today, 0);
  }
  engine::Prng prng(3);
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::byte> damaged = today;
    damaged[prng.Below(damaged.size())] = static_cast<std::byte>(prng.Below(256));
    (void)CompareSchemas(damaged, today, engine::CommandSchemaId());
    (void)DescribeSchema(damaged);
  }
}

TEST(SchemaCompatibilityTest, ADescriptionNamesFieldsAndTheirPlaces) {
  const auto lines = DescribeSchema(engine::CompiledSchema());
  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_THAT(*lines, Contains(HasSubstr("  price @3 :Int64 bits ")));
}

}  // namespace
}  // namespace replay
