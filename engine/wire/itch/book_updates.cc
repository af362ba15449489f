#include "engine/wire/itch/book_updates.h"

#include <cstring>
#include <type_traits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/itch/messages.h"

namespace engine {
namespace {

constexpr size_t kLengthBytes = 2;

Price PriceOf(uint32_t price) { return Price::FromUnits(price); }
Quantity QuantityOf(uint32_t shares) { return Quantity::FromUnits(shares); }

template <typename T>
BookUpdate AddOf(const T& add) {
  return {.reference = add.order_reference,
          .price = PriceOf(add.price),
          .quantity = QuantityOf(add.shares),
          .locate = add.header.stock_locate,
          .kind = BookUpdateKind::kAdd,
          .side = add.side};
}

BookUpdate UpdateOf(const ItchAddOrder& add) { return AddOf(add); }
BookUpdate UpdateOf(const ItchAddOrderWithParticipant& add) { return AddOf(add); }
BookUpdate UpdateOf(const ItchOrderExecuted& executed) {
  return {.reference = executed.order_reference,
          .quantity = QuantityOf(executed.executed_shares),
          .locate = executed.header.stock_locate,
          .kind = BookUpdateKind::kExecute};
}
BookUpdate UpdateOf(const ItchOrderExecutedWithPrice& executed) {
  return {.reference = executed.order_reference,
          .price = PriceOf(executed.execution_price),
          .quantity = QuantityOf(executed.executed_shares),
          .locate = executed.header.stock_locate,
          .kind = BookUpdateKind::kExecute};
}
BookUpdate UpdateOf(const ItchOrderCancel& cancel) {
  return {.reference = cancel.order_reference,
          .quantity = QuantityOf(cancel.cancelled_shares),
          .locate = cancel.header.stock_locate,
          .kind = BookUpdateKind::kCancel};
}
BookUpdate UpdateOf(const ItchOrderDelete& deleted) {
  return {.reference = deleted.order_reference,
          .locate = deleted.header.stock_locate,
          .kind = BookUpdateKind::kDelete};
}
BookUpdate UpdateOf(const ItchOrderReplace& replace) {
  return {.reference = replace.original_order_reference,
          .new_reference = replace.new_order_reference,
          .price = PriceOf(replace.price),
          .quantity = QuantityOf(replace.shares),
          .locate = replace.header.stock_locate,
          .kind = BookUpdateKind::kReplace};
}

}  // namespace

bool ItchBookUpdates::Next(BookUpdate& update) {
  const auto decode = [&]<typename T>(std::type_identity<T>, Bytes message) {
    if (message.size() != 1 + sizeof(T)) [[unlikely]] {
      return Refuse(
          absl::StrCat(message.size(), " bytes for ", T::kName, ", expected ", 1 + sizeof(T)));
    }
    T fields;
    std::memcpy(&fields, message.data() + 1, sizeof(fields));
    if constexpr (requires { fields.side; }) {
      const char letter = fields.side.letter();
      if (letter != 'B' && letter != 'S') [[unlikely]] {
        return Refuse(absl::StrCat("the buy/sell indicator of ", T::kName, " is '",
                                   absl::CHexEscape(absl::string_view(&letter, 1)),
                                   "', expected 'B' or 'S'"));
      }
    }
    update = UpdateOf(fields);
    at_ += kLengthBytes + message.size();
    ++message_count_;
    return true;
  };
  while (at_ != end_) {
    const auto rest = static_cast<size_t>(end_ - at_);
    if (rest < kLengthBytes) [[unlikely]]
      return Refuse("it ends inside its length");
    const size_t size = LoadBigEndian<uint16_t>(at_);
    if (size > rest - kLengthBytes) [[unlikely]]
      return Refuse(
          absl::StrCat("it has ", size, " bytes, of which ", rest - kLengthBytes, " are there"));
    const Bytes message(at_ + kLengthBytes, size);
    switch (size == 0 ? '\0' : static_cast<char>(message.front())) {
      case ItchAddOrder::kType:
        return decode(std::type_identity<ItchAddOrder>(), message);
      case ItchAddOrderWithParticipant::kType:
        return decode(std::type_identity<ItchAddOrderWithParticipant>(), message);
      case ItchOrderExecuted::kType:
        return decode(std::type_identity<ItchOrderExecuted>(), message);
      case ItchOrderExecutedWithPrice::kType:
        return decode(std::type_identity<ItchOrderExecutedWithPrice>(), message);
      case ItchOrderCancel::kType:
        return decode(std::type_identity<ItchOrderCancel>(), message);
      case ItchOrderDelete::kType:
        return decode(std::type_identity<ItchOrderDelete>(), message);
      case ItchOrderReplace::kType:
        return decode(std::type_identity<ItchOrderReplace>(), message);
      default:
        at_ += kLengthBytes + size;
        ++message_count_;
    }
  }
  return false;
}

bool ItchBookUpdates::Refuse(absl::string_view what) {
  status_ = absl::InvalidArgumentError(
      absl::StrCat("message ", message_count_ + 1, " at byte ", at_ - begin_, ": ", what));
  at_ = end_;
  return false;
}

}  // namespace engine
