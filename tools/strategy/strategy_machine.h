// A strategy as a machine: what the tools of replay drive, live, simulated and afterwards.

#ifndef TOOLS_STRATEGY_STRATEGY_MACHINE_H_
#define TOOLS_STRATEGY_STRATEGY_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "journal/record.h"
#include "replay/described_state.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "tools/strategy/desk.h"
#include "tools/strategy/desk_text.h"
#include "tools/strategy/strategy.h"

namespace strategy {

// Not thread-safe: owned by the owner of the driver.
class StrategyMachine final : public replay::Machine, public replay::DescribedState {
 public:
  // `name`: in reports, that of the strategy.
  StrategyMachine(std::string name, std::unique_ptr<Strategy> strategy)
      : name_(std::move(name)), strategy_(std::move(strategy)) {}

  absl::string_view name() const override { return name_; }
  uint32_t semantics_version() const override { return kVersion; }
  void WriteTo(replay::ApplyKey, replay::OutputMemory& memory) override { desk_.WriteTo(memory); }
  std::span<const replay::Output> Apply(replay::ApplyKey, const journal::Record& record) override {
    last_ = {.sequence = record.sequence(), .time = record.timestamp()};
    return desk_.Apply(record);
  }
  engine::Timestamp NextTimer() const override { return desk_.NextTimer(); }
  engine::Digest StateDigest() const override { return desk_.StateDigest(); }
  uint64_t state_size() const override { return desk_.state_size(); }
  LastRecord last_record() const override { return last_; }
  void CheckInvariants() const override { desk_.CheckInvariants(); }
  std::vector<replay::StateEntity> Describe(size_t list_max) const override {
    return DescribeDesk(desk_, parameters(), list_max);
  }

  const Desk& desk() const { return desk_; }
  const Parameters& parameters() const { return strategy_->parameters(); }

  // Of what the desk does with the same inputs.
  static constexpr uint32_t kVersion = 1;

 private:
  const std::string name_;
  const std::unique_ptr<Strategy> strategy_;
  Desk desk_{*strategy_};
  LastRecord last_;
};

}  // namespace strategy

#endif  // TOOLS_STRATEGY_STRATEGY_MACHINE_H_
