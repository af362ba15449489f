// The updates of single messages, of all messages of Nasdaq's session, and of hostile bytes.

#include "engine/wire/itch/book_updates.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";

const ItchHeader kHeader = {.stock_locate = 8'839, .tracking_number = 2, .timestamp_ns = 3};

template <typename T>
std::string FramedText(const T& message) {
  return std::string(AsText(AsBytes(ItchFramed<T>{.message = message})));
}

struct Decoded {
  std::vector<BookUpdate> updates;
  std::string error;  // Empty: none.
  uint64_t message_count = 0;
};

Decoded Decode(absl::string_view framed) {
  // Of just this size, so that a sanitizer sees what is read beyond it.
  const std::vector<char> exact(framed.begin(), framed.end());
  ItchBookUpdates messages(AsBytes(absl::string_view(exact.data(), exact.size())));
  Decoded decoded;
  BookUpdate update;
  while (messages.Next(update)) decoded.updates.push_back(update);
  EXPECT_FALSE(messages.Next(update));
  decoded.error = std::string(messages.status().message());
  decoded.message_count = messages.message_count();
  return decoded;
}

template <typename T>
BookUpdate DecodeOne(const T& message) {
  const Decoded decoded = Decode(FramedText(message));
  EXPECT_EQ(decoded.error, "");
  EXPECT_EQ(decoded.updates.size(), 1u);
  return decoded.updates.empty() ? BookUpdate() : decoded.updates.front();
}

ItchAddOrder Add() {
  return {.header = kHeader,
          .order_reference = 0x0102'0304'0506'0708,
          .side = Side::kAsk,
          .shares = 0xffff'fffe,
          .stock = {},
          .price = 0xffff'ffff};
}

TEST(ItchBookUpdates, AnAddHasAllItsFields) {
  const BookUpdate expected = {.reference = 0x0102'0304'0506'0708,
                               .price = Price::FromUnits(0xffff'ffff),
                               .quantity = Quantity::FromUnits(0xffff'fffe),
                               .locate = 8'839,
                               .kind = BookUpdateKind::kAdd,
                               .side = Side::kAsk};
  EXPECT_EQ(DecodeOne(Add()), expected);
  EXPECT_EQ(DecodeOne(ItchAddOrderWithParticipant{.header = kHeader,
                                                  .order_reference = 0x0102'0304'0506'0708,
                                                  .side = Side::kAsk,
                                                  .shares = 0xffff'fffe,
                                                  .price = 0xffff'ffff}),
            expected);
}

TEST(ItchBookUpdates, OtherOrderMessagesHaveTheirFields) {
  BookUpdate expected = {.reference = 7,
                         .quantity = Quantity::FromUnits(100),
                         .locate = 8'839,
                         .kind = BookUpdateKind::kExecute};
  EXPECT_EQ(
      DecodeOne(ItchOrderExecuted{
          .header = kHeader, .order_reference = 7, .executed_shares = 100, .match_number = 9}),
      expected);
  expected.price = Price::FromUnits(12'345);
  EXPECT_EQ(DecodeOne(ItchOrderExecutedWithPrice{.header = kHeader,
                                                 .order_reference = 7,
                                                 .executed_shares = 100,
                                                 .match_number = 9,
                                                 .printable = 'Y',
                                                 .execution_price = 12'345}),
            expected);
  expected.new_reference = 8;
  expected.kind = BookUpdateKind::kReplace;
  EXPECT_EQ(DecodeOne(ItchOrderReplace{.header = kHeader,
                                       .original_order_reference = 7,
                                       .new_order_reference = 8,
                                       .shares = 100,
                                       .price = 12'345}),
            expected);
  EXPECT_EQ(
      DecodeOne(ItchOrderCancel{.header = kHeader, .order_reference = 7, .cancelled_shares = 100}),
      (BookUpdate{.reference = 7,
                  .quantity = Quantity::FromUnits(100),
                  .locate = 8'839,
                  .kind = BookUpdateKind::kCancel}));
  EXPECT_EQ(DecodeOne(ItchOrderDelete{.header = kHeader, .order_reference = 7}),
            (BookUpdate{.reference = 7, .locate = 8'839, .kind = BookUpdateKind::kDelete}));
}

TEST(ItchBookUpdates, OtherMessagesArePassedBy) {
  using std::string_literals::operator""s;
  const std::string deleted = FramedText(ItchOrderDelete{.header = kHeader, .order_reference = 7});
  const std::string others =
      FramedText(ItchSystemEvent{}) + "\0\0"s + "\0\1z"s + FramedText(ItchNonCrossTrade{});
  const Decoded decoded = Decode(others + deleted + others);
  EXPECT_EQ(decoded.error, "");
  EXPECT_EQ(decoded.updates.size(), 1u);
  EXPECT_EQ(decoded.message_count, 9u);
  EXPECT_EQ(Decode("").message_count, 0u);
}

TEST(ItchBookUpdates, MalformedMessagesAreRefusedWithTheirPlace) {
  using std::string_literals::operator""s;
  const std::string add = FramedText(Add());
  EXPECT_EQ(Decode(add + "\0"s).error, "message 2 at byte 38: it ends inside its length");
  EXPECT_EQ(Decode(add + "\0\x13"s + "D").error,
            "message 2 at byte 38: it has 19 bytes, of which 1 are there");
  EXPECT_EQ(Decode(add + "\0\1D"s + add).error,
            "message 2 at byte 38: 1 bytes for order_delete, expected 19");
  std::string sideless = add;
  sideless[2 + 19] = 'b';
  const Decoded decoded = Decode(add + sideless + add);
  EXPECT_EQ(
      decoded.error,
      "message 2 at byte 38: the buy/sell indicator of add_order is 'b', expected 'B' or 'S'");
  EXPECT_EQ(decoded.updates.size(), 1u);
  EXPECT_EQ(decoded.message_count, 1u);
}

RC_GTEST_PROP(ItchBookUpdates, ReadsNothingElseOfAnyBytes, (std::vector<uint8_t> noise)) {
  const std::string text(noise.begin(), noise.end());
  const std::string framed = FramedText(Add());
  for (const std::string& bytes : {text, framed + text}) Decode(bytes);
  // A message of which any byte has changed, or that is cut.
  for (size_t at = 0; at < framed.size(); ++at) {
    std::string changed = framed;
    changed[at] = noise.empty() ? 'A' : static_cast<char>(noise[at % noise.size()]);
    Decode(changed + framed);
    RC_ASSERT(at == 0 || !Decode(framed.substr(0, at)).error.empty());
  }
}

TEST(ItchBookUpdates, TheSessionHasTheUpdatesOfItsMessages) {
  std::ifstream file(kSession, std::ios::binary);
  const std::string stream(std::istreambuf_iterator<char>(file), {});
  ItchStreamReader reader;
  reader.Feed(AsBytes(stream));
  ItchMessage message;
  std::array<uint64_t, 6> counts = {};
  uint64_t references = 0;
  while (true) {
    const auto more = reader.Next(message);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
    const std::string framed =
        std::visit([](const auto& fields) { return FramedText(fields); }, message);
    ItchBookUpdates updates(AsBytes(framed));
    BookUpdate update;
    while (updates.Next(update)) {
      ++counts[static_cast<size_t>(update.kind)];
      references += update.reference;
    }
    ASSERT_TRUE(updates.status().ok()) << updates.status();
    if (const auto* const add = std::get_if<ItchAddOrder>(&message)) {
      ASSERT_EQ(update.price.units(), add->price);
      ASSERT_EQ(update.quantity.units(), add->shares);
      ASSERT_EQ(update.side, add->side);
    }
  }
  // A and F, E and C, X, D, U.
  EXPECT_EQ(counts, (std::array<uint64_t, 6>{36'269, 297, 184, 8'811, 8'655, 0}));
  EXPECT_GT(references, 0u);
}

}  // namespace
}  // namespace engine
