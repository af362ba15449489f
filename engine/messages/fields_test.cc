#include "engine/messages/fields.h"

#include <capnp/schema.h>

#include <cstddef>
#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/messages/messages.capnp.h"
#include "engine/messages/names.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

void ExpectNewBytes(const Field& field, std::set<size_t>& bytes) {
  for (size_t i = 0; i < field.size_at_offset(); ++i) {
    EXPECT_TRUE(bytes.insert(field.offset + i).second);
  }
  if (field.top_offset == 0) return;
  EXPECT_TRUE(bytes.insert(field.top_offset).second);
}

TEST(FieldsTest, TheWordsOfACommandCoverItsBytesOnce) {
  for (const CommandKindInfo& info : kCommandKinds) {
    std::set<size_t> bytes;
    for (const Field& field : FieldsOf(static_cast<CommandKind>(&info - kCommandKinds.data()))) {
      ExpectNewBytes(field, bytes);
    }
    EXPECT_EQ(bytes.size(), sizeof(Command)) << info.name;
  }
}

TEST(FieldsTest, TheWordsOfAnEventCoverItsBytesOnce) {
  for (const EventKindInfo& info : kEventKinds) {
    std::set<size_t> bytes;
    for (const Field& field : FieldsOf(static_cast<EventKind>(&info - kEventKinds.data()))) {
      ExpectNewBytes(field, bytes);
    }
    EXPECT_EQ(bytes.size(), sizeof(Event)) << info.name;
  }
}

TEST(FieldsTest, AFieldIsTheMemberOfItsName) {
  Command command = {.sequence = SequenceNumber(1),
                     .timestamp = Timestamp::FromNanos(-2),
                     .order_id = OrderId(3),
                     .price = Price::FromUnits(-4),
                     .quantity = Quantity::FromUnits(5),
                     .client_order_id = ClientOrderId(6),
                     .account = AccountId(7),
                     .market = MarketId(8),
                     .kind = CommandKind::kDeposit,
                     .side = Side::kAsk,
                     .type = OrderType::kMarket,
                     .tif = TimeInForce::kDay,
                     .flags = OrderFlags::FromBits(9)};
  command.set_group(GroupId(0x010a0b));
  std::string text;
  for (const Field& field : FieldsOf(command)) {
    absl::StrAppend(&text, field.name, "=", static_cast<int64_t>(field.Get(command)), " ");
  }
  EXPECT_EQ(text,
            "sequence=1 time=-2 kind=19 market=8 order=3 side=2 type=2 tif=5 amount=-4 quantity=5 "
            "account=7 client_order_id=6 flags=9 group=68107 ");

  const Event event = {.sequence = SequenceNumber(1),
                       .order_id = OrderId(2),
                       .counter_order_id = OrderId(3),
                       .price = Price::FromUnits(-4),
                       .quantity = Quantity::FromUnits(5),
                       .quantity_remaining = Quantity::FromUnits(6),
                       .account = AccountId(7),
                       .market = MarketId(8),
                       .index = 9,
                       .kind = EventKind::kBalance,
                       .side = Side::kAsk,
                       .detail = 10};
  text.clear();
  for (const Field& field : FieldsOf(event)) {
    absl::StrAppend(&text, field.name, "=", static_cast<int64_t>(field.Get(event)), " ");
  }
  EXPECT_EQ(text,
            "sequence=1 index=9 kind=14 market=8 order=2 balance=3 side=2 change=-4 fee=5 "
            "reserved=6 account=7 detail=10 ");
}

TEST(FieldsTest, SetIsTheInverseOfGet) {
  Command command;
  for (const Field& field : FieldsOf(CommandKind::kCancel)) {
    const uint64_t bits = 200 + field.offset;
    if (field.size > 1) field.Set(bits, command);
    EXPECT_EQ(field.Get(command), field.size > 1 ? bits : 0) << field.name;
  }
}

TEST(FieldsTest, OnlyAnOrderUntilATimeHasAnExpiry) {
  const auto name = [](CommandKind kind, TimeInForce tif) {
    return FieldsOf(kind, tif)[static_cast<size_t>(CommandWord::kOrder)].name;
  };
  EXPECT_EQ(name(CommandKind::kNewOrder, TimeInForce::kGoodTillTime), "expires");
  EXPECT_EQ(name(CommandKind::kNewOrder, TimeInForce::kDay), "order");
  EXPECT_EQ(name(CommandKind::kCancel, TimeInForce::kGoodTillTime), "order");
}

// "massCancel" becomes "mass_cancel".
std::string SnakeCase(absl::string_view camel) {
  std::string snake;
  for (const char c : camel) {
    const auto letter = static_cast<unsigned char>(c);
    if (absl::ascii_isupper(letter)) snake += '_';
    snake += static_cast<char>(absl::ascii_tolower(letter));
  }
  return snake;
}

template <typename SchemaEnum>
void ExpectSchemaNames(Names names) {
  const auto enumerants = capnp::Schema::from<SchemaEnum>().getEnumerants();
  ASSERT_EQ(enumerants.size(), names.size());
  for (unsigned i = 1; i < names.size(); ++i) {
    EXPECT_EQ(SnakeCase(enumerants[i].getProto().getName().cStr()), names[i]);
  }
}

TEST(FieldsTest, TheSchemaHasTheSameKinds) {
  ExpectSchemaNames<schema::CommandKind>(NamesOf(CommandKind()));
  ExpectSchemaNames<schema::EventKind>(NamesOf(EventKind()));
}

TEST(FieldsTest, KindsOutsideTheTableHaveNoTraits) {
  const auto kind = static_cast<CommandKind>(255);
  EXPECT_EQ(InfoOf(kind).name, "");
  EXPECT_FALSE(NamesAnOrder(kind));
  EXPECT_EQ(InfoOf(static_cast<EventKind>(65'535)).name, "");
}

}  // namespace
}  // namespace engine
