// Selects commands or events: the filter language of every verb.
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

#ifndef TOOLS_CLI_READ_WHERE_H_
#define TOOLS_CLI_READ_WHERE_H_

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

namespace tools {

enum class Messages : uint8_t { kCommands, kEvents };

// Returns the names of all fields of such messages.
std::vector<absl::string_view> FieldNames(Messages messages);

// Not thread-safe: owned by the verb that reads. A copy is a filter of its own.
class Where {
 public:
  // Matches every message.
  Where() = default;

  // `name` begins the error message: where the text is from. Errors: INVALID_ARGUMENT with the text
  // and a caret below the column of the error.
  static absl::StatusOr<Where> Parse(absl::string_view text,
                                     Messages messages = Messages::kCommands,
                                     absl::string_view name = "--where");

  // Allocates nothing unless `markets` has changed. REQUIRES: the filter is of such messages;
  // `markets` only ever grows.
  bool Matches(const engine::Command& command, bool has_attachment,
               const engine::MarketDirectory& markets);
  bool Matches(const engine::Event& event, const engine::MarketDirectory& markets);

  // Returns the symbols in the expression that `markets` does not have. If nothing matched, they
  // are probably typos.
  std::vector<std::string> UnknownSymbols(const engine::MarketDirectory& markets) const;

 private:
  friend class WhereParser;
  enum class Op : uint8_t { kAll, kAny, kNot, kHasAttachment, kCompare };
  enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };
  using Wide = __int128;  // Wide enough for every field, also in units of 10^-9.

  // What a comparison means for one kind of message.
  struct Operand {
    const engine::Field* field = nullptr;  // Null: the comparison is false.
    Wide value = 0;
    bool is_decimal = false;  // `value` is in units of 10^-9, for any market.
  };

  // The children of a node start at `first_child` and are linked by `next`. 0 ends the list: node
  // 0, the root, is never a child.
  struct Node {
    Op op = Op::kAll;
    Comparison comparison = Comparison::kEqual;
    std::vector<Operand> operands = {};  // By PlaceOf() the message.
    std::string symbol = {};  // Of a market given by symbol; `value` is its id once known.
    size_t first_child = 0;
    size_t next = 0;
  };

  static size_t PlaceOf(const engine::Command& command);
  static size_t PlaceOf(const engine::Event& event);
  template <typename Message>
  bool MatchesMessage(const Message& message, bool has_attachment,
                      const engine::MarketDirectory& markets);
  template <typename Message>
  bool Holds(const Node& node, const Message& message, bool has_attachment,
             const engine::MarketDirectory& markets) const;
  template <typename Message>
  static bool Compare(const Node& node, const Message& message,
                      const engine::MarketDirectory& markets);
  void Bind(const engine::MarketDirectory& markets);

  std::vector<Node> nodes_;  // Empty: no condition.
  size_t bound_market_count_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_WHERE_H_
