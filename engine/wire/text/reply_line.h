// One line of reply while it is written: on the stack, then appended to the output as a whole.
//
//   ReplyLine().Text("ACK ").Number(7).Text(" order=").Number(8).EndInto(out);    ACK 7 order=8

#ifndef ENGINE_WIRE_TEXT_REPLY_LINE_H_
#define ENGINE_WIRE_TEXT_REPLY_LINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"

namespace engine {

// Not thread-safe: on the stack. A line has few pieces and none of them is long (CHECK); what may
// be long, such as an error's text, is not written with it.
class ReplyLine {
 public:
  ReplyLine() = default;
  ReplyLine(const ReplyLine&) = delete;
  ReplyLine& operator=(const ReplyLine&) = delete;

  // A literal.
  template <size_t kBytesAndZero>
  ReplyLine& Text(const char (&text)[kBytesAndZero]) {
    std::memcpy(Take(kBytesAndZero - 1), text, kBytesAndZero - 1);
    return *this;
  }
  ReplyLine& Text(absl::string_view text) {
    std::memcpy(Take(text.size()), text.data(), text.size());
    return *this;
  }

  ReplyLine& Number(uint64_t value);

  // With all `decimals` digits behind the point, and without a point when there are none, as
  // FormatPrice and FormatQuantity write it. REQUIRES: 0 <= decimals <= kDecimalsMax.
  ReplyLine& Decimal(uint64_t units, int decimals);
  ReplyLine& SignedDecimal(int64_t units, int decimals) {
    if (units < 0) Text("-");
    const auto bits = static_cast<uint64_t>(units);
    return Decimal(units < 0 ? -bits : bits, decimals);
  }

  void EndInto(std::string& out) {
    Text("\n");
    out.append(bytes_.data(), size_);
  }

 private:
  static constexpr size_t kBytesMax = 256;

  // Room for the next piece.
  char* Take(size_t bytes) {
    CHECK(bytes <= kBytesMax - size_) << "a reply of " << size_ << " bytes and " << bytes;
    char* const begin = bytes_.data() + size_;
    size_ += bytes;
    return begin;
  }

  size_t size_ = 0;
  std::array<char, kBytesMax> bytes_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_REPLY_LINE_H_
