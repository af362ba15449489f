// The add-cancel format: one message per datagram, for one book. Specified in PROTOCOL.md.
//
//   'A' │ order 8 │ price 4 │ quantity 4 │ side 1      'C' │ order 8        little-endian

#ifndef ENGINE_WIRE_ADD_CANCEL_MESSAGES_H_
#define ENGINE_WIRE_ADD_CANCEL_MESSAGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/inline.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

inline constexpr size_t kAddCancelAddBytes = 18;
inline constexpr size_t kAddCancelCancelBytes = 9;

// Why `datagram` is no message: INVALID_ARGUMENT. REQUIRES: DecodeAddCancel refused it.
absl::Status AddCancelError(Bytes datagram);

// Decodes any bytes into an update of the book `locate`: kAdd or kDelete. Returns false if they are
// no message: AddCancelError() says why. In place, and inline since it is a few instructions.
ENGINE_ALWAYS_INLINE bool DecodeAddCancel(Bytes datagram, uint16_t locate, BookUpdate& update) {
  const std::byte* const at = datagram.data();
  if (datagram.size() == kAddCancelAddBytes && at[0] == std::byte{'A'}) {
    const auto side = static_cast<char>(at[17]);
    update = {.reference = LoadLittleEndian<uint64_t>(at + 1),
              .price = Price::FromUnits(LoadLittleEndian<uint32_t>(at + 9)),
              .quantity = Quantity::FromUnits(LoadLittleEndian<uint32_t>(at + 13)),
              .locate = locate,
              .kind = BookUpdateKind::kAdd,
              .side = side == 'B' ? Side::kBid : Side::kAsk};
    return side == 'B' || side == 'S';
  }
  if (datagram.size() == kAddCancelCancelBytes && at[0] == std::byte{'C'}) {
    update = {.reference = LoadLittleEndian<uint64_t>(at + 1),
              .locate = locate,
              .kind = BookUpdateKind::kDelete};
    return true;
  }
  return false;
}

// A message, as it is sent. A value.
class AddCancelMessage {
 public:
  // nullopt if the format has no message for the update: it is neither kAdd nor kDelete, or its
  // price or quantity has more than 32 bits.
  static std::optional<AddCancelMessage> From(const BookUpdate& update);

  Bytes bytes() const { return Bytes(bytes_).first(size_); }

 private:
  std::array<std::byte, kAddCancelAddBytes> bytes_;
  size_t size_ = 0;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ADD_CANCEL_MESSAGES_H_
