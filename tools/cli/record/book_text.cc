#include "tools/cli/record/book_text.h"

#include "absl/strings/str_cat.h"
#include "engine/views/depth_view.h"
#include "replay/compare/moments.h"
#include "tools/cli/read/book_printer.h"

namespace tools {

void AppendBooks(const replay::Machine& machine, const engine::MarketDirectory& markets,
                 const engine::MarketDefinition* market, std::string& out) {
  const auto print = [&](const engine::MarketDefinition& definition) {
    engine::DepthView depth;
    replay::SeedDepth(machine, definition.id, depth);
    absl::StrAppend(&out, FormatBook(depth, definition).WithoutStyles().bytes());
  };
  if (market != nullptr) return print(*market);
  for (const auto& [id, definition] : markets.all()) print(definition);
}

}  // namespace tools
