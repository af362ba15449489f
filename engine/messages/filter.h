// Selects commands or events by their fields: the filter language of every verb.
//
//   kind==new_order && price>=320 && (market==AAPL || market==MSFT) && !attachment
//   trade.quantity > 1000 or (rejected and reason == price_off_tick)
//
//   comparison  FIELD == VALUE, and != < <= > >=. KIND.FIELD also wants the message to be of that
//               kind. KIND alone: a message of that kind. attachment alone: a command with one.
//   field       of every command: sequence time kind market order side type tif price quantity
//               account client_order_id flags (the byte) group; of some: expires amount window_ns
//               of every event: sequence index kind market order counter side price quantity
//               remaining account; of some: maker taker from reason priority state change fee
//               balance reserved position orders group
//   value       a whole number; a name (new_order, bid, limit, gtc, AAPL); a time as printed; for
//               prices and quantities a decimal number, or a count of units after '#' (#5600);
//               for amounts of money dollars; anything within '...' or "..."
//   operators   ! or not binds closest, then && or and, then || or or; parentheses group
//
// Names have no order: only == and !=. A field of every message is zero in one that does not use
// it, as in its row; a comparison with another field that the kind does not have is false. A
// decimal number is compared in the units of the message's market; if that is unknown, the
// comparison is false.

#ifndef ENGINE_MESSAGES_FILTER_H_
#define ENGINE_MESSAGES_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_directory.h"

namespace engine {

enum class Messages : uint8_t { kCommands, kEvents };

// Returns the names of all fields of such messages.
std::vector<absl::string_view> FieldNames(Messages messages);

// Not thread-safe: owned by its user. A copy is a filter of its own.
class Filter {
 public:
  // Matches every message.
  Filter() = default;

  // `name` begins the error message: where the text is from. Errors: INVALID_ARGUMENT with the text
  // and a caret below the column of the error.
  static absl::StatusOr<Filter> Parse(absl::string_view text,
                                      Messages messages = Messages::kCommands,
                                      absl::string_view name = "--where");

  // Allocates nothing unless `markets` has changed. REQUIRES: the filter is of such messages;
  // `markets` only ever grows.
  bool Matches(const Command& command, bool has_attachment, const MarketDirectory& markets);
  bool Matches(const Event& event, const MarketDirectory& markets);

  // Returns the symbols in the expression that `markets` does not have. If nothing matched, they
  // are probably typos.
  std::vector<std::string> UnknownSymbols(const MarketDirectory& markets) const;

 private:
  friend class FilterParser;
  enum class Op : uint8_t { kAll, kAny, kNot, kHasAttachment, kCompare };
  // How a field relates to the value that it is compared with; a comparison accepts some of these.
  static constexpr uint8_t kLess = 1;
  static constexpr uint8_t kEqual = 2;
  static constexpr uint8_t kGreater = 4;
  using Wide = __int128;  // Wide enough for every field, also in units of 10^-9.

  // What a comparison means for one kind of message.
  struct Operand {
    const Field* field = nullptr;  // Null: the comparison is false.
    Wide value = 0;
    bool is_decimal = false;  // `value` is in units of 10^-9, for any market.
  };

  // The children of a node start at `first_child` and are linked by `next`. 0 ends the list: node
  // 0, the root, is never a child.
  struct Node {
    Op op = Op::kAll;
    uint8_t accepted = kEqual;
    std::vector<Operand> operands = {};  // By the place of the message, see VisitPlaces().
    std::string symbol = {};  // Of a market given by symbol; `value` is its id once known.
    size_t first_child = 0;
    size_t next = 0;
  };

  template <typename Message>
  bool MatchesMessage(const Message& message, bool has_attachment, const MarketDirectory& markets);
  template <typename Message>
  bool Holds(const Node& node, const Message& message, bool has_attachment,
             const MarketDirectory& markets) const;
  template <typename Message>
  static bool Compare(const Node& node, const Message& message, const MarketDirectory& markets);

  std::vector<Node> nodes_;  // Empty: no condition.
  size_t bound_market_count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_FILTER_H_
