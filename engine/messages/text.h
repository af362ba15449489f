// The text form of commands and events: in transcripts, on the command line, in failure messages.
//
//   command   [<sequence> <time>] <verb> <field>=<value> ...
//               7 2020-01-30T09:30:00.000000000Z bid market=AAPL price=320.1400 quantity=100
//               cancel market=AAPL order=7
//   event     <sequence>.<index> <verb> <field>=<value> ...
//               8.1 trade maker=7 taker=8 side=bid market=AAPL price=320.1400 quantity=60
//               remaining=40
//
// Fields that are zero, and the default type and time in force, are omitted. Numbers have the
// decimals of their market. If the market is unknown, they are counts of units after a '#'
// (price=#5600), and so is the market itself (market=#7). A value outside its enumeration is its
// number. Printed text parses back to the same value. testdata/transcripts/README.md has the
// grammar.

#ifndef ENGINE_MESSAGES_TEXT_H_
#define ENGINE_MESSAGES_TEXT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_directory.h"

namespace engine {

struct ParsedCommand {
  Command command;
  std::vector<std::byte> attachment;  // Empty if the command has none.
};

// Thread-compatible. `markets` provides symbols and decimals, and outlives the object. With a
// default market, `market=` is omitted for that market.
class MessageText {
 public:
  explicit MessageText(const MarketDirectory& markets, MarketId default_market = {})
      : markets_(markets), default_market_(default_market) {}

  std::string Format(const Command& command, Bytes attachment = {}) const;
  std::string Format(const Event& event) const;

  // Errors: INVALID_ARGUMENT that names the word and what was expected.
  absl::StatusOr<ParsedCommand> ParseCommand(absl::string_view line) const;
  absl::StatusOr<Event> ParseEvent(absl::string_view line) const;

 private:
  // The market of a line without `market=`. A kind without a market does not refer to the default
  // market either.
  template <typename Kind>
  MarketId DefaultMarketOf(Kind kind) const {
    return ConcernsAMarket(kind) ? default_market_ : MarketId();
  }

  const MarketDirectory& markets_;
  const MarketId default_market_;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_TEXT_H_
