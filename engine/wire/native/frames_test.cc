#include "engine/wire/native/frames.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine::native {
namespace {

// Of each eight bytes a line, as in PROTOCOL.md.
std::string Words(const auto& frame) {
  const std::string hex = absl::BytesToHexString(AsText(AsBytes(frame)));
  std::string words;
  for (size_t at = 0; at < hex.size(); at += 16) words += hex.substr(at, 16) + "\n";
  return words;
}

Command NewOrder() {
  Command command;
  command.order_id = OrderId(3);
  command.price = Price::FromUnits(-2);
  command.quantity = Quantity::FromUnits(0x0102030405060708);
  command.client_order_id = ClientOrderId(9);
  command.market = MarketId(7);
  command.kind = CommandKind::kNewOrder;
  command.side = Side::kAsk;
  command.type = OrderType::kLimit;
  command.tif = TimeInForce::kGoodTillCancelled;
  command.set_group(GroupId(0x030201));
  return command;
}

TEST(Frames, ACommandIsOnTheWireAsInTheJournal) {
  EXPECT_EQ(Words(FrameOf(NewOrder())),
            "0200000000000000\n"
            "0000000000000000\n"
            "0300000000000000\n"
            "feffffffffffffff\n"
            "0807060504030201\n"
            "0900000000000000\n"
            "0000000007000000\n"
            "0203020101000102\n");
}

TEST(Frames, TheVenueSetsSequenceTimeAndAccount) {
  Command command = NewOrder();
  command.account = AccountId(5);  // Not the client's to say.
  CommandFrame frame = FrameOf(command);
  frame.unused.fill(0xff);
  const Command read = CommandFrom(AsBytes(frame), AccountId(6));
  command.account = AccountId(6);
  EXPECT_EQ(read, command);
}

TEST(Frames, ALoginHasItsTextsAndNumbers) {
  const Login login = {.user = FieldOf<decltype(Login::user)>("desk"),
                       .password = FieldOf<decltype(Login::password)>("secret"),
                       .session = 1,
                       .number = 2};
  EXPECT_EQ(Words(login),
            "0101000000000000\n"
            "6465736b00000000\n"
            "0000000000000000\n"
            "7365637265740000\n"
            "0000000000000000\n"
            "0000000000000000\n"
            "0100000000000000\n"
            "0200000000000000\n");
  const auto again = FrameFrom<Login>(AsBytes(login));
  EXPECT_EQ(TextOf(again.user), "desk");
  EXPECT_EQ(TextOf(again.password), "secret");
  EXPECT_EQ(again.number, 2u);
}

TEST(Frames, TextsEndWithTheirFieldOrWithZeros) {
  EXPECT_EQ(TextOf(FieldOf<std::array<char, 4>>("abcd")), "abcd");
  EXPECT_EQ(TextOf(FieldOf<std::array<char, 4>>("")), "");
  EXPECT_EQ(TextOf(std::array<char, 4>{'a', '\0', 'b', '\0'}), absl::string_view("a\0b", 3));
}

TEST(Frames, AnEventHasItsStampsInTheLastWords) {
  const EventFrame event = {.kind = 3,
                            .side = 2,
                            .detail = 1,
                            .market = 7,
                            .sequence = 8,
                            .client_order_id = 9,
                            .order_id = 10,
                            .price = 11,
                            .quantity = 12,
                            .received_at = 13,
                            .waited_nanos = 14,
                            .engine_nanos = 15};
  EXPECT_EQ(Words(event),
            "1303020107000000\n"
            "0800000000000000\n"
            "0900000000000000\n"
            "0a00000000000000\n"
            "0b00000000000000\n"
            "0c00000000000000\n"
            "0d00000000000000\n"
            "0e0000000f000000\n");
  EXPECT_EQ(TypeOf(AsBytes(event)), FrameType::kEvent);
}

}  // namespace
}  // namespace engine::native
