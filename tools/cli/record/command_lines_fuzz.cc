// Any lines of a table are either rejected, or are commands that survive writing and parsing
// unchanged. The first byte selects the format.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/record/command_lines.h"

namespace {

void TryAgain(const engine::ParsedCommand& parsed, const engine::MarketDirectory& markets) {
  const std::string json = tools::CommandJson(parsed.command, parsed.attachment, markets);
  const auto again = tools::MakeJsonLines()(json, markets);
  CHECK(again.ok() && again->has_value()) << json << ": " << again.status().message();
  CHECK((*again)->command == parsed.command) << json;
  CHECK((*again)->attachment == parsed.attachment) << json;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const absl::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const tools::CommandLines lines =
      (data[0] & 1) != 0 ? tools::MakeCsvLines() : tools::MakeJsonLines();
  engine::MarketDirectory markets;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const auto parsed = lines(line, markets);
    if (!parsed.ok()) return 0;  // As the import does.
    if (!parsed->has_value()) continue;
    TryAgain(**parsed, markets);
    if ((*parsed)->command.kind != engine::CommandKind::kDefineMarket) continue;
    auto definition = engine::DecodeMarketDefinition((*parsed)->attachment);
    if (definition.ok()) markets.Add(*std::move(definition));
  }
  return 0;
}
