// An exchange that applies each command when it is submitted, and its books.

#ifndef TOOLS_CLI_RECORD_TESTING_APPLIED_DIRECTLY_H_
#define TOOLS_CLI_RECORD_TESTING_APPLIED_DIRECTLY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "replay/driver.h"
#include "replay/machine.h"

namespace tools {

// By side, price and place in the queue: what remains of each order.
using BookOfTest = std::map<std::pair<engine::Side, int64_t>, std::vector<uint64_t>>;

// `clock` outlives it, and so does `listener`, which may be null.
class AppliedDirectly final : public engine::CommandSink {
 public:
  AppliedDirectly(engine::Clock& clock, engine::EventListener* listener);

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override;

  BookOfTest BookOf(engine::MarketId market) const;
  uint64_t rejected() const { return rejected_; }

 private:
  engine::Clock& clock_;
  engine::EventListener* const listener_;
  std::unique_ptr<replay::Machine> machine_;
  replay::Driver driver_;
  uint64_t rejected_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TESTING_APPLIED_DIRECTLY_H_
