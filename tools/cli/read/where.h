// Selects commands: the expression language of `--where`.
//
//   kind==new_order && price>=320 && (market==AAPL || market==MSFT) && !attachment
//
//   field       sequence time kind market side type tif price quantity order account
//               client_order_id flags (the byte) group: a comparison == != < <= > >= with a value
//               follows; attachment stands alone: true if there is one
//   value       a whole number; a name (new_order, bid, limit, gtc, AAPL); a time as printed; for
//               price and quantity a decimal number, or a count of units after '#' (#5600);
//               anything within '...' or "..."
//   operators   ! binds closest, then &&, then ||; parentheses group
//
// kind, market, side, type and tif are not ordered: only == and !=. A field that a command does not
// have is zero, as in its row. A decimal number is compared in the units of the command's market;
// if that is unknown, the comparison is false.

#ifndef TOOLS_CLI_READ_WHERE_H_
#define TOOLS_CLI_READ_WHERE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "tools/cli/read/command_fields.h"

namespace tools {

// Not thread-safe: owned by the verb that reads.
class Where {
 public:
  // Matches every command.
  Where() = default;

  // Errors: INVALID_ARGUMENT with the text and a caret below the column of the error.
  static absl::StatusOr<Where> Parse(absl::string_view text);

  // Allocates nothing unless `markets` has changed. REQUIRES: `markets` only ever grows.
  bool Matches(const engine::Command& command, bool has_attachment,
               const engine::MarketDirectory& markets);

  // Returns the symbols in the expression that `markets` does not have. If nothing matched, they
  // are probably typos.
  std::vector<std::string> UnknownSymbols(const engine::MarketDirectory& markets) const;

 private:
  friend class WhereParser;
  enum class Op : uint8_t { kAll, kAny, kNot, kHasAttachment, kCompare };
  enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };
  using Wide = __int128;  // Wide enough for every field, also in units of 10^-9.

  // The children of a node start at `first_child` and are linked by `next`. 0 ends the list: node
  // 0, the root, is never a child.
  struct Node {
    Op op = Op::kAll;
    Comparison comparison = Comparison::kEqual;
    CommandField field = CommandField::kSequence;
    bool is_decimal = false;  // `value` is in units of 10^-9, for any market.
    Wide value = 0;
    std::string symbol;  // Of a market given by symbol; `value` is its id once known.
    size_t first_child = 0;
    size_t next = 0;
  };

  bool Holds(const Node& node, const engine::Command& command, bool has_attachment,
             const engine::MarketDirectory& markets) const;
  static bool Compare(const Node& node, const engine::Command& command,
                      const engine::MarketDirectory& markets);
  void Bind(const engine::MarketDirectory& markets);

  std::vector<Node> nodes_;  // Empty: no condition.
  size_t bound_market_count_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_WHERE_H_
