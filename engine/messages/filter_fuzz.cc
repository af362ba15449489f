// Any expression is either rejected with a message that points into it, or can be evaluated for any
// command or event; with `!` in front, the result is the opposite.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/filter.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"

namespace {

using engine::Filter;
using engine::Messages;

// The first bytes of the input are the message's words; missing ones are zero.
template <typename Message>
Message MessageOf(absl::string_view bytes) {
  Message message;
  std::memcpy(static_cast<void*>(&message), bytes.data(), std::min(bytes.size(), sizeof(message)));
  return message;
}

void CheckFilter(absl::string_view text, Messages messages, const auto& matches) {
  auto filter = Filter::Parse(text, messages);
  if (!filter.ok()) {
    const absl::string_view why = filter.status().message();
    CHECK(std::count(why.begin(), why.end(), '\n') == 2 && why.back() == '^') << why;
    return;
  }
  const bool is_match = matches(*filter);
  auto opposite = Filter::Parse(absl::StrCat("!(", text, ")"), messages);
  if (!opposite.ok()) return;  // One nesting level too many.
  CHECK(matches(*opposite) != is_match) << text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  const auto command = MessageOf<engine::Command>(input);
  const auto event = MessageOf<engine::Event>(input);
  engine::MarketDirectory markets;
  markets.Add(
      {.id = engine::MarketId(7), .symbol = "RAIN", .price_decimals = 4, .quantity_decimals = 2});
  for (const absl::string_view text :
       {input, input.substr(std::min(size, sizeof(engine::Command)))}) {
    CheckFilter(text, Messages::kCommands, [&](Filter& filter) {
      (void)filter.UnknownSymbols(markets);
      return filter.Matches(command, !text.empty(), markets);
    });
    CheckFilter(text, Messages::kEvents,
                [&](Filter& filter) { return filter.Matches(event, markets); });
  }
  return 0;
}
