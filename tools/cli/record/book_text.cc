#include "tools/cli/record/book_text.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "engine/state/resting_order.h"
#include "engine/views/depth_view.h"
#include "replay/compare/moments.h"
#include "replay/exchange_state.h"
#include "tools/cli/base/format.h"
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
  const replay::ExchangeState& exchange = replay::ExchangeOf(machine);
  uint64_t empty = 0;
  for (const auto& [id, definition] : markets.all()) {
    bool has_orders = false;
    exchange.VisitOrdersOf(id, [&](const engine::RestingOrder&) { has_orders = true; });
    if (has_orders) {
      print(definition);
    } else {
      ++empty;
    }
  }
  if (empty > 0) absl::StrAppend(&out, Counted(empty, "market"), " without orders\n");
}

}  // namespace tools
