#include "engine/wire/itch/counters.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace engine {

uint64_t ItchCounters::TotalMessages() const { return absl::c_accumulate(messages, uint64_t{0}); }

uint64_t ItchCounters::TotalUnknownReferences() const {
  return absl::c_accumulate(unknown_references, uint64_t{0});
}

uint64_t ItchCounters::TotalCommands() const {
  return markets_defined + new_orders + executions + prints + reduces + cancels + replaces;
}

std::vector<std::pair<std::string, uint64_t>> ItchCounters::Rows() const {
  std::vector<std::pair<std::string, uint64_t>> rows;
  const auto add = [&rows](absl::string_view name, uint64_t count) {
    if (count > 0) rows.emplace_back(std::string(name), count);
  };
  const auto add_per_type = [&](absl::string_view what, const PerType& counts) {
    for (size_t i = 0; i < kItchTypeCount; ++i) {
      add(absl::StrCat(what, ".", absl::string_view(&kItchTypes[i].letter, 1), ".",
                       kItchTypes[i].name),
          counts[i]);
    }
  };
  rows.emplace_back("messages", TotalMessages());
  add_per_type("messages", messages);
  rows.emplace_back("commands", TotalCommands());
  add("commands.define_market", markets_defined);
  add("commands.new_order", new_orders);
  add("commands.execution", executions);
  add("commands.print", prints);
  add("commands.reduce", reduces);
  add("commands.cancel", cancels);
  add("commands.replace", replaces);
  rows.emplace_back("unknown_references", TotalUnknownReferences());
  add_per_type("unknown_references", unknown_references);
  add("markets_defined_by_orders", markets_defined_by_orders);
  add("markets_repeated", markets_repeated);
  add("markets_refused", markets_refused);
  add("orders_without_market", orders_without_market);
  add("references_repeated", references_repeated);
  add("quantities_exceeded", quantities_exceeded);
  rows.emplace_back("live_orders", live_orders);
  return rows;
}

}  // namespace engine
