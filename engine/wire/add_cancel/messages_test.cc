#include "engine/wire/add_cancel/messages.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr uint16_t kLocate = 5;

BookUpdate Add(uint64_t reference, int64_t price, uint64_t quantity, Side side) {
  return {.reference = reference,
          .price = Price::FromUnits(price),
          .quantity = Quantity::FromUnits(quantity),
          .locate = kLocate,
          .kind = BookUpdateKind::kAdd,
          .side = side};
}

BookUpdate Delete(uint64_t reference) {
  return {.reference = reference, .locate = kLocate, .kind = BookUpdateKind::kDelete};
}

std::string Encoded(const BookUpdate& update) {
  const auto message = AddCancelMessage::From(update);
  return message.has_value() ? ToHex(message->bytes()) : "none";
}

// Empty if `datagram` is a message.
std::string ErrorOf(absl::string_view datagram) {
  const std::vector<char> exact(datagram.begin(), datagram.end());
  const Bytes bytes = AsBytes(absl::string_view(exact.data(), exact.size()));
  BookUpdate update;
  if (DecodeAddCancel(bytes, kLocate, update)) return "";
  return std::string(AddCancelError(bytes).message());
}

TEST(AddCancel, HasTheBytesOfItsSpecification) {
  EXPECT_EQ(Encoded(Add(0x0102'0304'0506'0708, 0x1112'1314, 0x2122'2324, Side::kBid)),
            "41"
            "0807060504030201"
            "14131211"
            "24232221"
            "42");
  EXPECT_EQ(Encoded(Add(1, 2, 3, Side::kAsk)), "410100000000000000020000000300000053");
  EXPECT_EQ(Encoded(Delete(0x0102'0304'0506'0708)), "430807060504030201");
}

TEST(AddCancel, HasNoMessageForOtherUpdates) {
  EXPECT_EQ(Encoded(Add(1, -1, 3, Side::kAsk)), "none");
  EXPECT_EQ(Encoded(Add(1, int64_t{1} << 32, 3, Side::kAsk)), "none");
  EXPECT_EQ(Encoded(Add(1, 2, uint64_t{1} << 32, Side::kAsk)), "none");
  for (const BookUpdateKind kind : {BookUpdateKind::kExecute, BookUpdateKind::kCancel,
                                    BookUpdateKind::kReplace, BookUpdateKind::kClear}) {
    EXPECT_EQ(Encoded({.kind = kind}), "none");
  }
}

TEST(AddCancel, RefusesOtherBytes) {
  EXPECT_EQ(ErrorOf(""), "add-cancel: an empty datagram");
  EXPECT_EQ(ErrorOf("A"), "add-cancel: 1 bytes for 'A', expected 18");
  EXPECT_EQ(ErrorOf("C12345678C12345678"), "add-cancel: 18 bytes for 'C', expected 9");
  EXPECT_EQ(ErrorOf("A12345678"), "add-cancel: 9 bytes for 'A', expected 18");
  EXPECT_EQ(ErrorOf("\x01"
                    "12345678"),
            "add-cancel: type '\\x01', expected 'A' or 'C'");
  EXPECT_EQ(ErrorOf("A12345678pricequanb"), "add-cancel: 19 bytes for 'A', expected 18");
  EXPECT_EQ(ErrorOf("A12345678pricquanb"), "add-cancel: side 'b' at byte 17, expected 'B' or 'S'");
  EXPECT_EQ(ErrorOf("A12345678pricquanS"), "");
  EXPECT_EQ(ErrorOf("C12345678"), "");
}

RC_GTEST_PROP(AddCancel, IsReadAsItWasWritten,
              (uint64_t reference, uint32_t price, uint32_t quantity, bool is_bid)) {
  for (const BookUpdate& update :
       {Add(reference, price, quantity, is_bid ? Side::kBid : Side::kAsk), Delete(reference)}) {
    const auto message = AddCancelMessage::From(update);
    RC_ASSERT(message.has_value());
    BookUpdate decoded;
    RC_ASSERT(DecodeAddCancel(message->bytes(), kLocate, decoded));
    RC_ASSERT(decoded == update);
  }
}

}  // namespace
}  // namespace engine
