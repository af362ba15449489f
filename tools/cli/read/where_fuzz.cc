// Any expression is either rejected with a message that points into it, or can be evaluated for any
// command; with `!` in front, the result is the opposite.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "tools/cli/read/where.h"

namespace {

// The first bytes of the input are the command's words; missing ones are zero.
engine::Command CommandOf(absl::string_view bytes) {
  engine::Command command;
  std::memcpy(&command, bytes.data(), std::min(bytes.size(), sizeof(command)));
  return command;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  const engine::Command command = CommandOf(input);
  engine::MarketDirectory markets;
  markets.Add(
      {.id = engine::MarketId(7), .symbol = "RAIN", .price_decimals = 4, .quantity_decimals = 2});
  for (const absl::string_view text :
       {input, input.substr(std::min(size, sizeof(engine::Command)))}) {
    auto where = tools::Where::Parse(text);
    if (!where.ok()) {
      const absl::string_view why = where.status().message();
      CHECK(std::count(why.begin(), why.end(), '\n') == 2 && why.back() == '^') << why;
      continue;
    }
    const bool matches = where->Matches(command, !text.empty(), markets);
    (void)where->UnknownSymbols(markets);
    auto opposite = tools::Where::Parse(absl::StrCat("!(", text, ")"));
    if (!opposite.ok()) continue;  // One nesting level too many.
    CHECK(opposite->Matches(command, !text.empty(), markets) != matches) << text;
  }
  return 0;
}
