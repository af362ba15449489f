#include "engine/messages/order_note.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

TEST(OrderNote, ATextIsReadAsItWasWritten) {
  for (size_t size = 1; size <= kClientOrderTextBytesMax; ++size) {
    const std::string text(size, 'x');
    const std::vector<std::byte> bytes = EncodeOrderNote(text);
    EXPECT_EQ(bytes.size() % 8, 0u);
    EXPECT_EQ(DecodeOrderNote(bytes), std::optional<absl::string_view>(text));
  }
}

TEST(OrderNote, TextsArePrintableAndNotTooLong) {
  EXPECT_TRUE(IsClientOrderText("mine 1~"));
  EXPECT_FALSE(IsClientOrderText(""));
  EXPECT_FALSE(IsClientOrderText("a\nb"));
  EXPECT_FALSE(IsClientOrderText("caf\xc3\xa9"));
  EXPECT_FALSE(IsClientOrderText(std::string(kClientOrderTextBytesMax + 1, 'x')));
}

// What is accepted is what its text is encoded as.
void ExpectCanonical(Bytes bytes) {
  const std::optional<absl::string_view> text = DecodeOrderNote(bytes);
  if (!text.has_value()) return;
  const std::vector<std::byte> again = EncodeOrderNote(*text);
  EXPECT_TRUE(AsText(again) == AsText(bytes)) << *text;
}

TEST(OrderNote, AnyBitChangedIsAnotherTextOrNone) {
  for (const absl::string_view text : {"a", "1234567", "12345678", "mine-000017"}) {
    std::vector<std::byte> bytes = EncodeOrderNote(text);
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
      ExpectCanonical(bytes);
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
    }
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(DecodeOrderNote(Bytes(bytes).first(size)).has_value()) << size;
    }
    bytes.resize(bytes.size() + 8);
    EXPECT_FALSE(DecodeOrderNote(bytes).has_value()) << "with a word more";
  }
}

RC_GTEST_PROP(OrderNoteProperty, AnyBytesAreSafe, (const std::string& bytes)) {
  ExpectCanonical(AsBytes(bytes));
}

}  // namespace
}  // namespace engine
