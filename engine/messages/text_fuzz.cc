// Any line is refused, or parses to a command or an event that prints and parses back unchanged. So
// do numbers and times.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"

namespace {

using engine::Timestamp;

void TryCommand(const engine::MessageText& text, absl::string_view line) {
  const auto parsed = text.ParseCommand(line);
  if (!parsed.ok()) return;
  const std::string printed = text.Format(parsed->command, parsed->attachment);
  const auto again = text.ParseCommand(printed);
  CHECK(again.ok()) << printed << ": " << again.status().message();
  CHECK(again->command == parsed->command) << printed;
  CHECK(text.Format(again->command, again->attachment) == printed) << printed;
}

void TryEvent(const engine::MessageText& text, absl::string_view line) {
  const auto parsed = text.ParseEvent(line);
  if (!parsed.ok()) return;
  const std::string printed = text.Format(*parsed);
  const auto again = text.ParseEvent(printed);
  CHECK(again.ok()) << printed << ": " << again.status().message();
  CHECK(*again == *parsed) << printed;
}

void TryValues(absl::string_view word, int decimals) {
  if (const auto time = Timestamp::Parse(word); time.ok()) {
    const std::string printed = time->ToString();
    CHECK(Timestamp::Parse(printed).value() == *time) << printed;
    CHECK(printed.substr(0, 19) == word.substr(0, 19)) << printed;
  }
  if (const auto price = engine::ParsePrice(word, decimals); price.ok()) {
    const std::string printed = engine::FormatPrice(*price, decimals);
    CHECK(engine::ParsePrice(printed, decimals).value() == *price) << printed;
  }
  if (const auto quantity = engine::ParseQuantity(word, decimals); quantity.ok()) {
    const std::string printed = engine::FormatQuantity(*quantity, decimals);
    CHECK(engine::ParseQuantity(printed, decimals).value() == *quantity) << printed;
  }
  if (const auto money = engine::Money::Parse(word); money.ok()) {
    CHECK(engine::Money::Parse(money->ToString()).value() == *money) << word;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  engine::MarketDirectory markets;
  markets.Add(
      {.id = engine::MarketId(7), .symbol = "RAIN", .price_decimals = 4, .quantity_decimals = 2});
  const engine::MessageText text(markets, engine::MarketId(data[0] & 7));
  const absl::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  TryCommand(text, line);
  TryEvent(text, line);
  TryValues(line, data[0] % 10);
  return 0;
}
