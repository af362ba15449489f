#include "engine/wire/ouch/codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine::ouch {
namespace {

// The sizes that an independent decoder has confirmed.
static_assert(kBytesOf<EnterOrder> == 49 && kBytesOf<ReplaceOrder> == 47);
static_assert(kBytesOf<CancelOrder> == 19 && kBytesOf<ModifyOrder> == 20);
static_assert(kBytesOf<SystemEvent> == 10 && kBytesOf<Accepted> == 66);
static_assert(kBytesOf<Replaced> == 80 && kBytesOf<Cancelled> == 28);
static_assert(kBytesOf<SelfTradeCancelled> == 37 && kBytesOf<Executed> == 40);
static_assert(kBytesOf<BrokenTrade> == 32 && kBytesOf<Rejected> == 24);
static_assert(kBytesOf<CancelPending> == 23 && kBytesOf<CancelRejected> == 23);
static_assert(kBytesOf<PriorityUpdate> == 36 && kBytesOf<Modified> == 28);

template <typename Message>
std::string Hex(const Message& message) {
  return ToHex(BytesOf(message));
}

const Token kToken = FieldOf<Token>("ORDER-1");
constexpr absl::string_view kTokenHex = "4f524445522d3120202020202020";
constexpr absl::string_view kTimeHex = "00001d1a94a20001";
constexpr uint64_t kTime = 32'000'000'000'001;

EnterOrder SampleEnter() {
  return {.token = kToken,
          .side = 'B',
          .shares = 100,
          .stock = FieldOf<Stock>("AAPL"),
          .price = 1'502'500,
          .time_in_force = kSystemHours,
          .firm = FieldOf<Firm>("FRM"),
          .display = 'Y',
          .capacity = 'P',
          .intermarket_sweep = 'N',
          .minimum_quantity = 0,
          .cross_type = 'N',
          .customer_type = 'R'};
}

TEST(OuchCodec, InboundMessagesHaveTheBytesOfTheWire) {
  EXPECT_EQ(Hex(SampleEnter()),
            absl::StrCat("4f", kTokenHex, "42", "00000064", "4141504c20202020", "0016ed24",
                         "0001869f", "46524d20", "59", "50", "4e", "00000000", "4e", "52"));
  EXPECT_EQ(Hex(ReplaceOrder{.existing_token = kToken,
                             .replacement_token = FieldOf<Token>("2"),
                             .shares = 0x01020304,
                             .price = kMarketPrice,
                             .time_in_force = 10,
                             .display = 'Y',
                             .intermarket_sweep = 'N',
                             .minimum_quantity = 5}),
            absl::StrCat("55", kTokenHex, "3220202020202020202020202020", "01020304", "7fffffff",
                         "0000000a", "59", "4e", "00000005"));
  EXPECT_EQ(Hex(CancelOrder{.token = kToken, .shares = 7}),
            absl::StrCat("58", kTokenHex, "00000007"));
  EXPECT_EQ(Hex(ModifyOrder{.token = kToken, .side = 'T', .shares = 7}),
            absl::StrCat("4d", kTokenHex, "54", "00000007"));
}

TEST(OuchCodec, AnswersToOrdersHaveTheBytesOfTheWire) {
  EXPECT_EQ(Hex(Accepted{.timestamp_ns = kTime,
                         .token = kToken,
                         .side = 'S',
                         .shares = 100,
                         .stock = FieldOf<Stock>("AAPL"),
                         .price = 1'502'500,
                         .time_in_force = kMarketHours,
                         .firm = FieldOf<Firm>("FRM"),
                         .display = 'Y',
                         .order_reference = 0x0102030405060708,
                         .capacity = 'A',
                         .intermarket_sweep = 'Y',
                         .minimum_quantity = 1,
                         .cross_type = 'N',
                         .order_state = 'L',
                         .bbo_weight = ' '}),
            absl::StrCat("41", kTimeHex, kTokenHex, "53", "00000064", "4141504c20202020",
                         "0016ed24", "0001869e", "46524d20", "59", "0102030405060708", "41", "59",
                         "00000001", "4e", "4c", "20"));
  EXPECT_EQ(Hex(Replaced{.timestamp_ns = kTime,
                         .replacement_token = FieldOf<Token>("2"),
                         .side = 'S',
                         .shares = 100,
                         .stock = FieldOf<Stock>("AAPL"),
                         .price = 1'502'500,
                         .time_in_force = kMarketHours,
                         .firm = FieldOf<Firm>("FRM"),
                         .display = 'Y',
                         .order_reference = 9,
                         .capacity = 'A',
                         .intermarket_sweep = 'Y',
                         .minimum_quantity = 1,
                         .cross_type = 'N',
                         .order_state = 'D',
                         .previous_token = kToken,
                         .bbo_weight = '0'}),
            absl::StrCat("55", kTimeHex, "3220202020202020202020202020", "53", "00000064",
                         "4141504c20202020", "0016ed24", "0001869e", "46524d20", "59",
                         "0000000000000009", "41", "59", "00000001", "4e", "44", kTokenHex, "30"));
  EXPECT_EQ(Hex(Rejected{.timestamp_ns = kTime, .token = kToken, .reason = 'S'}),
            absl::StrCat("4a", kTimeHex, kTokenHex, "53"));
  EXPECT_EQ(Hex(CancelPending{.timestamp_ns = kTime, .token = kToken}),
            absl::StrCat("50", kTimeHex, kTokenHex));
  EXPECT_EQ(Hex(CancelRejected{.timestamp_ns = kTime, .token = kToken}),
            absl::StrCat("49", kTimeHex, kTokenHex));
  EXPECT_EQ(Hex(Modified{.timestamp_ns = kTime, .token = kToken, .side = 'T', .shares = 9}),
            absl::StrCat("4d", kTimeHex, kTokenHex, "54", "00000009"));
}

TEST(OuchCodec, WhatHappensToOrdersHasTheBytesOfTheWire) {
  EXPECT_EQ(Hex(SystemEvent{.timestamp_ns = kTime, .event = 'S'}),
            absl::StrCat("53", kTimeHex, "53"));
  EXPECT_EQ(Hex(Cancelled{.timestamp_ns = kTime, .token = kToken, .decrement = 5, .reason = 'U'}),
            absl::StrCat("43", kTimeHex, kTokenHex, "00000005", "55"));
  EXPECT_EQ(
      Hex(SelfTradeCancelled{.timestamp_ns = kTime,
                             .token = kToken,
                             .decrement = 5,
                             .reason = 'Q',
                             .quantity_prevented = 4,
                             .price = 3,
                             .liquidity = 'A'}),
      absl::StrCat("44", kTimeHex, kTokenHex, "00000005", "51", "00000004", "00000003", "41"));
  EXPECT_EQ(
      Hex(Executed{.timestamp_ns = kTime,
                   .token = kToken,
                   .shares = 5,
                   .price = 3,
                   .liquidity = 'R',
                   .match_number = 8}),
      absl::StrCat("45", kTimeHex, kTokenHex, "00000005", "00000003", "52", "0000000000000008"));
  EXPECT_EQ(
      Hex(BrokenTrade{.timestamp_ns = kTime, .token = kToken, .match_number = 8, .reason = 'E'}),
      absl::StrCat("42", kTimeHex, kTokenHex, "0000000000000008", "45"));
  EXPECT_EQ(Hex(PriorityUpdate{.timestamp_ns = kTime,
                               .token = kToken,
                               .price = 3,
                               .display = 'Y',
                               .order_reference = 8}),
            absl::StrCat("54", kTimeHex, kTokenHex, "00000003", "59", "0000000000000008"));
}

// Any message of `Message`, all of whose fields are text to the parser.
template <typename Message>
std::string Sample() {
  return absl::StrCat(std::string(1, Message::kType), std::string(sizeof(Message), 'x'));
}

template <typename... Messages>
void ExpectExact(std::variant<Messages...>, auto parse) {
  const auto is_refused = [&](const std::string& bytes) {
    const auto parsed = parse(AsBytes(bytes));
    return !parsed.ok() && absl::StartsWith(parsed.status().message(), "OUCH: ");
  };
  for (const std::string& bytes : {Sample<Messages>()...}) {
    const auto parsed = parse(AsBytes(bytes));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    std::visit(
        [&](const auto& typed) {
          EXPECT_TRUE(std::ranges::equal(BytesOf(typed), AsBytes(bytes)));
          EXPECT_EQ(typed.kType, bytes[0]);
        },
        *parsed);
    for (size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_TRUE(is_refused(bytes.substr(0, length))) << bytes[0] << length;
    }
    EXPECT_TRUE(is_refused(bytes + "x")) << bytes[0];
    EXPECT_TRUE(is_refused(bytes + std::string(65'000, 'x'))) << bytes[0];
  }
}

TEST(OuchCodec, EachMessageIsReadAsItIsWrittenAndNoPartOfIt) {
  ExpectExact(Inbound(), ParseInbound);
  ExpectExact(Outbound(), ParseOutbound);
}

TEST(OuchCodec, OtherTypesAndBytesAreRefused) {
  EXPECT_EQ(ParseInbound(AsBytes(absl::string_view("Zx"))).status().message(),
            "OUCH: type 'Z', expected one of OUXM");
  EXPECT_EQ(ParseInbound(AsBytes(absl::string_view("\xff"))).status().message(),
            "OUCH: type '\\xff', expected one of OUXM");
  EXPECT_EQ(ParseInbound({}).status().message(), "OUCH: a message without a type");
  std::string bytes = Sample<CancelOrder>();
  bytes[3] = '\n';
  EXPECT_EQ(ParseInbound(AsBytes(bytes)).status().message(),
            "OUCH: cancel_order: token 'xx\\nxxxxxxxxxxx', expected ASCII");
  bytes = Sample<EnterOrder>();
  bytes.back() = '\x7f';
  EXPECT_FALSE(ParseInbound(AsBytes(bytes)).ok());
}

// What is echoed to clients and kept in records is printable.
TEST(OuchCodec, AnyBytesAreSafe) {
  Prng prng(1);
  int read = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string bytes(AsText(BytesOf(SampleEnter())));
    if (prng.Chance(10)) bytes.resize(prng.Below(90), 'x');
    for (uint64_t changes = prng.Below(4); changes > 0 && !bytes.empty(); --changes) {
      const size_t at = prng.Below(bytes.size());
      bytes[at] = static_cast<char>(prng.Below(256));
    }
    const auto parsed = ParseInbound(AsBytes(bytes));
    if (!parsed.ok()) continue;
    ++read;
    if (const auto* const enter = std::get_if<EnterOrder>(&*parsed)) {
      for (const char c : TextOf(enter->token)) ASSERT_TRUE(c >= ' ' && c <= '~');
    }
  }
  EXPECT_GT(read, 10'000);
}

TEST(OuchCodec, FieldsArePadded) {
  EXPECT_EQ(TextOf(FieldOf<Stock>("A B")), "A B");
  EXPECT_EQ(TextOf(FieldOf<Stock>("")), "");
  EXPECT_EQ(TextOf(FieldOf<Stock>("EIGHTCHR")), "EIGHTCHR");
}

}  // namespace
}  // namespace engine::ouch
