#include "engine/wire/add_cancel/messages.h"

#include <limits>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace engine {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint32_t>::max();

std::string Quoted(Bytes byte) { return absl::StrCat("'", absl::CHexEscape(AsText(byte)), "'"); }

}  // namespace

absl::Status AddCancelError(Bytes datagram) {
  if (datagram.empty()) return absl::InvalidArgumentError("add-cancel: an empty datagram");
  const char type = AsText(datagram).front();
  if (type != 'A' && type != 'C') {
    return absl::InvalidArgumentError(
        absl::StrCat("add-cancel: type ", Quoted(datagram.first(1)), ", expected 'A' or 'C'"));
  }
  const size_t expected = type == 'A' ? kAddCancelAddBytes : kAddCancelCancelBytes;
  if (datagram.size() != expected) {
    return absl::InvalidArgumentError(absl::StrCat("add-cancel: ", datagram.size(), " bytes for ",
                                                   Quoted(datagram.first(1)), ", expected ",
                                                   expected));
  }
  return absl::InvalidArgumentError(absl::StrCat("add-cancel: side ", Quoted(datagram.last(1)),
                                                 " at byte 17, expected 'B' or 'S'"));
}

std::optional<AddCancelMessage> AddCancelMessage::From(const BookUpdate& update) {
  AddCancelMessage message;
  std::byte* const at = message.bytes_.data();
  StoreLittleEndian(update.reference, at + 1);
  switch (update.kind) {
    case BookUpdateKind::kAdd:
      if (update.price.units() < 0 || static_cast<uint64_t>(update.price.units()) > kMax ||
          update.quantity.units() > kMax) {
        return std::nullopt;
      }
      at[0] = std::byte{'A'};
      StoreLittleEndian(static_cast<uint32_t>(update.price.units()), at + 9);
      StoreLittleEndian(static_cast<uint32_t>(update.quantity.units()), at + 13);
      at[17] = std::byte{update.side == Side::kBid ? uint8_t{'B'} : uint8_t{'S'}};
      message.size_ = kAddCancelAddBytes;
      return message;
    case BookUpdateKind::kDelete:
      at[0] = std::byte{'C'};
      message.size_ = kAddCancelCancelBytes;
      return message;
    default:
      return std::nullopt;
  }
}

}  // namespace engine
