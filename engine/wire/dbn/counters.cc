#include "engine/wire/dbn/counters.h"

#include <numeric>

#include "absl/strings/str_cat.h"

namespace engine {
namespace {

struct Oddity {
  const char* name;
  const char* what;
  uint64_t DbnCounters::*count;
};

constexpr std::array<Oddity, 10> kOddities = {
    {{"unknown_cancels", "cancels of orders from before the recording",
      &DbnCounters::unknown_cancels},
     {"unknown_modifies", "changes of orders from before the recording, which are added",
      &DbnCounters::unknown_modifies},
     {"unknown_fills", "fills of orders that are not in the book", &DbnCounters::unknown_fills},
     {"fills_without_trade", "fills without a trade in their event",
      &DbnCounters::fills_without_trade},
     {"orders_repeated", "orders under a number that is live", &DbnCounters::orders_repeated},
     {"quantities_exceeded", "cancels of more than was left", &DbnCounters::quantities_exceeded},
     {"without_side", "orders without a side", &DbnCounters::without_side},
     {"without_price", "records without the price that they need", &DbnCounters::without_price},
     {"without_size", "records without the size that they need", &DbnCounters::without_size},
     {"unknown_actions", "records of unknown actions", &DbnCounters::unknown_actions}}};

}  // namespace

uint64_t DbnCounters::TotalRecords() const {
  return std::accumulate(actions.begin(), actions.end(), uint64_t{0});
}

uint64_t DbnCounters::TotalCommands() const {
  return markets_defined + new_orders + executions + prints + reduces + cancels + amends +
         replaces + mass_cancels;
}

std::vector<std::pair<std::string, uint64_t>> DbnCounters::Oddities() const {
  std::vector<std::pair<std::string, uint64_t>> rows;
  for (const Oddity& oddity : kOddities) {
    if (this->*oddity.count > 0) rows.emplace_back(oddity.what, this->*oddity.count);
  }
  return rows;
}

std::vector<std::pair<std::string, uint64_t>> DbnCounters::Rows() const {
  std::vector<std::pair<std::string, uint64_t>> rows;
  const auto add = [&rows](absl::string_view name, uint64_t count) {
    if (count > 0) rows.emplace_back(std::string(name), count);
  };
  rows.emplace_back("records", TotalRecords());
  for (const auto& [action, name] : kDbnActions) {
    add(absl::StrCat("records.", name), actions[static_cast<uint8_t>(action)]);
  }
  rows.emplace_back("commands", TotalCommands());
  add("commands.define_market", markets_defined);
  add("commands.new_order", new_orders);
  add("commands.execution", executions);
  add("commands.print", prints);
  add("commands.reduce", reduces);
  add("commands.cancel", cancels);
  add("commands.amend", amends);
  add("commands.replace", replaces);
  add("commands.mass_cancel", mass_cancels);
  for (const Oddity& oddity : kOddities) add(oddity.name, this->*oddity.count);
  rows.emplace_back("live_orders", live_orders);
  return rows;
}

}  // namespace engine
