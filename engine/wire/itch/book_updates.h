// Decodes the order messages among framed ITCH messages, in place.
//
//   [00 24 A…][00 0c H…][00 13 D…] ─► kAdd, kDelete        framed as in a packet, or in a file
//
// Add order, with participant or without, executed, executed with price, cancel, delete and replace
// are updates; all other messages are passed by, of types that ITCH will have too.

#ifndef ENGINE_WIRE_ITCH_BOOK_UPDATES_H_
#define ENGINE_WIRE_ITCH_BOOK_UPDATES_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/inline.h"
#include "engine/messages/book_update.h"

namespace engine {

// Not thread-safe: a local variable of the reader. Allocates only for errors.
class ItchBookUpdates {
 public:
  // `framed`: whole messages, each after its length; any bytes. They outlive this.
  explicit ItchBookUpdates(Bytes framed)
      : begin_(framed.data()), at_(begin_), end_(begin_ + framed.size()) {}

  // Decodes the next update. Returns false at the end, and after an error: see status().
  bool Next(BookUpdate& update);

  // INVALID_ARGUMENT, with the number of the message and its offset, if a message ends beyond the
  // bytes, an order message has not the size of its type, or a side is neither 'B' nor 'S'. Sticky.
  const absl::Status& status() const { return status_; }

  // How many messages precede what Next() decodes next.
  uint64_t message_count() const { return message_count_; }

 private:
  ENGINE_COLD bool Refuse(absl::string_view what);

  const std::byte* begin_;
  const std::byte* at_;  // Where the next message begins, with its length.
  const std::byte* end_;
  uint64_t message_count_ = 0;
  absl::Status status_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_BOOK_UPDATES_H_
