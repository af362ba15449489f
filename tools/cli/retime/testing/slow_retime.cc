// `ticktape retime` with a planted slowdown: some steps more for each command of one kind.
//
//   slow_retime KIND CYCLES retime JOURNAL ...     as --program or --against of the real one
//
// With 0 cycles it is an unchanged build that differs in nothing else.

#include <x86intrin.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "replay/command_row.h"
#include "replay/engines.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"

namespace {

class SlowMachine final : public replay::Machine {
 public:
  SlowMachine(std::unique_ptr<replay::Machine> machine, engine::CommandKind kind, long cycles)
      : machine_(std::move(machine)), kind_(kind), cycles_(cycles) {}
  absl::string_view name() const override { return machine_->name(); }
  void WriteTo(replay::ApplyKey key, replay::OutputMemory& memory) override {
    machine_->WriteTo(key, memory);
  }
  std::span<const replay::Output> Apply(replay::ApplyKey key,
                                        const journal::Record& record) override {
    const std::span<const replay::Output> outputs = machine_->Apply(key, record);
    if (replay::ToCommand(*record.row).kind != kind_) return outputs;
    // Waits until everything before is done: the processor would overlap the two. An addition that
    // waits for the one before takes a cycle.
    _mm_lfence();
    uint64_t value = 0;
    for (long i = 0; i < cycles_; ++i) asm volatile("add $1, %0" : "+r"(value));
    return outputs;
  }
  engine::Digest StateDigest() const override { return machine_->StateDigest(); }

 private:
  const std::unique_ptr<replay::Machine> machine_;
  const engine::CommandKind kind_;
  const long cycles_;
};

}  // namespace

int main(int argument_count, char** arguments) {
  engine::CommandKind kind = {};
  if (argument_count < 5 || !engine::ParseName(arguments[1], kind)) {
    std::fputs("slow_retime KIND CYCLES retime JOURNAL ...\n", stderr);
    return 2;
  }
  const long cycles = std::atol(arguments[2]);
  const std::vector<std::string> words(arguments + 4, arguments + argument_count);
  const tools::VerbResult result = tools::RunVerb(
      tools::MakeRetimeVerb([&](replay::EngineKind engine) {
        return std::make_unique<SlowMachine>(replay::MakeEngine(engine), kind, cycles);
      }),
      words);
  std::fputs(result.output.c_str(), stdout);
  std::fputs(result.error.c_str(), stderr);
  return static_cast<int>(result.code);
}
