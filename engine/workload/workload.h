// A workload: commands in order, and how many of them are warm-up.
//
//   [ define, accounts, seeds, rehearsal | what is measured ...................... ]
//     warm_up_count                        commands.size()
//
// Depends only on name, seed and size, and is the same on every machine.

#ifndef ENGINE_WORKLOAD_WORKLOAD_H_
#define ENGINE_WORKLOAD_WORKLOAD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"

namespace bench {

struct Workload {
  std::string name;
  std::vector<engine::Command> commands;  // Sequence numbers 1, 2, 3, ...

  // For the few commands that have one; ascending by index into `commands`.
  std::vector<std::pair<size_t, std::vector<std::byte>>> attachments;

  size_t warm_up_count = 0;
};

// Assigns sequence numbers and timestamps as a sequencer would.
class WorkloadBuilder {
 public:
  explicit WorkloadBuilder(std::string name) { workload_.name = std::move(name); }

  // Adds the next command, one time step after the one before. Returns the id of the order that it
  // may make.
  engine::OrderId Add(engine::Command command, std::vector<std::byte> attachment = {});

  // The id that Add() will return next.
  engine::OrderId next_order_id() const { return engine::OrderId(workload_.commands.size() + 1); }

  engine::Timestamp now() const { return now_; }
  // Sets the next command's time. REQUIRES: not before now().
  void SetNow(engine::Timestamp now);
  void set_step_nanos(int64_t nanos) { step_nanos_ = nanos; }

  // Marks everything added so far as warm-up.
  void EndWarmUp() { workload_.warm_up_count = workload_.commands.size(); }

  // Adds a command that defines the market.
  void Define(const engine::MarketDefinition& definition);

  Workload Take() { return std::move(workload_); }

 private:
  Workload workload_;
  engine::Timestamp now_ = engine::Timestamp::FromNanos(1'767'225'600'000'000'000);  // 2026.
  int64_t step_nanos_ = 1000;
};

// An equity market: a tick is one price unit, prices range from 1 to 1,000,000.
engine::MarketDefinition DefaultMarket(uint32_t id);

// The same with a price unit of 0.0001, as on Nasdaq: a cent is kUnitsOfCent of them.
engine::MarketDefinition FineMarket(uint32_t id);
inline constexpr int64_t kUnitsOfCent = 100;

}  // namespace bench

#endif  // ENGINE_WORKLOAD_WORKLOAD_H_
