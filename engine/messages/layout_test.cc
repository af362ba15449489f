// The struct layout of the schema is the layout in memory: bytes are compared, not fields.

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstdint>
#include <cstring>

#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/messages.capnp.h"
#include "engine/messages/older_messages.capnp.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Every field differs from every other, and every byte of a field from its neighbours.
Command SampleCommand() {
  Command command;
  command.sequence = SequenceNumber(0x0102030405060708);
  command.timestamp = Timestamp::FromNanos(0x1112131415161718);
  command.order_id = OrderId(0x2122232425262728);
  command.price = Price::FromUnits(-0x3132333435363738);
  command.quantity = Quantity::FromUnits(0x4142434445464748);
  command.client_order_id = ClientOrderId(0x5152535455565758);
  command.account = AccountId(0x61626364);
  command.market = MarketId(0x71727374);
  command.kind = CommandKind::kReplace;
  command.side = Side::kAsk;
  command.type = OrderType::kMarket;
  command.tif = TimeInForce::kFillOrKill;
  command.flags = OrderFlags::FromBits(0x81);
  command.group_low = 0x9192;
  return command;
}

void Fill(const Command& command, schema::Command::Builder out) {
  out.setSequence(command.sequence.value());
  out.setTimestamp(command.timestamp.nanos());
  out.setOrderId(command.order_id.value());
  out.setPrice(command.price.units());
  out.setQuantity(command.quantity.units());
  out.setClientOrderId(command.client_order_id.value());
  out.setAccount(command.account.value());
  out.setMarket(command.market.value());
  out.setKind(static_cast<schema::CommandKind>(command.kind));
  out.setSide(static_cast<uint8_t>(command.side));
  out.setType(static_cast<uint8_t>(command.type));
  out.setTif(static_cast<uint8_t>(command.tif));
  out.setFlags(command.flags.bits());
  out.setGroup(command.group_low);
}

// The elements of a list of pure-data structs: after the root pointer and the list's tag word.
template <typename T>
T FirstElement(capnp::MessageBuilder& message) {
  const auto words = message.getSegmentsForOutput()[0];
  T value;
  EXPECT_EQ(words.size(), 2 + sizeof(T) / sizeof(capnp::word));
  std::memcpy(static_cast<void*>(&value), words.begin() + 2, sizeof(value));
  return value;
}

TEST(Layout, CommandOnDiskIsCommandInMemory) {
  capnp::MallocMessageBuilder message;
  Fill(SampleCommand(), message.initRoot<capnp::List<schema::Command>>(1)[0]);
  EXPECT_EQ(FirstElement<Command>(message), SampleCommand());
}

// The high byte of the kind on disk, which was zero before groups had three bytes.
TEST(Layout, AGroupHasTwoBytesOfItsOwnAndOneOfTheKind) {
  capnp::MallocMessageBuilder message;
  auto out = message.initRoot<capnp::List<schema::Command>>(1)[0];
  Fill(SampleCommand(), out);
  Command command = FirstElement<Command>(message);
  EXPECT_EQ(command.group(), GroupId(0x9192));
  out.setKind(static_cast<schema::CommandKind>(0xab00 | static_cast<int>(command.kind)));
  command = FirstElement<Command>(message);
  EXPECT_EQ(command.kind, SampleCommand().kind);
  EXPECT_EQ(command.group(), GroupId(0xab9192));
  Command made = SampleCommand();
  made.set_group(GroupId(0xab9192));
  EXPECT_EQ(made, command);
  made.set_group(kGroupIdMax);
  EXPECT_EQ(made.group(), kGroupIdMax);
  EXPECT_DEATH(made.set_group(GroupId(kGroupIdMax.value() + 1)), "16777216 vs 16777215");
}

TEST(Layout, EventOnDiskIsEventInMemory) {
  Event event;
  event.sequence = SequenceNumber(0x0102030405060708);
  event.order_id = OrderId(0x1112131415161718);
  event.counter_order_id = OrderId(0x2122232425262728);
  event.price = Price::FromUnits(-0x3132333435363738);
  event.quantity = Quantity::FromUnits(0x4142434445464748);
  event.quantity_remaining = Quantity::FromUnits(0x5152535455565758);
  event.account = AccountId(0x61626364);
  event.market = MarketId(0x71727374);
  event.index = 0x81828384;
  event.kind = EventKind::kAmended;
  event.side = Side::kAsk;
  event.detail = 0x91;

  capnp::MallocMessageBuilder message;
  auto out = message.initRoot<capnp::List<schema::Event>>(1)[0];
  out.setSequence(event.sequence.value());
  out.setOrderId(event.order_id.value());
  out.setCounterOrderId(event.counter_order_id.value());
  out.setPrice(event.price.units());
  out.setQuantity(event.quantity.units());
  out.setQuantityRemaining(event.quantity_remaining.units());
  out.setAccount(event.account.value());
  out.setMarket(event.market.value());
  out.setIndex(event.index);
  out.setKind(static_cast<schema::EventKind>(event.kind));
  out.setSide(static_cast<uint8_t>(event.side));
  out.setDetail(event.detail);
  EXPECT_EQ(FirstElement<Event>(message), event);
}

TEST(Layout, EnumerationsHaveTheSameNumbers) {
  EXPECT_EQ(static_cast<int>(schema::CommandKind::DEFINE_MARKET),
            static_cast<int>(CommandKind::kDefineMarket));
  EXPECT_EQ(static_cast<int>(schema::CommandKind::NEW_ORDER),
            static_cast<int>(CommandKind::kNewOrder));
  EXPECT_EQ(static_cast<int>(schema::CommandKind::ADVANCE_TIME),
            static_cast<int>(CommandKind::kAdvanceTime));
  EXPECT_EQ(static_cast<int>(schema::EventKind::MARKET_DEFINED),
            static_cast<int>(EventKind::kMarketDefined));
  EXPECT_EQ(static_cast<int>(schema::EventKind::REJECTED), static_cast<int>(EventKind::kRejected));
}

TEST(Layout, ANewerSchemaReadsAnOlderShorterStruct) {
  capnp::MallocMessageBuilder message;
  auto older = message.initRoot<capnp::List<older_schema::Command>>(2);
  older[1].setSequence(7);
  older[1].setTimestamp(8);
  older[1].setOrderId(9);
  older[1].setPrice(-10);
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);

  capnp::FlatArrayMessageReader reader(words);
  const auto commands = reader.getRoot<capnp::List<schema::Command>>();
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[1].getSequence(), 7u);
  EXPECT_EQ(commands[1].getPrice(), -10);
  EXPECT_EQ(commands[1].getQuantity(), 0u);
  EXPECT_EQ(commands[1].getKind(), schema::CommandKind::NONE);
}

}  // namespace
}  // namespace engine
